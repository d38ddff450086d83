//! Dense grids as NRRD, which ITK, ParaView, 3D Slicer and pynrrd read.

use super::data::FieldData;
use super::grid::Grid;
use crate::error::{Result, invalid};
use crate::memory::{self, Gather};
use glam::{UVec3, Vec3};

/// Writes the signed distances of a field as a raw little-endian NRRD with its placement in space.
pub fn write(data: &FieldData) -> Vec<u8> {
    let Grid {
        origin,
        spacing: cell,
        nodes,
    } = data.grid;
    let [x, y, z] = nodes.to_array();
    let header = format!(
        "NRRD0004\n# Signed distances by Proxel\ntype: float\ndimension: 3\nspace: left-posterior-superior\n\
         sizes: {x} {y} {z}\nspace directions: ({cell:?},0,0) (0,{cell:?},0) (0,0,{cell:?})\n\
         space origin: ({:?},{:?},{:?})\nendian: little\nencoding: raw\n\n",
        origin.x, origin.y, origin.z
    );
    let mut file = header.into_bytes();
    let distances = data.dense_distances();
    memory::ensure_more(&mut file, size_of_val(&distances[..]));
    distances.iter().for_each(|d| file.extend(d.to_le_bytes()));
    file
}

/// Reads a raw NRRD of floats with equal, axis-aligned spacing.
pub fn read(file: &[u8]) -> Result<(Grid, Vec<f32>)> {
    let end = file
        .windows(2)
        .position(|w| w == b"\n\n")
        .ok_or_else(|| invalid("this is no NRRD: its header does not end"))?;
    let header = std::str::from_utf8(&file[..end])
        .map_err(|_| invalid("this is no NRRD: its header is not text"))?;
    let mut lines = header.lines();
    if !lines.next().is_some_and(|l| l.starts_with("NRRD000")) {
        return Err(invalid("this is no NRRD: it does not start with NRRD000"));
    }
    let lines: Vec<&str> = lines.filter(|l| !l.starts_with('#')).collect();
    let field = |name: &str| {
        let found = lines
            .iter()
            .find_map(|l| l.strip_prefix(name)?.strip_prefix(':').map(str::trim));
        found.ok_or_else(|| invalid(format!("the NRRD has no \"{name}\"")))
    };
    for (name, wanted) in [
        ("type", "float"),
        ("dimension", "3"),
        ("encoding", "raw"),
        ("endian", "little"),
    ] {
        let found = field(name)?;
        if found != wanted {
            return Err(invalid(format!(
                "the NRRD's {name} is {found}; only {wanted} is read"
            )));
        }
    }
    let sizes = numbers(field("sizes")?);
    let directions = numbers(field("space directions")?);
    let origin = numbers(field("space origin")?);
    let whole = |n: &f64| (2.0..=65536.0).contains(n) && n.fract() == 0.0;
    if sizes.len() != 3 || !sizes.iter().all(whole) {
        return Err(invalid(format!(
            "the NRRD's sizes {sizes:?} are not three whole numbers of at least 2"
        )));
    }
    let cell = directions.first().copied().unwrap_or(0.0);
    let straight = [cell, 0.0, 0.0, 0.0, cell, 0.0, 0.0, 0.0, cell];
    // As the floats that they become.
    let (spacing, origin): (f32, Vec<f32>) =
        (cell as f32, origin.iter().map(|c| *c as f32).collect());
    if directions != straight
        || !(spacing.is_finite() && spacing > 0.0)
        || origin.len() != 3
        || !origin.iter().all(|c| c.is_finite())
    {
        return Err(invalid(
            "the NRRD's axes must be straight and equally spaced, with a finite origin",
        ));
    }
    let nodes = UVec3::new(sizes[0] as u32, sizes[1] as u32, sizes[2] as u32);
    let grid = Grid {
        origin: Vec3::from_slice(&origin),
        spacing,
        nodes,
    };
    let samples = &file[end + 2..];
    let needed = nodes
        .to_array()
        .iter()
        .fold(4u64, |p, n| p.saturating_mul(u64::from(*n)));
    if samples.len() as u64 != needed {
        return Err(invalid(format!(
            "the NRRD has {} bytes of samples; its sizes need {needed}",
            samples.len()
        )));
    }
    let distances = samples
        .chunks_exact(4)
        .map(|b| f32::from_le_bytes([b[0], b[1], b[2], b[3]]))
        .gather();
    Ok((grid, distances))
}

/// All numbers in a header's value, whatever separates them.
fn numbers(text: &str) -> Vec<f64> {
    let separators = |c: char| c.is_whitespace() || "(),".contains(c);
    text.split(separators)
        .filter(|t| !t.is_empty())
        .map(|t| t.parse().unwrap_or(f64::NAN))
        .gather()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::grid::places;

    #[test]
    fn what_is_written_is_read() {
        let grid = Grid {
            origin: Vec3::new(-1.0 / 3.0, 1e-9, 7.0),
            spacing: 0.1,
            nodes: UVec3::new(3, 2, 4),
        };
        let distances: Vec<f32> = places(grid.nodes)
            .map(|n| grid.position(n).x as f32)
            .collect();
        let data = FieldData::given(grid, distances.clone(), None, None).unwrap();
        let file = write(&data);
        assert_eq!(read(&file).unwrap(), (grid, distances));
        for length in 0..file.len() {
            assert!(read(&file[..length]).is_err());
        }
        assert!(
            read(b"NRRD0004\ntype: short\n\n")
                .unwrap_err()
                .to_string()
                .contains("short")
        );
    }

    /// In the header they are decimal numbers of any size; a field has floats.
    #[test]
    fn places_beyond_floats_are_refused() {
        let file = |cell: &str, origin: &str| {
            let header = format!(
                "NRRD0004\ntype: float\ndimension: 3\nsizes: 2 2 2\nencoding: raw\nendian: little\n\
                 space directions: ({cell},0,0) (0,{cell},0) (0,0,{cell})\nspace origin: ({origin},0,0)\n\n"
            );
            [header.as_bytes(), &[0; 32]].concat()
        };
        assert!(read(&file("0.5", "3")).is_ok());
        for (cell, origin) in [("0.5", "1e300"), ("1e300", "3"), ("1e-300", "3")] {
            let error = read(&file(cell, origin)).unwrap_err().to_string();
            assert!(error.contains("finite origin"), "{cell} {origin}: {error}");
        }
    }
}
