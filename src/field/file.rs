//! The `.prxf` file: versioned, checksummed, little-endian. Written up in `docs/field-format.md`.

use super::data::{Bricks, FieldData, Outside, Precision, Samples, Sign};
use super::error::BrickError;
use super::grid::Grid;
use crate::error::{Result, invalid};
use crate::memory::{self, Gather};
use glam::{UVec3, Vec3};
use half::f16;

const MAGIC: &[u8; 8] = b"PRXFIELD";
const VERSION: u32 = 2;
const HEADER_BYTES: usize = 92;
/// Of these the last: the payload's size, its checksum, and the header's.
const SEAL_BYTES: usize = 16;
/// A file that asks for more nodes along an axis than this is not a field; products of three stay far from overflow.
const MAX_SIDE: u32 = 1 << 16;

const DISTANCE: u32 = 0;
const DIRECTION: u32 = 1;
const SPARSE: u32 = 2;

/// What the header says of the samples; the sizes and checksums that close it are those of [`sealed`] and [`opened`].
struct Header {
    kind: u32,
    precision: Precision,
    sign: Sign,
    grid: Grid,
    /// Cells along a brick, and how many bricks are kept; zeros where there are none.
    bricks: [u32; 2],
    outside: Outside,
    lipschitz: f32,
    band: f32,
}

impl Header {
    fn of(data: &FieldData) -> Self {
        let (kind, bricks) = match &data.samples {
            Samples::Dense {
                directions: None, ..
            } => (DISTANCE, [0; 2]),
            Samples::Dense { .. } => (DIRECTION, [0; 2]),
            Samples::Sparse(bricks) => (SPARSE, [bricks.cells, bricks.kept() as u32]),
        };
        Self {
            kind,
            precision: data.precision,
            sign: data.sign,
            grid: data.grid,
            bricks,
            outside: data.outside,
            lipschitz: data.lipschitz,
            band: data.band,
        }
    }

    /// Its bytes, with the worst of all errors for readers that want only one.
    fn bytes(&self, error: f32) -> Vec<u8> {
        let Self { grid, bricks, .. } = self;
        let mut bytes = Vec::with_capacity(HEADER_BYTES);
        let mut words = |words: &[u32]| words.iter().for_each(|w| bytes.extend(w.to_le_bytes()));
        words(&[self.kind, self.precision as u32, self.sign as u32]);
        words(&grid.origin.to_array().map(f32::to_bits));
        words(&[grid.spacing.to_bits()]);
        words(&grid.nodes.to_array());
        words(bricks);
        words(&[error.to_bits(), self.outside as u32]);
        words(&[self.lipschitz.to_bits(), self.band.to_bits()]);
        bytes
    }

    fn read(mut from: Reader) -> Result<Self> {
        let kind = from.u32()?;
        let precision = match from.u32()? {
            0 => Precision::Single,
            1 => Precision::Half,
            other => return unknown("the field's samples are of an unknown kind", other),
        };
        let sign = match from.u32()? {
            1 => Sign::Pseudonormal,
            2 => Sign::Winding,
            3 => Sign::Given,
            other => return unknown("the field's sign was found in an unknown way", other),
        };
        let grid = Grid {
            origin: Vec3::new(from.f32()?, from.f32()?, from.f32()?),
            spacing: from.f32()?,
            nodes: UVec3::new(from.u32()?, from.u32()?, from.u32()?),
        };
        let bricks = [from.u32()?, from.u32()?];
        let _worst_error = from.f32()?;
        let outside = match from.u32()? {
            0 => Outside::Clear,
            1 => Outside::Unsigned,
            2 => Outside::Unknown,
            other => {
                let what = "the field says something unknown about what is beyond its domain";
                return unknown(what, other);
            }
        };
        Ok(Self {
            kind,
            precision,
            sign,
            grid,
            bricks,
            outside,
            lipschitz: from.f32()?,
            band: from.f32()?,
        })
    }
}

fn unknown<T>(what: &str, number: u32) -> Result<T> {
    Err(invalid(format!("{what} ({number})")))
}

/// Writes a field down.
pub fn write(data: &FieldData) -> Vec<u8> {
    let mut payload = Vec::new();
    write_samples(data, &mut payload);
    for error in &data.errors {
        memory::add_all(&mut payload, &error.inner.to_le_bytes());
        memory::add_all(&mut payload, &error.outer.to_le_bytes());
    }
    sealed(&Header::of(data).bytes(data.error()), &payload)
}

fn write_samples(data: &FieldData, payload: &mut Vec<u8>) {
    let floats = |values: &mut dyn Iterator<Item = f32>, payload: &mut Vec<u8>| match data.precision
    {
        Precision::Single => values.for_each(|v| memory::add_all(payload, &v.to_le_bytes())),
        Precision::Half => {
            values.for_each(|v| memory::add_all(payload, &f16::from_f32(v).to_le_bytes()));
        }
    };
    match &data.samples {
        Samples::Dense {
            distances,
            directions,
        } => {
            floats(&mut distances.iter().copied(), payload);
            let directions = directions.iter().flatten();
            floats(&mut directions.flat_map(|d| d.to_array()), payload);
        }
        Samples::Sparse(bricks) => {
            floats(&mut bricks.coarse.iter().copied(), payload);
            let slots = bricks.table.iter();
            slots.for_each(|slot| memory::add_all(payload, &slot.to_le_bytes()));
            floats(&mut bricks.fine.iter().copied(), payload);
        }
    }
}

/// A file of a header and a payload: magic and version before them, sizes and checksums between.
fn sealed(header: &[u8], payload: &[u8]) -> Vec<u8> {
    let mut file = memory::room(HEADER_BYTES + payload.len());
    file.extend(MAGIC);
    file.extend(VERSION.to_le_bytes());
    file.extend(header);
    file.extend((payload.len() as u64).to_le_bytes());
    file.extend(crc32fast::hash(payload).to_le_bytes());
    file.extend(crc32fast::hash(&file).to_le_bytes());
    debug_assert_eq!(file.len(), HEADER_BYTES);
    file.extend(payload);
    file
}

/// The header and the payload of a file that is whole.
fn opened(file: &[u8]) -> Result<(Reader<'_>, Reader<'_>)> {
    if file.len() < 12 || &file[..8] != MAGIC {
        return Err(invalid(
            "this is not a Proxel field: it does not start with PRXFIELD",
        ));
    }
    let version = Reader(&file[8..12]).u32()?;
    if version != VERSION {
        return Err(invalid(format!(
            "the field is of format version {version}; this library reads version {VERSION}: bake it anew, or update Proxel"
        )));
    }
    if file.len() < HEADER_BYTES {
        return Err(truncated(file.len() as u64, HEADER_BYTES as u64));
    }
    let (header, payload) = file.split_at(HEADER_BYTES);
    let mut seal = Reader(&header[HEADER_BYTES - SEAL_BYTES..]);
    let (payload_bytes, payload_sum, header_sum) = (seal.u64()?, seal.u32()?, seal.u32()?);
    if crc32fast::hash(&header[..HEADER_BYTES - 4]) != header_sum {
        return Err(invalid(
            "the field's header is corrupted: its checksum does not match",
        ));
    }
    if (payload.len() as u64) < payload_bytes {
        let needed = (HEADER_BYTES as u64).saturating_add(payload_bytes);
        return Err(truncated(file.len() as u64, needed));
    }
    if payload.len() as u64 > payload_bytes {
        return Err(invalid(
            "the field is followed by bytes that do not belong to it",
        ));
    }
    if crc32fast::hash(payload) != payload_sum {
        return Err(invalid(
            "the field's samples are corrupted: their checksum does not match",
        ));
    }
    let header = &header[12..HEADER_BYTES - SEAL_BYTES];
    Ok((Reader(header), Reader(payload)))
}

/// Reads a field, or says what is wrong with the file.
pub fn read(file: &[u8]) -> Result<FieldData> {
    let (header, mut payload) = opened(file)?;
    let header = Header::read(header)?;
    let mut data = FieldData {
        samples: read_samples(&header, &mut payload)?,
        grid: header.grid,
        precision: header.precision,
        sign: header.sign,
        errors: Vec::new(),
        outside: header.outside,
        lipschitz: header.lipschitz,
        band: header.band,
    };
    let bricks = data.brick_count().as_u64vec3().element_product();
    let errors = payload.floats(2 * bricks, Precision::Single)?;
    let pair = |pair: &[f32]| BrickError {
        inner: pair[0],
        outer: pair[1],
    };
    data.errors = errors.chunks_exact(2).map(pair).gather();
    if !payload.0.is_empty() {
        return Err(invalid(
            "the field has more samples than its grid has nodes",
        ));
    }
    check(&data)?;
    Ok(data)
}

fn read_samples(header: &Header, payload: &mut Reader) -> Result<Samples> {
    let &Header {
        kind,
        precision,
        grid,
        bricks: [brick_cells, brick_count],
        ..
    } = header;
    let product = |sides: UVec3| {
        sides
            .to_array()
            .iter()
            .map(|s| u64::from(*s))
            .product::<u64>()
    };
    let sides = grid.nodes.to_array();
    if !sides.iter().all(|n| (2..=MAX_SIDE).contains(n)) {
        return Err(invalid(format!(
            "the field's grid of {sides:?} nodes is not one"
        )));
    }
    let nodes = product(grid.nodes);
    Ok(match kind {
        DISTANCE => Samples::Dense {
            distances: payload.floats(nodes, precision)?,
            directions: None,
        },
        DIRECTION => {
            let distances = payload.floats(nodes, precision)?;
            let directions = payload.floats(3 * nodes, precision)?;
            let directions = directions.chunks_exact(3).map(Vec3::from_slice).gather();
            Samples::Dense {
                distances,
                directions: Some(directions),
            }
        }
        SPARSE => {
            let fits = |n: u32| (n - 1).is_multiple_of(brick_cells);
            if !(1..=256).contains(&brick_cells) || !sides.iter().all(|n| fits(*n)) {
                return Err(invalid(format!(
                    "bricks of {brick_cells} cells do not tile {sides:?} nodes"
                )));
            }
            let count = (grid.nodes - 1) / brick_cells;
            let coarse = payload.floats(product(count + 1), precision)?;
            let table = payload.words(product(count))?;
            if let Some(slot) = table.iter().find(|slot| **slot > brick_count) {
                return Err(invalid(format!(
                    "the field names brick {slot} of {brick_count}"
                )));
            }
            let fine = payload.floats(
                u64::from(brick_count) * u64::from(brick_cells + 1).pow(3),
                precision,
            )?;
            Samples::Sparse(Bricks {
                cells: brick_cells,
                count,
                coarse,
                table,
                fine,
            })
        }
        other => return unknown("the field is stored in an unknown way", other),
    })
}

fn check(data: &FieldData) -> Result<()> {
    let sane = data.grid.origin.is_finite()
        && data.grid.spacing.is_finite()
        && data.grid.spacing > 0.0
        && data.errors.iter().all(|e| e.inner >= 0.0 && e.outer >= 0.0)
        && data.error().is_finite()
        && data.lipschitz >= 0.0
        && data.lipschitz.is_finite()
        && data.band > 0.0;
    let finite = match &data.samples {
        Samples::Dense {
            distances,
            directions,
        } => {
            distances.iter().all(|d| d.is_finite())
                && directions.iter().flatten().all(|d| d.is_finite())
        }
        Samples::Sparse(bricks) => {
            let mut values = bricks.coarse.iter().chain(&bricks.fine);
            values.all(|d| d.is_finite())
        }
    };
    if sane && finite {
        Ok(())
    } else {
        Err(invalid("the field holds numbers that are not finite"))
    }
}

fn truncated(there: u64, needed: u64) -> crate::error::Error {
    invalid(format!(
        "the field is truncated: {there} of {needed} bytes are there"
    ))
}

/// Takes little-endian values from the front.
struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, count: u64) -> Result<&'a [u8]> {
        if count > self.0.len() as u64 {
            return Err(truncated(self.0.len() as u64, count));
        }
        let (taken, rest) = self.0.split_at(count as usize);
        self.0 = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        let mut bytes = [0; N];
        bytes.copy_from_slice(self.take(N as u64)?);
        Ok(bytes)
    }

    fn u32(&mut self) -> Result<u32> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    fn u64(&mut self) -> Result<u64> {
        Ok(u64::from_le_bytes(self.array()?))
    }

    fn f32(&mut self) -> Result<f32> {
        Ok(f32::from_le_bytes(self.array()?))
    }

    fn words(&mut self, count: u64) -> Result<Vec<u32>> {
        let bytes = self.take(count.saturating_mul(4))?;
        Ok(bytes
            .chunks_exact(4)
            .map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]))
            .gather())
    }

    fn floats(&mut self, count: u64, precision: Precision) -> Result<Vec<f32>> {
        match precision {
            Precision::Single => Ok(self.words(count)?.into_iter().map(f32::from_bits).gather()),
            Precision::Half => {
                let bytes = self.take(count.saturating_mul(2))?;
                Ok(bytes
                    .chunks_exact(2)
                    .map(|b| f16::from_le_bytes([b[0], b[1]]).to_f32())
                    .gather())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::field::grid::places;

    fn fields() -> Vec<FieldData> {
        let grid = Grid {
            origin: Vec3::new(-1.0, 0.5, 2.0),
            spacing: 0.25,
            nodes: UVec3::new(3, 5, 9),
        };
        let positions: Vec<_> = places(grid.nodes).map(|n| grid.position(n)).collect();
        let distances: Vec<f32> = positions.iter().map(|p| p.length() as f32 - 1.0).collect();
        let directions = Some(positions.iter().map(|p| -p.normalize().as_vec3()).collect());
        let dense = FieldData {
            grid,
            samples: Samples::Dense {
                distances: distances.clone(),
                directions: None,
            },
            precision: Precision::Single,
            sign: Sign::Winding,
            errors: vec![BrickError {
                inner: 0.01,
                outer: 0.02,
            }],
            outside: Outside::Unsigned,
            lipschitz: 1.1,
            band: f32::INFINITY,
        };
        let with = FieldData {
            samples: Samples::Dense {
                distances,
                directions,
            },
            ..dense.clone()
        };
        let bricks = Bricks {
            cells: 2,
            count: UVec3::new(1, 2, 4),
            coarse: (0..30).map(|i| i as f32).collect(),
            table: vec![0, 1, 0, 2, 0, 0, 0, 0],
            fine: (0..54).map(|i| i as f32 * 0.5).collect(),
        };
        let sparse = FieldData {
            samples: Samples::Sparse(bricks),
            errors: vec![BrickError::even(0.5); 8],
            ..dense.clone()
        };
        let half = with.clone().in_precision(Precision::Half).unwrap();
        vec![dense, with, sparse, half]
    }

    #[test]
    fn what_is_written_is_read() {
        for field in fields() {
            assert_eq!(read(&write(&field)).unwrap(), field);
        }
    }

    #[test]
    fn every_truncation_and_every_flipped_byte_is_refused() {
        for field in fields() {
            let file = write(&field);
            for length in 0..file.len() {
                assert!(read(&file[..length]).is_err(), "{length} of {}", file.len());
            }
            let mut longer = file.clone();
            longer.push(0);
            assert!(read(&longer).is_err());
            for at in 0..file.len() {
                let mut broken = file.clone();
                broken[at] ^= 0x10;
                assert!(read(&broken).is_err(), "byte {at}");
            }
        }
    }

    #[test]
    fn a_newer_file_is_refused_by_its_version() {
        let mut file = write(&fields()[0]);
        file[8] = 3;
        assert!(read(&file).unwrap_err().to_string().contains("version 3"));
    }

    #[test]
    fn a_header_that_lies_about_sizes_is_refused_before_memory_is_asked_for() {
        let mut file = write(&fields()[0]);
        file[40..52].fill(0xff);
        let sum = crc32fast::hash(&file[..HEADER_BYTES - 4]);
        file[HEADER_BYTES - 4..HEADER_BYTES].copy_from_slice(&sum.to_le_bytes());
        assert!(read(&file).unwrap_err().to_string().contains("grid"));
    }
}
