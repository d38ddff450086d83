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
    /// The same without that limit: infinite where the field has no bound.
    pub unlimited: V,
    /// How far the point is outside of the domain.
    pub beyond: V,
    /// Mask of the points in the domain.
    pub in_domain: V,
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
        let g = self.lane_clamp(p);
        self.lane_certified(p, g, self.lane_values(g))
    }

    /// Positions in cells from the first node, inside the domain.
    #[inline(always)]
    pub fn lane_clamp<V: Lanes>(&self, p: [V; 3]) -> [V; 3] {
        let (origin, cells) = (splat::<V>(self.origin), splat::<V>(self.cells));
        // Not divided: that takes longer, and rounds once where this does twice, of what the certificates have many roundings for.
        let (per_length, zero) = (V::splat(1.0 / self.params.cell), V::splat(0.0));
        let mut g = p;
        for i in 0..3 {
            g[i] = ((p[i] - origin[i]) * per_length).max(zero).min(cells[i]);
        }
        g
    }

    /// What the values at the domain's nearest places say of eight points.
    #[inline(always)]
    pub fn lane_certified<V: Lanes>(&self, p: [V; 3], g: [V; 3], value: V) -> LaneBounds<V> {
        let params = self.params;
        let (origin, cell) = (splat::<V>(self.origin), V::splat(params.cell));
        let zero = V::splat(0.0);
        let (mut outwards, mut in_domain) = (p, zero.le(zero));
        let ends = splat::<V>(self.origin + self.cells * params.cell);
        for i in 0..3 {
            outwards[i] = (p[i] - origin[i]) - g[i] * cell;
            in_domain = in_domain & origin[i].le(p[i]) & p[i].le(ends[i]);
        }
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
        LaneBounds {
            value,
            lower,
            upper: upper.min(V::splat(self.across) + beyond),
            unlimited: upper,
            beyond,
            in_domain,
        }
    }

    /// Distances at places in cells, inside the domain.
    #[inline(always)]
    pub fn lane_values<V: Lanes>(&self, g: [V; 3]) -> V {
        match &self.storage {
            // SAFETY: a field that gathers has such a texture.
            Storage::Direction(voxels) if self.gathers => unsafe {
                lane_trilinear::<V, 4, 3>(voxels, g)
            },
            // SAFETY: as above.
            Storage::Distance(voxels) if self.gathers => unsafe {
                lane_trilinear::<V, 1, 0>(voxels, g)
            },
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
        if !self.gathers {
            let [x, y, z] = [g[0].store(), g[1].store(), g[2].store()];
            let mut errors = [0.0; WIDTH];
            for (i, error) in errors.iter_mut().enumerate() {
                *error = self.error(Vec3::new(x[i], y[i], z[i]));
            }
            return V::load(&errors);
        }
        let cells = self.params.brick_cells as f32;
        let (size, per_cell) = (V::splat(cells), V::splat(1.0 / cells));
        let exact = self.params.brick_cells.is_power_of_two();
        let most = splat::<V>((self.bricks - 1).as_vec3());
        let (mut brick, mut local, half) = (g, V::splat(0.0), V::splat(0.5));
        for i in 0..3 {
            let bricks = if exact { g[i] * per_cell } else { g[i] / size };
            brick[i] = bricks.floor().min(most[i]);
            local = local.max((g[i] - (brick[i] + half) * size).abs());
        }
        let slack = 1e-6 * (self.cells.x + self.cells.y + self.cells.z);
        let rim = V::splat(0.5 * self.params.brick_cells as f32 - 1.0 - slack);
        // Two errors for each brick, of its inner cells and of the others.
        let outer = local.lt(rim).select(V::splat(0.0), V::splat(1.0));
        brick[0] = brick[0] + brick[0] + outer;
        let row = 2 * self.bricks.x as i32;
        let at = V::places(brick, [1, row, row * self.bricks.y as i32]);
        // SAFETY: bricks are at most the last along each axis, and a field that gathers has two errors for each.
        unsafe { V::gather(self.errors, at) + V::splat(self.params.sampling) }
    }
}

/// Whether 32 bits count the floats of a texture.
#[inline(always)]
pub(super) fn is_indexed(voxels: &Voxels) -> bool {
    let count = voxels.channels * voxels.size.iter().map(|n| *n as usize).product::<usize>();
    count == voxels.values.len() && i32::try_from(count).is_ok()
}

/// One of a texture's channels at places that lie within it, in voxels from the middle of the first.
///
/// # Safety
/// The texture has `CHANNELS` floats for each of its voxels, more than none and fewer than 2^31.
#[inline(always)]
unsafe fn lane_trilinear<V: Lanes, const CHANNELS: usize, const CHANNEL: usize>(
    voxels: &Voxels,
    g: [V; 3],
) -> V {
    let size = voxels.size;
    let (mut corner, mut t, zero) = (g, g, V::splat(0.0));
    for i in 0..3 {
        // The last cell reaches to the last voxel: a place there is at its end.
        let last = V::splat(size[i].saturating_sub(2) as f32);
        corner[i] = g[i].floor().max(zero).min(last);
        t[i] = g[i] - corner[i];
    }
    let channels = CHANNELS as i32;
    let row = channels * size[0] as i32;
    let slice = row * size[1] as i32;
    let at = V::places(corner, [channels, row, slice]);
    // Where there is only one voxel, there is no next.
    let step = |axis: usize, length: i32| if size[axis] > 1 { length } else { 0 };
    let [dx, dy, dz] = [step(0, channels), step(1, row), step(2, slice)];
    // SAFETY: corners are at most the last but one voxel of an axis with more than one, and the first of others, so that corner and next
    // are voxels; products and sums of such places stay below the number of floats, which is below 2^31.
    unsafe {
        let values = voxels.values.get_unchecked(CHANNEL..);
        let near = lane_square(values, at, [dx, dy], [t[0], t[1]]);
        let values = values.get_unchecked(dz as usize..);
        let far = lane_square(values, at, [dx, dy], [t[0], t[1]]);
        mix(near, far, t[2])
    }
}

/// Between the four voxels of a square.
///
/// # Safety
/// Places and steps lead to values.
#[inline(always)]
unsafe fn lane_square<V: Lanes>(values: &[f32], at: V::Places, [dx, dy]: [i32; 2], t: [V; 2]) -> V {
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

#[cfg(test)]
mod tests;
