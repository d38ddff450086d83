//! Contacts, beside the seventh: all minima of large faces, which are looked for on a lattice. Where a face is level, its rim and a few
//! points between stand for all.

use super::contact_work::Work;
use super::list_contact::{Found, Kind, Lister};
use super::{Bindings, LARGE_FACES, Side};
use crate::geometry::simd::{LaneKernel, Lanes, WIDTH, dispatch};
use crate::gpu::native::Native;
use crate::gpu::shader::blocks::SidesPush;
use crate::gpu::shader::kernels::ContactLarge;
use crate::host::meeting::Corners;
use crate::host::runs::each_run;
use glam::{IVec2, Vec2, Vec3};
use std::sync::atomic::Ordering::Relaxed;

/// Large faces that are worth a task.
const GRAIN: usize = 4;
/// Blocks of a face's lattice that are worth one.
const BLOCK_GRAIN: usize = 1024;

const MOST_HALF: i32 = 1024;
/// Points along the side of a block.
const BLOCK: i32 = 8;
const SIDES: [Vec2; 4] = [Vec2::X, Vec2::NEG_X, Vec2::Y, Vec2::NEG_Y];
const REFINEMENTS: u32 = 9;
/// The square of the smallest sine between two edges of a face that is looked through.
const FLAT: f32 = 1e-12;
/// Points inside a face have larger weights.
const RIM: f32 = 1e-4;

impl Native for ContactLarge<'_> {
    fn run(&self, push: &SidesPush, _: [u32; 3]) {
        let count = |side: &Side| side.count(LARGE_FACES);
        super::bindings!(self).for_all(push, GRAIN, count, |side, part| {
            let work = Work::of(side);
            let lister = Lister::new(side, &work, &self.raw);
            for face in &work.large_faces[part] {
                let triangle = face.load(Relaxed);
                if let Some(lattice) = Lattice::of(side, &work, triangle) {
                    lattice.list(&lister);
                }
            }
        });
    }
}

/// The lattice of a large face: square, from corner a along the first edge, so that a point keeps its number when the bodies move.
struct Lattice<'a> {
    side: &'a Side<'a>,
    work: &'a Work<'a>,
    triangle: u32,
    origin: Vec3,
    u: Vec3,
    w: Vec3,
    /// Weights of corners b and c are these times what a point is from a.
    to_b: Vec3,
    to_c: Vec3,
    /// The first point of the part that is looked through, and how many blocks along each side.
    low: IVec2,
    blocks: [i32; 2],
}

/// The weights of corners b and c are these times the way from corner a. Of a triangle that is thinner than its corners are rounded nothing is
/// inside, and they would not be numbers.
fn weights_per_way(b: Vec3, c: Vec3) -> Option<[Vec3; 2]> {
    let n = b.cross(c);
    let is_flat = !(n.length_squared() > FLAT * b.length_squared() * c.length_squared());
    (!is_flat).then(|| {
        let (to_b, to_c) = (c.cross(n), b.cross(n));
        [to_b / b.dot(to_b), to_c / c.dot(to_c)]
    })
}

impl<'a> Lattice<'a> {
    fn of(side: &'a Side<'a>, work: &'a Work<'a>, triangle: u32) -> Option<Self> {
        let t @ Corners { a, .. } = side.placed_triangle(triangle);
        let (b, c) = (t.b - a, t.c - a);
        let [to_b, to_c] = weights_per_way(b, c)?;
        let (u, up) = (b.normalize(), b.cross(c).normalize());
        let w = up.cross(u);
        let spacing = side.query.spacing;
        let size = side.field.cells() * side.field.params.cell;
        let middle_of_field = side.field.origin() + 0.5 * size - a;
        let radius = 0.5 * size.length() + side.query.distance;
        let off = middle_of_field.dot(up);
        if !(off.abs() <= radius) {
            return None;
        }
        // What can come near lies in a circle, and the face in a rectangle.
        let on_lattice = |p: Vec3| Vec2::new(p.dot(u), p.dot(w)) / spacing;
        let centre = on_lattice(middle_of_field).round();
        let half = ((radius * radius - off * off).sqrt() / spacing).ceil();
        let half = half.min(MOST_HALF as f32);
        let (tip, base) = (on_lattice(c), Vec2::new(b.length() / spacing, 0.0));
        let least = tip.min(base).min(Vec2::ZERO).floor().max(centre - half);
        let most = tip.max(base).max(Vec2::ZERO).ceil().min(centre + half);
        let (low, high) = (least.as_ivec2(), most.as_ivec2());
        // The bounds hold also where a length is no number.
        let blocks = |axis: usize| {
            let points = i64::from(high[axis]) - i64::from(low[axis]) + i64::from(BLOCK);
            (points / i64::from(BLOCK)).clamp(0, i64::from(2 * MOST_HALF / BLOCK + 1)) as i32
        };
        Some(Self {
            side,
            work,
            triangle,
            origin: a,
            u,
            w,
            to_b,
            to_c,
            low,
            blocks: [blocks(0), blocks(1)],
        })
    }

    /// First which blocks can come near, then their points.
    fn list(&self, lister: &Lister) {
        let [across, up] = self.blocks;
        each_run((across * up) as usize, BLOCK_GRAIN, |part| {
            for block in part {
                let block = block as i32;
                let corner = IVec2::new(block % across, block / across) * BLOCK;
                let corner = self.low.wrapping_add(corner);
                if self.is_near(corner) {
                    self.list_block(corner, lister);
                }
            }
        });
    }

    fn list_block(&self, corner: IVec2, lister: &Lister) {
        let mut block = Block {
            corner,
            rows: [Row::default(); BLOCK as usize],
        };
        for (y, row) in block.rows.iter_mut().enumerate() {
            *row = dispatch(RowOf {
                lattice: self,
                first: corner.wrapping_add(IVec2::new(0, y as i32)),
            });
        }
        for y in 0..BLOCK {
            let mut near = block.rows[y as usize].near;
            while near != 0 {
                let at = corner.wrapping_add(IVec2::new(near.trailing_zeros() as i32, y));
                near &= near - 1;
                if let Some(found) = self.at_lattice(at, &block) {
                    lister.list(&found);
                }
            }
        }
    }

    /// The value at a point of the lattice, if it is inside the face.
    fn inner_value(&self, at: IVec2, block: &Block) -> Option<f32> {
        let IVec2 { x, y } = at.wrapping_sub(block.corner);
        if (0..BLOCK).contains(&x) && (0..BLOCK).contains(&y) {
            let row = &block.rows[y as usize];
            return (row.inside >> x & 1 == 1).then_some(row.values[x as usize]);
        }
        let p = self.point(at.as_vec2());
        self.is_inside(p).then(|| self.side.value_of(p))
    }

    fn is_near(&self, corner: IVec2) -> bool {
        let query = self.side.query;
        let radius = 0.7072 * BLOCK as f32 * query.spacing * 1.000_01;
        let middle = self.point(corner.as_vec2() + 0.5 * (BLOCK - 1) as f32);
        self.may_meet_face(middle, radius)
            && self.side.value_of(middle) - self.side.field.params.error
                <= radius + query.distance + query.spacing
    }

    /// Whether a circle in the plane of the face may have a point inside of it: a weight changes by no more than its slope times the way.
    fn may_meet_face(&self, centre: Vec3, radius: f32) -> bool {
        let (b, c) = (self.to_b, self.to_c);
        let slopes = Vec3::new((b + c).length(), b.length(), c.length());
        let least = -1.0001 * radius * slopes - 1e-4;
        self.weights_of(centre).cmpge(least).all()
    }

    fn point(&self, at: Vec2) -> Vec3 {
        self.origin + self.side.query.spacing * (at.x * self.u + at.y * self.w)
    }

    fn weights_of(&self, p: Vec3) -> Vec3 {
        let from = p - self.origin;
        let (b, c) = (from.dot(self.to_b), from.dot(self.to_c));
        Vec3::new(1.0 - b - c, b, c)
    }

    fn is_inside(&self, p: Vec3) -> bool {
        self.weights_of(p).min_element() > RIM
    }

    /// A point of the lattice that no neighbour is below, moved downhill; nothing where downhill leads out of the face, whose edge or
    /// neighbour has the minimum then.
    fn at_lattice(&self, at: IVec2, block: &Block) -> Option<Found> {
        let (side, query) = (self.side, self.side.query);
        let spacing = query.spacing;
        let mut best = at.as_vec2();
        let mut value = self.inner_value(at, block)?;
        let mut surrounded = true;
        for way in SIDES {
            let Some(beside) = self.inner_value(at.wrapping_add(way.as_ivec2()), block) else {
                surrounded = false;
                continue;
            };
            if side.descends(value, beside, spacing) {
                return None;
            }
            surrounded &= !side.descends(beside, value, spacing);
        }
        if surrounded && at & 3 != IVec2::ZERO {
            return None;
        }
        if !surrounded {
            value = self.descend(&mut best, value);
            if self.descends_outwards(best, value) {
                return None;
            }
        }
        if !(value <= query.distance) {
            return None;
        }
        let weights = self.weights_of(self.point(best));
        Some(Found {
            kind: Kind::Face,
            feature: self.triangle,
            place: (at.x as u32 & 0x3fff) << 14 | (at.y as u32 & 0x3fff),
            triangle: self.triangle,
            weights,
            level: weights,
            area: spacing * spacing * if surrounded { 16.0 } else { 1.0 },
            node: self.work.face_node(self.triangle),
            crossing: None,
        })
    }

    /// Ever smaller steps downhill. Returns the value there.
    fn descend(&self, best: &mut Vec2, mut value: f32) -> f32 {
        let mut step = 1.0;
        for _ in 0..REFINEMENTS {
            step *= 0.5;
            for way in SIDES {
                let p = self.point(*best + step * way);
                if !self.is_inside(p) {
                    continue;
                }
                let beside = self.side.value_of(p);
                if beside < value - 0.05 * self.side.query.noise {
                    value = beside;
                    *best += step * way;
                }
            }
        }
        value
    }

    /// Whether downhill leads out of the face.
    fn descends_outwards(&self, best: Vec2, value: f32) -> bool {
        let step = 0.25;
        SIDES.into_iter().any(|way| {
            let p = self.point(best + step * way);
            let size = step * self.side.query.spacing;
            !self.is_inside(p) && self.side.descends(value, self.side.value_of(p), size)
        })
    }
}

/// Points of a block's lattice that lie in a row.
#[derive(Clone, Copy, Default)]
struct Row {
    values: [f32; WIDTH],
    /// Which are inside the face, and which of these may come to be contacts.
    inside: u8,
    near: u8,
}

struct Block {
    corner: IVec2,
    rows: [Row; BLOCK as usize],
}

/// The row of a block from `first` on.
struct RowOf<'a> {
    lattice: &'a Lattice<'a>,
    first: IVec2,
}

impl LaneKernel for RowOf<'_> {
    type Output = Row;

    #[inline(always)]
    fn run<V: Lanes>(self) -> Row {
        let l = self.lattice;
        let query = l.side.query;
        let mut x = [0.0; WIDTH];
        for (lane, x) in x.iter_mut().enumerate() {
            *x = self.first.x.wrapping_add(lane as i32) as f32;
        }
        let (x, y) = (V::load(&x), V::splat(self.first.y as f32));
        let zero = V::splat(0.0);
        let (mut p, mut b, mut c) = ([zero; 3], zero, zero);
        for i in 0..3 {
            let along = x * V::splat(l.u[i]) + y * V::splat(l.w[i]);
            p[i] = V::splat(l.origin[i]) + V::splat(query.spacing) * along;
            let from = p[i] - V::splat(l.origin[i]);
            b = b + from * V::splat(l.to_b[i]);
            c = c + from * V::splat(l.to_c[i]);
        }
        let least = (V::splat(1.0) - b - c).min(b).min(c);
        let inside = V::splat(RIM).lt(least);
        if inside.bits() == 0 {
            return Row::default();
        }
        let values = l.side.lane_values_of(p);
        let near = values.le(V::splat(query.distance + 0.75 * query.spacing));
        Row {
            values: values.store(),
            inside: inside.bits(),
            near: (inside & near).bits(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Corners on a ray from the first one, as a fan makes them where an outline runs radially: what area there is comes of rounding. In a body that
    /// leans by a millionth, weights were no numbers here and there, and contacts neither.
    #[test]
    fn slivers_have_no_weights() {
        for step in 0..20_000 {
            let (sin, cos) = (0.1 * step as f32).sin_cos();
            let way = Vec3::new(cos, 1e-6 * (cos + 3.0 * sin), sin);
            assert_eq!(weights_per_way(0.6125 * way, 0.7048 * way), None, "{way}");
        }
    }

    #[test]
    fn needles_have_weights() {
        for width in [1.0_f32, 1e-2, 1e-4] {
            let (b, c) = (Vec3::new(0.3, 0.4, 0.0), Vec3::new(0.6, 0.8, width));
            let [to_b, to_c] = weights_per_way(b, c).unwrap();
            // Rounding of what is square to the needle, as a part of its width.
            let within = 1e-6 / width;
            for (way, of_b, of_c) in [(b, 1.0, 0.0), (c, 0.0, 1.0), (0.25 * (b + c), 0.25, 0.25)] {
                assert!((way.dot(to_b) - of_b).abs() < within, "{width}");
                assert!((way.dot(to_c) - of_c).abs() < within, "{width}");
            }
        }
    }
}
