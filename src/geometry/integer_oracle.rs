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
