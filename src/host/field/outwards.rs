//! The way outwards at eight points at once, with the distance. Where nodes have both, one load per node brings in all four.

use super::lanes::is_indexed;
use super::{Field, Storage};
use crate::geometry::simd::{Lanes, WIDTH};
use crate::gpu::native::Voxels;
use glam::{Vec3, Vec4};

/// The field's values at eight places, and vectors away from the surface, of any length; zero where the field does not tell.
pub struct LaneOutwards<V> {
    /// Distances.
    pub value: V,
    /// Away from the surface outside of the body, towards it inside.
    pub outwards: [V; 3],
}

impl Field<'_> {
    /// Values and ways outwards at places in cells, inside the domain. Without directions at the nodes, only of places with values below
    /// zero: the others are zero.
    #[inline(always)]
    pub fn lane_outwards<V: Lanes>(&self, g: [V; 3]) -> LaneOutwards<V> {
        if let Storage::Direction(voxels) = &self.storage
            && is_indexed(voxels)
            && voxels.size.iter().all(|side| *side > 1)
        {
            return lane_trilinear4(voxels, g);
        }
        let value = self.lane_values(g);
        let mut rows = [[0.0; WIDTH]; 3];
        let below = value.lt(V::splat(0.0)).bits();
        if below != 0 {
            let [x, y, z] = [g[0].store(), g[1].store(), g[2].store()];
            let values = value.store();
            for i in 0..WIDTH {
                if below >> i & 1 == 1 {
                    let at = Vec3::new(x[i], y[i], z[i]);
                    let [x, y, z] = self.direction(at, values[i]).to_array();
                    (rows[0][i], rows[1][i], rows[2][i]) = (x, y, z);
                }
            }
        }
        LaneOutwards {
            value,
            outwards: [V::load(&rows[0]), V::load(&rows[1]), V::load(&rows[2])],
        }
    }
}

/// All channels at places that lie within the texture, which has two voxels along each axis at least.
#[inline(always)]
fn lane_trilinear4<V: Lanes>(voxels: &Voxels, g: [V; 3]) -> LaneOutwards<V> {
    let size = voxels.size;
    let (mut corner, mut t, zero) = (g, g, V::splat(0.0));
    for i in 0..3 {
        // The last cell reaches to the last voxel: a place there is at its end.
        let last = V::splat((size[i] - 2) as f32);
        corner[i] = g[i].floor().max(zero).min(last);
        t[i] = g[i] - corner[i];
    }
    let [x, y, z] = [
        corner[0].integers(),
        corner[1].integers(),
        corner[2].integers(),
    ];
    let [tx, ty, tz] = [t[0].store(), t[1].store(), t[2].store()];
    let row = size[0] as usize;
    let slice = row * size[1] as usize;
    let mut rows = [[0.0; WIDTH]; 4];
    for i in 0..WIDTH {
        let at = x[i] as usize + row * y[i] as usize + slice * z[i] as usize;
        // All eight corners, the last of which is that of the greatest place.
        let cell = &voxels.values[4 * at..][..4 * (slice + row + 2)];
        // SAFETY: the places are at most that of the last corner, which `cell` ends with.
        let node = |place: usize| unsafe { node(cell, place) };
        let mix = |a: Vec4, b: Vec4, t: f32| a + (b - a) * t;
        let line = |at: usize| mix(node(at), node(at + 1), tx[i]);
        let square = |at: usize| mix(line(at), line(at + row), ty[i]);
        let [a, b, c, d] = mix(square(0), square(slice), tz[i]).to_array();
        (rows[0][i], rows[1][i], rows[2][i], rows[3][i]) = (a, b, c, d);
    }
    LaneOutwards {
        value: V::load(&rows[3]),
        outwards: [V::load(&rows[0]), V::load(&rows[1]), V::load(&rows[2])],
    }
}

/// # Safety
/// There are more nodes than `place`.
#[inline(always)]
unsafe fn node(nodes: &[f32], place: usize) -> Vec4 {
    // SAFETY: by the caller.
    Vec4::from_array(unsafe { nodes.as_ptr().add(4 * place).cast::<[f32; 4]>().read() })
}
