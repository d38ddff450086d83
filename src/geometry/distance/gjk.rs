//! Distance bounds from convex hulls: Gilbert, Johnson and Keerthi's algorithm on plain vertex sets.
//!
//! Gissler et al., sections 4.2 and 4.3: the distance of the hulls bounds the distance of the surfaces from below, two
//! support vertices bound it from above, and the separating direction is the normal of the margin. The lower bound is
//! certified by that direction: every vertex of both sets was projected on it, and the rounding is subtracted.

use crate::geometry::simd::{LaneKernel, Lanes, WIDTH, dispatch};
use crate::memory;
use glam::{DVec3, Vec3};

/// A vertex set laid out for scanning.
pub struct VertexSet<'a> {
    positions: &'a [Vec3],
    coordinates: [Vec<[f32; WIDTH]>; 3],
    /// Largest coordinate, by magnitude.
    magnitude: f64,
}

impl<'a> VertexSet<'a> {
    /// Lays the positions out; the last one is repeated to fill the lanes.
    pub fn new(positions: &'a [Vec3]) -> Self {
        let groups = positions.len().div_ceil(WIDTH);
        let mut coordinates = [(); 3].map(|()| memory::room(groups));
        let mut largest = Vec3::ZERO;
        for lane_group in positions.chunks(WIDTH) {
            let at = |i: usize| lane_group[i.min(lane_group.len() - 1)];
            for (axis, lanes) in coordinates.iter_mut().enumerate() {
                lanes.push(std::array::from_fn(|i| at(i)[axis]));
            }
            for p in lane_group {
                largest = largest.max(p.abs());
            }
        }
        Self {
            positions,
            coordinates,
            magnitude: f64::from(largest.max_element()),
        }
    }

    /// The vertex farthest along `direction` and its projection, exact to `f64` rounding; ties go to the lowest index.
    pub fn support(&self, direction: DVec3) -> (u32, f64) {
        // Lanes decide in f32 which runs can hold the maximum; only those are projected again in f64.
        let scale = direction.abs().max_element();
        let d = (direction / scale).as_vec3();
        // Rounding of the direction, the products and the sums, in both values that are compared.
        let slack = 16.0 * f32::EPSILON * self.magnitude as f32 + f32::MIN_POSITIVE;
        let (best, runs) = dispatch(RunMaxima {
            coordinates: &self.coordinates,
            direction: d,
        });
        let mut found = (0, f64::NEG_INFINITY);
        for (run, &maximum) in runs.iter().enumerate() {
            // Written so that an overflow to NaN or infinity keeps the run.
            if best - maximum > slack {
                continue;
            }
            let first = run * RUN * WIDTH;
            for (k, p) in self.positions[first..].iter().take(RUN * WIDTH).enumerate() {
                let projection = direction.dot(p.as_dvec3());
                if projection > found.1 {
                    found = ((first + k) as u32, projection);
                }
            }
        }
        found
    }

    fn at(&self, index: u32) -> DVec3 {
        self.positions[index as usize].as_dvec3()
    }
}

/// Lane groups in a run.
const RUN: usize = 8;

struct RunMaxima<'a> {
    coordinates: &'a [Vec<[f32; WIDTH]>; 3],
    direction: Vec3,
}

impl LaneKernel for RunMaxima<'_> {
    type Output = (f32, Vec<f32>);
    #[inline(always)]
    fn run<V: Lanes>(self) -> Self::Output {
        let [x, y, z] = self.coordinates;
        let d = self.direction.to_array().map(V::splat);
        let mut best = f32::NEG_INFINITY;
        let mut maxima = memory::room(x.len().div_ceil(RUN));
        for ((x, y), z) in x.chunks(RUN).zip(y.chunks(RUN)).zip(z.chunks(RUN)) {
            let mut most = V::splat(f32::NEG_INFINITY);
            for ((x, y), z) in x.iter().zip(y).zip(z) {
                let projection = V::load(x) * d[0] + V::load(y) * d[1] + V::load(z) * d[2];
                most = most.max(projection);
            }
            let most = most.store().into_iter().fold(f32::NEG_INFINITY, f32::max);
            best = best.max(most);
            maxima.push(most);
        }
        (best, maxima)
    }
}

/// A few vertices of one set whose hull holds the hull's closest point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Simplex {
    vertices: [u32; 4],
    count: usize,
}

impl Simplex {
    /// The distinct vertices, ascending.
    pub fn vertices(&self) -> &[u32] {
        &self.vertices[..self.count]
    }

    fn of(vertices: impl Iterator<Item = u32>) -> Self {
        let mut simplex = Self {
            vertices: [0; 4],
            count: 0,
        };
        for v in vertices {
            if !simplex.vertices().contains(&v) {
                simplex.vertices[simplex.count] = v;
                simplex.count += 1;
            }
        }
        simplex.vertices[..simplex.count].sort_unstable();
        simplex
    }
}

/// What the hulls say about the distance of two surfaces through their vertices.
#[derive(Clone, Copy, Debug)]
pub struct HullBounds {
    /// No point of one hull is closer than this to the other; 0 when no separating direction was found.
    pub lower: f64,
    /// Distance of the two nearest support vertices, which are points of the surfaces.
    pub upper: f64,
    /// Unit normal of the margin, pointing from the second set to the first; zero when `lower` is 0.
    pub axis: DVec3,
    /// `axis . x` of the plane halfway between the two margins.
    pub middle: f64,
    /// The closest points of the hulls.
    pub closest: [DVec3; 2],
    /// The vertices that `upper` is measured between.
    pub nearest: [u32; 2],
    /// The support simplices, which hold `closest`.
    pub simplices: [Simplex; 2],
}

/// A vertex of the Minkowski difference and the two vertices that it came from.
#[derive(Clone, Copy)]
struct Corner {
    point: DVec3,
    from: [u32; 2],
}

/// Hull bounds of two vertex sets; `None` when one of them is empty.
pub fn hull_bounds(a: &VertexSet, b: &VertexSet) -> Option<HullBounds> {
    if a.positions.is_empty() || b.positions.is_empty() {
        return None;
    }
    let corner = |i, j| Corner {
        point: a.at(i) - b.at(j),
        from: [i, j],
    };
    // Each projection is off by at most 3 roundings of its terms; normalising the direction costs as much again.
    let rounding = 16.0 * f64::EPSILON * (a.magnitude + b.magnitude);
    let mut simplex = vec![corner(0, 0)];
    let mut weights = vec![1.0];
    let mut v = simplex[0].point;
    let (mut lower, mut axis, mut middle) = (0.0, DVec3::ZERO, 0.0);
    // Convergence is usually in ten steps; the bound holds wherever it stops.
    for _ in 0..64 {
        let length = v.length();
        if length <= rounding {
            break;
        }
        let direction = v / length;
        let ((i, along_a), (j, along_b)) = (a.support(-direction), b.support(direction));
        let gap = -along_a - along_b - rounding;
        if gap > lower {
            (lower, axis, middle) = (gap, direction, 0.5 * (along_b - along_a));
        }
        if length - gap <= 2.0 * rounding + 1e-12 * length
            || simplex.iter().any(|c| c.from == [i, j])
        {
            break;
        }
        simplex.push(corner(i, j));
        let (closest, kept) = nearest_to_origin(&simplex);
        // Rounding can stall the descent: what is known by then is kept.
        if closest.length_squared() >= v.length_squared() {
            simplex.pop();
            break;
        }
        v = closest;
        simplex = kept.iter().map(|&(k, _)| simplex[k]).collect();
        weights = kept.into_iter().map(|(_, w)| w).collect();
        if simplex.len() == 4 {
            break;
        }
    }
    simplex.truncate(weights.len());
    let mix = |set: &VertexSet, side: usize| {
        simplex
            .iter()
            .zip(&weights)
            .map(|(c, &w)| set.at(c.from[side]) * w)
            .sum::<DVec3>()
    };
    let simplices = [0, 1].map(|side| Simplex::of(simplex.iter().map(|c| c.from[side])));
    let (upper, nearest) = nearest_supports(a, b, &simplices);
    let closest = [mix(a, 0), mix(b, 1)];
    Some(HullBounds {
        lower: lower.min(upper),
        upper,
        axis,
        middle,
        closest,
        nearest,
        simplices,
    })
}

fn nearest_supports(a: &VertexSet, b: &VertexSet, simplices: &[Simplex; 2]) -> (f64, [u32; 2]) {
    let mut best = (f64::INFINITY, [0, 0]);
    for &i in simplices[0].vertices() {
        for &j in simplices[1].vertices() {
            let distance = a.at(i).distance(b.at(j));
            if distance < best.0 {
                best = (distance, [i, j]);
            }
        }
    }
    best
}

/// The point of a simplex nearest to the origin, with the corners that span its face and their weights.
///
/// Every face is tried: up to four corners that is cheap, and unlike Johnson's recursion it cannot be led astray by
/// one wrong sign.
fn nearest_to_origin(simplex: &[Corner]) -> (DVec3, Vec<(usize, f64)>) {
    let mut best = (f64::INFINITY, DVec3::ZERO, Vec::new());
    for mask in 1u32..1 << simplex.len() {
        let face: Vec<usize> = (0..simplex.len()).filter(|k| mask >> k & 1 == 1).collect();
        let points: Vec<DVec3> = face.iter().map(|&k| simplex[k].point).collect();
        let Some(weights) = foot_of_origin(&points) else {
            continue;
        };
        let foot: DVec3 = points.iter().zip(&weights).map(|(&p, &w)| p * w).sum();
        if foot.length_squared() < best.0 {
            best = (
                foot.length_squared(),
                foot,
                face.into_iter().zip(weights).collect(),
            );
        }
    }
    (best.1, best.2)
}

/// Barycentric weights of the origin's foot on the affine hull of up to four points, if it is inside their hull.
fn foot_of_origin(points: &[DVec3]) -> Option<Vec<f64>> {
    let weights = match *points {
        [_] => vec![1.0],
        [a, b] => {
            let u = b - a;
            let t = -a.dot(u) / u.length_squared();
            vec![1.0 - t, t]
        }
        [a, b, c] => {
            let n = (b - a).cross(c - a);
            let area = n.length_squared();
            let weights = [b.cross(c), c.cross(a), a.cross(b)].map(|w| w.dot(n) / area);
            weights.to_vec()
        }
        [a, b, c, d] => {
            let volume = (b - a).dot((c - a).cross(d - a));
            let parts = [
                b.dot(c.cross(d)),
                -a.dot(c.cross(d)),
                a.dot(b.cross(d)),
                -a.dot(b.cross(c)),
            ];
            parts.map(|p| p / volume).to_vec()
        }
        _ => return None,
    };
    // Also rejects the NaN and infinity of a flat simplex, whose faces are tried anyway.
    weights
        .iter()
        .all(|&w| (0.0..=1.0).contains(&w))
        .then_some(weights)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::random::Random;
    use fixtures::shapes;

    fn bounds(a: &[Vec3], b: &[Vec3]) -> HullBounds {
        hull_bounds(&VertexSet::new(a), &VertexSet::new(b)).unwrap()
    }

    #[test]
    fn support_is_the_brute_force_maximum() {
        let mut random = Random::new(10);
        for n in [1, 2, 7, 8, 9, 63, 64, 65, 1000] {
            let points: Vec<Vec3> = (0..n).map(|_| random.in_cube_f32()).collect();
            let set = VertexSet::new(&points);
            for _ in 0..50 {
                let d = random.in_cube();
                let best = points
                    .iter()
                    .map(|p| d.dot(p.as_dvec3()))
                    .fold(f64::NEG_INFINITY, f64::max);
                let (index, projection) = set.support(d);
                assert_eq!(
                    (projection, d.dot(points[index as usize].as_dvec3())),
                    (best, best)
                );
            }
        }
    }

    #[test]
    fn spheres_give_the_gap_between_their_hulls() {
        // Dense enough that the hull is within 1e-3 of the ball.
        let (a, b) = (shapes::sphere(1.0, 200, 100), shapes::sphere(2.0, 200, 100));
        let b = b.map(|p| p + Vec3::new(3.0, 4.0, 0.0));
        let found = bounds(&a.positions, &b.positions);
        assert!(
            found.lower >= 2.0 - 1e-6 && found.lower < 2.0 + 3e-3,
            "{found:?}"
        );
        assert!(found.upper >= found.lower);
        assert!(found.axis.distance(DVec3::new(-0.6, -0.8, 0.0)) < 0.02);
    }

    /// The distance of two boxes is known; the closest points must be in both and realise it.
    #[test]
    fn boxes_give_their_analytic_distance() {
        let mut random = Random::new(11);
        for round in 0..300 {
            let scale = [1e-6, 1.0, 1e6][round % 3];
            let mut cube = || {
                let (centre, half) = (
                    random.in_cube() * 4.0 * scale,
                    (random.in_cube().abs() + 0.1) * scale,
                );
                let corners: Vec<Vec3> = (0..8)
                    .map(|k| {
                        DVec3::new(f64::from(k & 1), f64::from(k >> 1 & 1), f64::from(k >> 2)) * 2.0
                            - DVec3::ONE
                    })
                    .map(|k| (centre + half * k).as_vec3())
                    .collect();
                corners
            };
            let (a, b) = (cube(), cube());
            let (low_a, high_a) = (a[0].as_dvec3(), a[7].as_dvec3());
            let (low_b, high_b) = (b[0].as_dvec3(), b[7].as_dvec3());
            let expected = (low_a - high_b)
                .max(low_b - high_a)
                .max(DVec3::ZERO)
                .length();
            let found = bounds(&a, &b);
            assert!(
                found.lower <= expected + 1e-15 * scale,
                "{found:?} {expected}"
            );
            assert!(
                found.upper >= expected * (1.0 - 1e-15),
                "{found:?} {expected}"
            );
            assert!(
                expected - found.lower <= 1e-11 * expected + 1e-13 * scale,
                "{found:?} {expected}"
            );
            let realised = found.closest[0].distance(found.closest[1]);
            assert!((realised - expected).abs() <= 1e-11 * expected + 1e-13 * scale);
            for (p, low, high) in [
                (found.closest[0], low_a, high_a),
                (found.closest[1], low_b, high_b),
            ] {
                assert!((low - p).max(p - high).max_element() <= 1e-14 * scale);
            }
        }
    }

    #[test]
    fn the_certificate_holds_for_every_vertex_pair() {
        let mut random = Random::new(12);
        for round in 0..200 {
            let offset = random.in_cube() * 3.0;
            let flat = if round % 2 == 0 {
                DVec3::ONE
            } else {
                DVec3::new(1.0, 1e-7, 1.0)
            };
            let mut cloud = |by: DVec3| -> Vec<Vec3> {
                (0..40)
                    .map(|_| (random.in_cube() * flat + by).as_vec3())
                    .collect()
            };
            let (a, b) = (cloud(DVec3::ZERO), cloud(offset));
            let found = bounds(&a, &b);
            let nearest = a
                .iter()
                .flat_map(|p| b.iter().map(move |q| p.as_dvec3().distance(q.as_dvec3())))
                .fold(f64::INFINITY, f64::min);
            assert!(found.lower <= nearest && nearest <= found.upper);
            if found.lower > 0.0 {
                let half = 0.5 * found.lower;
                assert!(
                    a.iter().all(
                        |p| found.axis.dot(p.as_dvec3()) - found.middle >= half * (1.0 - 1e-12)
                    )
                );
                assert!(
                    b.iter()
                        .all(|p| found.axis.dot(p.as_dvec3()) - found.middle
                            <= -half * (1.0 - 1e-12))
                );
            }
        }
    }

    #[test]
    fn overlapping_hulls_have_no_lower_bound() {
        let ball = shapes::sphere(1.0, 20, 10);
        let ring = shapes::torus(3.0, 0.5, 30, 10);
        assert_eq!(bounds(&ball.positions, &ring.positions).lower, 0.0);
        assert!(bounds(&ball.positions, &ring.positions).upper >= 1.5);
        assert_eq!(bounds(&ball.positions, &ball.positions).lower, 0.0);
        assert!(hull_bounds(&VertexSet::new(&[]), &VertexSet::new(&ball.positions)).is_none());
    }
}
