//! Regions as contact patches: how the area and the depth of each lie along its normal.
//!
//! Seen along the normal, the parts of both surfaces around a region have one rim, so they cover the same signed area: by Stokes' theorem its
//! integrals are those of either part. The depth is the length of the region along the normal, so its integral is the volume, and its first moment that of
//! the volume. The plane that has the same integral and first moments over the area stands for it.

use super::body::WeldedBody;
use super::chain::ChainSums;
use super::outline::{CornerKind, Outline};
use super::{ConnectedParts, Intersection};
use crate::memory::{self, Gather};
use glam::{DMat2, DMat3, DVec2, DVec3};

/// A region as a contact patch, in the first body's frame. Positions are from the intersection's origin.
#[derive(Clone, Debug)]
pub struct RegionPatch {
    /// From the first body to the second.
    pub normal: DVec3,
    /// Two directions along the patch: the axes of the second moments.
    pub tangents: [DVec3; 2],
    /// The area, seen along the normal.
    pub area: f64,
    /// Its centre, half way between both surfaces.
    pub centre: DVec3,
    /// Second moments of the area about the centre, along the tangents. There is no mixed one.
    pub moments: [f64; 2],
    /// The mean of the depth.
    pub depth: f64,
    /// How the depth changes along the tangents.
    pub slope: DVec2,
    /// No depth is larger.
    pub most: f64,
    /// All of its corners.
    pub corners: Vec<PatchCorner>,
}

/// A corner of a region.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PatchCorner {
    /// Where it is.
    pub at: DVec3,
    /// The body that has its vertex or edge.
    pub own: usize,
    /// What it is.
    pub feature: PatchFeature,
    /// A triangle of that body that it is on.
    pub triangle: u32,
    /// The weights of the triangle's corners.
    pub weights: [f64; 3],
}

/// What a corner of a region is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PatchFeature {
    /// A vertex inside the other body.
    Vertex(u32),
    /// An edge, by its number, and the face of the other body that it passes through.
    Edge(u32, u32),
}

/// An area vector shorter than this part of the area is taken for none: rounding could have made it.
const LEAST_NORMAL: f64 = 1e-9;

impl RegionPatch {
    /// The depth at a place that is seen along the normal, between nothing and all of it.
    pub fn depth_at(&self, place: DVec3) -> f64 {
        let depth = self.depth + self.slope.dot(self.along(place));
        depth.clamp(0.0, self.most)
    }

    /// Where a place is along the patch, from its centre.
    pub fn along(&self, place: DVec3) -> DVec2 {
        let from = place - self.centre;
        DVec2::new(self.tangents[0].dot(from), self.tangents[1].dot(from))
    }
}

impl Intersection {
    /// The patch of each region; none of one that has no normal, as of a body that is all inside the other.
    pub fn patches(&self, parts: &ConnectedParts) -> Vec<Option<RegionPatch>> {
        let outline = self.outline();
        let mut seen = (parts.regions.iter())
            .map(|region| SeenArea::along(&region.sums[0]))
            .gather();
        for own in 0..2 {
            outline.each_inner_piece(own, |piece| {
                let region = parts.of_corners[piece.corner as usize];
                if let Some(Some(seen)) = seen.get_mut(region as usize) {
                    seen.add(own, piece.times, piece.corners.map(|corner| corner.at));
                }
            });
        }
        let first_triangles = [0, 1].map(|own| self.sides[own].first_triangles());
        let mut corners: Vec<Vec<PatchCorner>> = (0..seen.len()).map(|_| Vec::new()).gather();
        for corner in outline.shared_corners() {
            let region = parts.of_corners[corner as usize] as usize;
            if let Some(Some(_)) = seen.get(region)
                && let Some(found) = outline.patch_corner(corner, &first_triangles)
            {
                memory::add(&mut corners[region], found);
            }
        }
        let patches = seen.into_iter().zip(corners).zip(&parts.regions);
        patches
            .map(|((seen, corners), region)| {
                let volume = region.volume();
                let moment = region.sums[0].first_moment + region.sums[1].first_moment;
                seen?.patch(volume, moment, region.depth, corners)
            })
            .gather()
    }
}

impl WeldedBody {
    /// The first triangle at each vertex.
    fn first_triangles(&self) -> Vec<u32> {
        let mut first = memory::filled(u32::MAX, self.points.len());
        for (triangle, corners) in (0..).zip(&self.triangles) {
            for corner in corners {
                let first = &mut first[*corner as usize];
                *first = triangle.min(*first);
            }
        }
        first
    }

    /// The weights of a triangle's corners at a place between two of its vertices.
    fn weights(&self, triangle: u32, [low, high]: [u32; 2], at: DVec3) -> [f64; 3] {
        let [p, q] = [low, high].map(|vertex| self.points[vertex as usize]);
        let length = p.distance_squared(q);
        let part = if length > 0.0 {
            ((at - p).dot(q - p) / length).clamp(0.0, 1.0)
        } else {
            0.0
        };
        self.triangles[triangle as usize].map(|vertex| {
            if vertex == low {
                1.0 - part
            } else if vertex == high {
                part
            } else {
                0.0
            }
        })
    }
}

impl Outline<'_> {
    fn patch_corner(&self, corner: u32, first_triangles: &[Vec<u32>; 2]) -> Option<PatchCorner> {
        let at = self.at(corner).at;
        let (own, feature, ends, triangle) = match self.kind(corner) {
            CornerKind::Vertex(own, vertex) => {
                let triangle = first_triangles[own][vertex as usize];
                (own, PatchFeature::Vertex(vertex), [vertex; 2], triangle)
            }
            CornerKind::Crossing(own, at) => {
                let crossing = &self.of.crossings[own][at];
                let side = &self.of.sides[own];
                let edge = side.topology.edges().binary_search(&crossing.edge).ok()?;
                let of_face = self.pairs_of(1 - own, crossing.face).iter();
                let triangle = of_face
                    .map(|pair| self.of.crossed[*pair as usize].triangles[own])
                    .find(|triangle| {
                        let corners = &side.triangles[*triangle as usize];
                        crossing.edge.iter().all(|end| corners.contains(end))
                    })?;
                let feature = PatchFeature::Edge(edge as u32, crossing.face);
                (own, feature, crossing.edge, triangle)
            }
        };
        Some(PatchCorner {
            at: at - self.of.origin,
            own,
            feature,
            triangle,
            weights: self.of.sides[own].weights(triangle, ends, at),
        })
    }
}

/// Integrals over the signed area that is seen along a normal.
struct SeenArea {
    /// Its axes; the last is the normal.
    axes: DMat3,
    area: f64,
    /// Of the places along the patch.
    first: DVec2,
    /// Of their products: along the first axis, along the second, mixed.
    second: DVec3,
    /// Of the heights of both surfaces, each over its own area.
    heights: [f64; 2],
}

impl SeenArea {
    fn along(sums: &ChainSums) -> Option<Self> {
        let area = sums.area_vector.length();
        if area.is_nan() || area <= LEAST_NORMAL * sums.area.abs() {
            return None;
        }
        let normal = sums.area_vector / area;
        let tangent = normal.any_orthonormal_vector();
        Some(Self {
            axes: DMat3::from_cols(tangent, normal.cross(tangent), normal),
            area: 0.0,
            first: DVec2::ZERO,
            second: DVec3::ZERO,
            heights: [0.0; 2],
        })
    }

    fn add(&mut self, own: usize, times: f64, corners: [DVec3; 3]) {
        let [p, q, r] = corners.map(|corner| self.axes.transpose() * corner);
        let sum = p + q + r;
        let area = 0.5 * times * (q - p).truncate().perp_dot((r - p).truncate());
        self.heights[own] += area * sum.z / 3.0;
        if own == 0 {
            self.area += area;
            self.first += area / 3.0 * sum.truncate();
            let products = |v: DVec3| DVec3::new(v.x * v.x, v.y * v.y, v.x * v.y);
            self.second += area / 12.0 * (products(p) + products(q) + products(r) + products(sum));
        }
    }

    fn patch(
        self,
        volume: f64,
        moment: DVec3,
        most: f64,
        corners: Vec<PatchCorner>,
    ) -> Option<RegionPatch> {
        let area = self.area;
        if !(area > 0.0 && volume > 0.0) {
            return None;
        }
        let centre = self.first / area;
        // The second surface's normals point the other way.
        let height = 0.5 * (self.heights[0] - self.heights[1]) / area;
        let about = self.second
            - area
                * DVec3::new(
                    centre.x * centre.x,
                    centre.y * centre.y,
                    centre.x * centre.y,
                );
        let (turn, moments) = principal(about);
        let [first, second, normal] = [self.axes.x_axis, self.axes.y_axis, self.axes.z_axis];
        let world = |v: DVec2| v.x * first + v.y * second;
        let excess = moment - volume * (world(centre) + moment.dot(normal) / volume * normal);
        let excess = turn.transpose() * DVec2::new(first.dot(excess), second.dot(excess));
        // A patch that is next to a line has no slope across it.
        let least = 1e-9 * moments.max_element();
        let slope = |excess: f64, moment: f64| if moment > least { excess / moment } else { 0.0 };
        Some(RegionPatch {
            normal,
            tangents: [world(turn.x_axis), world(turn.y_axis)],
            area,
            centre: world(centre) + height * normal,
            moments: moments.to_array(),
            depth: volume / area,
            slope: DVec2::new(slope(excess.x, moments.x), slope(excess.y, moments.y)),
            most,
            corners,
        })
    }
}

/// The axes of the second moments xx, yy and xy, as a turn, and the moments along them: the larger first.
fn principal(of: DVec3) -> (DMat2, DVec2) {
    let angle = 0.5 * (2.0 * of.z).atan2(of.x - of.y);
    let (mean, half) = (0.5 * (of.x + of.y), (0.5 * (of.x - of.y)).hypot(of.z));
    (
        DMat2::from_angle(angle),
        DVec2::new(mean + half, mean - half),
    )
}
