//! Analytic shapes as fields.

use super::data::error_bricks;
use super::error::{self, BrickError, Evidence};
use super::grid::{Grid, places};
use crate::error::{Result, invalid};
use crate::memory::{self, Gather};
use glam::{DVec2, DVec3, Vec3};

/// A shape with a closed-form signed distance, in its own frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Shape {
    /// Around the origin.
    Sphere {
        /// Its radius.
        radius: f64,
    },
    /// Around the origin, along the axes.
    Box {
        /// Half of its sides.
        half_size: DVec3,
    },
    /// Around a segment of the y axis.
    Capsule {
        /// Of its round ends.
        radius: f64,
        /// Half of the segment.
        half_height: f64,
    },
    /// Around the y axis.
    Torus {
        /// From the axis to the tube's centre.
        major: f64,
        /// Of the tube.
        minor: f64,
    },
    /// Everything below y = 0 is inside.
    Plane {
        /// Half of the box that its field covers.
        half_domain: DVec3,
    },
}

impl Shape {
    /// Refuses sizes that are not positive numbers, and a torus without a hole: its formula is no distance then.
    pub fn validate(&self) -> Result<()> {
        if let Self::Torus { major, minor } = self
            && minor > major
        {
            return Err(invalid(format!(
                "the torus's tube of radius {minor} is thicker than its circle of radius {major} is wide: it would meet itself"
            )));
        }
        let sizes: &[(&str, f64)] = match self {
            Self::Sphere { radius } => &[("radius", *radius)],
            Self::Box { half_size } => &[
                ("half_size", half_size.min_element()),
                ("half_size", half_size.max_element()),
            ],
            Self::Capsule {
                radius,
                half_height,
            } => &[("radius", *radius), ("half_height", *half_height)],
            Self::Torus { major, minor } => &[("major", *major), ("minor", *minor)],
            Self::Plane { half_domain } => &[
                ("half_size", half_domain.min_element()),
                ("half_size", half_domain.max_element()),
            ],
        };
        match sizes
            .iter()
            .find(|(_, size)| !(size.is_finite() && *size > 0.0))
        {
            None => Ok(()),
            Some((name, size)) => Err(invalid(format!(
                "the shape's {name} is {size}; it must be finite and above 0"
            ))),
        }
    }

    /// The signed distance at a point.
    pub fn distance(&self, p: DVec3) -> f64 {
        match *self {
            Self::Sphere { radius } => p.length() - radius,
            Self::Box { half_size } => {
                let q = p.abs() - half_size;
                q.max(DVec3::ZERO).length() + q.max_element().min(0.0)
            }
            Self::Capsule {
                radius,
                half_height,
            } => (p - DVec3::Y * p.y.clamp(-half_height, half_height)).length() - radius,
            Self::Torus { major, minor } => {
                DVec2::new(DVec2::new(p.x, p.z).length() - major, p.y).length() - minor
            }
            Self::Plane { .. } => p.y,
        }
    }

    /// The unit vector towards the closest point; any of them where there are several.
    pub fn direction(&self, p: DVec3) -> DVec3 {
        let outwards = match *self {
            Self::Sphere { .. } => p,
            Self::Box { half_size } => {
                let q = p.abs() - half_size;
                let away = if q.max_element() > 0.0 {
                    q.max(DVec3::ZERO)
                } else {
                    DVec3::AXES[q.max_position()]
                };
                away * p.signum()
            }
            Self::Capsule { half_height, .. } => {
                p - DVec3::Y * p.y.clamp(-half_height, half_height)
            }
            Self::Torus { major, .. } => {
                let ring = DVec2::new(p.x, p.z).normalize_or(DVec2::X) * major;
                p - DVec3::new(ring.x, 0.0, ring.y)
            }
            Self::Plane { .. } => DVec3::Y,
        };
        let outwards = outwards.normalize_or(DVec3::X);
        if self.distance(p) < 0.0 {
            outwards
        } else {
            -outwards
        }
    }

    /// Half of the shape's box, or of a plane's domain.
    pub fn half_extent(&self) -> DVec3 {
        match *self {
            Self::Sphere { radius } => DVec3::splat(radius),
            Self::Box { half_size } => half_size,
            Self::Capsule {
                radius,
                half_height,
            } => DVec3::new(radius, radius + half_height, radius),
            Self::Torus { major, minor } => DVec3::new(major + minor, minor, major + minor),
            Self::Plane { half_domain } => half_domain,
        }
    }

    /// Whether its surface lies within its box.
    pub fn is_bounded(&self) -> bool {
        !matches!(self, Self::Plane { .. })
    }

    /// Signed distances and directions at every node of a grid.
    pub fn sample(&self, grid: &Grid) -> (Vec<f32>, Vec<Vec3>) {
        let at = |p| (self.distance(p) as f32, self.direction(p).as_vec3());
        places(grid.nodes)
            .map(|node| at(grid.position(node)))
            .unzip()
    }

    /// How far interpolation between these samples may be off, for each brick of cells.
    pub fn errors(&self, grid: &Grid, distances: &[f32], directions: &[Vec3]) -> Vec<BrickError> {
        if matches!(self, Self::Plane { .. }) {
            // Interpolation reproduces what is linear: only the rounding of the samples is left.
            let most = distances.iter().fold(0.0f32, |most, d| most.max(d.abs()));
            let rounding = BrickError::even(4.0 * f32::EPSILON * (most + grid.spacing));
            return memory::filled(rounding, error_bricks(grid).element_product() as usize);
        }
        let texel = |(&d, u): (&f32, &Vec3)| [u.x, u.y, u.z, d];
        let texels: Vec<_> = distances.iter().zip(directions).map(texel).gather();
        let evidence = Evidence {
            grid,
            surface: None,
            membrane: None,
        };
        error::of_dense(evidence, &texels).bricks
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::grid;
    use glam::UVec3;

    #[test]
    fn distances_fall_to_zero_along_the_direction() {
        let shapes = [
            Shape::Sphere { radius: 1.5 },
            Shape::Box {
                half_size: DVec3::new(1.0, 2.0, 0.5),
            },
            Shape::Capsule {
                radius: 0.5,
                half_height: 1.0,
            },
            Shape::Torus {
                major: 2.0,
                minor: 0.6,
            },
            Shape::Plane {
                half_domain: DVec3::ONE,
            },
        ];
        for shape in shapes {
            for i in 0..500 {
                let t = f64::from(i);
                let p = DVec3::new((t * 0.7).sin(), (t * 1.1).cos(), (t * 1.7).sin())
                    * (0.1 + t * 0.006);
                let there = p + shape.direction(p) * shape.distance(p).abs();
                assert!(shape.distance(there).abs() < 1e-12, "{shape:?} at {p}");
            }
        }
    }

    /// Bricks are of eight cells; of those at the ends of these grids one to seven are there. The sampling code takes all for whole ones:
    /// what is neither the first nor the eighth cell along an axis is an inner one.
    #[test]
    fn bounds_hold_in_bricks_that_are_not_whole() {
        let shape = Shape::Torus {
            major: 2.0,
            minor: 0.75,
        };
        for cells in 9..16 {
            let grid = Grid {
                origin: Vec3::new(-3.0, -1.2, -3.0),
                spacing: 0.27,
                nodes: UVec3::new(cells + 1, cells + 1, 20),
            };
            let (distances, directions) = shape.sample(&grid);
            let errors = shape.errors(&grid, &distances, &directions);
            let bricks = error_bricks(&grid);
            for cell in places(grid.nodes - 1) {
                let brick = cell / error::BRICK;
                let error = errors[grid::index(brick, bricks)];
                let is_inner = (cell % error::BRICK)
                    .to_array()
                    .iter()
                    .all(|k| (1..7).contains(k));
                let bound = f64::from(if is_inner { error.inner } else { error.outer });
                let values = grid::corners(cell).map(|node| distances[grid.index(node)]);
                for at in [DVec3::splat(0.5), DVec3::new(0.25, 0.5, 0.75), DVec3::Y] {
                    let there = grid.position(cell) + at * f64::from(grid.spacing);
                    let off = grid::trilinear(values, at) - shape.distance(there);
                    assert!(off.abs() <= bound, "{off} and not {bound} in cell {cell}");
                }
            }
        }
    }

    #[test]
    fn known_distances() {
        assert_eq!(
            Shape::Sphere { radius: 2.0 }.distance(DVec3::new(0.0, 3.0, 0.0)),
            1.0
        );
        let cube = Shape::Box {
            half_size: DVec3::ONE,
        };
        assert_eq!(cube.distance(DVec3::new(2.0, 2.0, 1.0)), 2f64.sqrt());
        assert_eq!(cube.distance(DVec3::new(0.25, 0.0, 0.0)), -0.75);
        assert_eq!(
            Shape::Torus {
                major: 2.0,
                minor: 0.5
            }
            .distance(DVec3::new(0.0, 0.0, 2.0)),
            -0.5
        );
        assert!(Shape::Sphere { radius: -1.0 }.validate().is_err());
        let spindle = Shape::Torus {
            major: 1.0,
            minor: 1.5,
        };
        assert!(spindle.validate().unwrap_err().to_string().contains("1.5"));
    }
}
