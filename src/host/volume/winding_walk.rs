//! A walk along all crossings of a ray of one mesh, with its winding number. Partner: `shaders/include/winding_walk.glsl`.

use super::rays::{Crossing, Crossings, change_of};

/// A place on the way along a ray of one mesh.
pub struct WindingWalk<'a> {
    at: Crossings<'a>,
    winding: i32,
}

impl<'a> WindingWalk<'a> {
    /// From above, what a ray crosses tells where it starts.
    pub fn start(at: Crossings<'a>, from_above: bool) -> Self {
        let winding = match from_above {
            true => -at
                .clone()
                .map(|crossing| change_of(crossing.tag()))
                .sum::<i32>(),
            false => 0,
        };
        Self { at, winding }
    }

    /// The next crossing, which stays the next.
    pub fn peek(&self) -> Option<Crossing> {
        self.at.peek()
    }

    /// The depth of the next crossing; beyond everything where there is none.
    pub fn next_depth(&self) -> f32 {
        self.at.peek().map_or(f32::INFINITY, |next| next.depth())
    }

    /// How often the mesh winds around this place.
    pub fn winding(&self) -> i32 {
        self.winding
    }

    /// Whether it is inside the mesh.
    pub fn is_inside(&self) -> bool {
        self.winding != 0
    }

    /// Passes a crossing; gives whether it enters or leaves the mesh.
    pub fn pass(&mut self) -> bool {
        let was_inside = self.is_inside();
        if let Some(crossing) = self.at.next() {
            self.winding += change_of(crossing.tag());
        }
        was_inside != self.is_inside()
    }
}
