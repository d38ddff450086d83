//! Volumes of bodies whose deformations are known beforehand: morph targets and displacement fields.
//!
//! Teschner et al., sections 2.3.2 and 2.3.3. No vertex is looked at when the weights change: a tree is fitted to every
//! target once, and the volumes of a blend are blends of the volumes.

use super::tree::{BoundingVolume, Extreme, Tree, weighted_sum};
use crate::geometry::aabb::Aabb;
use crate::geometry::surface::Surface;
use crate::memory::Gather;
use glam::Vec3;

/// The volumes of a tree at every morph target (Larsson and Akenine-Moeller 2003).
#[derive(Clone, Debug)]
pub struct Morph<V> {
    /// For each node the volumes at all targets.
    volumes: Vec<Vec<V>>,
}

impl<V: BoundingVolume> Morph<V> {
    /// Fits `tree` to each target; all have the triangles that it was built over.
    pub fn new<const ARITY: usize>(tree: &Tree<V, ARITY>, targets: &[Surface]) -> Self {
        let fitted: Vec<Vec<V>> = targets.iter().map(|t| tree.volumes_at(t)).gather();
        let nodes = fitted.first().map_or(0, Vec::len);
        let volumes = (0..nodes)
            .map(|node| fitted.iter().map(|volumes| volumes[node]).collect())
            .gather();
        Self { volumes }
    }

    /// Gives `tree` the volumes of the blend of all targets; one weight each, not negative, with sum 1.
    pub fn blend<const ARITY: usize>(&self, tree: &mut Tree<V, ARITY>, weights: &[f32]) {
        tree.set_volumes(|node| V::blended(&self.volumes[node], weights));
    }
}

/// The boxes of a tree under displacement fields: vertices are at p + U q (section 2.3.2, James and Pai 2004), where the
/// columns of U are the fields and q is any vector.
#[derive(Clone, Debug)]
pub struct Modes {
    rest: Vec<Aabb>,
    /// For each node the box around the displacements of its vertices in each field.
    fields: Vec<Vec<Aabb>>,
}

impl Modes {
    /// Of a tree over `rest`; each field has a displacement for every vertex.
    pub fn new<const ARITY: usize>(
        tree: &Tree<Aabb, ARITY>,
        rest: &Surface,
        fields: &[&[Vec3]],
    ) -> Self {
        let boxes: Vec<Vec<Aabb>> = fields
            .iter()
            .map(|field| {
                tree.volumes_at(&Surface {
                    positions: (*field).into(),
                    triangles: rest.triangles,
                })
            })
            .gather();
        let rest = tree.volumes_at(rest);
        let fields = (0..rest.len())
            .map(|node| boxes.iter().map(|b| b[node]).collect())
            .gather();
        Self { rest, fields }
    }

    /// Gives `tree` the boxes of the body under amplitudes `q`, one for each field, of either sign.
    pub fn deform<const ARITY: usize>(&self, tree: &mut Tree<Aabb, ARITY>, q: &[f32]) {
        let mut weights = vec![1.0];
        weights.extend(q);
        tree.set_volumes(|node| {
            let terms = |axis: usize, side: Extreme| {
                let rest = &self.rest[node];
                let low = side == Extreme::Least;
                let start = if low { rest.min } else { rest.max };
                let moved = self.fields[node].iter().zip(q).map(|(field, &amount)| {
                    // A negative amplitude turns the interval round.
                    let end = if (amount >= 0.0) == low {
                        field.min
                    } else {
                        field.max
                    };
                    end[axis]
                });
                let all: Vec<f32> = std::iter::once(start[axis]).chain(moved).collect();
                weighted_sum(all.into_iter(), &weights, side)
            };
            let along = |axis| (terms(axis, Extreme::Least), terms(axis, Extreme::Greatest));
            let sides = [along(0), along(1), along(2)];
            Aabb {
                min: Vec3::from(sides.map(|s| s.0)),
                max: Vec3::from(sides.map(|s| s.1)),
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::comparators::dop::Dop18;
    use crate::geometry::comparators::tree::{Update, crossing_pairs};
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
        let mut tree_other = Tree::<V, ARITY>::build(&other.surface(), 0.0);
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
                (&mut tree, &shape.surface()),
                (&mut tree_other, &other.surface()),
                usize::MAX,
            )
            .unwrap();
            tree.update(&shape.surface(), Update::BottomUp);
            let by_refit = crossing_pairs(
                (&mut tree, &shape.surface()),
                (&mut tree_other, &other.surface()),
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

    #[test]
    fn displaced_boxes_hold_the_displaced_body() {
        let torus = shapes::torus(1.2, 0.4, 24, 12);
        let bend: Vec<Vec3> = torus
            .positions
            .iter()
            .map(|p| Vec3::Z * p.x * p.x)
            .collect();
        let swell: Vec<Vec3> = torus.positions.iter().map(|p| p * p.z).collect();
        let mut tree = Tree::<Aabb, 4>::build(&torus.surface(), 0.0);
        let modes = Modes::new(&tree, &torus.surface(), &[&bend, &swell]);
        let other = shapes::sphere(1.0, 20, 14).map(|p| p + Vec3::new(0.8, 0.1, 0.2));
        let mut tree_other = Tree::<Aabb, 4>::build(&other.surface(), 0.0);
        let mut random = Random::new(4);
        let mut some = 0;
        for _ in 0..30 {
            let q = [random.signed() as f32, random.signed() as f32];
            let mut shape = torus.clone();
            for (v, p) in shape.positions.iter_mut().enumerate() {
                *p += bend[v] * q[0] + swell[v] * q[1];
            }
            let mut pairs = |tree: &mut Tree<Aabb, 4>| {
                crossing_pairs(
                    (tree, &shape.surface()),
                    (&mut tree_other, &other.surface()),
                    usize::MAX,
                )
                .unwrap()
            };
            modes.deform(&mut tree, &q);
            let by_modes = pairs(&mut tree);
            tree.update(&shape.surface(), Update::BottomUp);
            let by_refit = pairs(&mut tree);
            some += by_refit.len();
            assert_eq!(by_modes, by_refit);
        }
        assert!(some > 0);
    }
    /// Blended volumes have no margin around where the last update saw the vertices.
    #[test]
    fn an_update_after_a_blend_moves_the_volumes_back() {
        let targets = targets();
        let surfaces: Vec<Surface> = targets.iter().map(Shape::surface).collect();
        let mut tree = Tree::<Aabb, 4>::build(&surfaces[0], 0.01);
        Morph::new(&tree, &surfaces).blend(&mut tree, &[0.0, 0.0, 1.0]);
        assert!(tree.update(&surfaces[0], Update::BottomUp));
        let mut fresh = Tree::<Aabb, 4>::build(&surfaces[0], 0.01);
        let crossed = targets[0].clone().map(|p| p + Vec3::new(0.9, 0.1, 0.2));
        let mut other = Tree::<Aabb, 4>::build(&crossed.surface(), 0.0);
        let mut pairs = |tree| {
            let first = (tree, &surfaces[0]);
            crossing_pairs(first, (&mut other, &crossed.surface()), usize::MAX).ok()
        };
        let found = pairs(&mut tree);
        assert_eq!(found, pairs(&mut fresh));
        assert!(found.is_some_and(|pairs| pairs.len() > 10));
    }
}
