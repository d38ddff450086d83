//! Where the vertices of a mesh are in the frame, which is made here, too. Partner: `shaders/volume/place.comp`.

use super::frame::{make_frame, turned};
use crate::gpu::native::{Array, Native};
use crate::gpu::shader::blocks::{Frame, MeshPlace, PlacePush};
use crate::gpu::shader::kernels::{Place, PlaceMeshes};
use crate::host::meeting::Positions;
use crate::host::runs::each_run;
use glam::{Mat3A, Vec3, Vec3A};

/// Vertices that are worth a thread.
const RUN: usize = 8192;

impl Native for Place<'_> {
    fn run(&self, push: &PlacePush, _groups: [u32; 3]) {
        let frame = make_frame(self.boxes.values(), &push.frame);
        if push.mesh == 0 {
            // The frame is the first member of the summary.
            self.summaries.array::<Frame>().set(0, frame);
        }
        if frame.width == 0 {
            return;
        }
        let places = self.places.values::<MeshPlace>();
        let put = |mesh: usize, positions, placed| {
            let own = &places[mesh];
            let positions = Positions::new(positions, own.first, own.stride);
            place_all(&frame, own, &positions, placed);
        };
        put(push.mesh as usize, self.positions, self.placed.array());
        if let PlaceMeshes::Two {
            positions_b,
            placed_b,
        } = &self.meshes
        {
            put(1, *positions_b, placed_b.array());
        }
    }
}

fn place_all(frame: &Frame, own: &MeshPlace, positions: &Positions, placed: Array<[f32; 4]>) {
    let pose = Pose::of(own, frame.axis);
    let (origin, scale) = (Vec3A::from(frame.origin), Vec3A::from(frame.scale));
    each_run(own.count as usize, RUN, |run| {
        for vertex in run {
            let [u, v, w] =
                ((pose.moved(positions.load(vertex as u32)) - origin) * scale).to_array();
            placed.set(vertex, [u, v, w, 0.0]);
        }
    });
}

/// A pose that leaves the coordinates in the order of a frame.
pub(super) struct Pose {
    turn: Mat3A,
    shift: Vec3A,
}

impl Pose {
    /// That of a mesh.
    pub(super) fn of(own: &MeshPlace, axis: u32) -> Self {
        let column = |i: usize| Vec3A::from(turned(Vec3::from(own.rows.map(|row| row[i])), axis));
        Self {
            turn: Mat3A::from_cols(column(0), column(1), column(2)),
            shift: column(3),
        }
    }

    /// Where it takes a point: products and sums in the order of `along.glsl`, so that boxes hold the places to the bit.
    #[inline]
    pub(super) fn moved(&self, p: Vec3) -> Vec3A {
        self.turn.x_axis * p.x + self.turn.y_axis * p.y + self.turn.z_axis * p.z + self.shift
    }
}
