//! Where rays cross a triangle: the one rule and the one formula for every way of making a layered depth image. Partner:
//! `shaders/include/crossing.glsl`, which says why a closed mesh has as many entries as exits on every ray.

use glam::{Vec2, Vec3, Vec3Swizzles};

/// The part of a row inside a triangle: (u, w) of both ends, the lower u first.
#[derive(Debug, Clone, Copy)]
pub struct Cut {
    /// Where it starts.
    pub left: Vec2,
    /// Where it ends.
    pub right: Vec2,
    /// Whether a ray enters the mesh there.
    pub enters: bool,
}

/// Where an edge whose ends lie on both sides of row k meets it.
#[inline]
fn meet(a: Vec3, b: Vec3, k: f32) -> Vec2 {
    let (low, high) = if a.y < b.y { (a, b) } else { (b, a) };
    let t = (k - low.y) / (high.y - low.y);
    let (low, high) = (low.xz(), high.xz());
    let p = low + (high - low) * t;
    p.max(low.min(high)).min(low.max(high))
}

/// The part of row `k` inside the triangle, if it cuts it.
#[inline]
pub fn cut_row(a: Vec3, b: Vec3, c: Vec3, k: f32) -> Option<Cut> {
    let (below_a, below_b, below_c) = (a.y <= k, b.y <= k, c.y <= k);
    if below_a == below_b && below_b == below_c {
        return None;
    }
    // The corner that the row parts from the other two, the next and the one before.
    let (apex, next, last) = if below_b == below_c {
        (a, b, c)
    } else if below_a == below_c {
        (b, c, a)
    } else {
        (c, a, b)
    };
    let (leaving, arriving) = (meet(apex, next, k), meet(apex, last, k));
    let (up, down) = match apex.y <= k {
        true => (leaving, arriving),
        false => (arriving, leaving),
    };
    // Seen from +w, counter-clockwise triangles rise on their right: where the rising side is left, the surface faces -w, and a ray
    // along +w enters.
    let enters = up.x < down.x;
    let (left, right) = if enters { (up, down) } else { (down, up) };
    Some(Cut {
        left,
        right,
        enters,
    })
}

impl Cut {
    /// The depth at column u = i, left.x <= i < right.x.
    #[inline]
    pub fn depth_at(&self, i: f32) -> f32 {
        let (from, to) = (self.left.y, self.right.y);
        let w = from + (to - from) * ((i - self.left.x) / (self.right.x - self.left.x));
        w.max(from.min(to)).min(from.max(to))
    }
}
