//! How triangles become fragments: fattened, asking or leaving a trace.

use super::CullPath;
use crate::gpu::pass::{Draw, Pass};
use crate::gpu::raster::{Compare, Cull, DepthTest, PipelineState, Stages, Topology};
use crate::gpu::recorder::Bound;
use crate::gpu::shader::Bind;
use crate::gpu::shader::kernels::{
    BareVert, BoxVert, Fetch, Fit, OffsetFrag, OffsetVert, RectangleVert, Side, SlabFrag,
};
use std::ops::Range;

/// A way of drawing.
#[derive(Clone, Copy)]
pub(super) struct Drawing {
    pub(super) path: CullPath,
    /// Whether the device covers every pixel that a triangle touches.
    pub(super) overestimated: bool,
}

impl Drawing {
    /// Asks whether anything is at or behind what is there: far sides, no trace left.
    pub(super) fn asking<'a>(&self, vertex: &'a dyn Bind) -> Stages<'a> {
        let test = DepthTest {
            compare: Compare::GreaterOrEqual,
            write: false,
        };
        self.stages(vertex, Side::Far, test, Cull::Back)
    }

    /// Leaves the depths of near sides.
    pub(super) fn leaving<'a>(&self, vertex: &'a dyn Bind) -> Stages<'a> {
        let test = DepthTest {
            compare: Compare::LessOrEqual,
            write: true,
        };
        self.stages(vertex, Side::Near, test, Cull::Front)
    }

    /// Near faces turn clockwise as the device counts, far ones anticlockwise: view space is right-handed with depth away
    /// from the eye.
    fn stages<'a>(
        &self,
        vertex: &'a dyn Bind,
        side: Side,
        test: DepthTest,
        cull: Cull,
    ) -> Stages<'a> {
        Stages {
            vertex,
            geometry: None,
            fragment: match self.path {
                CullPath::Unfattened => None,
                CullPath::Boxes | CullPath::Conservative => Some(depths_of_slab(side)),
                CullPath::Exact => Some(depths_of_offset(side, Fit::Exact)),
                CullPath::Bounded => Some(depths_of_offset(side, Fit::Bounded)),
            },
            state: PipelineState {
                topology: match self.path {
                    CullPath::Boxes => Topology::TriangleStrip,
                    _ => Topology::Triangles,
                },
                cull: match self.path {
                    CullPath::Boxes => cull,
                    _ => Cull::Nothing,
                },
                depth: Some(test),
                conservative: self.overestimated,
                ..PipelineState::default()
            },
        }
    }

    /// Places the vertices of a mesh.
    pub(super) fn vertex<'a>(
        &self,
        positions: Bound<'a>,
        indices: Bound<'a>,
    ) -> Box<dyn Bind + 'a> {
        let fetch = Fetch::of([positions, indices]);
        match self.path {
            CullPath::Boxes => Box::new(BoxVert {
                fetch,
                positions,
                indices,
            }),
            CullPath::Conservative => Box::new(RectangleVert {
                fetch,
                positions,
                indices,
            }),
            CullPath::Unfattened => Box::new(BareVert {
                fetch,
                positions,
                indices,
            }),
            CullPath::Exact | CullPath::Bounded => Box::new(OffsetVert {
                fetch,
                positions,
                indices,
            }),
        }
    }

    pub(super) fn draw(&self, pass: &mut Pass, triangles: &Range<u32>) {
        let count = triangles.len() as u32;
        // Meshes have fewer triangles than would overflow any of these: their indices are in one storage buffer.
        let mut vertices = |count, first, instances| {
            pass.draw(Draw::Vertices {
                count,
                first,
                instances,
                first_instance: 0,
            });
        };
        match self.path {
            // FAR, section 4.1: boxes by instancing.
            CullPath::Boxes => {
                let (full, rest) = (count / INSTANCE, count % INSTANCE);
                let first = BOX * triangles.start;
                if full > 0 {
                    vertices(BOX * INSTANCE - JOINT, first, full);
                }
                if rest > 0 {
                    vertices(BOX * rest - JOINT, first + BOX * INSTANCE * full, 1);
                }
            }
            CullPath::Conservative | CullPath::Exact | CullPath::Bounded => {
                vertices(6 * count, 6 * triangles.start, 1);
            }
            CullPath::Unfattened => vertices(3 * count, 3 * triangles.start, 1),
        }
    }
}

fn depths_of_slab(side: Side) -> &'static SlabFrag {
    match side {
        Side::Near => &SlabFrag { side: Side::Near },
        Side::Far => &SlabFrag { side: Side::Far },
    }
}

fn depths_of_offset(side: Side, fit: Fit) -> &'static OffsetFrag {
    const fn frag(side: Side, fit: Fit) -> OffsetFrag {
        OffsetFrag { side, fit }
    }
    match (side, fit) {
        (Side::Near, Fit::Exact) => &const { frag(Side::Near, Fit::Exact) },
        (Side::Near, Fit::Bounded) => &const { frag(Side::Near, Fit::Bounded) },
        (Side::Far, Fit::Exact) => &const { frag(Side::Far, Fit::Exact) },
        (Side::Far, Fit::Bounded) => &const { frag(Side::Far, Fit::Bounded) },
    }
}

/// Boxes of an instance, joined to one strip. Software devices pay for an instance as for thirty vertices. See `box.vert`.
const INSTANCE: u32 = 32;

/// Vertices of a box and of what joins it to the next one.
const BOX: u32 = 16;

/// Vertices of what joins two boxes.
const JOINT: u32 = 2;
