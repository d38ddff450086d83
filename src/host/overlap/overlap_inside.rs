//! Overlap, second: if a triangle is surely inside as a whole, it proves the overlap, and nothing else needs to be looked at. Partner:
//! `shaders/overlap/overlap_inside.comp`.

use crate::gpu::native::Native;
use crate::gpu::shader::blocks::OverlapQuery;
use crate::gpu::shader::kernels::OverlapInside;
use crate::host::meeting::{MeetingMesh, placed, placing_error};
use glam::Vec4;

impl Native for OverlapInside<'_> {
    fn run(&self, (): &(), _: [u32; 3]) {
        let state = self.query.array::<OverlapQuery>();
        let mut query = state.get(0);
        if query.inside == u32::MAX {
            return;
        }
        let meeting = query.meeting;
        let t = MeetingMesh::of(&self.meeting, &meeting).load_triangle(query.inside);
        let slack = placing_error(&meeting, t.middle().extend(t.radius()));
        let drawn = self.drawn.array::<Vec4>();
        for (at, (corner, off)) in [(t.a, slack), (t.b, 0.0), (t.c, 0.0)]
            .into_iter()
            .enumerate()
        {
            drawn.set(at, placed(&meeting, corner).extend(off));
        }
        query.vertices = 3;
        state.set(0, query);
    }
}
