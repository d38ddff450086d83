//! Eight points at once have the bounds of one at a time, and these hold the distance to a sphere.

use super::*;
use crate::geometry::random::Random;
use crate::geometry::simd::{LaneKernel, Portable, dispatch};
use crate::gpu::shader::blocks::FieldParams;
use bytemuck::Zeroable;
use glam::UVec3;

const ORIGIN: Vec3 = Vec3::new(-1.5, -1.25, -2.0);
const CELL: f32 = 0.25;
const RADIUS: f32 = 0.8;

/// The distance to the sphere at every node; in four channels, the last.
fn sphere(nodes: UVec3, channels: usize) -> Vec<f32> {
    let mut values = Vec::new();
    for z in 0..nodes.z {
        for y in 0..nodes.y {
            for x in 0..nodes.x {
                let p = ORIGIN + UVec3::new(x, y, z).as_vec3() * CELL;
                values.extend((1..channels).map(|_| f32::NAN));
                values.push(p.length() - RADIUS);
            }
        }
    }
    values
}

fn params(nodes: UVec3, outside: u32) -> FieldParams {
    FieldParams {
        origin: ORIGIN.to_array(),
        cell: CELL,
        nodes: nodes.to_array(),
        bricks: ((nodes + 6) / 8).to_array(),
        brick_cells: 8,
        rounding: 1e-6,
        band: f32::INFINITY,
        outside,
        sampling: 1e-5,
        ..FieldParams::zeroed()
    }
}

/// Bounds on the errors: between nodes a distance is off by no more than the way to the farthest of them.
fn errors(params: &FieldParams) -> Vec<f32> {
    let bricks: u32 = params.bricks.iter().product();
    let most = 3f32.sqrt() * CELL;
    // Less in the inner cells, so that a mix-up shows.
    (0..2 * bricks)
        .map(|i| if i % 2 == 0 { 0.9 * most } else { most })
        .collect()
}

fn field<'a>(params: &'a FieldParams, errors: &'a [f32], values: &'a [f32]) -> Field<'a> {
    let nodes = UVec3::from(params.nodes);
    let channels = values.len() / nodes.element_product() as usize;
    let voxels = Voxels {
        values,
        channels,
        size: params.nodes,
    };
    let cells = nodes.as_vec3() - 1.0;
    let mut field = Field {
        params,
        origin: ORIGIN,
        cells,
        bricks: UVec3::from(params.bricks),
        errors,
        storage: match channels {
            1 => Storage::Distance(voxels),
            _ => Storage::Direction(voxels),
        },
        across: (cells * CELL).length() * 1.000_01,
        gathers: false,
    };
    field.gathers = field.can_gather();
    assert!(field.gathers);
    field
}

struct Eight<'a>(&'a Field<'a>, [[f32; WIDTH]; 3]);

impl LaneKernel for Eight<'_> {
    /// Lower, upper, how far beyond the domain; and which are in it.
    type Output = ([[f32; WIDTH]; 3], u8);

    #[inline(always)]
    fn run<V: Lanes>(self) -> Self::Output {
        let p = [
            V::load(&self.1[0]),
            V::load(&self.1[1]),
            V::load(&self.1[2]),
        ];
        let bounds = self.0.lane_bounds(p);
        let rows = [
            bounds.lower.store(),
            bounds.upper.store(),
            bounds.beyond.store(),
        ];
        (rows, bounds.in_domain.bits())
    }
}

fn check(field: &Field, points: &[Vec3; WIDTH]) {
    let rows = [0, 1, 2].map(|axis| points.map(|p| p[axis]));
    let ([lower, upper, beyond], in_domain) = dispatch(Eight(field, rows));
    assert_eq!(
        Eight(field, rows).run::<Portable>(),
        ([lower, upper, beyond], in_domain)
    );
    for (lane, p) in points.iter().enumerate() {
        let exact = p.length() - RADIUS;
        let label = format!("{p} of {:?}", field.params.nodes);
        assert!(lower[lane] <= exact && exact <= upper[lane], "{label}");
        let one = field.bounds(*p);
        let most = field.upper(&one, *p);
        assert_eq!(in_domain >> lane & 1 == 1, one.in_domain, "{label}");
        assert!((lower[lane] - one.lower).abs() < 1e-5, "{label}");
        assert!((upper[lane] - most).abs() < 1e-5, "{label}");
        let nearest = p.clamp(ORIGIN, ORIGIN + field.cells * CELL);
        assert!((beyond[lane] - p.distance(nearest)).abs() < 1e-5, "{label}");
    }
}

#[test]
fn inside_the_domain_beyond_it_and_on_its_rim() {
    // Bricks that are whole and bricks that are not.
    for nodes in [UVec3::new(13, 11, 17), UVec3::new(17, 25, 13)] {
        for channels in [1, 4] {
            let values = sphere(nodes, channels);
            let params = params(nodes, OUTSIDE_CLEAR);
            let errors = errors(&params);
            let field = field(&params, &errors, &values);
            let mut random = Random::new(5);
            for _ in 0..200 {
                check(&field, &std::array::from_fn(|_| random.in_cube_f32() * 4.0));
            }
            let end = ORIGIN + field.cells * CELL;
            let corners = std::array::from_fn(|i| {
                let pick = |axis: usize| {
                    if i >> axis & 1 == 0 {
                        ORIGIN[axis]
                    } else {
                        end[axis]
                    }
                };
                Vec3::new(pick(0), pick(1), pick(2))
            });
            check(&field, &corners);
        }
    }
}

#[test]
fn one_node_along_an_axis_has_no_next() {
    let nodes = UVec3::new(3, 1, 1);
    let values = [0.05, 0.025, 0.075];
    let params = params(nodes, OUTSIDE_CLEAR + 2);
    let errors = [0.0; 2];
    // No cells along two axes, but a brick all the same.
    let params = FieldParams {
        bricks: [1; 3],
        ..params
    };
    let field = field(&params, &errors, &values);
    let x = [0.0, 0.5, 1.0, 1.5, 2.0, 9.0, -9.0, 1.75];
    let rows = [
        x.map(|x| ORIGIN.x + x * CELL),
        [ORIGIN.y; WIDTH],
        [ORIGIN.z; WIDTH],
    ];
    let ([lower, upper, _], _) = dispatch(Eight(&field, rows));
    let expected = [0.05, 0.0375, 0.025, 0.05, 0.075, 0.075, 0.05, 0.0625];
    for lane in 0..WIDTH {
        assert!(
            lower[lane] <= expected[lane] && expected[lane] <= upper[lane],
            "{}",
            x[lane]
        );
    }
}
