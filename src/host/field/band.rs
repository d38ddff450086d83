//! What the kernels of the narrow band share: the grid, and positions in cells from its first node, where every node has whole
//! coordinates. Partner: `shaders/include/band.glsl`, whose names these are.

use crate::gpu::recorder::Bound;
use crate::gpu::shader::blocks::BandPush;
use crate::host::meeting::Positions;
use glam::{IVec3, UVec3, Vec3};

/// A grid, and the positions of a mesh on it.
pub(super) struct BandGrid<'a> {
    pub nodes: IVec3,
    origin: Vec3,
    inverse_cell: f32,
    positions: Positions<'a>,
}

impl<'a> BandGrid<'a> {
    pub fn new(push: &BandPush, positions: Bound<'a>) -> Self {
        Self {
            nodes: UVec3::from(push.nodes).as_ivec3(),
            origin: Vec3::from(push.origin),
            inverse_cell: push.inverse_cell,
            positions: Positions::new(positions, push.first, push.stride),
        }
    }

    /// The place of a node in memory.
    #[inline]
    pub fn node_at(&self, x: i32, y: i32, z: i32) -> usize {
        let [width, height] = [self.nodes.x as usize, self.nodes.y as usize];
        (z as usize * height + y as usize) * width + x as usize
    }

    /// The nodes at or after a coordinate; a coordinate that is no number is taken for the first.
    #[inline]
    pub fn nodes_from(&self, p: Vec3) -> IVec3 {
        let last = self.nodes.as_vec3();
        let p = p.max(Vec3::ZERO).min(last).ceil();
        p.as_ivec3().clamp(IVec3::ZERO, self.nodes)
    }

    /// The nodes at or before a coordinate.
    #[inline]
    pub fn nodes_to(&self, p: Vec3) -> IVec3 {
        let last = (self.nodes - 1).as_vec3();
        let p = p.max(Vec3::NEG_ONE).min(last).floor();
        p.as_ivec3().clamp(IVec3::NEG_ONE, self.nodes - 1)
    }

    /// A vertex, in cells.
    #[inline]
    pub fn corner(&self, vertex: u32) -> Vec3 {
        (self.positions.load(vertex) - self.origin) * self.inverse_cell
    }
}
