use super::*;

/// Every operation once, on lanes with zeros, infinities and NaN among them.
struct Everything([f32; WIDTH], [f32; WIDTH]);

impl LaneKernel for Everything {
    type Output = (Vec<[u32; WIDTH]>, [u8; 3]);
    #[inline(always)]
    fn run<V: Lanes>(self) -> Self::Output {
        let (a, b) = (V::load(&self.0), V::load(&self.1));
        let (lt, le) = (a.lt(b), a.le(b));
        let corners = [
            V::load(&[1.0, 0.0, 1.0, 0.0, 0.0, 1.0, 0.0, 1.0]),
            V::load(&[1.0, 0.0, 1.0, 1.0, 0.0, 0.0, 0.0, 1.0]),
            V::load(&[0.0, 0.0, 1.0, 1.0, 1.0, 1.0, 0.0, 0.0]),
        ];
        let all = [
            a + b,
            a - b,
            a * b,
            a / b,
            -a,
            a.min(b),
            a.max(b),
            a.sqrt(),
            a.abs(),
            a.abs().with_sign_of(b),
            lt,
            le,
            lt & le,
            lt | le,
            lt.select(a, b),
            V::splat(3.5),
            a * b + b,
            V::same(&self.0.map(f32::to_bits), 1.5f32.to_bits()),
            a.floor(),
            // SAFETY: places are 0 to 7.
            unsafe { V::gather(&self.0, V::places(corners, [1, 2, 4])) },
        ];
        (
            all.map(|v| v.store().map(f32::to_bits)).to_vec(),
            [lt.bits(), le.bits(), a.bits()],
        )
    }
}

#[test]
fn the_machines_lanes_and_plain_arrays_give_the_same_bits() {
    let a = [1.5, -0.0, 0.0, f32::INFINITY, 1.0e-40, 7.0, 0.1, 1.0];
    let b = [2.5, 0.0, -0.0, 1.0, 3.0, 7.0, 0.3, f32::NAN];
    for (a, b) in [(a, b), (b, a)] {
        let best = dispatch(Everything(a, b));
        let plain = Everything(a, b).run::<Portable>();
        assert_eq!(best.1, plain.1);
        for (op, (x, y)) in best.0.iter().zip(&plain.0).enumerate() {
            for lane in 0..WIDTH {
                // The payload of a NaN is the one thing that IEEE 754 leaves open.
                let both_nan = f32::from_bits(x[lane]).is_nan() && f32::from_bits(y[lane]).is_nan();
                assert!(
                    x[lane] == y[lane] || both_nan,
                    "operation {op}, lane {lane}"
                );
            }
        }
    }
}

struct Columns([[f32; 4]; WIDTH]);

impl LaneKernel for Columns {
    type Output = [[f32; WIDTH]; 4];
    #[inline(always)]
    fn run<V: Lanes>(self) -> Self::Output {
        let [x, y, z, w] = V::four_columns(self.0.each_ref());
        [x.store(), y.store(), z.store(), w.store()]
    }
}

#[test]
fn columns_have_the_rows_in_their_order() {
    let rows = std::array::from_fn(|i| std::array::from_fn(|k| (10 * i + k) as f32));
    let expected = std::array::from_fn(|k| std::array::from_fn(|i| (10 * i + k) as f32));
    assert_eq!(dispatch(Columns(rows)), expected);
    assert_eq!(Columns(rows).run::<Portable>(), expected);
}

struct NearZero([f32; WIDTH]);

impl LaneKernel for NearZero {
    type Output = ([f32; WIDTH], [f32; 3], [i32; WIDTH]);
    #[inline(always)]
    fn run<V: Lanes>(self) -> Self::Output {
        let a = V::load(&self.0);
        (
            a.near_mul_add(V::splat(3.0), V::splat(-1.0)).store(),
            [a.least(), a.most(), a.sum()],
            a.integers(),
        )
    }
}

#[test]
fn fused_or_not_small_integers_are_exact() {
    let a = [4.0, 2.0, 3.0, 8.0, -5.0, 6.0, -7.0, 9.0];
    let expected = (
        a.map(|a| 3.0 * a - 1.0),
        [-7.0, 9.0, 20.0],
        [4, 2, 3, 8, -5, 6, -7, 9],
    );
    assert_eq!(dispatch(NearZero(a)), expected);
    assert_eq!(NearZero(a).run::<Portable>(), expected);
}

#[test]
fn lanes_mean_what_they_say() {
    let (values, [lt, le, negative]) = Everything(
        [1.0, 2.0, 3.0, 4.0, -5.0, 6.0, 7.0, 9.0],
        [4.0, 2.0, 1.0, 8.0, -5.0, 3.0, 8.0, f32::NAN],
    )
    .run::<Portable>();
    let lanes = |op: usize| values[op].map(f32::from_bits);
    assert_eq!((lt, le, negative), (0b0100_1001, 0b0101_1011, 0b0001_0000));
    assert_eq!(lanes(0)[..7], [5.0, 4.0, 4.0, 12.0, -10.0, 9.0, 15.0]);
    assert_eq!(lanes(5)[..7], [1.0, 2.0, 1.0, 4.0, -5.0, 3.0, 7.0]);
    assert_eq!(lanes(14)[..7], [1.0, 2.0, 1.0, 4.0, -5.0, 3.0, 7.0]);
    assert_eq!(lanes(7)[3], 2.0);
    assert_eq!(lanes(19)[..2], [4.0, 1.0]);
    assert_eq!(lanes(19)[2..], [9.0, 7.0, -5.0, 6.0, 1.0, 4.0]);
}
