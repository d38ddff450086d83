//! Contacts, third: for each triangle which of its corners the surface descends from to another corner; these are vetoed. Corners below
//! the contact distance are linked to a region. What has to be searched is few, and is gathered: edges and faces that may have a minimum of
//! their own, each edge by one of its triangles. A sample in the middle tells for those that are short.

use super::contact_work::{FACE_ASKED, FACE_LISTED, Work};
use super::eight::{Waiting, places_of};
use super::feature_lanes::{Compare, Compared, EdgeTold};
use super::{Bindings, CLUSTER_GRAIN, CLUSTERS, SAMPLING_EDGE_CENTRES, Side};
use crate::geometry::simd::{WIDTH, dispatch};
use crate::gpu::native::Native;
use crate::gpu::shader::blocks::SidesPush;
use crate::gpu::shader::kernels::ContactFeatures;
use glam::Vec3;
use std::ops::Range;
use std::sync::atomic::Ordering::Relaxed;

impl Native for ContactFeatures<'_> {
    fn run(&self, push: &SidesPush, _: [u32; 3]) {
        super::bindings!(self).for_all(
            push,
            CLUSTER_GRAIN,
            |side| side.count(CLUSTERS),
            look_at_clusters,
        );
    }
}

fn look_at_clusters(side: &Side, clusters: Range<usize>) {
    let work = Work::of(side);
    // SAFETY: the kernel that starts vertices is done.
    let spots = unsafe { work.spots() };
    let mut features = Features {
        side,
        work: &work,
        edges: Waiting::new(),
        kept: Vec::with_capacity(3 * WIDTH),
    };
    for range in clusters.map(|at| side.touching_range(at)) {
        let end = range.first_triangle + range.triangle_count;
        for first in (range.first_triangle..end).step_by(WIDTH) {
            let compare = Compare {
                side,
                work: &work,
                spots,
                first,
                count: (end - first).min(WIDTH as u32),
            };
            if let Some(compared) = dispatch(compare) {
                features.take(first, &compared);
            }
        }
        features.count_areas();
    }
    (features.edges).finish(|edges| ask_for_dips(side, &work, edges));
}

/// The places of set bits.
pub(super) fn each_bit(mut bits: u8) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let at = (bits != 0).then(|| bits.trailing_zeros() as usize);
        bits &= bits.wrapping_sub(1);
        at
    })
}

/// An edge that may have a minimum of its own if its middle is below its ends.
struct Edge {
    half_edge: u32,
    middle: Vec3,
    /// The lower value of both ends.
    ends: f32,
    size: f32,
}

/// What a triangle adds to one of its corners.
struct Kept {
    vertex: u32,
    triangle: u32,
    area: u32,
}

struct Features<'a> {
    side: &'a Side<'a>,
    work: &'a Work<'a>,
    edges: Waiting<Edge>,
    /// Corners that the cluster's triangles did not veto when they were looked at.
    kept: Vec<Kept>,
}

impl Features<'_> {
    /// What up to eight triangles say.
    fn take(&mut self, first: u32, told: &Compared) {
        for (k, edge) in told.edges.iter().enumerate() {
            self.ask_for_edges(3 * first + k as u32, edge);
        }
        for lane in each_bit(told.asked | told.large) {
            let triangle = first + lane as u32;
            let mark = match told.asked >> lane & 1 == 1 {
                true => FACE_LISTED | FACE_ASKED,
                false => FACE_LISTED,
            };
            self.work.marks[triangle as usize].store(mark, Relaxed);
            self.work.add_listed_face(triangle);
        }
        for (vertices, corner) in told.vertices.iter().zip(&told.corners) {
            for lane in each_bit(corner.vetoed) {
                self.work.vetoes[vertices[lane] as usize].store(1, Relaxed);
            }
            for lane in each_bit(corner.below & !corner.vetoed) {
                self.kept.push(Kept {
                    vertex: vertices[lane],
                    triangle: first + lane as u32,
                    area: told.areas[lane] as u32,
                });
            }
        }
        self.link(told);
    }

    /// Links the corners of triangles that are below the contact distance.
    fn link(&self, told: &Compared) {
        let [a, b, c] = told.corners.map(|corner| corner.below);
        let [first, second, third] = &told.vertices;
        for lane in each_bit(a & b) {
            self.work.link(second[lane], first[lane]);
        }
        for lane in each_bit(a & c) {
            self.work.link(third[lane], first[lane]);
        }
        for lane in each_bit(!a & b & c) {
            self.work.link(third[lane], second[lane]);
        }
    }

    /// Asks for searches along edges that may have a minimum of their own below the contact distance, if these triangles stand for them.
    fn ask_for_edges(&mut self, first: u32, told: &EdgeTold) {
        let (side, work) = (self.side, self.work);
        let asked = told.searched | told.sampled;
        let half_edge = |lane: usize| first + 3 * lane as u32;
        // Half of them stand for their edge, in no order: a branch for each would be guessed wrong as often as not.
        let mut own = 0;
        let lanes = WIDTH - asked.leading_zeros() as usize;
        for lane in 0..lanes {
            let stands = side.edge_owner(half_edge(lane)) == half_edge(lane);
            own |= u8::from(stands) << lane;
        }
        for lane in each_bit(told.searched & own) {
            work.add_edge_search(half_edge(lane));
        }
        for lane in each_bit(told.sampled & own) {
            let edge = Edge {
                half_edge: half_edge(lane),
                middle: Vec3::from(told.middles.map(|row| row[lane])),
                ends: told.ends[lane],
                size: told.sizes[lane],
            };
            (self.edges).add(edge, |edges| ask_for_dips(side, work, edges));
        }
    }

    /// Adds to the areas of vertices that are not vetoed until now: those of others nobody asks for.
    fn count_areas(&mut self) {
        for Kept {
            vertex,
            triangle,
            area,
        } in self.kept.drain(..)
        {
            let vertex = vertex as usize;
            if self.work.vetoes[vertex].load(Relaxed) == 0 {
                self.work.areas[vertex].fetch_add(area, Relaxed);
                self.work.homes[vertex].fetch_min(triangle, Relaxed);
            }
        }
    }
}

/// Asks for searches along those of up to eight edges whose middle is below their ends.
fn ask_for_dips(side: &Side, work: &Work, edges: &[Edge]) {
    let query = side.query;
    let values = side.values_of(&places_of(edges, |edge| edge.middle));
    for (edge, value) in edges.iter().zip(values) {
        let dips = match query.sampling == SAMPLING_EDGE_CENTRES {
            true => value <= query.distance && side.descends(edge.ends, value, 0.5 * edge.size),
            false => value < edge.ends - query.noise,
        };
        if dips {
            work.add_edge_search(edge.half_edge);
        }
    }
}
