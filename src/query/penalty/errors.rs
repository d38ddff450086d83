//! What force and torque of springs can be off by.
//!
//! The exact force on the field's body is the integral of -k r over the part of the mesh inside, where r(x) = q(x) - x leads from x to the closest point q
//! of the body's surface. It is summed over cells of triangles, with the r of each cell's middle m: area times how far that is from the mean of r over the cell.
//! Nothing is known of how r changes, which jumps where the closest point does; but of the distance d from the surface the field gives an interval everywhere.
//!
//! # The way to the surface from distances
//! Seen from m, let psi(y) = (|y - m|^2 - d(y)^2) / 2. It is the largest of (y - m).(s - m) - |s - m|^2 / 2 over all s of the surface: convex, and q(y) - m is one
//! of its slopes at y. So for each unit vector e and length h, at every place x
//!
//! ```text
//! e.(q(x) - m) <= (psi(x + h e) - psi(x)) / h
//! ```
//!
//! Take the mean over the cell. That of r is that of q - m, because m is the mean of x. That of psi is no less than psi(m) = -d(m)^2 / 2, and no more than the
//! mean over the corners c. With s^2 the mean of |c - m|^2,
//!
//! ```text
//! e.(mean of r) <= (s^2 + h^2 + d(m)^2 - mean of d(c + h e)^2) / (2 h)
//! ```
//!
//! Along three axes, both ways, that is a box around the mean of r. Where d is known to w, it is about (s^2 + h^2 + 4 d w) / (2 h) wide, least at h^2 = s^2 + 4 d w: as
//! wide as the cell, or as the root of what the field is off by. It falls with the spacing of the samples until the field's error is what is left.
//!
//! # Cells at the surface
//! Of a cell that may reach through the surface, all that is known is that r is no longer than d. The mean of the depth inside is no more than that at the middle and the mean
//! distance from the middle; what was added may have any direction. The same bounds every cell, and the lesser counts.
//!
//! # Torques
//! r is normal to the surface at q, so the moment of -k r about c is the same at q and at x. Its integral over a cell is (m - c) times that of r, which is off as above, and
//! that of (x - m) x r, at most the area times the mean of |x - m| |r|: with |r(x)| <= d(m) + |x - m|, at most t (d(m) + t), where t^2 is the mean of |x - m|^2.
//!
//! # Rounding
//! Places are off by the meeting's placing error, taken from every distance; products round by less than 4e-6 of themselves. A sum of n floats is off by at most n units of the
//! sum of their sizes: at most the stiffness times the integral of the depth, for torques also times the longest arm. So each invocation adds that for its samples, and the last
//! kernel for the clusters' sums.
//!
//! Damping and friction follow the normal r / |r|, of which nothing is known near the surface: no useful bound is known for them.

use super::PenaltyOptions;
use crate::error::{Error, Result, invalid};
use crate::query::meeting::Meeting;
use crate::query::proximity::SamplingPath;
use glam::DVec3;

/// Refuses what has no bound.
pub(super) fn validate(options: &PenaltyOptions) -> Result<()> {
    if !options.bounded {
        return Ok(());
    }
    if options.damping != 0.0 || options.friction != 0.0 {
        return Err(invalid(
            "force_errors bounds the errors of springs: damping and friction must be 0",
        ));
    }
    match options.path {
        SamplingPath::Auto | SamplingPath::Compute => Ok(()),
        _ => Err(Error::Unsupported(
            "errors of forces are found by kernels only; choose PRX_SAMPLING_PATH_AUTO or _COMPUTE"
                .into(),
        )),
    }
}

/// A centre of torques in the field's frame, and how far what is inside can be from it.
pub(super) fn centre(meeting: &Meeting, centre: DVec3) -> [f32; 4] {
    let domain = meeting.field.data.grid.domain();
    let reach = centre.distance(domain.centre().as_dvec3()) + domain.size().as_dvec3().length();
    centre.extend(reach).as_vec4().to_array()
}
