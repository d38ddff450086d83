//! The field at eight places at once: what kernels want to know of single places is gathered until there are eight.

use super::Side;
use crate::geometry::simd::{LaneKernel, Lanes, WIDTH, dispatch, load_rows, store_rows};
use crate::host::field::lanes::length;
use crate::host::meeting::lane_places;
use glam::Vec3;

/// What a certified distance is off by because a point was placed in f32, as a part of the lengths that were added.
const PLACING_SLACK: f32 = 1.2e-6;

/// The same for one point; `own_size` is how far it can be from the mesh's origin.
pub(super) fn slack_at(side: &Side, p: Vec3, own_size: f32) -> f32 {
    PLACING_SLACK * (p.length() + 2.0 * side.query.meeting.shift + side.query.ratio * own_size)
}

/// Places, in rows of their coordinates.
#[derive(Clone, Copy, Default)]
pub(super) struct Places([[f32; WIDTH]; 3]);

impl Places {
    pub(super) fn set(&mut self, lane: usize, place: Vec3) {
        for (row, coordinate) in self.0.iter_mut().zip(place.to_array()) {
            row[lane] = coordinate;
        }
    }
}

/// The places of up to eight items; of the rest any.
pub(super) fn places_of<T>(items: &[T], place: impl Fn(&T) -> Vec3) -> Places {
    let mut places = Places::default();
    for (lane, item) in items.iter().enumerate() {
        places.set(lane, place(item));
    }
    places
}

/// Items that wait until they are eight.
pub(super) struct Waiting<T>(Vec<T>);

impl<T> Waiting<T> {
    pub(super) fn new() -> Self {
        Self(Vec::with_capacity(WIDTH))
    }

    /// Adds an item; works on all that wait once there are eight.
    pub(super) fn add(&mut self, item: T, work: impl FnOnce(&mut [T])) {
        self.0.push(item);
        if self.0.len() == WIDTH {
            self.finish(work);
        }
    }

    /// Works on all that wait.
    pub(super) fn finish(&mut self, work: impl FnOnce(&mut [T])) {
        if !self.0.is_empty() {
            work(&mut self.0);
            self.0.clear();
        }
    }
}

/// What a side's field says at a place.
pub(super) struct Told {
    /// As of `Side::value_of`.
    pub(super) values: [f32; WIDTH],
    /// No larger than the true distance.
    pub(super) lowers: [f32; WIDTH],
}

/// What a side's field certifies at a place.
pub(super) struct Certified {
    /// The field's value at the domain's nearest point.
    pub(super) values: [f32; WIDTH],
    /// No larger than the true distance.
    pub(super) lowers: [f32; WIDTH],
    /// No smaller than the true distance; see `Field::upper`.
    pub(super) uppers: [f32; WIDTH],
    /// Bits of the places in the domain.
    pub(super) in_domain: u8,
}

impl Side<'_> {
    /// What its field certifies at eight vertices, and which of them may be within the contact distance: nothing is missed.
    pub(super) fn certify_vertices(&self, vertices: &[u32; WIDTH]) -> (Certified, u8) {
        dispatch(CertifyVertices {
            side: self,
            vertices,
        })
    }

    /// What its field certifies at eight places.
    pub(super) fn certify(&self, places: &Places) -> Certified {
        dispatch(Certify { side: self, places })
    }

    /// [`Side::value_of`] at eight places.
    pub(super) fn values_of(&self, places: &Places) -> [f32; WIDTH] {
        dispatch(Values { side: self, places })
    }

    /// The same with lower bounds of the exact distances.
    pub(super) fn tell(&self, places: &Places) -> Told {
        dispatch(Tell { side: self, places })
    }

    /// The same at eight vertices, with their places.
    pub(super) fn tell_vertices(&self, vertices: &[u32; WIDTH]) -> ([[f32; WIDTH]; 3], Told) {
        dispatch(TellVertices {
            side: self,
            vertices,
        })
    }

    /// Lower bounds at eight places, and all that the field certifies there.
    #[inline(always)]
    fn lane_certify<V: Lanes>(&self, p: [V; 3]) -> (V, Certified) {
        let bounds = self.field.lane_bounds(p);
        let certified = Certified {
            values: bounds.value.store(),
            lowers: bounds.lower.store(),
            uppers: bounds.upper.store(),
            in_domain: bounds.in_domain.bits(),
        };
        (bounds.lower, certified)
    }

    /// Values that are compared, and lower bounds of the exact distances.
    #[inline(always)]
    pub(super) fn lane_tell<V: Lanes>(&self, p: [V; 3]) -> [V; 2] {
        let bounds = self.field.lane_bounds(p);
        [self.lane_compared(p, bounds.value), bounds.lower]
    }

    /// [`Side::outside`] at eight places.
    #[inline(always)]
    fn lane_outside<V: Lanes>(&self, from: [V; 3], size: [V; 3]) -> V {
        let zero = V::splat(0.0);
        let mut beyond = from;
        for i in 0..3 {
            beyond[i] = (-from[i]).max(from[i] - size[i]).max(zero);
        }
        length(beyond)
    }

    /// [`Side::value_of`] at eight places, from the field's value at the domain's nearest point.
    #[inline(always)]
    fn lane_compared<V: Lanes>(&self, p: [V; 3], value: V) -> V {
        let (origin, size) = (self.field.origin(), self.domain_size());
        let zero = V::splat(0.0);
        let from = [
            p[0] - V::splat(origin.x),
            p[1] - V::splat(origin.y),
            p[2] - V::splat(origin.z),
        ];
        let size = [V::splat(size.x), V::splat(size.y), V::splat(size.z)];
        let outside = self.lane_outside(from, size);
        let positive = value.max(zero);
        let far = (outside * outside + positive * positive).sqrt();
        zero.lt(outside).select(far, value)
    }

    /// [`Side::value_of`] in lanes.
    #[inline(always)]
    pub(super) fn lane_values_of<V: Lanes>(&self, p: [V; 3]) -> V {
        let (origin, cells) = (self.field.origin(), self.field.cells());
        let (cell, zero) = (V::splat(self.field.params.cell), V::splat(0.0));
        let mut g = p;
        for i in 0..3 {
            let from = p[i] - V::splat(origin[i]);
            g[i] = (from / cell).max(zero).min(V::splat(cells[i]));
        }
        self.lane_compared(p, self.field.lane_values(g))
    }
}

struct Values<'a> {
    side: &'a Side<'a>,
    places: &'a Places,
}

impl LaneKernel for Values<'_> {
    type Output = [f32; WIDTH];

    #[inline(always)]
    fn run<V: Lanes>(self) -> [f32; WIDTH] {
        self.side
            .lane_values_of::<V>(load_rows(&self.places.0))
            .store()
    }
}

struct Certify<'a> {
    side: &'a Side<'a>,
    places: &'a Places,
}

impl LaneKernel for Certify<'_> {
    type Output = Certified;

    #[inline(always)]
    fn run<V: Lanes>(self) -> Certified {
        self.side.lane_certify::<V>(load_rows(&self.places.0)).1
    }
}

struct CertifyVertices<'a> {
    side: &'a Side<'a>,
    vertices: &'a [u32; WIDTH],
}

impl LaneKernel for CertifyVertices<'_> {
    type Output = (Certified, u8);

    #[inline(always)]
    fn run<V: Lanes>(self) -> (Certified, u8) {
        let Side { mesh, query, .. } = self.side;
        let own = mesh.positions.lane_load::<V>(self.vertices);
        let p = lane_places(&query.meeting, own);
        let (lower, certified) = self.side.lane_certify(p);
        // The same as `slack_at`.
        let shift = V::splat(2.0 * query.meeting.shift);
        let size = length(p) + shift + V::splat(query.ratio) * length(own);
        let least = lower - V::splat(PLACING_SLACK) * size;
        (certified, least.le(V::splat(query.distance)).bits())
    }
}

struct Tell<'a> {
    side: &'a Side<'a>,
    places: &'a Places,
}

impl LaneKernel for Tell<'_> {
    type Output = Told;

    #[inline(always)]
    fn run<V: Lanes>(self) -> Told {
        let [values, lowers] = self.side.lane_tell::<V>(load_rows(&self.places.0));
        Told {
            values: values.store(),
            lowers: lowers.store(),
        }
    }
}

struct TellVertices<'a> {
    side: &'a Side<'a>,
    vertices: &'a [u32; WIDTH],
}

impl LaneKernel for TellVertices<'_> {
    type Output = ([[f32; WIDTH]; 3], Told);

    #[inline(always)]
    fn run<V: Lanes>(self) -> ([[f32; WIDTH]; 3], Told) {
        let Side { mesh, query, .. } = self.side;
        let p = lane_places(&query.meeting, mesh.positions.lane_load::<V>(self.vertices));
        let [values, lowers] = self.side.lane_tell(p);
        let told = Told {
            values: values.store(),
            lowers: lowers.store(),
        };
        (store_rows(p), told)
    }
}
