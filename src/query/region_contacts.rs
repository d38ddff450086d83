//! The regions of an exact intersection as contacts that a solver takes: volume contacts, after Allard et al. 2010, "Volume Contact Constraints
//! at Arbitrary Resolution". A region pushes along its area vector, which is how its volume changes. Each is a patch; a few of its corners stand for it, with
//! depths of the plane that has the region's volume and centre, and with parts of its area whose centre is that of all of it.

#[cfg(test)]
mod tests;

use super::contacts::{
    Contact, ContactFeature, Manifold, ManifoldPatch, PreviousContact, continue_manifold,
};
use crate::error::{Result, invalid};
use crate::geometry::volume::{PatchCorner, PatchFeature, RegionPatch};
use crate::host::contacts::contact_reduce::hull::{Kept, Tangents};
use crate::interrupt;
use crate::memory::{self, Gather};
use crate::query::contacts::{MOST_POINTS, MOST_PREVIOUS};
use glam::{DAffine3, DMat2, DVec2, DVec3, Vec3};

/// How regions become contacts.
#[derive(Debug, Clone)]
pub struct RegionContactOptions {
    /// Contacts that are kept per patch; 0 for all.
    pub points: u32,
    /// Patches that are kept; 0 for all.
    pub patches: u32,
    /// The contacts of the last step.
    pub previous: Vec<PreviousContact>,
}

/// What is close, as a part of the side of a square as large as the patch: points that add nothing to the hull of those kept; steps in which points
/// are compared.
const GAP: f32 = 0.02;
const STEP: f32 = 0.01;
/// How far an edge's contact may have moved along it and be the same, as a part of that side.
const MATCH: f64 = 0.5;

impl RegionContactOptions {
    /// Refuses what is out of range.
    pub fn validate(&self) -> Result<()> {
        if self.points > MOST_POINTS {
            return Err(invalid(format!(
                "points is {}; it must be from 0 to {MOST_POINTS}",
                self.points
            )));
        }
        if self.previous.len() > MOST_PREVIOUS {
            return Err(invalid(format!(
                "there are {} previous contacts; at most {MOST_PREVIOUS} are looked through: keep fewer `patches`",
                self.previous.len()
            )));
        }
        Ok(())
    }
}

/// The patches of the regions of two placed meshes, seen from an origin in the first one's frame.
pub(super) struct RegionContacts<'a> {
    /// From the frame of each mesh to the world.
    pub(super) places: [DAffine3; 2],
    pub(super) origin: DVec3,
    /// Of each region, the largest first.
    pub(super) patches: &'a [Option<RegionPatch>],
    /// The area vector of the first surface in all regions together, and its torque about the origin.
    pub(super) wrench: [DVec3; 2],
}

impl RegionContacts<'_> {
    /// The contacts of all regions, or of the largest.
    pub(super) fn manifold(&self, options: &RegionContactOptions) -> Manifold {
        let turn = self.places[0].matrix3;
        // About the position of the first mesh, where its frame has its origin.
        let about_position =
            |[force, torque]: [DVec3; 2]| [force, torque + self.origin.cross(force)];
        let all = about_position(self.wrench);
        let mut kept = [DVec3::ZERO; 2];
        let mut manifold = Manifold {
            wrench: all.map(|v| turn * -v),
            ..Manifold::default()
        };
        let mut features = (options.previous.iter())
            .map(|old| old.key & !PLACE)
            .gather();
        features.sort_unstable();
        let most = match options.patches {
            0 => usize::MAX,
            patches => patches as usize,
        };
        let mut largest = 0.0_f64;
        for patch in self.patches.iter().flatten() {
            interrupt::check();
            let raw = patch.corners.len() as u32;
            manifold.raw += raw;
            if manifold.patches.len() >= most {
                manifold.left_out += raw;
                continue;
            }
            largest = largest.max(patch.area);
            let number = manifold.patches.len() as u32;
            let chosen = Chosen::of(patch, options.points, &features);
            for (corner, share) in chosen.corners.iter().zip(chosen.shares()) {
                let area = share * patch.area;
                let contact = self.contact(patch, corner, area, number);
                kept[0] += area * patch.normal;
                kept[1] += corner.at.cross(area * patch.normal);
                memory::add(&mut manifold.contacts, contact);
            }
            memory::add(&mut manifold.patches, self.patch(patch, &chosen));
        }
        let kept = about_position(kept);
        manifold.residual = [0, 1].map(|k| (all[k] - kept[k]).length());
        continue_manifold(&mut manifold, &options.previous, MATCH * largest.sqrt());
        manifold
    }

    fn patch(&self, patch: &RegionPatch, chosen: &Chosen) -> ManifoldPatch {
        let DAffine3 { matrix3: turn, .. } = self.places[0];
        ManifoldPatch {
            normal: turn * patch.normal,
            centre: self.places[0].transform_point3(self.origin + patch.centre),
            area: patch.area,
            tangent: turn * patch.tangents[0],
            moments: [patch.moments[0], patch.moments[1], 0.0],
            raw: patch.corners.len() as u32,
            kept: chosen.corners.len() as u32,
            hull_distance: chosen.hull_distance,
            previous: None,
        }
    }

    /// A vertex is where it is, and the other point the depth away. The corner of an edge is on both surfaces: its points are as far on both sides of it.
    fn contact(
        &self,
        patch: &RegionPatch,
        corner: &PatchCorner,
        area: f64,
        number: u32,
    ) -> Contact {
        let [a, b] = &self.places;
        let depth = patch.depth_at(corner.at);
        let ahead = match (corner.feature, corner.own) {
            (PatchFeature::Vertex(_), 0) => 0.0,
            (PatchFeature::Vertex(_), _) => depth,
            (PatchFeature::Edge(..), _) => 0.5 * depth,
        };
        let point_a = self.origin + corner.at + ahead * patch.normal;
        let [world_a, world_b] =
            [point_a, point_a - depth * patch.normal].map(|p| a.transform_point3(p));
        Contact {
            point_a,
            point_b: b.inverse().transform_point3(world_b),
            world_a,
            world_b,
            normal: a.matrix3 * patch.normal,
            separation: -depth as f32,
            bounds: [-patch.most as f32, 0.0],
            on_b: corner.own == 1,
            triangle: corner.triangle,
            barycentric: Vec3::from_array(corner.weights.map(|weight| weight as f32)),
            feature: match corner.feature {
                PatchFeature::Vertex(_) => ContactFeature::Vertex,
                PatchFeature::Edge(..) => ContactFeature::Edge,
            },
            area: area as f32,
            patch: number,
            key: key_of(corner),
            previous: None,
            user: 0,
        }
    }
}

/// As those of contacts in fields: the surface (1 bit), the kind of feature (2), the place on it (29), and the feature. An edge's place is the face of the other mesh that it
/// passes through.
fn key_of(corner: &PatchCorner) -> u64 {
    let (kind, place, feature) = match corner.feature {
        PatchFeature::Vertex(vertex) => (0, 0, vertex),
        PatchFeature::Edge(edge, face) => (1, u64::from(face) & (PLACE >> 32), edge),
    };
    u64::from(corner.own == 0) << 63 | kind << 61 | place << 32 | u64::from(feature)
}

/// Of a key, the place on the feature.
const PLACE: u64 = 0x1fff_ffff << 32;

/// The corners that stand for a patch.
struct Chosen {
    corners: Vec<PatchCorner>,
    /// Where they are along the patch, from its centre.
    places: Vec<DVec2>,
    /// The others lie no farther than this from their hull.
    hull_distance: f32,
}

impl Chosen {
    /// First the corner farthest from the centre among the deepest, then the farthest outside of the hull of what is kept. Features that were kept before go
    /// before others that are a little farther, vertices before edges; ties go by key. So a small motion changes nothing.
    fn of(patch: &RegionPatch, points: u32, previous: &[u64]) -> Self {
        let mut order = (patch.corners.iter())
            .map(|corner| (key_of(corner), *corner))
            .gather();
        order.sort_unstable_by_key(|(key, _)| *key);
        let side = patch.area.sqrt();
        let flat = |corner: &PatchCorner| ((corner.at - patch.centre) / side).as_vec3();
        let tangents = Tangents(patch.tangents.map(|tangent| tangent.as_vec3()));
        let mut kept = Kept::new(&tangents);
        let places = match points {
            0 => (0..order.len()).gather(),
            _ => {
                let depth = |corner: &PatchCorner| (patch.depth_at(corner.at) / side) as f32;
                let deepest = (order.iter()).fold(0.0, |most, (_, c)| depth(c).max(most));
                while kept.places.len() < points as usize {
                    let measure = |(at, (key, corner)): (usize, &(u64, PatchCorner))| {
                        let far = if kept.places.is_empty() {
                            let is_deep = depth(corner) >= deepest - STEP;
                            is_deep.then(|| tangents.flat(flat(corner)).length())
                        } else {
                            Some(kept.outside_hull(flat(corner))).filter(|far| *far > GAP)
                        };
                        let is_vertex = matches!(corner.feature, PatchFeature::Vertex(_));
                        let preference = if is_vertex { 2.0 } else { 0.0 }
                            + if previous.binary_search(&(key & !PLACE)).is_ok() {
                                5.0
                            } else {
                                0.0
                            };
                        far.map(|far| ((far / STEP).floor() + preference, at))
                    };
                    // Of equal ones the first.
                    let best = (order.iter().enumerate().filter_map(measure))
                        .max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
                    let Some((_, place)) = best else {
                        break;
                    };
                    kept.add(place, flat(&order[place].1));
                }
                memory::copied(&kept.places)
            }
        };
        let farthest = if points == 0 {
            0.0
        } else {
            let far = order.iter().map(|(_, c)| kept.hull_distance(flat(c)));
            far.fold(0.0, f32::max)
        };
        let corners = places.iter().map(|at| order[*at].1).gather();
        Self {
            places: corners.iter().map(|c| patch.along(c.at)).gather(),
            corners,
            hull_distance: farthest * side as f32,
        }
    }

    /// The part of the area that each stands for: as equal as they can be with their centre at that of the area. Where that lies outside of all of them, as near
    /// as parts that are not below zero allow.
    fn shares(&self) -> Vec<f64> {
        let count = self.places.len() as f64;
        let mean = self.places.iter().sum::<DVec2>() / count;
        let mut spread = DMat2::ZERO;
        for place in &self.places {
            let from = place - mean;
            spread += DMat2::from_cols(from * from.x, from * from.y);
        }
        let size = spread.x_axis.x + spread.y_axis.y;
        // Of points along a line, only along that.
        spread += DMat2::from_diagonal(DVec2::splat(1e-12 * size));
        let slope = if size > 0.0 {
            spread.inverse() * -mean
        } else {
            DVec2::ZERO
        };
        let parts = (self.places.iter())
            .map(|place| (1.0 / count + slope.dot(place - mean)).max(0.0))
            .gather();
        let sum: f64 = parts.iter().sum();
        parts.into_iter().map(|part| part / sum).gather()
    }
}
