//! Records of exact answers, as an engine's kernels read them: in single precision, laid out as in std430.

use super::output::{CUT, INCOMPLETE, OutputBuffer, OutputHead};
use super::pairs::WorldPair;
use crate::error::Result;
use crate::geometry::continuous::impacts::{Features, Impact};
use crate::geometry::near::{FeaturePair, NearRegion};
use crate::geometry::rounding::round_down;
use crate::memory;
use bytemuck::{Pod, Zeroable};
use glam::DVec3;

/// Two triangles that meet or are near each other.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub struct PairRecord {
    /// Of the first and of the second mesh.
    pub triangles: [u32; 2],
    /// 0 only where they meet.
    pub distance: f32,
    pub(crate) reserved: u32,
    /// An end of what they share, or the nearest point of the first; and a 1.
    pub point_a: [f32; 4],
    /// The other end, or the nearest point of the second; and a 1.
    pub point_b: [f32; 4],
}

/// Two features that are near each other.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub struct NearRecord {
    /// Which kinds of features: 1 for triangles, 2 for a vertex and a face, 3 for a face and a vertex, 4 for edges.
    pub kind: u32,
    /// Of the first mesh.
    pub feature_a: [u32; 2],
    /// Of the second mesh.
    pub feature_b: [u32; 2],
    /// Where on the features the nearest points are.
    pub regions: [u32; 2],
    /// 1 for a pair that says what one before it says.
    pub repeats: u32,
    /// From the first to the second.
    pub direction: [f32; 3],
    /// 0 only where they meet.
    pub distance: f32,
    /// The nearest points by the shares of corners.
    pub weights: [f32; 4],
}

/// Two features that meet during a step.
#[repr(C)]
#[derive(Debug, Clone, Copy, PartialEq, Pod, Zeroable)]
pub struct ImpactRecord {
    /// As in a [`NearRecord`].
    pub kind: u32,
    /// Of the first mesh.
    pub feature_a: [u32; 2],
    /// Of the second mesh.
    pub feature_b: [u32; 2],
    pub(crate) reserved: [u32; 3],
    /// From the first to the second just before they meet.
    pub normal: [f32; 3],
    /// Never after they first meet.
    pub time: f32,
    /// The points that meet by the shares of corners.
    pub weights: [f32; 4],
}

/// The records of an array.
pub struct ExactRecords {
    /// How many there are.
    pub count: u64,
    /// The first ones, as many as there is room for.
    pub bytes: Vec<u8>,
}

impl ExactRecords {
    /// Those of what was found, at most so many.
    pub(crate) fn of<T: Copy, R: From<T> + Pod>(found: &[T], most: usize) -> Result<Self> {
        let written = found.len().min(most);
        let mut bytes = memory::with_room(written * size_of::<R>(), "records")?;
        for one in &found[..written] {
            bytes.extend_from_slice(bytemuck::bytes_of(&R::from(*one)));
        }
        let count = found.len() as u64;
        Ok(Self { count, bytes })
    }
}

/// What stands before the records: `found` of them, or none where the query has no answer.
pub(super) fn exact_head(found: Option<u64>, to: &OutputBuffer) -> OutputHead {
    let count = found.unwrap_or(0).min(u32::MAX.into()) as u32;
    let written = count.min(to.capacity);
    let mut head = OutputHead::zeroed();
    head.count = count;
    head.written = written;
    head.status = match found {
        None => INCOMPLETE,
        Some(_) if written < count => CUT,
        Some(_) => 0,
    };
    head.dispatch = [written.div_ceil(to.group_size), 1, 1];
    head.draw = [to.vertices, written, 0, 0];
    head
}

/// A distance that is 0 only where it was.
fn distance(exact: f64) -> f32 {
    match exact > 0.0 {
        true => (exact as f32).max(f32::MIN_POSITIVE),
        false => 0.0,
    }
}

fn point(p: DVec3) -> [f32; 4] {
    p.as_vec3().extend(1.0).to_array()
}

fn named(features: Features) -> (u32, [u32; 2], [u32; 2]) {
    let one = |index| [index, u32::MAX];
    match features {
        Features::Start([i, j]) => (1, one(i), one(j)),
        Features::VertexFace(v, f) => (2, one(v), one(f)),
        Features::FaceVertex(f, v) => (3, one(f), one(v)),
        Features::EdgeEdge(e, f) => (4, e, f),
    }
}

impl From<WorldPair> for PairRecord {
    fn from(pair: WorldPair) -> Self {
        Self {
            triangles: pair.triangles,
            distance: distance(pair.distance),
            reserved: 0,
            point_a: point(pair.segment[0]),
            point_b: point(pair.segment[1]),
        }
    }
}

impl From<FeaturePair> for NearRecord {
    fn from(pair: FeaturePair) -> Self {
        let (kind, feature_a, feature_b) = named(pair.features);
        let region = |region: NearRegion| match region {
            NearRegion::Vertex(k) => u32::from(k.min(2)),
            NearRegion::Edge(k) => 3 + u32::from(k.min(2)),
            NearRegion::Face => 6,
        };
        Self {
            kind,
            feature_a,
            feature_b,
            regions: pair.regions.map(region),
            repeats: pair.repeats.into(),
            direction: pair.direction.to_array(),
            distance: distance(pair.distance),
            weights: pair.weights.map(|w| w as f32),
        }
    }
}

impl From<Impact> for ImpactRecord {
    fn from(impact: Impact) -> Self {
        let (kind, feature_a, feature_b) = named(impact.features);
        Self {
            kind,
            feature_a,
            feature_b,
            reserved: [0; 3],
            normal: impact.normal.as_vec3().to_array(),
            time: round_down(impact.time),
            weights: impact.weights.map(|w| w as f32),
        }
    }
}
