//! Volumes of bodies whose deformations are known beforehand: morph targets and displacement fields.
//!
//! Teschner et al., sections 2.3.2 and 2.3.3. No vertex is looked at when the weights change: a tree is fitted to every
//! target once, and the volumes of a blend are blends of the volumes. Each is computed when a walk comes to its node, and those of other nodes never.

use super::tree::Tree;
use super::volume::BoundingVolume;
use crate::geometry::surface::Surface;
use crate::memory::{self, Gather};
use glam::Vec3;
use std::sync::Arc;

/// The volumes of a tree at every morph target (Larsson and Akenine-Moeller 2003).
#[derive(Clone, Debug)]
pub struct Morph<V> {
    /// For each node the volumes at all targets.
    volumes: Arc<Vec<Vec<V>>>,
}

impl<V: BoundingVolume> Morph<V> {
    /// Fits `tree` to each target; all have the triangles that it was built over.
    pub fn new<const ARITY: usize>(tree: &Tree<V, ARITY>, targets: &[Surface]) -> Self {
        Self {
            volumes: Arc::new(by_node(tree, targets)),
        }
    }

    /// Gives `tree` the volumes of the blend of all targets; one weight each, not negative, with sum 1.
    pub fn blend<const ARITY: usize>(&self, tree: &mut Tree<V, ARITY>, weights: &[f32]) {
        let (volumes, weights) = (self.volumes.clone(), memory::copied(weights));
        tree.set_volumes(move |node| V::blended(&volumes[node], &weights));
    }
}

/// For each node of a tree its volumes at all of some positions.
fn by_node<V: BoundingVolume, const ARITY: usize>(
    tree: &Tree<V, ARITY>,
    positions: &[Surface],
) -> Vec<Vec<V>> {
    let fitted: Vec<Vec<V>> = positions.iter().map(|p| tree.volumes_at(p)).gather();
    let nodes = fitted.first().map_or(0, Vec::len);
    (0..nodes)
        .map(|node| fitted.iter().map(|volumes| volumes[node]).collect())
        .gather()
}

/// The volumes of a tree under displacement fields: vertices are at p + U q (section 2.3.2, James and Pai 2004), where the
/// columns of U are the fields and q is any vector.
#[derive(Clone, Debug)]
pub struct Modes<V> {
    /// For each node the volume at rest, then those around the displacements of its vertices in each field.
    volumes: Arc<Vec<Vec<V>>>,
}

impl<V: BoundingVolume> Modes<V> {
    /// Of a tree over `rest`; each field has a displacement for every vertex.
    pub fn new<const ARITY: usize>(
        tree: &Tree<V, ARITY>,
        rest: &Surface,
        fields: &[&[Vec3]],
    ) -> Self {
        let mut positions = memory::room(1 + fields.len());
        memory::add(&mut positions, *rest);
        for field in fields {
            let moved = Surface {
                positions: (*field).into(),
                triangles: rest.triangles,
            };
            memory::add(&mut positions, moved);
        }
        Self {
            volumes: Arc::new(by_node(tree, &positions)),
        }
    }

    /// Gives `tree` the volumes of the body under amplitudes `q`, one for each field, of either sign.
    pub fn deform<const ARITY: usize>(&self, tree: &mut Tree<V, ARITY>, q: &[f32]) {
        let (volumes, q) = (self.volumes.clone(), memory::copied(q));
        tree.set_volumes(move |node| match &volumes[node][..] {
            [rest, fields @ ..] => V::displaced(*rest, fields, &q),
            [] => V::EMPTY,
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::aabb::Aabb;
    use crate::geometry::comparators::dop::Dop18;
    use crate::geometry::comparators::tree::{Update, crossing_pairs};
    use crate::geometry::hierarchy::placement::Placement;
    use crate::geometry::random::Random;
    use crate::geometry::surface::AsSurface;
    use fixtures::shapes::{self, Shape};

    fn targets() -> [Shape; 3] {
        let torus = shapes::torus(1.2, 0.4, 24, 12);
        let long = torus
            .clone()
            .map(|p| Vec3::new(2.0 * p.x, p.y, p.z + 0.3 * p.x * p.x));
        let twisted = torus
            .clone()
            .map(|p| Vec3::new(p.y, p.z, p.x) + Vec3::new(0.1, 0.0, 0.2));
        [torus, long, twisted]
    }

    fn blend(targets: &[Shape; 3], weights: &[f32]) -> Shape {
        let mut blended = targets[0].clone();
        for (v, p) in blended.positions.iter_mut().enumerate() {
            *p = targets
                .iter()
                .zip(weights)
                .map(|(target, w)| target.positions[v] * *w)
                .sum();
        }
        blended
    }

    fn check<V: BoundingVolume, const ARITY: usize>() {
        let targets = targets();
        let other = shapes::sphere(1.0, 20, 14).map(|p| p + Vec3::new(0.8, 0.1, 0.2));
        let mut tree = Tree::<V, ARITY>::build(&targets[0].surface(), 0.0);
        let tree_other = Tree::<V, ARITY>::build(&other.surface(), 0.0);
        let surfaces: Vec<Surface> = targets.iter().map(Shape::surface).collect();
        let morph = Morph::new(&tree, &surfaces);
        let mut random = Random::new(9);
        for _ in 0..20 {
            let raw: Vec<f32> = (0..3).map(|_| random.unit() as f32).collect();
            let sum: f32 = raw.iter().sum();
            let weights: Vec<f32> = raw.iter().map(|w| w / sum).collect();
            let shape = blend(&targets, &weights);
            morph.blend(&mut tree, &weights);
            let by_morph = crossing_pairs(
                (&tree, &shape.surface()),
                (&tree_other, &other.surface()),
                &Placement::default(),
                usize::MAX,
            )
            .unwrap();
            tree.update(&shape.surface(), Update::BottomUp);
            let by_refit = crossing_pairs(
                (&tree, &shape.surface()),
                (&tree_other, &other.surface()),
                &Placement::default(),
                usize::MAX,
            )
            .unwrap();
            assert_eq!(by_morph, by_refit);
        }
    }

    #[test]
    fn blended_volumes_hold_the_blended_body() {
        check::<Aabb, 2>();
        check::<Aabb, 8>();
        check::<Dop18, 4>();
    }

    /// What a walk does not come to is not computed.
    #[test]
    fn volumes_are_blended_where_a_walk_comes_and_nowhere_else() {
        let targets = targets();
        let surfaces: Vec<Surface> = targets.iter().map(Shape::surface).collect();
        let mut tree = Tree::<Aabb, 2>::build(&surfaces[0], 0.0);
        let all = tree.known_volumes();
        Morph::new(&tree, &surfaces).blend(&mut tree, &[1.0, 0.0, 0.0]);
        assert_eq!(tree.known_volumes(), 0);
        let walk = |x: f32| {
            let other = shapes::sphere(0.1, 8, 6).map(|p| p + Vec3::new(x, 0.0, 0.0));
            let small = Tree::<Aabb, 2>::build(&other.surface(), 0.0);
            let (one, two) = ((&tree, &surfaces[0]), (&small, &other.surface()));
            let pairs = crossing_pairs(one, two, &Placement::default(), usize::MAX);
            (pairs.unwrap().len(), tree.known_volumes())
        };
        assert_eq!(walk(100.0), (0, 1));
        let (pairs, known) = walk(1.6);
        assert!(
            pairs > 0 && (2..all / 4).contains(&known),
            "{known} of {all}"
        );
    }

    fn check_modes<V: BoundingVolume, const ARITY: usize>() {
        let torus = shapes::torus(1.2, 0.4, 24, 12);
        let bend: Vec<Vec3> = torus
            .positions
            .iter()
            .map(|p| Vec3::Z * p.x * p.x)
            .collect();
        let swell: Vec<Vec3> = torus.positions.iter().map(|p| p * p.z).collect();
        let mut tree = Tree::<V, ARITY>::build(&torus.surface(), 0.0);
        let modes = Modes::new(&tree, &torus.surface(), &[&bend, &swell]);
        let other = shapes::sphere(1.0, 20, 14).map(|p| p + Vec3::new(0.8, 0.1, 0.2));
        let tree_other = Tree::<V, ARITY>::build(&other.surface(), 0.0);
        let mut random = Random::new(4);
        let mut some = 0;
        for _ in 0..30 {
            let q = [random.signed() as f32, random.signed() as f32];
            let mut shape = torus.clone();
            for (v, p) in shape.positions.iter_mut().enumerate() {
                *p += bend[v] * q[0] + swell[v] * q[1];
            }
            let pairs = |tree: &Tree<V, ARITY>| {
                crossing_pairs(
                    (tree, &shape.surface()),
                    (&tree_other, &other.surface()),
                    &Placement::default(),
                    usize::MAX,
                )
                .unwrap()
            };
            modes.deform(&mut tree, &q);
            let by_modes = pairs(&tree);
            tree.update(&shape.surface(), Update::BottomUp);
            let by_refit = pairs(&tree);
            some += by_refit.len();
            assert_eq!(by_modes, by_refit);
        }
        assert!(some > 0);
    }

    #[test]
    fn displaced_volumes_hold_the_displaced_body() {
        check_modes::<Aabb, 4>();
        check_modes::<Dop18, 2>();
        check_modes::<Dop18, 8>();
    }

    /// Blended volumes have no margin around where the last update saw the vertices.
    #[test]
    fn an_update_after_a_blend_moves_the_volumes_back() {
        let targets = targets();
        let surfaces: Vec<Surface> = targets.iter().map(Shape::surface).collect();
        let mut tree = Tree::<Aabb, 4>::build(&surfaces[0], 0.01);
        Morph::new(&tree, &surfaces).blend(&mut tree, &[0.0, 0.0, 1.0]);
        assert!(tree.update(&surfaces[0], Update::BottomUp));
        let fresh = Tree::<Aabb, 4>::build(&surfaces[0], 0.01);
        let crossed = targets[0].clone().map(|p| p + Vec3::new(0.9, 0.1, 0.2));
        let other = Tree::<Aabb, 4>::build(&crossed.surface(), 0.0);
        let pairs = |tree: &Tree<Aabb, 4>| {
            let (first, at) = ((tree, &surfaces[0]), Placement::default());
            crossing_pairs(first, (&other, &crossed.surface()), &at, usize::MAX).ok()
        };
        let found = pairs(&tree);
        assert_eq!(found, pairs(&fresh));
        assert!(found.is_some_and(|pairs| pairs.len() > 10));
    }
}
