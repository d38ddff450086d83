//! The part of a triangle in a pixel. By Green's theorem its integrals are sums over the edges, each cut to the pixel's row and then held
//! within its sides. Partner: `shaders/include/pieces.glsl`.

use glam::{DVec2, DVec3, Vec3Swizzles};

/// What doubles may be off by in a piece, for coordinates of one.
const ROUNDING: f64 = 1e-14;

/// A part of a triangle.
pub(super) struct Piece {
    /// Positive where rays along +w leave.
    pub(super) area: f64,
    /// First moments about the pixel's centre.
    pub(super) moment: DVec2,
    /// What each of them may be off by.
    pub(super) off: f64,
}

/// The part of an edge in a row of pixels, upwards, v counted from the row's middle.
#[derive(Clone, Copy, Default)]
struct RowEdge {
    turn: f64,
    from: DVec2,
    to: DVec2,
}

/// The parts of a triangle's edges in a row of pixels.
pub(super) struct Row {
    edges: [RowEdge; 3],
    off: f64,
}

impl Row {
    #[inline]
    pub(super) fn of(corners: &[DVec3; 3], k: f64) -> Self {
        let corners = corners.map(DVec3::xy);
        let mut edges = [RowEdge::default(); 3];
        for (i, edge) in edges.iter_mut().enumerate() {
            let (p, q) = (corners[i], corners[(i + 1) % 3]);
            let rises = p.y < q.y;
            let (low, high) = if rises { (p, q) } else { (q, p) };
            let (from, to) = (
                low.y.clamp(k - 0.5, k + 0.5),
                high.y.clamp(k - 0.5, k + 0.5),
            );
            if from < to {
                let along = (high.x - low.x) / (high.y - low.y);
                let meet = |v: f64| {
                    let u = low.x + along * (v - low.y);
                    DVec2::new(u.clamp(low.x.min(high.x), low.x.max(high.x)), v - k)
                };
                *edge = RowEdge {
                    turn: if rises { 1.0 } else { -1.0 },
                    from: meet(from),
                    to: meet(to),
                };
            }
        }
        let farthest = corners
            .iter()
            .map(|p| p.abs().max_element())
            .fold(1.0, f64::max);
        Self {
            edges,
            off: ROUNDING * farthest,
        }
    }

    /// The columns that the row's part of the triangle touches, of those from one to another.
    #[inline]
    pub(super) fn columns(&self, first: i32, last: i32) -> [i32; 2] {
        let (mut low, mut high) = (f64::INFINITY, f64::NEG_INFINITY);
        for edge in self.edges.iter().filter(|edge| edge.turn != 0.0) {
            low = low.min(edge.from.x.min(edge.to.x));
            high = high.max(edge.from.x.max(edge.to.x));
        }
        let slack = 0.5 + self.off;
        [
            first.max((low - slack).ceil() as i32),
            last.min((high + slack).floor() as i32),
        ]
    }

    /// Of the pixel in column `i`.
    #[inline]
    pub(super) fn piece_at(&self, i: f64) -> Piece {
        let (mut area, mut squares, mut over_v) = (0.0, 0.0, 0.0);
        for edge in &self.edges {
            let (u0, u1) = (edge.from.x - i, edge.to.x - i);
            let (v0, v1) = (edge.from.y, edge.to.y);
            // From the pixel's left side, within the pixel.
            let (c0, c1) = (u0.clamp(-0.5, 0.5) + 0.5, u1.clamp(-0.5, 0.5) + 0.5);
            if c0 == c1 {
                // Beside the pixel all along, or straight through it.
                let rise = edge.turn * (v1 - v0);
                area += c0 * rise;
                squares += 0.5 * c0 * c0 * rise;
                over_v += 0.5 * c0 * (v0 + v1) * rise;
                continue;
            }
            let per_u = (v1 - v0) / (u1 - u0);
            let at = |u: f64| (v0 + per_u * (u - u0)).clamp(v0, v1);
            // Beside the pixel up to va, through it up to vb, beside it again.
            let va = if u0.abs() > 0.5 { at(c0 - 0.5) } else { v0 };
            let vb = if u1.abs() > 0.5 { at(c1 - 0.5) } else { v1 };
            let (before, through, after) = (va - v0, vb - va, v1 - vb);
            area += edge.turn * (c0 * before + 0.5 * (c0 + c1) * through + c1 * after);
            squares += edge.turn
                * (0.5 * c0 * c0 * before
                    + (c0 * c0 + c0 * c1 + c1 * c1) / 6.0 * through
                    + 0.5 * c1 * c1 * after);
            over_v += edge.turn
                * (0.5 * c0 * (va + v0) * before
                    + (c0 * (2.0 * va + vb) + c1 * (va + 2.0 * vb)) / 6.0 * through
                    + 0.5 * c1 * (v1 + vb) * after);
        }
        Piece {
            area,
            moment: DVec2::new(squares - 0.5 * area, over_v),
            off: self.off,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::random::Random;

    /// Keeps what of a polygon is on one side of a line along an axis.
    fn cut(polygon: Vec<DVec2>, inside: impl Fn(DVec2) -> f64) -> Vec<DVec2> {
        let mut kept = Vec::new();
        for (i, p) in polygon.iter().enumerate() {
            let q = polygon[(i + 1) % polygon.len()];
            let (at_p, at_q) = (inside(*p), inside(q));
            if at_p >= 0.0 {
                kept.push(*p);
            }
            if (at_p >= 0.0) != (at_q >= 0.0) {
                kept.push(*p + (q - *p) * (at_p / (at_p - at_q)));
            }
        }
        kept
    }

    /// Area and moments of a triangle cut to a pixel side by side, added up from a fan.
    fn cut_piece(corners: &[DVec3; 3], pixel: DVec2) -> (f64, DVec2) {
        let mut polygon: Vec<DVec2> = corners.iter().map(|p| p.xy() - pixel).collect();
        polygon = cut(polygon, |p| p.x + 0.5);
        polygon = cut(polygon, |p| 0.5 - p.x);
        polygon = cut(polygon, |p| p.y + 0.5);
        polygon = cut(polygon, |p| 0.5 - p.y);
        let (mut area, mut moment) = (0.0, DVec2::ZERO);
        for i in 2..polygon.len() {
            let [a, b, c] = [polygon[0], polygon[i - 1], polygon[i]];
            let part = 0.5 * (b - a).perp_dot(c - a);
            area += part;
            moment += part * (a + b + c) / 3.0;
        }
        (area, moment)
    }

    #[test]
    fn pieces_are_those_of_a_triangle_cut_side_by_side() {
        let mut random = Random::new(5);
        let mut touched = 0;
        for size in [0.1, 1.0, 5.0, 80.0] {
            for _ in 0..300 {
                let mut place = |spread: f64| {
                    let mut next = || spread * (random.unit() - 0.5);
                    DVec3::new(next(), next(), next())
                };
                let middle = place(20.0);
                let corners = [0, 1, 2].map(|_| middle + place(size));
                let at = corners[0].lerp(corners[1], 0.3).round();
                let row = Row::of(&corners, at.y);
                for i in [-1.0, 0.0, 1.0] {
                    let piece = row.piece_at(at.x + i);
                    let (area, moment) = cut_piece(&corners, DVec2::new(at.x + i, at.y));
                    touched += u32::from(area != 0.0);
                    assert!(
                        (piece.area - area).abs() <= piece.off,
                        "{size}: {corners:?}"
                    );
                    assert!((piece.moment - moment).abs().max_element() <= piece.off);
                }
            }
        }
        assert!(touched > 1000, "{touched}");
    }

    #[test]
    fn the_pieces_of_a_row_are_all_that_the_row_has() {
        let corners = [
            DVec3::new(1.2, 0.1, 0.0),
            DVec3::new(9.7, 3.3, 0.0),
            DVec3::new(4.1, 6.9, 0.0),
        ];
        let [p, q] = [corners[1] - corners[0], corners[2] - corners[0]];
        let mut area = 0.0;
        for k in 0..=7 {
            let row = Row::of(&corners, f64::from(k));
            let [from, to] = row.columns(0, 20);
            area += (from..=to)
                .map(|i| row.piece_at(f64::from(i)).area)
                .sum::<f64>();
        }
        assert!(
            (area - 0.5 * p.xy().perp_dot(q.xy())).abs() < 1e-12,
            "{area}"
        );
    }
}
