//! Two triangles in general position: no corner near the other's plane. Nearly all pairs are, and plain doubles with a bound on
//! their rounding decide those; the rest are left to exact arithmetic.

use super::Triangle;
use glam::DVec3;

/// What doubles are certain of.
#[allow(
    clippy::large_enum_variant,
    reason = "it is looked at at once and never stored"
)]
pub(in crate::geometry) enum GeneralPosition {
    /// The triangles share no point.
    Apart,
    /// They cross.
    Crossing(Crossed),
    /// Too close to say.
    Unclear,
}

/// Two triangles that cross, each with the corner first that is alone on its side of the other's plane.
pub(in crate::geometry) struct Crossed {
    corners: [Triangle; 2],
    /// How far each corner is from the other's plane, times twice the other's area.
    heights: [[f64; 3]; 2],
    normals: [DVec3; 2],
}

impl GeneralPosition {
    #[inline]
    pub(in crate::geometry) fn of(a: &Triangle, b: &Triangle) -> Self {
        let Some((normal_a, error)) = plane(a) else {
            return Self::Unclear;
        };
        let over_a = match heights(normal_a, error, a[0], b) {
            Heights::OneSide => return Self::Apart,
            Heights::Unclear => return Self::Unclear,
            Heights::Both(heights) => heights,
        };
        let Some((normal_b, error)) = plane(b) else {
            return Self::Unclear;
        };
        let over_b = match heights(normal_b, error, b[0], a) {
            Heights::OneSide => return Self::Apart,
            Heights::Unclear => return Self::Unclear,
            Heights::Both(heights) => heights,
        };
        Crossed::new([a, b], [over_b, over_a], [normal_a, normal_b]).intervals_overlap()
    }
}

/// The segment that two triangles share which are known to cross; None when their planes are too nearly parallel, or one is a
/// sliver.
pub(in crate::geometry) fn crossing_segment(a: &Triangle, b: &Triangle) -> Option<[DVec3; 2]> {
    let ((normal_a, _), (normal_b, _)) = (plane(a)?, plane(b)?);
    let over = |normal: DVec3, corner: DVec3, t: &Triangle| {
        [
            normal.dot(t[0] - corner),
            normal.dot(t[1] - corner),
            normal.dot(t[2] - corner),
        ]
    };
    let heights = [over(normal_b, b[0], a), over(normal_a, a[0], b)];
    Crossed::new([a, b], heights, [normal_a, normal_b]).segment()
}

impl Crossed {
    /// From the heights of the corners of each over the other's plane.
    #[inline(always)]
    fn new([a, b]: [&Triangle; 2], [over_b, over_a]: [[f64; 3]; 2], normals: [DVec3; 2]) -> Self {
        let (i, j) = (lone(over_b), lone(over_a));
        let mut crossed = Self {
            corners: [
                [a[i], a[(i + 1) % 3], a[(i + 2) % 3]],
                [b[j], b[(j + 1) % 3], b[(j + 2) % 3]],
            ],
            heights: [
                [over_b[i], over_b[(i + 1) % 3], over_b[(i + 2) % 3]],
                [over_a[j], over_a[(j + 1) % 3], over_a[(j + 2) % 3]],
            ],
            normals,
        };
        // Turn each triangle so that the other's lone corner is above it.
        if over_b[i] < 0.0 {
            crossed.corners[1].swap(1, 2);
            crossed.heights[1].swap(1, 2);
        }
        if over_a[j] < 0.0 {
            crossed.corners[0].swap(1, 2);
            crossed.heights[0].swap(1, 2);
        }
        crossed
    }

    /// Guigue and Devillers 2003: both triangles cross the line where the planes meet; two more determinants decide whether their
    /// intervals on that line overlap.
    #[inline(always)]
    fn intervals_overlap(self) -> GeneralPosition {
        let [[a, a1, a2], [b, b1, b2]] = &self.corners;
        let (to_b, to_b1, to_b2) = (b - a, b1 - a, b2 - a);
        let (first, first_error) = volume(a1 - a, to_b, to_b1);
        let (second, second_error) = volume(a2 - a, to_b2, to_b);
        if first > first_error || second > second_error {
            GeneralPosition::Apart
        } else if first < -first_error && second < -second_error {
            GeneralPosition::Crossing(self)
        } else {
            GeneralPosition::Unclear
        }
    }

    /// The segment that they share: the overlap of their intervals on the line where the planes meet. None when the planes are
    /// too nearly parallel to order points along that line.
    #[inline]
    pub(in crate::geometry) fn segment(&self) -> Option<[DVec3; 2]> {
        let [normal_a, normal_b] = self.normals;
        let line = normal_a.cross(normal_b);
        let scale = normal_a.length_squared() * normal_b.length_squared();
        if line.length_squared() <= 1e-8 * scale {
            return None;
        }
        let origin = self.corners[0][0];
        let interval = |corners: &Triangle, heights: &[f64; 3]| {
            let tip = heights[0].abs();
            let p = corners[0].lerp(corners[1], tip / (tip + heights[1].abs()));
            let q = corners[0].lerp(corners[2], tip / (tip + heights[2].abs()));
            let (at_p, at_q) = (line.dot(p - origin), line.dot(q - origin));
            if at_p <= at_q {
                [(at_p, p), (at_q, q)]
            } else {
                [(at_q, q), (at_p, p)]
            }
        };
        let of_a = interval(&self.corners[0], &self.heights[0]);
        let of_b = interval(&self.corners[1], &self.heights[1]);
        let first = if of_a[0].0 >= of_b[0].0 {
            of_a[0]
        } else {
            of_b[0]
        };
        let last = if of_a[1].0 <= of_b[1].0 {
            of_a[1]
        } else {
            of_b[1]
        };
        // They overlap, so only rounding can put the ends in the wrong order.
        if first.0 > last.0 {
            return Some([first.1.midpoint(last.1); 2]);
        }
        Some([first.1, last.1])
    }
}

/// Shewchuk's bound on a determinant's rounding is (7 + 56 eps) eps times the permanent, which is at most 6 |u| |v| |w|, all in
/// largest components and half epsilons.
const ERROR: f64 = 24.0 * f64::EPSILON;
/// Products of three may lose this much below the least normal number.
const FLOOR: f64 = 1e-300;

/// `u x v . w` and a bound on its error.
#[inline(always)]
fn volume(u: DVec3, v: DVec3, w: DVec3) -> (f64, f64) {
    let error = ERROR * largest(u) * largest(v) * largest(w);
    (u.cross(v).dot(w), error + FLOOR)
}

/// The normal of a triangle and what its heights are off, for each unit of a point's distance. None for slivers, whose normals have lost
/// too many digits for a segment.
#[inline(always)]
fn plane(t: &Triangle) -> Option<(DVec3, f64)> {
    let (u, v) = (t[1] - t[0], t[2] - t[0]);
    let normal = u.cross(v);
    let sound = normal.length_squared() > 1e-6 * u.length_squared() * v.length_squared();
    sound.then(|| (normal, ERROR * largest(u) * largest(v)))
}

enum Heights {
    OneSide,
    Both([f64; 3]),
    Unclear,
}

/// How three points lie to a plane.
#[inline(always)]
fn heights(normal: DVec3, error: f64, corner: DVec3, t: &Triangle) -> Heights {
    let (p, q, r) = (t[0] - corner, t[1] - corner, t[2] - corner);
    let all = [normal.dot(p), normal.dot(q), normal.dot(r)];
    let error = error * largest(p.abs().max(q.abs()).max(r.abs())) + FLOOR;
    let least = all[0].min(all[1]).min(all[2]);
    let most = all[0].max(all[1]).max(all[2]);
    if least > error || most < -error {
        return Heights::OneSide;
    }
    let nearest = all[0].abs().min(all[1].abs()).min(all[2].abs());
    if nearest > error {
        Heights::Both(all)
    } else {
        Heights::Unclear
    }
}

/// Which of three heights has a sign that the others have not.
#[inline(always)]
fn lone(heights: [f64; 3]) -> usize {
    let [p, q, r] = [heights[0] > 0.0, heights[1] > 0.0, heights[2] > 0.0];
    if p == q {
        2
    } else if p == r {
        1
    } else {
        0
    }
}

#[inline(always)]
fn largest(v: DVec3) -> f64 {
    v.abs().max_element()
}
