//! A mesh seen from the frame of a field. Partner: `shaders/include/meeting.glsl`, whose names these are.

use crate::geometry::simd::{Lanes, WIDTH, load_rows};
use crate::gpu::recorder::Bound;
use crate::gpu::shader::blocks::{ClusterBounds, ClusterRange, Meeting};
use crate::gpu::shader::kernels::MeetingBindings;
use glam::{Vec3, Vec4};

/// Vertex positions: floats with any stride.
#[derive(Clone, Copy)]
pub struct Positions<'a> {
    floats: &'a [f32],
    first: usize,
    stride: usize,
}

impl<'a> Positions<'a> {
    /// Positions that start after `first` floats, `stride` floats apart.
    pub fn new(bound: Bound<'a>, first: u32, stride: u32) -> Self {
        Self {
            floats: bound.values(),
            first: first as usize,
            stride: stride as usize,
        }
    }

    /// The position of a vertex.
    #[inline]
    pub fn load(&self, vertex: u32) -> Vec3 {
        Vec3::from_slice(&self.floats[self.first + vertex as usize * self.stride..])
    }

    /// All positions, where they have four floats each as Proxel's own do.
    #[inline(always)]
    pub fn fours(&self) -> Option<&'a [[f32; 4]]> {
        match self.stride {
            4 => Some(self.floats.get(self.first..)?.as_chunks().0),
            _ => None,
        }
    }

    /// The positions of eight vertices.
    #[inline(always)]
    pub fn lane_load<V: Lanes>(&self, vertices: &[u32; WIDTH]) -> [V; 3] {
        if let Some(fours) = self.fours() {
            let v = vertices;
            return V::columns([
                &fours[v[0] as usize],
                &fours[v[1] as usize],
                &fours[v[2] as usize],
                &fours[v[3] as usize],
                &fours[v[4] as usize],
                &fours[v[5] as usize],
                &fours[v[6] as usize],
                &fours[v[7] as usize],
            ]);
        }
        let mut rows = [[0.0; WIDTH]; 3];
        for lane in 0..WIDTH {
            let p = self.load(vertices[lane]);
            for axis in 0..3 {
                rows[axis][lane] = p[axis];
            }
        }
        load_rows(&rows)
    }
}

/// The corners of a triangle.
#[derive(Debug, Clone, Copy)]
pub struct Corners {
    /// The first.
    pub a: Vec3,
    /// The second.
    pub b: Vec3,
    /// The third.
    pub c: Vec3,
}

impl Corners {
    /// Their mean.
    #[inline]
    pub fn middle(&self) -> Vec3 {
        (self.a + self.b + self.c) * (1.0 / 3.0)
    }

    /// The radius around the middle, rounded up.
    #[inline]
    pub fn radius(&self) -> f32 {
        let m = self.middle();
        let (a, b, c) = (self.a - m, self.b - m, self.c - m);
        a.dot(a).max(b.dot(b).max(c.dot(c))).sqrt() * 1.000_002
    }

    /// The length of the longest edge.
    #[inline]
    pub fn longest_edge(&self) -> f32 {
        let (u, v, w) = (self.b - self.a, self.c - self.b, self.a - self.c);
        u.dot(u).max(v.dot(v).max(w.dot(w))).sqrt()
    }
}

/// A mesh as the kernels of a meeting bind it.
#[derive(Clone, Copy)]
pub struct MeetingMesh<'a> {
    /// Vertex positions.
    pub positions: Positions<'a>,
    /// Three indices per triangle, in cluster order.
    pub indices: &'a [[u32; 3]],
    /// Boxes and spheres.
    pub clusters: &'a [ClusterBounds],
    /// Where a cluster's vertices and triangles are.
    pub ranges: &'a [ClusterRange],
}

impl<'a> MeetingMesh<'a> {
    /// The mesh of a meeting.
    pub fn of(bindings: &MeetingBindings<'a>, meeting: &Meeting) -> Self {
        Self {
            positions: Positions::new(bindings.positions, meeting.first, meeting.stride),
            indices: bindings.indices.values(),
            clusters: bindings.clusters.values(),
            ranges: bindings.ranges.values(),
        }
    }

    /// Centre and radius of a cluster.
    #[inline]
    pub fn cluster_sphere(&self, cluster: usize) -> Vec4 {
        let bounds = &self.clusters[cluster];
        Vec3::from(bounds.center).extend(bounds.radius)
    }

    /// The corners of a triangle, in cluster order, in the mesh's own frame.
    #[inline]
    pub fn load_triangle(&self, t: u32) -> Corners {
        let [a, b, c] = self.indices[t as usize];
        Corners {
            a: self.positions.load(a),
            b: self.positions.load(b),
            c: self.positions.load(c),
        }
    }
}

impl MeetingMesh<'_> {
    /// The middles and radii of eight triangles from `first` on, at most to `last`: that one again where there are no more.
    #[inline(always)]
    pub fn lane_triangles<V: Lanes>(&self, first: u32, last: u32) -> ([V; 3], V) {
        let mut vertices = [[0; WIDTH]; 3];
        for lane in 0..WIDTH {
            let [a, b, c] = self.indices[(first + lane as u32).min(last) as usize];
            (vertices[0][lane], vertices[1][lane], vertices[2][lane]) = (a, b, c);
        }
        let a = self.positions.lane_load::<V>(&vertices[0]);
        let b = self.positions.lane_load::<V>(&vertices[1]);
        let c = self.positions.lane_load::<V>(&vertices[2]);
        let third = V::splat(1.0 / 3.0);
        let (mut middle, mut squares) = (a, [V::splat(0.0); 3]);
        for i in 0..3 {
            middle[i] = (a[i] + b[i] + c[i]) * third;
            let (a, b, c) = (a[i] - middle[i], b[i] - middle[i], c[i] - middle[i]);
            squares[0] = squares[0] + a * a;
            squares[1] = squares[1] + b * b;
            squares[2] = squares[2] + c * c;
        }
        let farthest = squares[0].max(squares[1]).max(squares[2]);
        (middle, farthest.sqrt() * V::splat(1.000_002))
    }
}

/// Where eight points of the mesh are in the field's frame.
#[inline(always)]
pub fn lane_placed<V: Lanes>(meeting: &Meeting, points: &[[f32; WIDTH]; 3]) -> [V; 3] {
    lane_places(meeting, load_rows(points))
}

/// The same of points in registers.
#[inline(always)]
pub fn lane_places<V: Lanes>(meeting: &Meeting, p: [V; 3]) -> [V; 3] {
    let mut places = p;
    for axis in 0..3 {
        let [x, y, z, shift] = meeting.rows[axis];
        places[axis] =
            V::splat(x) * p[0] + V::splat(y) * p[1] + V::splat(z) * p[2] + V::splat(shift);
    }
    places
}

/// Where a point of the mesh is in the field's frame.
#[inline]
pub fn placed(meeting: &Meeting, p: Vec3) -> Vec3 {
    let row = |row: [f32; 4]| Vec3::new(row[0], row[1], row[2]).dot(p) + row[3];
    Vec3::from(meeting.rows.map(row))
}

/// How far a placed point of a cluster can be from its exact place: see the shader for the derivation.
#[inline]
pub fn placing_error(meeting: &Meeting, sphere: Vec4) -> f32 {
    1.2e-6 * (sphere.truncate().length() + sphere.w + meeting.shift)
}
