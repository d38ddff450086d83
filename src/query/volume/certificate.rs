//! Between which volumes the exact one lies.
//!
//! Take the column of a pixel: all places whose u and v are within half a pixel of its ray. The kernels mark every depth bin in
//! which the surface of a mesh, wherever rounding may have put it, passes through the column. A place of the column in an
//! unmarked bin is inside the mesh exactly if the ray is inside at the same depth: the straight way between them stays in the
//! column and the bin, so it meets no surface, and the winding number does not change along it. The same holds while the
//! surface goes from its exact to its rounded place, because the marks cover both and all between.
//!
//! # By bins
//! Hence of a column
//!
//! - all bins that are unmarked by both meshes, with the ray inside both, are inside the intersection;
//! - nothing of it lies elsewhere than in bins that are marked by a mesh or have its ray inside, for both meshes.
//!
//! Their sums are wide apart: by about the area of the intersection's surface times a pixel's side.
//!
//! # By prisms
//! Let a and b be 1 inside the meshes and 0 outside, and A and B the same as the rays of the columns tell it, bin by bin. Everywhere
//!
//! ```text
//! a b = a B + A b - A B + (a - A)(b - B)
//! ```
//!
//! The last term is zero unless both meshes mark the bin: only where both surfaces pass through it, along the curve on which they cross.
//! There it is between 0 and 1 where A = B, and between -1 and 0 elsewhere. The others are known: A B is a number of bins, and a B is the volume
//! of the first mesh within known depths of each column, the sum of the prisms under its triangles cut to the pixel (`prisms.comp`). So
//! the interval is as wide as the bins that both mark: it falls with the square of the pixels' sides.
//!
//! A mesh turned inside out has all its prisms negative. Where parts of a mesh are wound around one way and parts the other, or rays are
//! flawed, prisms tell nothing, and bins alone are taken.

use crate::query::ldi::Summary;

/// Parts of a pixel and a bin that prisms are counted in: UNITS of `prisms.comp`.
const UNITS: f64 = 65_536.0;
/// Bits of `Summary::turned`.
const BOTH_WAYS: u32 = 3;

/// The least and the greatest volume, in bins; by prisms, too, where there are any.
pub(super) fn interval_of(summary: &Summary, prisms: bool) -> [f64; 2] {
    let bins = [summary.lower_bins, summary.upper_bins].map(f64::from);
    // Flawed rays can count more bins as certainly inside than as possibly inside.
    let bins = [bins[0].min(bins[1]), bins[0].max(bins[1])];
    if !prisms || summary.flawed != [0, 0] || summary.turned.contains(&BOTH_WAYS) {
        return bins;
    }
    let [lower, upper] = by_prisms(summary);
    let both = [bins[0].max(lower), bins[1].min(upper)];
    // What rays do not see of a mesh that is not sound can make them disagree.
    if both[0] <= both[1] { both } else { bins }
}

fn by_prisms(summary: &Summary) -> [f64; 2] {
    let sum = |i: usize| {
        let words = [summary.prisms[2 * i], summary.prisms[2 * i + 1]].map(u64::from);
        (words[0] | words[1] << 32) as i64 as f64 / UNITS
    };
    // A mesh is integrated over what is inside the other, which is not negative: the sign tells which way its triangles are turned.
    let known = sum(0).abs() + sum(1).abs() - f64::from(summary.shared_bins);
    let (doubt, differing) = (sum(2), f64::from(summary.differing_bins));
    let alike = f64::from(summary.doubtful_bins) - differing;
    // The sums are exact; the conversions are not.
    let rounding = 1e-15 * (known.abs() + doubt + alike + differing);
    [
        known - doubt - differing - rounding,
        known + doubt + alike + rounding,
    ]
}
