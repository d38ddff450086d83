//! The contestant's end of the benchmark protocol (`benches/README.md`) for Rust, and the meshes' format.

use std::collections::HashMap;
use std::io::{BufRead, Write};

/// The `key=value` words of the command line.
pub struct Arguments(HashMap<String, String>);

impl Arguments {
    pub fn given() -> Self {
        let words = std::env::args().skip(1);
        Self(
            words
                .filter_map(|word| word.split_once('=').map(|(k, v)| (k.into(), v.into())))
                .collect(),
        )
    }

    pub fn text(&self, key: &str) -> Result<&str, String> {
        self.0
            .get(key)
            .map(String::as_str)
            .ok_or_else(|| format!("the argument {key}= is missing"))
    }
}

/// One turn's input: the same for all contestants of a round.
pub struct Turn {
    pub round: u64,
    pub fraction: f64,
}

/// Seconds on the wall, or, when the driver was told `--cpu`, those that the process has spent.
pub fn now() -> f64 {
    unsafe extern "C" {
        fn clock_gettime(clock: i32, time: *mut [i64; 2]) -> i32;
    }
    const MONOTONIC: i32 = 1;
    const PROCESS_CPU: i32 = 2;
    let cpu = std::env::var_os("BENCH_CPU").is_some();
    let mut time = [0; 2];
    // SAFETY: on 64-bit Linux a timespec is two such numbers.
    unsafe { clock_gettime(if cpu { PROCESS_CPU } else { MONOTONIC }, &mut time) };
    time[0] as f64 + 1e-9 * time[1] as f64
}

/// Says who is ready, then answers turns with seconds and an answer until the input ends.
pub fn compete(
    about: &str,
    mut work: impl FnMut(&Turn) -> Result<(f64, Vec<f64>), String>,
) -> Result<(), String> {
    let mut out = std::io::stdout();
    let mut say = |line: String| {
        writeln!(out, "{line}")
            .and_then(|()| out.flush())
            .map_err(|e| e.to_string())
    };
    say(format!("{{\"ready\": true, \"about\": \"{about}\"}}"))?;
    for line in std::io::stdin().lock().lines() {
        let line = line.map_err(|e| e.to_string())?;
        let (round, fraction) = line
            .split_once(' ')
            .ok_or_else(|| format!("a turn without a fraction: {line}"))?;
        let turn = Turn {
            round: round
                .parse()
                .map_err(|_| format!("'{round}' is no round"))?,
            fraction: fraction
                .parse()
                .map_err(|_| format!("'{fraction}' is no fraction"))?,
        };
        let (seconds, answer) = work(&turn)?;
        let answer: Vec<String> = answer.iter().map(|value| format!("{value:e}")).collect();
        say(format!(
            "{{\"seconds\": {seconds:e}, \"answer\": [{}]}}",
            answer.join(", ")
        ))?;
    }
    Ok(())
}

/// A triangle mesh and its bounds.
pub struct Mesh {
    pub points: Vec<[f32; 3]>,
    pub triangles: Vec<[u32; 3]>,
    pub low: [f32; 3],
    pub high: [f32; 3],
}

impl Mesh {
    /// Reads a binary PLY as `scripts/meshes` writes it.
    pub fn read(path: &str) -> Result<Self, String> {
        let data = std::fs::read(path).map_err(|e| format!("cannot read {path}: {e}"))?;
        let mark = b"end_header\n";
        let end = data
            .windows(mark.len())
            .position(|w| w == mark)
            .ok_or(format!("{path} is no PLY"))?;
        let header = String::from_utf8_lossy(&data[..end]).into_owned();
        let count = |name: &str| {
            let line = header
                .lines()
                .find_map(|line| line.strip_prefix(&format!("element {name} ")));
            line.and_then(|n| n.parse::<usize>().ok())
                .ok_or(format!("{path} has no element {name}"))
        };
        let (vertices, faces) = (count("vertex")?, count("face")?);
        let body = &data[end + mark.len()..];
        if body.len() < 12 * vertices + 13 * faces {
            return Err(format!(
                "{path} is cut short: fetch it again with scripts/meshes"
            ));
        }
        let word = |bytes: &[u8], i: usize| {
            [
                bytes[4 * i],
                bytes[4 * i + 1],
                bytes[4 * i + 2],
                bytes[4 * i + 3],
            ]
        };
        let (front, back) = body.split_at(12 * vertices);
        let points: Vec<[f32; 3]> = front
            .chunks_exact(12)
            .map(|p| std::array::from_fn(|i| f32::from_le_bytes(word(p, i))))
            .collect();
        let triangles = back
            .chunks_exact(13)
            .map(|f| std::array::from_fn(|i| u32::from_le_bytes(word(&f[1..], i))))
            .collect();
        let fold = |pick: fn(f32, f32) -> f32, from: f32| {
            points.iter().fold([from; 3], |best, p| {
                std::array::from_fn(|i| pick(best[i], p[i]))
            })
        };
        let (low, high) = (
            fold(f32::min, f32::INFINITY),
            fold(f32::max, f32::NEG_INFINITY),
        );
        Ok(Self {
            points,
            triangles,
            low,
            high,
        })
    }

    /// The longest extent of the bounds.
    pub fn longest(&self) -> f64 {
        (0..3)
            .map(|i| self.high[i] - self.low[i])
            .fold(0.0, f32::max) as f64
    }
}
