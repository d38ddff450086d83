//! Polynomials over the integers, and their real roots (Sturm).

use num_bigint::{BigInt, Sign};

/// Coefficients from the constant one up; the last is not zero.
#[derive(Clone, Debug, PartialEq)]
pub struct Polynomial(Vec<BigInt>);

/// `numerator / 2^bits`.
#[derive(Clone, Debug, PartialEq)]
pub struct Dyadic {
    pub numerator: BigInt,
    pub bits: u32,
}

impl Dyadic {
    pub fn of(x: f64) -> Self {
        let (mut numerator, mut bits) = (x, 0);
        while numerator.fract() != 0.0 {
            numerator *= 2.0;
            bits += 1;
        }
        let big = |x: f64| BigInt::from(x as i128);
        // A double below 2^127 that is an integer.
        Self {
            numerator: big(numerator),
            bits,
        }
    }

    fn middle(&self, other: &Self) -> Self {
        let bits = self.bits.max(other.bits);
        let at = |d: &Self| &d.numerator << (bits - d.bits);
        Self {
            numerator: at(self) + at(other),
            bits: bits + 1,
        }
    }

    pub fn less(&self, other: &Self) -> bool {
        let bits = self.bits.max(other.bits);
        (&self.numerator << (bits - self.bits)) < (&other.numerator << (bits - other.bits))
    }

    pub fn value(&self) -> f64 {
        // The leading 64 bits are enough.
        let size = self.numerator.bits();
        let cut = size.saturating_sub(64);
        let head: i128 = (&self.numerator >> cut).try_into().unwrap();
        head as f64 * 2f64.powi((cut as i64 - i64::from(self.bits)) as i32)
    }
}

impl Polynomial {
    pub fn new(mut coefficients: Vec<BigInt>) -> Self {
        while coefficients
            .last()
            .is_some_and(|c| c.sign() == Sign::NoSign)
        {
            coefficients.pop();
        }
        Self(coefficients)
    }

    pub fn is_zero(&self) -> bool {
        self.0.is_empty()
    }

    fn degree(&self) -> usize {
        self.0.len().saturating_sub(1)
    }

    pub fn plus(&self, other: &Self) -> Self {
        let nothing = BigInt::from(0);
        let at = |p: &Self, k: usize| p.0.get(k).unwrap_or(&nothing).clone();
        let count = self.0.len().max(other.0.len());
        Self::new((0..count).map(|k| at(self, k) + at(other, k)).collect())
    }

    pub fn negative(&self) -> Self {
        Self(self.0.iter().map(|c| -c).collect())
    }

    pub fn minus(&self, other: &Self) -> Self {
        self.plus(&other.negative())
    }

    pub fn times(&self, other: &Self) -> Self {
        if self.is_zero() || other.is_zero() {
            return Self(Vec::new());
        }
        let mut product = vec![BigInt::from(0); self.0.len() + other.0.len() - 1];
        for (i, a) in self.0.iter().enumerate() {
            for (j, b) in other.0.iter().enumerate() {
                product[i + j] += a * b;
            }
        }
        Self::new(product)
    }

    fn derivative(&self) -> Self {
        Self::new(
            self.0
                .iter()
                .enumerate()
                .skip(1)
                .map(|(k, c)| c * k)
                .collect(),
        )
    }

    /// Divided by the powers of two that all coefficients have, so that numbers stay short.
    fn shortened(self) -> Self {
        let shift = self.0.iter().filter_map(BigInt::trailing_zeros).min();
        let shift = shift.unwrap_or(0);
        Self(self.0.into_iter().map(|c| c >> shift).collect())
    }

    /// Quotient and remainder of the division of a positive multiple of `self`.
    fn divided(&self, by: &Self) -> (Self, Self) {
        let mut rest = self.0.clone();
        let lead = by.0.last().expect("a divisor");
        let positive = BigInt::from(lead.magnitude().clone());
        let mut quotient = vec![BigInt::from(0); self.0.len()];
        while rest.len() >= by.0.len() {
            let shift = rest.len() - by.0.len();
            let mut factor = rest.last().expect("not empty").clone();
            if lead.sign() == Sign::Minus {
                factor = -factor;
            }
            rest.iter_mut().for_each(|c| *c *= &positive);
            quotient.iter_mut().for_each(|c| *c *= &positive);
            for (k, c) in by.0.iter().enumerate() {
                rest[shift + k] -= &factor * c;
            }
            quotient[shift] += factor;
            rest.pop();
        }
        (Self::new(quotient), Self::new(rest))
    }

    fn common_divisor(&self, other: &Self) -> Self {
        let (mut a, mut b) = (self.clone(), other.clone());
        while !b.is_zero() {
            let rest = a.divided(&b).1.shortened();
            a = b;
            b = rest;
        }
        a
    }

    /// Sign at a place.
    pub fn sign(&self, at: &Dyadic) -> i32 {
        let mut value = BigInt::from(0);
        let mut scale = 0;
        for c in self.0.iter().rev() {
            value = value * &at.numerator + (c << scale);
            scale += at.bits;
        }
        match value.sign() {
            Sign::Minus => -1,
            Sign::NoSign => 0,
            Sign::Plus => 1,
        }
    }

    fn sturm(&self) -> Vec<Self> {
        let mut chain = vec![self.clone(), self.derivative()];
        while chain.last().is_some_and(|p| !p.is_zero()) {
            let (a, b) = (&chain[chain.len() - 2], &chain[chain.len() - 1]);
            let rest = a.divided(b).1.negative().shortened();
            chain.push(rest);
        }
        chain.pop();
        chain
    }

    /// Without its multiple roots.
    fn square_free(&self) -> Self {
        let common = self.common_divisor(&self.derivative());
        if common.degree() == 0 {
            return self.clone();
        }
        self.divided(&common).0.shortened()
    }

    /// The roots in [0, 1], ascending. The polynomial is not zero everywhere.
    pub fn roots(&self) -> Vec<Root> {
        let one = |n: u32| Dyadic {
            numerator: BigInt::from(n),
            bits: 0,
        };
        let simple = self.square_free();
        let chain = simple.sturm();
        let mut found = Vec::new();
        if simple.sign(&one(0)) == 0 {
            found.push(Root {
                of: simple.clone(),
                chain: chain.clone(),
                low: one(0),
                high: one(0),
            });
        }
        let mut waiting = vec![(one(0), one(1))];
        while let Some((low, high)) = waiting.pop() {
            match count(&chain, &low, &high) {
                0 => {}
                1 => found.push(Root {
                    of: simple.clone(),
                    chain: chain.clone(),
                    low,
                    high,
                }),
                _ => {
                    let middle = low.middle(&high);
                    waiting.extend([(middle.clone(), high), (low, middle)]);
                }
            }
        }
        found
    }
}

/// The number of roots in (low, high].
fn count(chain: &[Polynomial], low: &Dyadic, high: &Dyadic) -> usize {
    let changes = |at: &Dyadic| {
        let mut last = 0;
        let mut changes = 0;
        for p in chain {
            let sign = p.sign(at);
            if sign != 0 {
                changes += usize::from(sign == -last);
                last = sign;
            }
        }
        changes
    };
    changes(low) - changes(high)
}

/// A root: the only one of a polynomial in `(low, high]`, or `low` itself when both are the same.
#[derive(Clone, Debug)]
pub struct Root {
    of: Polynomial,
    chain: Vec<Polynomial>,
    low: Dyadic,
    high: Dyadic,
}

impl Root {
    fn is_known(&self) -> bool {
        self.low == self.high
    }

    fn refine(&mut self) {
        if self.is_known() {
            return;
        }
        if self.of.sign(&self.high) == 0 {
            self.low = self.high.clone();
            return;
        }
        let middle = self.low.middle(&self.high);
        if count(&self.chain, &self.low, &middle) == 1 {
            self.high = middle;
        } else {
            self.low = middle;
        }
    }

    /// Sign of a polynomial at the root.
    pub fn sign(&mut self, of: &Polynomial) -> i32 {
        if of.is_zero() {
            return 0;
        }
        if self.is_known() {
            return of.sign(&self.low);
        }
        let common = self.of.common_divisor(of);
        if common.degree() > 0 && count(&common.square_free().sturm(), &self.low, &self.high) > 0 {
            return 0;
        }
        let chain = of.square_free().sturm();
        loop {
            if self.is_known() {
                return of.sign(&self.low);
            }
            if count(&chain, &self.low, &self.high) == 0 {
                return of.sign(&self.high);
            }
            self.refine();
        }
    }

    /// Whether the root is at or after a time.
    pub fn is_not_before(&self, time: f64) -> bool {
        let time = Dyadic::of(time);
        if self.is_known() {
            return !self.low.less(&time);
        }
        if self.of.sign(&time) == 0 || !self.low.less(&time) {
            return true;
        }
        // Before it when the root lies in (low, time].
        !self.high.less(&time) && count(&self.chain, &self.low, &time) == 0
    }

    /// The root to the last digits of a double.
    pub fn value(&self) -> f64 {
        let mut root = self.clone();
        for _ in 0..400 {
            let (low, high) = (root.low.value(), root.high.value());
            if high - low <= 1e-15 * high {
                break;
            }
            root.refine();
        }
        root.high.value()
    }
}
