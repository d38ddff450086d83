//! Sampling a signed distance field. Partner: `shaders/include/field.glsl`, whose names these are; the filter is exact to rounding.

mod band;
mod band_cross;
mod band_finish;
mod band_region;
mod band_scatter;
mod filter_ramp;
pub mod lanes;
pub mod outwards;
mod sample;

use crate::gpu::native::Voxels;
use crate::gpu::shader::blocks::FieldParams;
use crate::gpu::shader::kernels::{FieldBindings, FieldSampling};
use glam::{UVec3, Vec3, Vec4};

/// What is known beyond the domain, partner: `Outside` in field/data.rs.
const OUTSIDE_CLEAR: u32 = 0;
const OUTSIDE_UNSIGNED: u32 = 1;

/// A field as kernels sample it.
#[derive(Clone, Copy)]
pub struct Field<'a> {
    /// Its parameters.
    pub params: &'a FieldParams,
    origin: Vec3,
    cells: Vec3,
    bricks: UVec3,
    errors: &'a [f32],
    storage: Storage<'a>,
    /// No point of the surface is farther from one of the domain.
    across: f32,
    /// Whether lanes can gather from it: a dense texture, of which as of the errors 32 bits count the floats.
    gathers: bool,
}

#[derive(Clone, Copy)]
enum Storage<'a> {
    /// Distance in the fourth channel, the direction outwards in the first three.
    Direction(Voxels<'a>),
    Distance(Voxels<'a>),
    Sparse {
        atlas: Voxels<'a>,
        coarse: Voxels<'a>,
        table: &'a [u32],
    },
}

/// The field at a point: lower <= true distance <= upper.
#[derive(Debug, Clone, Copy)]
pub struct FieldSample {
    /// The field's value; outside the domain the lower bound.
    pub distance: f32,
    /// No larger than the true distance.
    pub lower: f32,
    /// No smaller than the true distance.
    pub upper: f32,
    /// Whether the point lies in the domain.
    pub in_domain: bool,
    /// Whether it is inside the body, by the value at the domain's nearest point.
    pub interior: bool,
    /// Unit vector to the surface, or zero where the field does not tell.
    pub direction: Vec3,
}

impl<'a> Field<'a> {
    /// The field that a kernel binds.
    pub fn of(bindings: &FieldBindings<'a>) -> Self {
        let params: &'a FieldParams = &bindings.parameters.values()[0];
        let cells = UVec3::from(params.nodes).as_vec3() - 1.0;
        let mut field = Self {
            params,
            origin: Vec3::from(params.origin),
            cells,
            bricks: UVec3::from(params.bricks),
            errors: bindings.errors.after(size_of::<FieldParams>()).values(),
            storage: match &bindings.sampling {
                FieldSampling::Direction { texture } => Storage::Direction(texture.voxels()),
                FieldSampling::Distance { texture } => Storage::Distance(texture.voxels()),
                FieldSampling::Sparse {
                    atlas,
                    coarse,
                    table,
                } => Storage::Sparse {
                    atlas: atlas.voxels(),
                    coarse: coarse.voxels(),
                    table: table.values(),
                },
            },
            across: (cells * params.cell).length() * 1.000_01,
            gathers: false,
        };
        field.gathers = field.can_gather();
        field
    }

    fn can_gather(&self) -> bool {
        let voxels = match &self.storage {
            Storage::Direction(voxels) | Storage::Distance(voxels) => voxels,
            Storage::Sparse { .. } => return false,
        };
        let [x, y, z] = self.bricks.to_array().map(u64::from);
        let errors = x.saturating_mul(y).saturating_mul(z).saturating_mul(2);
        let is_counted = |count: u64| count > 0 && i32::try_from(count).is_ok();
        lanes::is_indexed(voxels)
            && is_counted(voxels.values.len() as u64)
            && is_counted(errors)
            && errors <= self.errors.len() as u64
    }

    /// The first node.
    pub fn origin(&self) -> Vec3 {
        self.origin
    }

    /// Cells along each axis.
    pub fn cells(&self) -> Vec3 {
        self.cells
    }

    /// A position in cells from the first node, inside the domain.
    #[inline]
    pub fn clamp(&self, p: Vec3) -> Vec3 {
        ((p - self.origin) / self.params.cell)
            .max(Vec3::ZERO)
            .min(self.cells)
    }

    #[inline]
    fn brick(&self, g: Vec3) -> UVec3 {
        (g / self.params.brick_cells as f32)
            .as_uvec3()
            .min(self.bricks - 1)
    }

    #[inline]
    fn brick_index(&self, brick: UVec3) -> usize {
        ((brick.z * self.bricks.y + brick.y) * self.bricks.x + brick.x) as usize
    }

    /// The distance at `g` cells from the first node.
    #[inline]
    pub fn value(&self, g: Vec3) -> f32 {
        match self.storage {
            Storage::Direction(voxels) => trilinear4(&voxels, g).w,
            Storage::Distance(voxels) => trilinear(&voxels, g),
            Storage::Sparse {
                atlas,
                coarse,
                table,
            } => {
                let size = self.params.brick_cells as f32;
                let brick = self.brick(g);
                let slot = table[self.brick_index(brick)];
                if slot == 0 {
                    return trilinear(&coarse, g / size);
                }
                let at = slot - 1;
                let [across, up, _] = self.params.atlas;
                let place = UVec3::new(at % across, at / across % up, at / (across * up));
                let local = g - brick.as_vec3() * size;
                trilinear(&atlas, place.as_vec3() * (size + 1.0) + local)
            }
        }
    }

    /// The bound on the error of the value at `g`. A point between inner and outer cells, or that rounding may move there, is taken for an
    /// outer one.
    #[inline]
    pub fn error(&self, g: Vec3) -> f32 {
        let brick = self.brick(g);
        let size = self.params.brick_cells as f32;
        let local = (g - (brick.as_vec3() + 0.5) * size).abs();
        let slack = 1e-6 * (self.cells.x + self.cells.y + self.cells.z);
        let inner = local.max_element() < 0.5 * size - 1.0 - slack;
        let at = self.brick_index(brick);
        let mut error = self.errors[2 * at + usize::from(!inner)];
        if let Storage::Sparse { table, .. } = self.storage
            && table[at] == 0
        {
            error += self.params.coarse_filter;
        }
        error + self.params.sampling
    }

    /// Unit vector from `g` towards the closest point of the surface, or zero where the field does not tell.
    pub fn direction(&self, g: Vec3, value: f32) -> Vec3 {
        let outwards = match self.storage {
            Storage::Direction(voxels) => trilinear4(&voxels, g).truncate(),
            // Central differences: one-sided ones would bias every sample the same way. At the rim of the domain the step is shorter.
            _ => {
                let mut outwards = Vec3::ZERO;
                for axis in 0..3 {
                    let (mut ahead, mut behind) = (g, g);
                    ahead[axis] = (g[axis] + 1.0).min(self.cells[axis]);
                    behind[axis] = (g[axis] - 1.0).max(0.0);
                    outwards[axis] =
                        (self.value(ahead) - self.value(behind)) / (ahead[axis] - behind[axis]);
                }
                outwards
            }
        };
        towards(outwards, value)
    }

    /// The field at `p`, certified. Outside the domain the distance is the lower bound, and the direction that of the domain's nearest
    /// point.
    pub fn sample(&self, p: Vec3) -> FieldSample {
        let g = self.clamp(p);
        let (value, direction) = match self.storage {
            Storage::Direction(voxels) => {
                let outwards = trilinear4(&voxels, g);
                (outwards.w, towards(outwards.truncate(), outwards.w))
            }
            _ => {
                let value = self.value(g);
                (value, self.direction(g, value))
            }
        };
        FieldSample {
            direction,
            ..self.certified(p, g, value)
        }
    }

    /// The same without the direction, which is zero.
    #[inline]
    pub fn bounds(&self, p: Vec3) -> FieldSample {
        let g = self.clamp(p);
        self.certified(p, g, self.value(g))
    }

    #[inline]
    fn certified(&self, p: Vec3, g: Vec3, value: f32) -> FieldSample {
        let params = self.params;
        let nearest = self.origin + g * params.cell;
        let slack = self.error(g) + params.rounding * p.length();
        let in_domain =
            p.cmpge(self.origin).all() && p.cmple(self.origin + self.cells * params.cell).all();
        // A saturated value only says that the surface is no nearer than the band.
        let saturated = value.abs() + slack >= params.band;
        let mut sample = FieldSample {
            distance: value,
            lower: if saturated && value < 0.0 {
                f32::NEG_INFINITY
            } else {
                value - slack
            },
            upper: if saturated && value > 0.0 {
                f32::INFINITY
            } else {
                value + slack
            },
            in_domain,
            interior: value < 0.0,
            direction: Vec3::ZERO,
        };
        if in_domain {
            return sample;
        }
        // No distance changes by more than a point moves.
        let outside = p.distance(nearest);
        sample.lower -= outside + slack;
        sample.upper += outside + slack;
        if params.outside <= OUTSIDE_UNSIGNED {
            // The surface lies inside the domain, which is convex: seen from the nearest point of the domain it is not on p's side, so by
            // Pythagoras |p - m|^2 >= |p - nearest|^2 + D(nearest)^2 for every m of the surface.
            let inner = (value.abs() - slack).max(0.0);
            let clear = ((outside * outside + inner * inner).sqrt() - slack).max(0.0);
            sample.upper = if saturated {
                f32::INFINITY
            } else {
                outside + value.abs() + 2.0 * slack
            };
            sample.lower = if params.outside == OUTSIDE_CLEAR {
                clear
            } else {
                -sample.upper
            };
        }
        sample.distance = sample.lower;
        sample
    }

    /// From `p` to where the domain's nearest point sees the surface.
    fn surface_seen(&self, s: &FieldSample, p: Vec3) -> Vec3 {
        let g = self.clamp(p);
        self.origin + g * self.params.cell + self.value(g).abs() * s.direction - p
    }

    /// What is nearest to the distance between its bounds: outside the domain that to where its nearest point sees the surface.
    pub fn estimate(&self, s: &FieldSample, p: Vec3) -> f32 {
        match s.in_domain || self.params.outside != OUTSIDE_CLEAR {
            true => s.distance,
            false => self.surface_seen(s, p).length(),
        }
    }

    /// The unit vector from `p` to the surface: outside the domain to where the domain's nearest point sees it.
    pub fn towards_surface(&self, s: &FieldSample, p: Vec3) -> Vec3 {
        if s.in_domain {
            return s.direction;
        }
        let seen = self.surface_seen(s, p);
        let length = seen.length();
        if length > 0.0 {
            seen / length
        } else {
            s.direction
        }
    }

    /// The surface lies in the domain, so it is nowhere farther than across it: an upper bound where the field has none.
    pub fn upper(&self, s: &FieldSample, p: Vec3) -> f32 {
        let beyond = p - self.origin - self.clamp(p) * self.params.cell;
        s.upper.min(self.across + beyond.length())
    }
}

/// The unit direction towards the surface, by what grows outwards and the value there; zero without one.
#[inline]
fn towards(outwards: Vec3, value: f32) -> Vec3 {
    let towards = if value < 0.0 { outwards } else { -outwards };
    let size = towards.length();
    if size > 0.0 {
        towards / size
    } else {
        Vec3::ZERO
    }
}

/// The corner of the cell at `g`, its place in the voxels, the steps to its neighbours, and how far `g` is into it.
#[inline]
fn cell_at(voxels: &Voxels, g: Vec3) -> (usize, [usize; 3], Vec3) {
    let size = voxels.size;
    let last = UVec3::from(size) - 1;
    let corner = g.as_uvec3().min(last);
    let into = g - corner.as_vec3();
    let row = size[0] as usize;
    let slice = row * size[1] as usize;
    let at = corner.x as usize + row * corner.y as usize + slice * corner.z as usize;
    let step = |axis: usize, length: usize| if corner[axis] < last[axis] { length } else { 0 };
    (at, [step(0, 1), step(1, row), step(2, slice)], into)
}

/// The value at `g` voxels from the middle of the first, which is not negative.
#[inline]
fn trilinear(voxels: &Voxels, g: Vec3) -> f32 {
    let (at, [x, y, z], t) = cell_at(voxels, g);
    let v = voxels.values;
    let mix = |a: f32, b: f32, t: f32| a + (b - a) * t;
    let row = |at: usize| mix(v[at], v[at + x], t.x);
    let slice = |at: usize| mix(row(at), row(at + y), t.y);
    mix(slice(at), slice(at + z), t.z)
}

/// The same of four channels.
#[inline]
fn trilinear4(voxels: &Voxels, g: Vec3) -> Vec4 {
    let (at, [x, y, z], t) = cell_at(voxels, g);
    let (texels, _) = voxels.values.as_chunks::<4>();
    let v = |at: usize| Vec4::from_array(texels[at]);
    let mix = |a: Vec4, b: Vec4, t: f32| a + (b - a) * t;
    let row = |at: usize| mix(v(at), v(at + x), t.x);
    let slice = |at: usize| mix(row(at), row(at + y), t.y);
    mix(slice(at), slice(at + z), t.z)
}
