//! Exact geometry on integer points, written without any of the predicates that it checks.

/// A point with integer coordinates.
pub(crate) type Cell = [i128; 3];

pub(crate) fn minus(a: Cell, b: Cell) -> Cell {
    [a[0] - b[0], a[1] - b[1], a[2] - b[2]]
}
pub(crate) fn cross(a: Cell, b: Cell) -> Cell {
    [
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    ]
}
pub(crate) fn dot(a: Cell, b: Cell) -> i128 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2]
}
fn is_zero(a: Cell) -> bool {
    a == [0, 0, 0]
}

/// Whether the origin is in the hull of an affinely independent set; dependent sets say no.
fn simplex_has_origin(s: &[Cell]) -> bool {
    match *s {
        [a] => is_zero(a),
        [a, b] => is_zero(cross(a, b)) && dot(a, b) <= 0 && a != b,
        [a, b, c] => {
            let n = cross(minus(b, a), minus(c, a));
            !is_zero(n)
                && dot(n, a) == 0
                && [cross(a, b), cross(b, c), cross(c, a)]
                    .iter()
                    .all(|&w| dot(w, n) >= 0)
        }
        [a, b, c, d] => {
            let whole = dot(minus(b, a), cross(minus(c, a), minus(d, a)));
            let parts = [
                dot(b, cross(c, d)),
                -dot(a, cross(c, d)),
                dot(a, cross(b, d)),
                -dot(a, cross(b, c)),
            ];
            whole != 0 && parts.iter().all(|&v| v * whole.signum() >= 0)
        }
        _ => false,
    }
}

/// Whether the origin is in the hull of the points. Carathéodory: then it is in a simplex of at most four of them.
pub(crate) fn hull_has_origin(points: &[Cell]) -> bool {
    (1u32..1 << points.len())
        .filter(|mask| mask.count_ones() <= 4)
        .any(|mask| {
            let chosen: Vec<Cell> = (0..points.len())
                .filter(|k| mask >> k & 1 == 1)
                .map(|k| points[k])
                .collect();
            simplex_has_origin(&chosen)
        })
}

/// The hulls meet iff the origin is in the hull of the pairwise differences.
pub(crate) fn triangles_meet(a: &[Cell; 3], b: &[Cell; 3]) -> bool {
    let differences: Vec<Cell> = a
        .iter()
        .flat_map(|&p| b.iter().map(move |&q| minus(p, q)))
        .collect();
    hull_has_origin(&differences)
}

/// Whether disjoint hulls are at most `reach / unit` apart: the origin is as near to the hull of the pairwise differences. Its
/// nearest point is inside a simplex of at most three of them, and the foot of the perpendicular there.
#[allow(dead_code, reason = "not every user of the oracle asks for distances")]
pub(crate) fn within(a: &[Cell; 3], b: &[Cell; 3], reach: i128, unit: i128) -> bool {
    let points: Vec<Cell> = a
        .iter()
        .flat_map(|&p| b.iter().map(move |&q| minus(p, q)))
        .collect();
    // Squared distances are `above / below`.
    let near = |above: i128, below: i128| above * unit * unit <= reach * reach * below;
    for (i, &p) in points.iter().enumerate() {
        if near(dot(p, p), 1) {
            return true;
        }
        for (j, &q) in points.iter().enumerate().skip(i + 1) {
            let pq = minus(q, p);
            let (foot, length) = (-dot(p, pq), dot(pq, pq));
            let moment = cross(p, q);
            if length > 0 && (0..=length).contains(&foot) && near(dot(moment, moment), length) {
                return true;
            }
            for &r in &points[j + 1..] {
                let n = cross(pq, minus(r, p));
                let area = dot(n, n);
                let parts = [cross(p, q), cross(q, r), cross(r, p)].map(|w| dot(w, n));
                let height = dot(n, p);
                if area > 0 && parts.iter().all(|&w| w >= 0) && near(height * height, area) {
                    return true;
                }
            }
        }
    }
    false
}
