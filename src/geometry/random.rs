//! A small deterministic generator: the stochastic queries draw from it, so the same seed gives the same bits everywhere.

use glam::{DVec3, Vec3};

/// SplitMix64 (Steele, Lea and Flood 2014): one 64-bit state, no bad seeds.
#[derive(Clone, Debug)]
pub struct Random(u64);

impl Random {
    /// A generator whose whole sequence follows from `seed`.
    pub fn new(seed: u64) -> Self {
        Self(seed)
    }

    /// The next 64 random bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number in `0..count`; 0 when `count` is 0.
    pub fn below(&mut self, count: usize) -> usize {
        ((u128::from(self.bits()) * count as u128) >> 64) as usize
    }

    /// A real number in `[0, 1)`.
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// A real number in `[-1, 1)`.
    pub fn signed(&mut self) -> f64 {
        2.0 * self.unit() - 1.0
    }

    /// A point of the cube `[-1, 1)^3`.
    pub fn in_cube(&mut self) -> DVec3 {
        DVec3::new(self.signed(), self.signed(), self.signed())
    }

    /// A point of the cube `[-1, 1]^3`, in the precision of vertex positions.
    pub fn in_cube_f32(&mut self) -> Vec3 {
        self.in_cube().as_vec3()
    }
}

/// How many cases a test tries: `usual`, or as many times more as the variable PROXEL_SWEEP says.
#[cfg(test)]
pub(crate) fn cases(usual: usize) -> usize {
    let times = std::env::var("PROXEL_SWEEP").map(|n| n.parse().expect("PROXEL_SWEEP is a number"));
    usual * times.unwrap_or(1)
}
