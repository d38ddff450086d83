use super::*;
use crate::geometry::random::Random;
use crate::host::volume::marks::{block_of, shift_in_block};

const SIDE: u32 = 13;
const BINS: u32 = 64;

fn grid() -> Grid {
    Grid {
        origin: Vec3::ZERO,
        scale: Vec3::ONE,
        slack: Vec3::splat(1e-5),
        sides: UVec2::splat(SIDE),
        bins: BINS,
        axis: 2,
    }
}

/// Triangles around a frame: specks, slivers, needles along the rays, and some that are larger than the frame.
fn corners(random: &mut Random, count: usize) -> Vec<[f32; 4]> {
    let mut signed = || random.signed() as f32;
    let triangle = |_| {
        let size = [0.1, 1.0, 2.0, 30.0][(2.0 + 2.0 * signed()) as usize % 4];
        let thin = if signed() > 0.5 { 1e-4 } else { 1.0 };
        let depth = if signed() > 0.0 { 1.0 } else { 20.0 };
        let middle = [(); 2].map(|()| 6.0 + 8.0 * signed());
        let height = 32.0 + 36.0 * signed();
        [(); 3].map(|()| {
            let u = middle[0] + size * signed();
            let v = middle[1] + size * thin * signed();
            [u, v, height + depth * signed(), 0.0]
        })
    };
    (0..count).flat_map(triangle).collect()
}

/// The marks of triangles on so many threads, by so many slices of rows.
fn marks_of(placed: &[[f32; 4]], threads: usize, slices: usize) -> Vec<u32> {
    let grid = grid();
    let words: Vec<_> = (0..words_of(&grid)).map(|_| AtomicU32::new(0)).collect();
    let indices: Vec<_> = (0..placed.len() as u32 / 3)
        .map(|t| [3 * t, 3 * t + 1, 3 * t + 2])
        .collect();
    let conversion = Conversion {
        grid,
        kept: [f32::NEG_INFINITY, f32::INFINITY],
        placed,
        indices: &indices,
        marker: Some(Marker {
            grid,
            words: &words,
        }),
        crosser: None,
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
    let pool = pool.build().unwrap();
    pool.install(|| conversion.run(indices.len(), slices));
    words.into_iter().map(AtomicU32::into_inner).collect()
}

/// The certificates of volumes and points stand on this.
#[test]
fn every_point_of_a_triangle_is_in_a_marked_bin_of_its_column() {
    let mut random = Random::new(11);
    let mut seen = 0;
    for placed in corners(&mut random, 400).chunks(3) {
        let marks = marks_of(placed, 1, 1);
        for _ in 0..100 {
            // Towards the corners and edges as often as to the middle.
            let [a, b, c] = [(); 3].map(|()| random.signed().max(0.0).powi(2) + 1e-9);
            let weights = [a, b, c].map(|weight| weight / (a + b + c));
            let at = |axis: usize| -> f64 {
                let terms = placed.iter().zip(weights);
                terms.map(|(p, weight)| f64::from(p[axis]) * weight).sum()
            };
            let (u, v, w) = (at(0).round(), at(1).round(), at(2).floor());
            let side = f64::from(SIDE);
            let is_inside = |x: f64, end: f64| (0.0..end).contains(&x);
            if is_inside(u, side) && is_inside(v, side) && is_inside(w, BINS.into()) {
                let (pixel, bin) = (UVec2::new(u as u32, v as u32), w as u32);
                let word = block_of(pixel, grid().sides) * (BINS / 8) + bin / 8;
                let bit = shift_in_block(pixel) + bin % 8;
                assert_eq!(
                    marks[word as usize] >> bit & 1,
                    1,
                    "{pixel} {bin} {placed:?}"
                );
                seen += 1;
            }
        }
    }
    assert!(seen > 5000, "{seen} points were in the frame");
}

#[test]
fn threads_and_slices_mark_the_same() {
    let placed = corners(&mut Random::new(5), 700);
    let marks = marks_of(&placed, 1, 1);
    assert_eq!(marks_of(&placed, 3, 1), marks);
    for (threads, slices) in [(2, 1), (2, 3), (5, 64)] {
        let few = &placed[..90];
        assert_eq!(marks_of(few, threads, slices), marks_of(few, 1, 1));
    }
}
