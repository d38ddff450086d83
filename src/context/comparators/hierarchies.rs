//! Hierarchies of a context that the caller chose: other volumes, other arities, other updates.

use crate::context::Context;
use crate::context::exact::too_many;
use crate::error::{Result, invalid};
use crate::geometry::aabb::Aabb;
use crate::geometry::comparators::dop::Dop18;
use crate::geometry::comparators::morph::{Modes, Morph};
use crate::geometry::comparators::tree::{Tree, Update, crossing_pairs};
use crate::geometry::comparators::volume::BoundingVolume;
use crate::geometry::hierarchy::placement::Placement;
use crate::geometry::surface::Surface;
use crate::interrupt;
use crate::lock::lock_while_wanted;
use crate::scene::mesh::Mesh;
use crate::scene::pose::{Pose, check_distance, check_vectors};
use glam::Vec3;
use std::sync::{Arc, Mutex, MutexGuard};

/// What kind of tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TreeKind {
    /// Boxes, so many children.
    Boxes(Arity),
    /// 18-DOPs, so many children.
    Dops(Arity),
}

/// Children of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Arity {
    /// Two.
    Two,
    /// Four.
    Four,
    /// Eight.
    Eight,
}

/// How a hierarchy is made and kept.
#[derive(Clone, Copy, Debug)]
pub struct HierarchyOptions {
    /// What kind of tree.
    pub kind: TreeKind,
    /// How it follows the mesh.
    pub update: Update,
    /// By how much volumes are larger than they must be, so that small motions need no update.
    pub margin: f32,
    /// The tree is built anew when its volumes have grown by this factor; infinite for never.
    pub rebuild_above: f64,
}

/// What an update did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Updated {
    /// Nothing: the margin covers all motion.
    Nothing,
    /// The volumes were fitted, or marked to be.
    Refitted,
    /// The tree was built anew.
    Rebuilt,
}

enum AnyTree {
    Boxes2(Grown<Aabb, 2>),
    Boxes4(Grown<Aabb, 4>),
    Boxes8(Grown<Aabb, 8>),
    Dops2(Grown<Dop18, 2>),
    Dops4(Grown<Dop18, 4>),
    Dops8(Grown<Dop18, 8>),
}

/// Does the same with any tree.
macro_rules! each {
    ($tree:expr, $grown:ident => $work:expr) => {
        match $tree {
            AnyTree::Boxes2($grown) => $work,
            AnyTree::Boxes4($grown) => $work,
            AnyTree::Boxes8($grown) => $work,
            AnyTree::Dops2($grown) => $work,
            AnyTree::Dops4($grown) => $work,
            AnyTree::Dops8($grown) => $work,
        }
    };
}

/// Does something with two trees of one kind; the rest of the arms is for two that differ.
macro_rules! both {
    ($a:expr, $b:expr, ($first:ident, $second:ident) => $work:expr, else $other:expr) => {
        match ($a, $b) {
            (AnyTree::Boxes2($first), AnyTree::Boxes2($second)) => $work,
            (AnyTree::Boxes4($first), AnyTree::Boxes4($second)) => $work,
            (AnyTree::Boxes8($first), AnyTree::Boxes8($second)) => $work,
            (AnyTree::Dops2($first), AnyTree::Dops2($second)) => $work,
            (AnyTree::Dops4($first), AnyTree::Dops4($second)) => $work,
            (AnyTree::Dops8($first), AnyTree::Dops8($second)) => $work,
            _ => $other,
        }
    };
}

/// A tree with what is known beforehand of its deformations.
struct Grown<V, const ARITY: usize> {
    tree: Tree<V, ARITY>,
    morph: Option<(Morph<V>, usize)>,
    modes: Option<(Modes<V>, usize)>,
}

impl<V: BoundingVolume, const ARITY: usize> Grown<V, ARITY> {
    fn new(surface: &Surface, margin: f32) -> Self {
        Self {
            tree: Tree::build(surface, margin),
            morph: None,
            modes: None,
        }
    }

    /// Builds a tree anew that refits have spoilt.
    fn renew(&mut self, surface: &Surface, choice: &HierarchyOptions) -> Updated {
        if choice.update == Update::BottomUp && self.tree.decay() > choice.rebuild_above {
            *self = Self::new(surface, choice.margin);
            return Updated::Rebuilt;
        }
        Updated::Refitted
    }

    fn blend(&mut self, weights: &[f32]) -> Result<()> {
        let (morph, count) = self.morph.as_ref().ok_or_else(|| {
            invalid("the hierarchy has no morph targets, or was built anew since: set them first")
        })?;
        check_count("weights", weights.len(), *count, "morph targets")?;
        let sum: f32 = weights.iter().sum();
        if weights.iter().any(|w| !w.is_finite() || *w < 0.0) || (sum - 1.0).abs() > 1e-3 {
            return Err(invalid(format!(
                "the weights are {weights:?}; they must not be negative, and their sum must be 1"
            )));
        }
        morph.blend(&mut self.tree, weights);
        Ok(())
    }

    fn set_modes(&mut self, rest: &Surface, fields: &[&[Vec3]]) {
        self.modes = Some((Modes::new(&self.tree, rest, fields), fields.len()));
    }

    fn deform(&mut self, amplitudes: &[f32]) -> Result<()> {
        let (modes, count) = self.modes.as_ref().ok_or_else(|| {
            invalid(
                "the hierarchy has no displacement fields, or was built anew since: set them first",
            )
        })?;
        check_count(
            "amplitudes",
            amplitudes.len(),
            *count,
            "displacement fields",
        )?;
        if let Some(bad) = amplitudes.iter().find(|q| !q.is_finite()) {
            return Err(invalid(format!("an amplitude is {bad}; it must be finite")));
        }
        modes.deform(&mut self.tree, amplitudes);
        Ok(())
    }
}

fn check_count(name: &str, given: usize, known: usize, what: &str) -> Result<()> {
    if given == known {
        return Ok(());
    }
    Err(invalid(format!(
        "there are {given} {name} for {known} {what}"
    )))
}

/// A hierarchy and the mesh it is of.
pub(in crate::context) struct HierarchySlot {
    mesh: Arc<Mesh>,
    choice: HierarchyOptions,
    inner: Mutex<KeptTree>,
}

struct KeptTree {
    tree: AnyTree,
    positions: Vec<Vec3>,
}

impl HierarchySlot {
    /// Calls with the same hierarchy go one after the other: each may change it.
    fn lock(&self) -> Result<MutexGuard<'_, KeptTree>> {
        lock_while_wanted(&self.inner)
    }

    /// What error messages call it.
    pub(in crate::context) fn name(&self) -> String {
        format!("hierarchy of {}", self.mesh.name())
    }

    fn surface<'a>(&'a self, positions: &'a [Vec3]) -> Surface<'a> {
        Surface {
            positions: positions.into(),
            triangles: &self.mesh.triangles,
        }
    }
}

impl Context {
    /// Builds a hierarchy over a mesh as it is now.
    pub fn create_hierarchy(&self, mesh: u64, choice: HierarchyOptions) -> Result<u64> {
        check_distance("margin", choice.margin.into())?;
        if choice.rebuild_above.is_nan() || choice.rebuild_above <= 1.0 {
            return Err(invalid(format!(
                "rebuild_above is {}; it must be above 1, infinite for never",
                choice.rebuild_above
            )));
        }
        let mesh = self.mesh(mesh)?;
        mesh.check_single_precision("a hierarchy of its own")?;
        let positions = self.current_positions(&mesh)?;
        let tree = self.workers.run(|| {
            let surface = Surface {
                positions: (&positions[..]).into(),
                triangles: &mesh.triangles,
            };
            let margin = choice.margin;
            match choice.kind {
                TreeKind::Boxes(Arity::Two) => AnyTree::Boxes2(Grown::new(&surface, margin)),
                TreeKind::Boxes(Arity::Four) => AnyTree::Boxes4(Grown::new(&surface, margin)),
                TreeKind::Boxes(Arity::Eight) => AnyTree::Boxes8(Grown::new(&surface, margin)),
                TreeKind::Dops(Arity::Two) => AnyTree::Dops2(Grown::new(&surface, margin)),
                TreeKind::Dops(Arity::Four) => AnyTree::Dops4(Grown::new(&surface, margin)),
                TreeKind::Dops(Arity::Eight) => AnyTree::Dops8(Grown::new(&surface, margin)),
            }
        })?;
        self.hierarchies().insert(Arc::new(HierarchySlot {
            mesh,
            choice,
            inner: Mutex::new(KeptTree { tree, positions }),
        }))
    }

    /// Destroys a hierarchy; its mesh stays.
    pub fn destroy_hierarchy(&self, id: u64) -> Result<()> {
        self.hierarchies().remove(id).map(drop)
    }

    /// Follows the mesh to where it is now.
    pub fn update_hierarchy(&self, id: u64) -> Result<Updated> {
        let slot = self.hierarchy(id)?;
        let positions = self.current_positions(&slot.mesh)?;
        let mut inner = slot.lock()?;
        let inner = &mut *inner;
        self.workers.run(|| {
            let (tree, choice) = (&mut inner.tree, &slot.choice);
            let surface = slot.surface(&positions);
            let moved = each!(tree, grown => grown.tree.update(&surface, choice.update));
            // At once: volumes and positions belong together, also when the rest of the work is ended.
            inner.positions = positions;
            if !moved {
                return Updated::Nothing;
            }
            let surface = slot.surface(&inner.positions);
            each!(&mut inner.tree, grown => grown.renew(&surface, choice))
        })
    }

    /// Fits a hierarchy to morph targets, meshes with the same triangles.
    pub fn set_targets(&self, id: u64, targets: &[u64]) -> Result<()> {
        let slot = self.hierarchy(id)?;
        if targets.is_empty() {
            return Err(invalid("there are no morph targets"));
        }
        let mut places = Vec::new();
        for (at, target) in targets.iter().enumerate() {
            let mesh = self.mesh(*target)?;
            if mesh.vertices != slot.mesh.vertices || mesh.triangles != slot.mesh.triangles {
                return Err(invalid(format!(
                    "target {at} does not have the triangles of the hierarchy's mesh \"{}\"",
                    slot.mesh.label
                )));
            }
            mesh.check_single_precision("a morph target")?;
            places.push(self.current_positions(&mesh)?);
        }
        let surfaces: Vec<Surface> = places.iter().map(|p| slot.surface(p)).collect();
        let mut inner = slot.lock()?;
        let tree = &mut inner.tree;
        self.workers.run(|| {
            each!(tree, grown => {
                grown.morph = Some((Morph::new(&grown.tree, &surfaces), surfaces.len()));
            });
        })
    }

    /// Takes the volumes of the blend of the morph targets, which the mesh has been updated to.
    pub fn blend_hierarchy(&self, id: u64, weights: &[f32]) -> Result<()> {
        let slot = self.hierarchy(id)?;
        let positions = self.current_positions(&slot.mesh)?;
        let mut inner = slot.lock()?;
        let tree = &mut inner.tree;
        interrupt::caught(|| each!(tree, grown => grown.blend(weights)))??;
        inner.positions = positions;
        Ok(())
    }

    /// Gives a hierarchy the displacement fields of its mesh: a displacement for each vertex in each.
    pub fn set_displacements(&self, id: u64, fields: &[&[Vec3]]) -> Result<()> {
        let slot = self.hierarchy(id)?;
        for (at, field) in fields.iter().enumerate() {
            check_count(
                "displacements",
                field.len(),
                slot.mesh.vertices as usize,
                "vertices",
            )?;
            check_vectors(field, |v| format!("displacement {v} of field {at}"))?;
        }
        let rest = self.current_positions(&slot.mesh)?;
        let surface = slot.surface(&rest);
        let mut inner = slot.lock()?;
        let tree = &mut inner.tree;
        self.workers
            .run(|| each!(tree, grown => grown.set_modes(&surface, fields)))
    }

    /// Takes the volumes of the mesh under amplitudes of its displacement fields, which the mesh has been updated to.
    pub fn deform_hierarchy(&self, id: u64, amplitudes: &[f32]) -> Result<()> {
        let slot = self.hierarchy(id)?;
        let positions = self.current_positions(&slot.mesh)?;
        let mut inner = slot.lock()?;
        let tree = &mut inner.tree;
        interrupt::caught(|| each!(tree, grown => grown.deform(amplitudes)))??;
        inner.positions = positions;
        Ok(())
    }

    /// All intersecting triangle pairs of two hierarchies of one kind where they stand, at most `capacity`.
    pub fn hierarchy_pairs(
        &self,
        (a, pose_a): (u64, Pose),
        (b, pose_b): (u64, Pose),
        capacity: u64,
    ) -> Result<Vec<[u32; 2]>> {
        pose_a.validate()?;
        pose_b.validate()?;
        if a == b {
            return Err(invalid(
                "both hierarchies are the same one; ask for the pairs of two",
            ));
        }
        let (slot_a, slot_b) = (self.hierarchy(a)?, self.hierarchy(b)?);
        // Always in the order of the ids, so that two threads do not wait for each other.
        let (inner_a, inner_b);
        if a < b {
            inner_a = slot_a.lock()?;
            inner_b = slot_b.lock()?;
        } else {
            inner_b = slot_b.lock()?;
            inner_a = slot_a.lock()?;
        }
        let room = usize::try_from(capacity).unwrap_or(usize::MAX);
        let (inner_a, inner_b) = (&*inner_a, &*inner_b);
        let placement = Placement::new(pose_b.relative_to(&pose_a));
        let (surface_a, surface_b) = (
            slot_a.surface(&inner_a.positions),
            slot_b.surface(&inner_b.positions),
        );
        let (tree_a, tree_b) = (&inner_a.tree, &inner_b.tree);
        self.workers
            .run(|| {
                both!(tree_a, tree_b, (first, second) => Ok(crossing_pairs(
                    (&first.tree, &surface_a),
                    (&second.tree, &surface_b),
                    &placement,
                    room,
                )), else Err(invalid("the hierarchies are of different kinds; give both the same volume and arity")))
            })??
            .map_err(|found| too_many(found, capacity))
    }

    /// The vertices of a hierarchy's mesh.
    pub fn hierarchy_vertices(&self, id: u64) -> Result<u32> {
        Ok(self.hierarchy(id)?.mesh.vertices)
    }

    fn hierarchy(&self, id: u64) -> Result<Arc<HierarchySlot>> {
        let slot = self.hierarchies().get(id)?.clone();
        slot.mesh.check_not_replaced("hierarchy")?;
        Ok(slot)
    }
}
