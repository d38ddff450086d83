//! A field at eight points at once: the same bounds as one at a time, up to rounding.
//!
//! There are no closures over lanes: compilers do not inline them with the machine's instructions.

use super::{Field, OUTSIDE_CLEAR, OUTSIDE_UNSIGNED, Storage};
use crate::geometry::simd::{Lanes, WIDTH};
use crate::gpu::native::Voxels;
use glam::Vec3;

/// What a field says of eight points.
#[derive(Clone, Copy)]
pub struct LaneBounds<V> {
    /// The field's value at the domain's nearest point.
    pub value: V,
    /// No larger than the true distance.
    pub lower: V,
    /// No smaller than the true distance, and never more than across the domain; see [`Field::upper`].
    pub upper: V,
    /// How far the point is outside of the domain.
    pub beyond: V,
}

#[inline(always)]
fn splat<V: Lanes>(v: Vec3) -> [V; 3] {
    [V::splat(v.x), V::splat(v.y), V::splat(v.z)]
}

/// The length of vectors.
#[inline(always)]
pub fn length<V: Lanes>([x, y, z]: [V; 3]) -> V {
    (x * x + y * y + z * z).sqrt()
}

impl Field<'_> {
    /// The field at eight points, certified.
    #[inline(always)]
    pub fn lane_bounds<V: Lanes>(&self, p: [V; 3]) -> LaneBounds<V> {
        let params = self.params;
        let (origin, cells) = (splat::<V>(self.origin), splat::<V>(self.cells));
        let (cell, zero) = (V::splat(params.cell), V::splat(0.0));
        let (mut g, mut outwards, mut in_domain) = (p, p, zero.le(zero));
        let ends = splat::<V>(self.origin + self.cells * params.cell);
        for i in 0..3 {
            let from = p[i] - origin[i];
            g[i] = (from / cell).max(zero).min(cells[i]);
            outwards[i] = from - g[i] * cell;
            in_domain = in_domain & origin[i].le(p[i]) & p[i].le(ends[i]);
        }
        let value = self.lane_values(g);
        let slack = self.lane_errors(g) + V::splat(params.rounding) * length(p);
        let saturated = V::splat(params.band).le(value.abs() + slack);
        let infinity = V::splat(f32::INFINITY);
        let mut lower = (saturated & value.lt(zero)).select(-infinity, value - slack);
        let mut upper = (saturated & zero.lt(value)).select(infinity, value + slack);
        let beyond = length(outwards);
        if in_domain.bits() != u8::MAX {
            for i in 0..3 {
                outwards[i] = p[i] - (origin[i] + g[i] * cell);
            }
            let outside = length(outwards);
            let (mut low, mut high) = (lower - (outside + slack), upper + (outside + slack));
            if params.outside <= OUTSIDE_UNSIGNED {
                // By Pythagoras, see `Field::certified`.
                let inner = (value.abs() - slack).max(zero);
                let clear = ((outside * outside + inner * inner).sqrt() - slack).max(zero);
                let far = outside + value.abs() + V::splat(2.0) * slack;
                high = saturated.select(infinity, far);
                low = match params.outside {
                    OUTSIDE_CLEAR => clear,
                    _ => -high,
                };
            }
            lower = in_domain.select(lower, low);
            upper = in_domain.select(upper, high);
        }
        let across = (self.cells * params.cell).length() * 1.000_01;
        LaneBounds {
            value,
            lower,
            upper: upper.min(V::splat(across) + beyond),
            beyond,
        }
    }

    /// Distances at places in cells, inside the domain.
    #[inline(always)]
    pub fn lane_values<V: Lanes>(&self, g: [V; 3]) -> V {
        match &self.storage {
            Storage::Direction(voxels) if is_indexed(voxels) => {
                lane_trilinear::<V, 4, 3>(voxels, g)
            }
            Storage::Distance(voxels) if is_indexed(voxels) => lane_trilinear::<V, 1, 0>(voxels, g),
            _ => {
                let [x, y, z] = [g[0].store(), g[1].store(), g[2].store()];
                let mut values = [0.0; WIDTH];
                for (i, value) in values.iter_mut().enumerate() {
                    *value = self.value(Vec3::new(x[i], y[i], z[i]));
                }
                V::load(&values)
            }
        }
    }

    /// The bounds on the errors of the values there.
    #[inline(always)]
    fn lane_errors<V: Lanes>(&self, g: [V; 3]) -> V {
        if let Storage::Sparse { .. } = self.storage {
            let [x, y, z] = [g[0].store(), g[1].store(), g[2].store()];
            let mut errors = [0.0; WIDTH];
            for (i, error) in errors.iter_mut().enumerate() {
                *error = self.error(Vec3::new(x[i], y[i], z[i]));
            }
            return V::load(&errors);
        }
        let size = V::splat(self.params.brick_cells as f32);
        let most = splat::<V>((self.bricks - 1).as_vec3());
        let (mut brick, mut local) = (g, V::splat(0.0));
        for i in 0..3 {
            brick[i] = (g[i] / size).floor().min(most[i]);
            local = local.max((g[i] - (brick[i] + V::splat(0.5)) * size).abs());
        }
        let slack = 1e-6 * (self.cells.x + self.cells.y + self.cells.z);
        let rim = V::splat(0.5 * self.params.brick_cells as f32 - 1.0 - slack);
        let inner = local.lt(rim).bits();
        let [x, y, z] = [
            brick[0].integers(),
            brick[1].integers(),
            brick[2].integers(),
        ];
        let (row, slice) = (self.bricks.x as i32, (self.bricks.x * self.bricks.y) as i32);
        let mut errors = [0.0; WIDTH];
        for i in 0..WIDTH {
            let at = (x[i] + row * y[i] + slice * z[i]) as usize;
            errors[i] = self.errors[2 * at + usize::from(inner >> i & 1 == 0)];
        }
        V::load(&errors) + V::splat(self.params.sampling)
    }
}

/// Whether 32 bits count the floats of a texture.
#[inline(always)]
fn is_indexed(voxels: &Voxels) -> bool {
    let count = voxels.channels * voxels.size.iter().map(|n| *n as usize).product::<usize>();
    count == voxels.values.len() && i32::try_from(count).is_ok()
}

/// One of a texture's channels at places that lie within it, in voxels from the middle of the first.
#[inline(always)]
fn lane_trilinear<V: Lanes, const CHANNELS: usize, const CHANNEL: i32>(
    voxels: &Voxels,
    g: [V; 3],
) -> V {
    let size = voxels.size;
    assert!(voxels.channels == CHANNELS && is_indexed(voxels) && !voxels.values.is_empty());
    let (mut corner, mut t, zero) = (g, g, V::splat(0.0));
    for i in 0..3 {
        // The last cell reaches to the last voxel: a place there is at its end.
        let last = V::splat(size[i].saturating_sub(2) as f32);
        corner[i] = g[i].floor().max(zero).min(last);
        t[i] = g[i] - corner[i];
    }
    let [x, y, z] = [
        corner[0].integers(),
        corner[1].integers(),
        corner[2].integers(),
    ];
    let channels = CHANNELS as i32;
    let row = channels * size[0] as i32;
    let slice = row * size[1] as i32;
    let mut at = [0i32; WIDTH];
    for i in 0..WIDTH {
        at[i] = channels * x[i] + row * y[i] + slice * z[i] + CHANNEL;
    }
    // Where there is only one voxel, there is no next.
    let step = |axis: usize, length: i32| if size[axis] > 1 { length } else { 0 };
    let [dx, dy, dz] = [step(0, channels), step(1, row), step(2, slice)];
    // SAFETY: corners are at most the last but one voxel of an axis with more than one, and the first of others, so that corner and next
    // are voxels; products and sums of such places stay below the number of floats, which is below 2^31.
    unsafe {
        let near = lane_square(voxels.values, &at, [dx, dy], [t[0], t[1]]);
        let far = lane_square(
            voxels.values.get_unchecked(dz as usize..),
            &at,
            [dx, dy],
            [t[0], t[1]],
        );
        mix(near, far, t[2])
    }
}

/// Between the four voxels of a square.
///
/// # Safety
/// Places and steps lead to values.
#[inline(always)]
unsafe fn lane_square<V: Lanes>(
    values: &[f32],
    at: &[i32; WIDTH],
    [dx, dy]: [i32; 2],
    t: [V; 2],
) -> V {
    // SAFETY: by the caller.
    unsafe {
        let low = mix(
            V::gather(values, at),
            V::gather(values.get_unchecked(dx as usize..), at),
            t[0],
        );
        let up = values.get_unchecked(dy as usize..);
        let high = mix(
            V::gather(up, at),
            V::gather(up.get_unchecked(dx as usize..), at),
            t[0],
        );
        mix(low, high, t[1])
    }
}

#[inline(always)]
fn mix<V: Lanes>(a: V, b: V, t: V) -> V {
    a + (b - a) * t
}
