//! The nodes that a face, an edge or a vertex can be closest to. Regions are widened beyond what rounding can do, and every value is the
//! distance of a point of the surface: a node may get more candidates than needed, never fewer, so the minimum is exact. Partner:
//! `shaders/field/band_scatter.comp`, whose names these are.

use super::band::BandGrid;
use crate::geometry::simd::Lanes;
use glam::{IVec3, Vec2, Vec3, Vec4};

/// Cells that a region is widened by: far more than coordinates are rounded by in a grid of 8192 nodes a side.
const MARGIN: f32 = 1.0 / 64.0;
/// Triangles take over from edges whose wedge is nowhere wider than this, in cells: most edges of a smooth fine mesh.
const THIN: f32 = 1.0 / 8.0;
/// Bounds the rounding of a direction that is what is left of a vector of length one after a projection.
const ROUNDING: f32 = 1e-6;
const TINY: f32 = 1e-30;

/// The region of a feature.
pub(super) struct Region {
    /// Points within satisfy plane.xyz . (p - anchor) <= plane.w; a plane of zeros holds everything.
    planes: [Vec4; 5],
    plane_count: usize,
    pub anchor: Vec3,
    /// More than rounding can move the planes by.
    pub margin: f32,
    /// The nodes of its box; none where `to` is below `from`.
    pub from: IVec3,
    pub to: IVec3,
    feature: Feature,
}

/// What distances are measured to, from the anchor.
enum Feature {
    /// The plane's own frame, along the longest side from the anchor, and the corner across from it.
    Face {
        along: Vec3,
        upward: Vec3,
        tip: Vec2,
        side_length: f32,
    },
    Edge(Vec3),
    Vertex,
}

/// What rounding of coordinates, in a feature of this size at this place, can move a region's border by, and more.
fn margin_of(anchor: Vec3, size: f32) -> f32 {
    MARGIN + ROUNDING * (anchor.abs().max_element() + size)
}

fn unit(v: Vec3) -> Vec3 {
    v / v.length().max(TINY)
}

/// The part of `v` at right angles to the unit vector `along`: its direction in xyz, its rounding in w.
fn across(along: Vec3, v: Vec3, scale: f32) -> Vec4 {
    let part = v - v.dot(along) * along;
    let rounding = ROUNDING * scale.max(v.length()) / part.length().max(TINY);
    // What is left of a vector close to `along` is not quite at right angles to it; once more, and it is.
    let part = unit(part);
    let part = unit(part - part.dot(along) * along);
    if rounding < 0.5 {
        part.extend(rounding)
    } else {
        Vec4::W
    }
}

/// The region of a triangle.
pub(super) fn find_face(grid: &BandGrid, [a, b, c]: [Vec3; 3], band: f32) -> Region {
    let lengths = [b - a, c - b, a - c].map(|side| side.length_squared());
    let (anchor, next, last) = if lengths[0] >= lengths[1].max(lengths[2]) {
        (a, b, c)
    } else if lengths[1] >= lengths[2] {
        (b, c, a)
    } else {
        (c, a, b)
    };
    let (side, tip) = (next - anchor, last - anchor);
    let side_length = side.length();
    let along = unit(side);
    let frame = across(along, tip, side_length);
    let upward = frame.truncate();
    let tip = Vec2::new(tip.dot(along), tip.dot(upward));
    let normal = along.cross(upward);

    // In the plane the triangle runs counter-clockwise through (0, 0), (side_length, 0) and tip. A triangle without area has no frame: all
    // planes are zeros, and the box reaches as far as the band.
    let right = Vec2::new(tip.y, side_length - tip.x);
    let left = Vec2::new(-tip.y, tip.x);
    let right = right / right.length().max(TINY);
    let left = left / left.length().max(TINY);
    let is_flat = frame.w >= 0.5;
    let turned = if is_flat {
        0.0
    } else {
        frame.w * (side_length + band)
    };
    let margin = margin_of(anchor, side_length) + turned;
    let aside = THIN + margin;
    let [to_right, to_left] = [right, left].map(|way| way.x * along + way.y * upward);
    let whole = |plane: Vec4| if is_flat { Vec4::ZERO } else { plane };
    let grown = (normal.abs() + 2.0 * frame.w).min(Vec3::ONE) * band + aside;
    Region {
        planes: [
            (-upward).extend(aside),
            whole(to_right.extend(right.x * side_length + aside)),
            whole(to_left.extend(aside)),
            normal.extend(band + margin),
            (-normal).extend(band + margin),
        ],
        plane_count: 5,
        anchor,
        margin,
        from: grid.nodes_from(a.min(b.min(c)) - grown),
        to: grid.nodes_to(a.max(b.max(c)) + grown),
        feature: Feature::Face {
            along,
            upward,
            tip,
            side_length,
        },
    }
}

/// The region of an edge from the first to the second corner, between triangles with the other two.
pub(super) fn find_edge(grid: &BandGrid, [a, b, c, d]: [Vec3; 4], band: f32) -> Region {
    let side = b - a;
    let side_length = side.length();
    let along = unit(side);
    let one = across(along, c - a, side_length);
    let two = across(along, d - a, side_length);
    let (normal_one, normal_two) = (along.cross(one.truncate()), two.truncate().cross(along));
    let (cosine, sine) = (normal_one.dot(normal_two), normal_one.dot(two.truncate()));
    let rounding = one.w + two.w;

    let lever = side_length + band;
    let margin = margin_of(a, side_length);
    let (mut least, mut most) = (Vec3::splat(-band), Vec3::splat(band));
    if cosine > 0.0 && sine.abs() > 4.0 * rounding {
        // The wedge lies between the normals, on the side away from both triangles.
        let towards = if sine < 0.0 { band } else { -band };
        let (one_end, two_end) = (towards * normal_one, towards * normal_two);
        let middle = (one_end + two_end) / (1.0 + cosine);
        least = middle.min(Vec3::ZERO).min(one_end.min(two_end)) - rounding * lever;
        most = middle.max(Vec3::ZERO).max(one_end.max(two_end)) + rounding * lever;
    }
    // An edge without length is its ends.
    let is_thin = cosine > 0.0 && band * (sine.abs() + rounding) <= THIN;
    let to = match is_thin || side_length == 0.0 {
        true => IVec3::NEG_ONE,
        false => grid.nodes_to(a + side.max(Vec3::ZERO) + most + margin),
    };
    Region {
        planes: [
            one.truncate().extend(margin + one.w * lever),
            two.truncate().extend(margin + two.w * lever),
            along.extend(side_length + margin),
            (-along).extend(margin),
            Vec4::ZERO,
        ],
        plane_count: 4,
        anchor: a,
        margin,
        from: grid.nodes_from(a + side.min(Vec3::ZERO) + least - margin),
        to,
        feature: Feature::Edge(side),
    }
}

/// How far the edge from `a` to `b` of a triangle with this normal is from the origin, positive inside.
fn inside_by(normal: Vec3, a: Vec3, b: Vec3) -> f32 {
    -normal.cross(unit(b - a)).dot(a)
}

/// The region of a vertex, given first, with three of its neighbours.
pub(super) fn find_vertex(grid: &BandGrid, [anchor, a, b, c]: [Vec3; 4], band: f32) -> Region {
    let (a, b, c) = (a - anchor, b - anchor, c - anchor);
    let margin = margin_of(anchor, band);
    let (mut least, mut most) = (Vec3::splat(-band), Vec3::splat(band));

    // With three neighbours about the vertex, at `height` over it: p.neighbour <= 0 for all three leaves p on the other side, and no
    // farther from the normal than |p.normal| height / inner.
    let normal = unit((b - a).cross(c - a));
    let height = a.dot(normal);
    let inner = inside_by(normal, a, b).min(inside_by(normal, b, c).min(inside_by(normal, c, a)));
    let size = a.length().max(b.length().max(c.length()));
    if inner > 0.01 * size {
        let spread = (height.abs() / inner + 1e-3).min(1.0) * band;
        let end = if height > 0.0 { -band } else { band } * normal;
        let other = if height.abs() > 1e-3 * size {
            Vec3::ZERO
        } else {
            -end
        };
        least = least.max(other.min(Vec3::ZERO).min(end) - spread);
        most = most.min(other.max(Vec3::ZERO).max(end) + spread);
    }
    Region {
        planes: [
            unit(a).extend(margin),
            unit(b).extend(margin),
            unit(c).extend(margin),
            Vec4::ZERO,
            Vec4::ZERO,
        ],
        plane_count: 3,
        anchor,
        margin,
        from: grid.nodes_from(anchor + least - margin),
        to: grid.nodes_to(anchor + most + margin),
        feature: Feature::Vertex,
    }
}

impl Region {
    pub fn planes(&self) -> &[Vec4] {
        &self.planes[..self.plane_count]
    }

    /// Squared distances of points that are given from the anchor.
    #[inline(always)]
    pub fn lane_squared_distance<V: Lanes>(&self, x: V, y: V, z: V) -> V {
        let zero = V::splat(0.0);
        match &self.feature {
            Feature::Vertex => x * x + y * y + z * z,
            Feature::Edge(side) => {
                let [sx, sy, sz] = [V::splat(side.x), V::splat(side.y), V::splat(side.z)];
                let square = V::splat(side.length_squared().max(TINY));
                let t = ((x * sx + y * sy + z * sz) / square)
                    .max(zero)
                    .min(V::splat(1.0));
                let (dx, dy, dz) = (x - t * sx, y - t * sy, z - t * sz);
                dx * dx + dy * dy + dz * dz
            }
            // Off the plane, and in it: wherever rounding has turned the plane of a thin triangle about its longest side, what one is
            // short of is in the other.
            Feature::Face {
                along,
                upward,
                tip,
                side_length,
            } => {
                let [ax, ay, az] = [V::splat(along.x), V::splat(along.y), V::splat(along.z)];
                let [ux, uy, uz] = [V::splat(upward.x), V::splat(upward.y), V::splat(upward.z)];
                let foot = [x * ax + y * ay + z * az, x * ux + y * uy + z * uz];
                let (ox, oy, oz) = (
                    x - foot[0] * ax - foot[1] * ux,
                    y - foot[0] * ay - foot[1] * uy,
                    z - foot[0] * az - foot[1] * uz,
                );
                let off = ox * ox + oy * oy + oz * oz;
                let back = Vec2::new(tip.x - side_length, tip.y);
                let [tip_x, tip_y] = [V::splat(tip.x), V::splat(tip.y)];
                let from_end = [foot[0] - V::splat(*side_length), foot[1]];
                let is_inside = zero.lt(tip_y)
                    & zero.le(foot[1])
                    & zero.le(foot[1] * V::splat(back.x) - from_end[0] * V::splat(back.y))
                    & zero.le(foot[0] * tip_y - foot[1] * tip_x);
                let border = to_segment(foot, Vec2::new(*side_length, 0.0))
                    .min(to_segment(foot, *tip))
                    .min(to_segment(from_end, back));
                off + is_inside.select(zero, border)
            }
        }
    }
}

/// Squared distances from a segment that starts at the origin.
#[inline(always)]
fn to_segment<V: Lanes>(p: [V; 2], e: Vec2) -> V {
    let (ex, ey) = (V::splat(e.x), V::splat(e.y));
    let square = V::splat(e.length_squared().max(TINY));
    let t = ((p[0] * ex + p[1] * ey) / square)
        .max(V::splat(0.0))
        .min(V::splat(1.0));
    let (dx, dy) = (p[0] - t * ex, p[1] - t * ey);
    dx * dx + dy * dy
}
