//! What debug drawing draws. All of it is collected first, so that nothing is held while the engine draws, and nothing is drawn by a call
//! that fails.

mod answers;
mod bodies;
mod fields;

pub use answers::{ContactMark, ImpactMark, NearMark};
pub use fields::{FieldSlice, MOST_CELLS};

use crate::error::{Error, Result, invalid};
use crate::memory;
use glam::{DVec3, Vec3};

/// Red, green, blue and opacity, the highest byte first.
pub type Color = u32;

/// What a debug drawing may consist of.
#[derive(Clone, Copy, Debug)]
pub struct DrawnKinds {
    /// Segments.
    pub lines: bool,
    /// Filled triangles.
    pub triangles: bool,
    /// Dots.
    pub points: bool,
    /// Words.
    pub texts: bool,
}

/// How things are drawn.
#[derive(Clone, Copy, Debug)]
pub struct DrawOptions {
    /// What is of use to the caller.
    pub kinds: DrawnKinds,
    /// The place of the world that is drawn at zero.
    pub origin: DVec3,
    /// The length of unit vectors.
    pub scale: f64,
    /// The color of everything, or none for that of each thing.
    pub color: Option<Color>,
    /// Cells along the longest side of a field.
    pub cells: u32,
}

/// Shapes in the order in which they are drawn. Places are relative to the origin.
pub struct DebugDrawing {
    options: DrawOptions,
    /// Filled triangles, counter-clockwise as seen from outside.
    pub triangles: Vec<([Vec3; 3], Color)>,
    /// Segments.
    pub lines: Vec<([Vec3; 2], Color)>,
    /// Dots.
    pub points: Vec<(Vec3, Color)>,
    /// Words and where they begin.
    pub texts: Vec<(Vec3, String, Color)>,
}

/// Twelve edges of a box whose corners have the bits x, y, z.
const BOX_EDGES: [[usize; 2]; 12] = [
    [0, 1],
    [2, 3],
    [4, 5],
    [6, 7],
    [0, 2],
    [1, 3],
    [4, 6],
    [5, 7],
    [0, 4],
    [1, 5],
    [2, 6],
    [3, 7],
];

/// Colors that are easily told apart, also by those who see few.
const PALETTE: [Color; 8] = [
    0x0072b2ff, 0xe69f00ff, 0x009e73ff, 0xcc79a7ff, 0x56b4e9ff, 0xd55e00ff, 0x8c6bb1ff, 0x8b8000ff,
];

/// The color of what has a number: the same for the same number.
fn color_of(number: usize) -> Color {
    PALETTE[number % PALETTE.len()]
}

const WHAT: &str = "what is drawn";

impl DebugDrawing {
    /// An empty one.
    pub fn new(options: DrawOptions) -> Self {
        Self {
            options,
            triangles: Vec::new(),
            lines: Vec::new(),
            points: Vec::new(),
            texts: Vec::new(),
        }
    }

    fn place(&self, p: DVec3) -> Result<Vec3> {
        let place = (p - self.options.origin).as_vec3();
        if place.is_finite() {
            return Ok(place);
        }
        Err(invalid(format!(
            "what is drawn has a point at {p}, which is no place relative to the origin {}",
            self.options.origin
        )))
    }

    fn color(&self, color: Color) -> Color {
        self.options.color.unwrap_or(color)
    }

    fn triangle(&mut self, [p, q, r]: [DVec3; 3], color: Color) -> Result<()> {
        if !self.options.kinds.triangles {
            return Ok(());
        }
        let triangle = [self.place(p)?, self.place(q)?, self.place(r)?];
        let color = self.color(color);
        memory::push(&mut self.triangles, (triangle, color), WHAT)
    }

    fn line(&mut self, p: DVec3, q: DVec3, color: Color) -> Result<()> {
        if !self.options.kinds.lines {
            return Ok(());
        }
        let line = [self.place(p)?, self.place(q)?];
        let color = self.color(color);
        memory::push(&mut self.lines, (line, color), WHAT)
    }

    fn point(&mut self, p: DVec3, color: Color) -> Result<()> {
        if !self.options.kinds.points {
            return Ok(());
        }
        let (place, color) = (self.place(p)?, self.color(color));
        memory::push(&mut self.points, (place, color), WHAT)
    }

    fn text(&mut self, p: DVec3, text: impl FnOnce() -> String, color: Color) -> Result<()> {
        if !self.options.kinds.texts {
            return Ok(());
        }
        let (place, color) = (self.place(p)?, self.color(color));
        memory::push(&mut self.texts, (place, text(), color), WHAT)
    }

    /// The edges of a box from its corners, which have the bits x, y, z.
    fn box_edges(&mut self, corners: [DVec3; 8], color: Color) -> Result<()> {
        BOX_EDGES
            .iter()
            .try_for_each(|&[i, j]| self.line(corners[i], corners[j], color))
    }

    /// A unit vector at a place, as long as the options say.
    fn vector(&mut self, from: DVec3, unit: DVec3, color: Color) -> Result<()> {
        self.line(from, from + unit * self.options.scale, color)
    }
}

/// The corners of a box, with the bits x, y, z.
fn corners_of(min: DVec3, max: DVec3) -> [DVec3; 8] {
    std::array::from_fn(|i| {
        let pick = |axis: usize| {
            if i >> axis & 1 == 1 {
                max[axis]
            } else {
                min[axis]
            }
        };
        DVec3::new(pick(0), pick(1), pick(2))
    })
}

/// Refuses an index that a mesh does not have.
fn out_of_range(array: &str, at: usize, feature: &str, index: u32, count: usize) -> Error {
    invalid(format!(
        "{array}[{at}] names {feature} {index}; the mesh has {count}"
    ))
}
