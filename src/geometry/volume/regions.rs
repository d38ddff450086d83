//! The connected parts of what two bodies share.
//!
//! A part's boundary is made of pieces of faces. Its corners are vertices that the other body encloses and places where edges cross faces; they hang
//! together along the curve where the surfaces cross and along the stretches of edges inside the other body. Pieces with holes have
//! rims that may not hang together that way: the rim of a hole goes with the rim around it.

use super::chain::{BoundaryCorner, ChainSums};
use super::{CrossedPair, Intersection};
use crate::geometry::triangle::predicates::normal_of;
use glam::{DVec2, DVec3};

/// A connected part of an intersection. Positions in `sums` are from the intersection's origin.
#[derive(Clone, Debug)]
pub struct IntersectionRegion {
    /// Over its parts of the first and of the second surface.
    pub sums: [ChainSums; 2],
    /// A box around it: its least and its largest coordinates in the world.
    pub bounds: [DVec3; 2],
    /// How far it extends along the area vector of the first surface.
    pub depth: f64,
}

impl IntersectionRegion {
    /// Its volume.
    pub fn volume(&self) -> f64 {
        self.sums[0].volume + self.sums[1].volume
    }

    fn add(&mut self, other: &Self) {
        for own in 0..2 {
            self.sums[own] += other.sums[own];
        }
        self.bounds[0] = self.bounds[0].min(other.bounds[0]);
        self.bounds[1] = self.bounds[1].max(other.bounds[1]);
    }
}

/// Which corners hang together: each points at another one, or at itself.
struct Together(Vec<u32>);

impl Together {
    fn root(&mut self, mut of: u32) -> u32 {
        while self.0[of as usize] != of {
            let next = self.0[self.0[of as usize] as usize];
            self.0[of as usize] = next;
            of = next;
        }
        of
    }

    /// The lower number stands for both, so that the order of joining does not matter.
    fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.root(a), self.root(b));
        self.0[a.max(b) as usize] = a.min(b);
    }
}

/// Where an edge crosses a face of the other body.
#[derive(Clone, Copy)]
struct EdgeCrossing {
    /// Lower and upper vertex.
    edge: [u32; 2],
    /// How far from the lower one, times the edge's length.
    along: f64,
    face: u32,
    /// How the level changes on the way up.
    up: i32,
    at: BoundaryCorner,
}

/// A piece of the rim of what is inside of a face, in the face's own direction.
struct RimPart {
    /// A corner of the intersection that it starts or ends at.
    corner: u32,
    ends: [BoundaryCorner; 2],
    level: f64,
}

/// A stretch of an edge that the other body encloses.
struct Stretch {
    /// Corners of the intersection.
    corners: [u32; 2],
    ends: [BoundaryCorner; 2],
    /// How often it is enclosed.
    level: i32,
}

struct Search<'a> {
    of: &'a Intersection,
    /// By edge, and along it.
    crossings: [Vec<EdgeCrossing>; 2],
    /// What the corners of each kind are counted from: vertices of both bodies, then crossings of both.
    starts: [u32; 4],
    together: Together,
    /// The pairs that cross, by the face of each body.
    by_face: [Vec<u32>; 2],
}

impl Intersection {
    /// The connected parts, the largest first; `world` takes positions in the first body's frame to where bounds are wanted.
    pub fn regions(&self, world: impl Fn(DVec3) -> DVec3) -> Vec<IntersectionRegion> {
        let mut search = Search::new(self);
        search.join_along_the_curve();
        search.join_along_edges();
        for own in 0..2 {
            search.join_holes(own);
        }
        search.gather(world)
    }
}

impl<'a> Search<'a> {
    fn new(of: &'a Intersection) -> Self {
        let crossings = [0, 1].map(|own| edge_crossings(of, own));
        let counts = [
            of.sides[0].points.len(),
            of.sides[1].points.len(),
            crossings[0].len(),
            crossings[1].len(),
        ];
        let mut starts = [0; 4];
        for kind in 1..4 {
            starts[kind] = starts[kind - 1] + counts[kind - 1] as u32;
        }
        let total = starts[3] + counts[3] as u32;
        let by_face = [0, 1].map(|own| {
            let mut order: Vec<u32> = (0..of.crossed.len() as u32).collect();
            order.sort_by_key(|pair| of.crossed[*pair as usize].triangles[own]);
            order
        });
        Self {
            of,
            crossings,
            starts,
            together: Together((0..total).collect()),
            by_face,
        }
    }

    fn vertex(&self, own: usize, vertex: u32) -> u32 {
        self.starts[own] + vertex
    }

    /// The crossings of an edge in their order, and the number of the first.
    fn on_edge(&self, own: usize, edge: [u32; 2]) -> (&[EdgeCrossing], u32) {
        let all = &self.crossings[own];
        let first = all.partition_point(|crossing| crossing.edge < edge);
        let count = all[first..].partition_point(|crossing| crossing.edge == edge);
        (
            &all[first..first + count],
            self.starts[2 + own] + first as u32,
        )
    }

    /// The corners where the sides of two triangles cross them.
    fn corners(&self, pair: &CrossedPair) -> Vec<u32> {
        let mut corners = Vec::with_capacity(2);
        for own in 0..2 {
            for piercing in pair.piercings[own].iter().flatten() {
                let edge = self.of.sides[own].side_of(pair.triangles[own], piercing.side.into());
                let (on_edge, first) = self.on_edge(own, edge);
                let face = pair.triangles[1 - own];
                let at = on_edge.iter().position(|crossing| crossing.face == face);
                corners.extend(at.map(|at| first + at as u32));
            }
        }
        corners
    }

    fn join_along_the_curve(&mut self) {
        let of = self.of;
        for pair in &of.crossed {
            if let [a, b] = self.corners(pair)[..] {
                self.together.join(a, b);
            }
        }
    }

    fn join_along_edges(&mut self) {
        let of = self.of;
        for own in 0..2 {
            for edge in &of.levels[own].edges.ends {
                for Stretch {
                    corners: [from, to],
                    ..
                } in self.stretches(own, *edge)
                {
                    self.together.join(from, to);
                }
            }
        }
    }

    /// The stretches of an edge that the other body encloses, on the way up.
    fn stretches(&self, own: usize, edge: [u32; 2]) -> Vec<Stretch> {
        let (on_edge, first) = self.on_edge(own, edge);
        let (side, origin) = (&self.of.sides[own], self.of.origin);
        let end = |k: usize| {
            let at = BoundaryCorner::vertex(side.points[edge[k] as usize], origin);
            (self.vertex(own, edge[k]), at)
        };
        let mut level = self.of.levels[own].of_vertices[edge[0] as usize];
        let mut last = end(0);
        let mut found = Vec::new();
        let inner =
            (on_edge.iter().zip(first..)).map(|(c, id)| ((id, c.at.seen_from(origin)), c.up));
        for (next, up) in inner.chain([(end(1), 0)]) {
            if level != 0 {
                found.push(Stretch {
                    corners: [last.0, next.0],
                    ends: [last.1, next.1],
                    level,
                });
            }
            level += up;
            last = next;
        }
        found
    }

    /// All of the rims of what is inside of a face that is crossed by these pairs.
    fn rims(&self, own: usize, face: u32, pairs: &[u32]) -> Vec<RimPart> {
        let mut rims = Vec::new();
        for pair in pairs {
            let pair = &self.of.crossed[*pair as usize];
            let corner = self.corners(pair).first().copied();
            let (Some([start, end]), Some(corner)) = (pair.segment(), corner) else {
                continue;
            };
            let ends = [start, end].map(|corner| corner.seen_from(self.of.origin));
            rims.push(RimPart {
                corner,
                ends: if own == 0 { ends } else { [ends[1], ends[0]] },
                level: 1.0,
            });
        }
        let corners = self.of.sides[own].triangles[face as usize];
        for (k, from) in corners.into_iter().enumerate() {
            let edge = self.of.sides[own].side_of(face, k);
            for stretch in self.stretches(own, edge) {
                let [low, high] = stretch.ends;
                let upwards = edge[0] == from;
                rims.push(RimPart {
                    corner: stretch.corners[0],
                    ends: if upwards { [low, high] } else { [high, low] },
                    level: f64::from(stretch.level),
                });
            }
        }
        rims
    }

    /// The pairs of each face that is crossed.
    fn faces(&self, own: usize) -> Vec<(u32, Vec<u32>)> {
        let face = |pair: &u32| self.of.crossed[*pair as usize].triangles[own];
        (self.by_face[own].chunk_by(|a, b| face(a) == face(b)))
            .map(|pairs| (face(&pairs[0]), pairs.to_vec()))
            .collect()
    }

    /// Joins the rims of holes with the rims around them, face by face.
    fn join_holes(&mut self, own: usize) {
        for (face, pairs) in self.faces(own) {
            let rims = self.rims(own, face, &pairs);
            let roots: Vec<u32> = (rims.iter())
                .map(|rim| self.together.root(rim.corner))
                .collect();
            let mut distinct = roots.clone();
            distinct.sort_unstable();
            distinct.dedup();
            if distinct.len() < 2 {
                continue;
            }
            let flat = FacePlane::of(&self.of.sides[own].corners(face));
            let of_root = |root: u32| {
                let parts = rims.iter().zip(&roots).filter(move |part| *part.1 == root);
                parts.map(|(rim, _)| (rim.ends.map(|end| flat.point(end.at)), rim.level))
            };
            let areas: Vec<f64> = (distinct.iter())
                .map(|root| {
                    of_root(*root)
                        .map(|(ends, level)| level * ends[0].perp_dot(ends[1]))
                        .sum()
                })
                .collect();
            for (hole, hole_area) in distinct.iter().zip(&areas) {
                let Some(([inside, _], _)) = of_root(*hole).next().filter(|_| *hole_area < 0.0)
                else {
                    continue;
                };
                let around = (distinct.iter().zip(&areas))
                    .filter(|(root, area)| **area > 0.0 && encloses(of_root(**root), inside))
                    .min_by(|a, b| a.1.total_cmp(b.1));
                if let Some((root, _)) = around {
                    self.together.join(*root, *hole);
                }
            }
        }
    }

    fn gather(mut self, world: impl Fn(DVec3) -> DVec3) -> Vec<IntersectionRegion> {
        let total = self.together.0.len() as u32;
        let roots: Vec<u32> = (0..total)
            .map(|corner| self.together.root(corner))
            .collect();
        let mut regions: Vec<Option<IntersectionRegion>> = vec![None; total as usize];
        let region = |regions: &mut Vec<Option<IntersectionRegion>>,
                      corner: u32,
                      add: &dyn Fn(&mut IntersectionRegion)| {
            add(
                regions[roots[corner as usize] as usize].get_or_insert_with(|| {
                    IntersectionRegion {
                        sums: Default::default(),
                        bounds: [DVec3::INFINITY, DVec3::NEG_INFINITY],
                        depth: 0.0,
                    }
                }),
            );
        };
        let places = self.places();
        for (corner, place) in &places {
            let at = world(*place);
            region(&mut regions, *corner, &|region| {
                region.bounds[0] = region.bounds[0].min(at);
                region.bounds[1] = region.bounds[1].max(at);
            });
        }
        let origin = self.of.origin;
        for own in 0..2 {
            let side = &self.of.sides[own];
            let mut is_crossed = vec![false; side.triangles.len()];
            for (face, pairs) in self.faces(own) {
                is_crossed[face as usize] = true;
                let apex = BoundaryCorner::vertex(side.corners(face)[0], origin);
                for rim in self.rims(own, face, &pairs) {
                    region(&mut regions, rim.corner, &|region| {
                        region.sums[own].add(rim.level, [apex, rim.ends[0], rim.ends[1]]);
                    });
                }
            }
            for (corners, _) in side
                .triangles
                .iter()
                .zip(&is_crossed)
                .filter(|face| !face.1)
            {
                let level = self.of.levels[own].of_vertices[corners[0] as usize];
                if level != 0 {
                    let places =
                        corners.map(|v| BoundaryCorner::vertex(side.points[v as usize], origin));
                    region(&mut regions, self.vertex(own, corners[0]), &|region| {
                        region.sums[own].add(f64::from(level), places);
                    });
                }
            }
        }
        // How far each extends along its own direction.
        let mut extents = vec![[f64::INFINITY, f64::NEG_INFINITY]; total as usize];
        for (corner, place) in &places {
            let root = roots[*corner as usize] as usize;
            if let Some(region) = &regions[root] {
                let along = region.sums[0].area_vector.normalize_or_zero().dot(*place);
                extents[root] = [extents[root][0].min(along), extents[root][1].max(along)];
            }
        }
        for (region, [low, high]) in regions.iter_mut().zip(extents) {
            if let Some(region) = region {
                region.depth = (high - low).max(0.0);
            }
        }
        fill_cavities(regions.into_iter().flatten().collect())
    }

    /// Corners of the intersection and where they are.
    fn places(&self) -> Vec<(u32, DVec3)> {
        let mut places = Vec::new();
        for own in 0..2 {
            let levels = &self.of.levels[own].of_vertices;
            for (vertex, level) in (0..).zip(levels) {
                if *level != 0 {
                    let at = self.of.sides[own].points[vertex as usize];
                    places.push((self.vertex(own, vertex), at));
                }
            }
            let crossings = self.crossings[own].iter().zip(self.starts[2 + own]..);
            places.extend(crossings.map(|(crossing, id)| (id, crossing.at.at)));
        }
        places
    }
}

/// A surface that encloses less than nothing is the wall of a cavity: it goes with the smallest part around it.
fn fill_cavities(found: Vec<IntersectionRegion>) -> Vec<IntersectionRegion> {
    let (walls, mut regions): (Vec<_>, Vec<_>) =
        found.into_iter().partition(|region| region.volume() < 0.0);
    regions.sort_by(|a, b| a.volume().total_cmp(&b.volume()));
    let mut lone = Vec::new();
    for wall in walls {
        let around = regions.iter_mut().find(|region| {
            region.bounds[0].cmple(wall.bounds[0]).all()
                && region.bounds[1].cmpge(wall.bounds[1]).all()
                && region.volume() >= -wall.volume()
        });
        match around {
            Some(region) => region.add(&wall),
            None => lone.push(wall),
        }
    }
    regions.append(&mut lone);
    regions.sort_by(|a, b| b.volume().total_cmp(&a.volume()));
    regions
}

/// All places where edges of a body cross faces of the other, each once.
fn edge_crossings(of: &Intersection, own: usize) -> Vec<EdgeCrossing> {
    let side = &of.sides[own];
    let mut found = Vec::new();
    for pair in &of.crossed {
        for piercing in pair.piercings[own].iter().flatten() {
            let k = usize::from(piercing.side);
            let edge = side.side_of(pair.triangles[own], k);
            let upwards = edge[0] == side.triangles[pair.triangles[own] as usize][k];
            let change = i32::from(piercing.change);
            let [p, q] = edge.map(|v| side.points[v as usize]);
            found.push(EdgeCrossing {
                edge,
                along: (piercing.at.at - p).dot(q - p),
                face: pair.triangles[1 - own],
                up: if upwards { change } else { -change },
                at: piercing.at,
            });
        }
    }
    found.sort_by(|a, b| {
        let along = a.edge.cmp(&b.edge).then(a.along.total_cmp(&b.along));
        along.then(a.face.cmp(&b.face))
    });
    found.dedup_by_key(|crossing| (crossing.edge, crossing.face));
    found
}

/// The plane of a face.
struct FacePlane {
    along: [DVec3; 2],
}

impl FacePlane {
    fn of([a, b, c]: &[DVec3; 3]) -> Self {
        let normal = normal_of(b - a, c - a).normalize_or_zero();
        let first = normal.any_orthogonal_vector().normalize_or_zero();
        Self {
            along: [first, normal.cross(first)],
        }
    }

    fn point(&self, p: DVec3) -> DVec2 {
        DVec2::new(self.along[0].dot(p), self.along[1].dot(p))
    }
}

/// Whether rims go round a point.
fn encloses(rims: impl Iterator<Item = ([DVec2; 2], f64)>, point: DVec2) -> bool {
    let mut turns = 0.0;
    for ([from, to], level) in rims {
        let (from, to) = (from - point, to - point);
        turns += level * from.perp_dot(to).atan2(from.dot(to));
    }
    turns > std::f64::consts::PI
}
