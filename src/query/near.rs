//! Near lists: which vertices and faces, and which edges, of two placed meshes or of one are closer than a thickness.

use super::placed::Placed;
use crate::error::{Error, Result, invalid};
use crate::geometry::continuous::impacts::Features;
use crate::geometry::near::per_vertex::{PairsPerVertex, pairs_per_vertex};
use crate::geometry::near::repeats::mark_repeats;
use crate::geometry::near::{
    Exclusions, FeaturePair, MOST_RINGS, NearBody, NearRule, Thickness, near_pairs,
    near_pairs_of_itself, smallest_distances, smallest_distances_of_itself,
};
use crate::geometry::positions::Positions;
use crate::geometry::topology::edges::VertexNeighbours;
use crate::geometry::topology::representatives::Representatives;
use crate::scene::pose::{MAX_DISTANCE, check_distance};
use rayon::prelude::*;
use std::sync::Arc;

/// What a near list is asked for.
#[derive(Clone, Debug, Default)]
pub struct NearRequest {
    /// How close features have to be.
    pub thickness: f64,
    /// One thickness per vertex of the first and of the second mesh instead.
    pub per_vertex: [Option<Vec<f32>>; 2],
    /// Of one mesh: features joined by at most so many edges are left out.
    pub rings: u32,
    /// Bits per vertex of each mesh: features whose corners all have a common bit are left out.
    pub groups: [Option<Vec<u32>>; 2],
    /// Pairs that are left out, ascending.
    pub listed: Vec<Features>,
    /// Whether pairs with their nearest points on the same vertices and edges are marked.
    pub mark_repeats: bool,
}

impl NearRequest {
    /// Refuses what does not fit meshes of so many vertices; `itself` tells that they are one.
    pub fn check(&self, vertices: [u32; 2], itself: bool) -> Result<()> {
        check_distance("thickness", self.thickness)?;
        if self.rings > MOST_RINGS {
            return Err(invalid(format!(
                "rings is {}; it must be at most {MOST_RINGS}",
                self.rings
            )));
        }
        if self.rings > 0 && !itself {
            return Err(invalid(format!(
                "rings is {}, but two meshes have no edges in common: it must be 0",
                self.rings
            )));
        }
        let names = [["thickness_a", "groups_a"], ["thickness_b", "groups_b"]];
        for (k, [thickness, groups]) in names.into_iter().enumerate() {
            let given = [
                (thickness, self.per_vertex[k].as_ref().map(Vec::len)),
                (groups, self.groups[k].as_ref().map(Vec::len)),
            ];
            for (name, length) in given {
                if length.is_some_and(|length| length != vertices[k] as usize) {
                    return Err(invalid(format!(
                        "{name} has {} numbers, but the mesh has {} vertices",
                        length.unwrap_or(0),
                        vertices[k]
                    )));
                }
            }
            let wrong = |t: &f32| !(0.0..=MAX_DISTANCE).contains(&f64::from(*t));
            let all = self.per_vertex[k].as_deref().unwrap_or_default();
            if let Some(at) = all.iter().position(wrong) {
                return Err(invalid(format!(
                    "{thickness}[{at}] is {}; it must be from 0 to {MAX_DISTANCE:e}",
                    all[at]
                )));
            }
        }
        Ok(())
    }

    fn rule<'a>(&'a self, of_one: &OfOneMesh<'a>) -> NearRule<'a> {
        NearRule {
            thickness: Thickness {
                uniform: self.thickness,
                per_vertex: self.per_vertex.each_ref().map(Option::as_deref),
            },
            exclusions: Exclusions {
                rings: of_one.neighbours.map(|neighbours| (self.rings, neighbours)),
                rest: of_one.rest,
                groups: self.groups.each_ref().map(Option::as_deref),
                listed: &self.listed,
            },
        }
    }
}

/// A mesh as a near list takes it.
pub struct NearMesh {
    /// The mesh at a moment and where it stands.
    pub placed: Placed,
    /// Of its triangles.
    pub representatives: Arc<Representatives>,
}

impl NearMesh {
    fn body(&self) -> NearBody<'_> {
        NearBody {
            body: self.placed.fitted_surface(),
            representatives: &self.representatives,
        }
    }
}

/// What only a mesh and itself can have.
#[derive(Clone, Copy, Default)]
pub struct OfOneMesh<'a> {
    /// What its edges join, when rings are asked for.
    pub neighbours: Option<&'a VertexNeighbours>,
    /// Positions at rest.
    pub rest: Option<Positions<'a>>,
}

/// All near pairs of two meshes, ascending by features. Directions are in the world.
pub fn run(
    a: &NearMesh,
    b: &NearMesh,
    request: &NearRequest,
    capacity: u64,
) -> Result<Vec<FeaturePair>> {
    let (placement, _) = a.placed.relative(&b.placed);
    let rule = request.rule(&OfOneMesh::default());
    let mut pairs = near_pairs(a.body(), b.body(), &placement, &rule, capacity)?;
    if request.mark_repeats {
        let faces = [a, b].map(|m| m.placed.mesh.triangles.as_slice());
        mark_repeats(&mut pairs, faces, false)?;
    }
    if a.placed.pose.turns() {
        let turn = a.placed.pose.matrix();
        pairs
            .par_iter_mut()
            .with_min_len(4096)
            .for_each(|pair| pair.direction = (turn * pair.direction.as_dvec3()).as_vec3());
    }
    Ok(pairs)
}

/// All near pairs of a mesh with itself, ascending by features.
pub fn of_itself(
    mesh: &NearMesh,
    request: &NearRequest,
    of_one: &OfOneMesh,
    capacity: u64,
) -> Result<Vec<FeaturePair>> {
    let mut pairs = near_pairs_of_itself(mesh.body(), &request.rule(of_one), capacity)?;
    if request.mark_repeats {
        let faces = mesh.placed.mesh.triangles.as_slice();
        mark_repeats(&mut pairs, [faces; 2], true)?;
    }
    Ok(pairs)
}

/// How far each vertex of two meshes may move, in any direction, while all others move as far as they may, so that all near pairs stay more
/// than `separation` apart.
///
/// Each point of a feature moves no farther than its corners do. A pair whose corners all move by less than half of what it is apart
/// beyond the separation keeps the separation; pairs that are not near are apart by the thickness.
pub fn safe_distances(
    a: &NearMesh,
    b: &NearMesh,
    request: &NearRequest,
    separation: f64,
) -> Result<[Vec<f64>; 2]> {
    let (placement, motion) = a.placed.relative(&b.placed);
    let rule = request.rule(&OfOneMesh::default());
    let mut all = smallest_distances(a.body(), b.body(), &placement, &rule)?;
    let size = a.placed.radius() + b.placed.radius() + motion.translation.length();
    for distance in all.iter_mut().flatten() {
        *distance = safe(*distance, request.thickness, separation, size);
    }
    Ok(all)
}

/// The same for a mesh and itself.
pub fn safe_distances_of_itself(
    mesh: &NearMesh,
    request: &NearRequest,
    of_one: &OfOneMesh,
    separation: f64,
) -> Result<Vec<f64>> {
    let mut all = smallest_distances_of_itself(mesh.body(), &request.rule(of_one))?;
    let size = mesh.placed.radius();
    for distance in &mut all {
        *distance = safe(*distance, request.thickness, separation, size);
    }
    Ok(all)
}

/// Half of what is left of a distance, less what rounding may have added to it: some tens of roundings of the largest coordinate.
fn safe(distance: f64, thickness: f64, separation: f64, size: f64) -> f64 {
    let rounding = 64.0 * f64::EPSILON * size;
    (0.5 * (distance.min(thickness) - separation) - rounding).max(0.0)
}

/// Which vertices of a pair are asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NearSide {
    /// Those of the first mesh.
    A,
    /// Those of the second.
    B,
    /// All: the list is of one mesh.
    Both,
}

/// A list by the vertices of one of its meshes. `pairs` has the features and the distance of each.
pub fn per_vertex(
    pairs: &[(Features, f64)],
    side: NearSide,
    triangles: &[[u32; 3]],
    vertices: u32,
) -> Result<PairsPerVertex> {
    let take = |k: usize| side == NearSide::Both || side == [NearSide::A, NearSide::B][k];
    let mut all = crate::memory::with_room(pairs.len(), "corners of near pairs")?;
    for (at, (features, _)) in pairs.iter().enumerate() {
        let mut corners = FewVertices::default();
        let face = |t: u32| {
            let found = triangles.get(t as usize);
            found.ok_or_else(|| refused(at, format!("triangle {t}")))
        };
        match *features {
            Features::VertexFace(v, t) => {
                take(0).then(|| corners.add(&[v]));
                if take(1) {
                    corners.add(face(t)?);
                }
            }
            Features::FaceVertex(t, v) => {
                if take(0) {
                    corners.add(face(t)?);
                }
                take(1).then(|| corners.add(&[v]));
            }
            Features::EdgeEdge(e, f) => {
                take(0).then(|| corners.add(&e));
                take(1).then(|| corners.add(&f));
            }
            Features::Start(_) => return Err(refused(at, "no near pair".into())),
        }
        if let Some(v) = corners.into_iter().find(|&v| v >= vertices) {
            return Err(refused(at, format!("vertex {v}")));
        }
        all.push(corners);
    }
    let corners = |pair: u32| all[pair as usize];
    let distance = |pair: u32| pairs[pair as usize].1;
    pairs_per_vertex(pairs.len() as u32, vertices as usize, corners, distance)
}

fn refused(pair: usize, what: String) -> Error {
    invalid(format!(
        "pairs[{pair}] names {what}, which the mesh does not have"
    ))
}

/// Up to four vertices, each once.
#[derive(Clone, Copy, Default)]
struct FewVertices {
    vertices: [u32; 4],
    count: usize,
}

impl FewVertices {
    fn add(&mut self, some: &[u32]) {
        for &v in some {
            if !self.vertices[..self.count].contains(&v) {
                self.vertices[self.count] = v;
                self.count += 1;
            }
        }
    }
}

impl IntoIterator for FewVertices {
    type Item = u32;
    type IntoIter = std::iter::Take<std::array::IntoIter<u32, 4>>;
    fn into_iter(self) -> Self::IntoIter {
        self.vertices.into_iter().take(self.count)
    }
}
