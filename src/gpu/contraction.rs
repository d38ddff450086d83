//! Shaders as another compiler would make them: Vulkan lets a driver turn `a * b + c` into one operation with one rounding, unless an
//! operation is decorated NoContraction (`precise` in GLSL). Software drivers may not, GPUs do. Tests run every kernel both ways.

use std::collections::{HashMap, HashSet};

/// What becomes of products that are added to something.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Contraction {
    /// Every one that may be is contracted.
    Always,
    /// None is.
    Never,
}

/// Words before the first instruction; the fourth is above all ids.
const HEADER: usize = 5;
const BOUND: usize = 3;

// Opcodes, and what belongs to them: SPIR-V 1.5.
const EXT_INST_IMPORT: u32 = 11;
const EXT_INST: u32 = 12;
const DECORATE: u32 = 71;
const F_NEGATE: u32 = 127;
const F_ADD: u32 = 129;
const F_SUB: u32 = 131;
const F_MUL: u32 = 133;
const VECTOR_TIMES_SCALAR: u32 = 142;
const MATRIX_TIMES_VECTOR: u32 = 145;
const DOT: u32 = 148;
const NO_CONTRACTION: u32 = 42;
const FMA: u32 = 50;
/// Types start here, after all decorations.
const FIRST_TYPE: u32 = 19;
const LAST_TYPE: u32 = 39;

/// The instructions of a module, opcode first without its length.
fn instructions(words: &[u32]) -> impl Iterator<Item = (u32, &[u32])> {
    let mut rest = &words[HEADER..];
    std::iter::from_fn(move || {
        let length = (*rest.first()? >> 16) as usize;
        let (instruction, after) = rest.split_at(length.clamp(1, rest.len()));
        rest = after;
        Some((instruction[0] & 0xffff, instruction))
    })
}

fn push(words: &mut Vec<u32>, opcode: u32, operands: &[u32]) {
    words.push((operands.len() as u32 + 1) << 16 | opcode);
    words.extend_from_slice(operands);
}

/// The module with its products contracted, or kept apart.
pub(crate) fn rewritten(words: &[u32], contraction: Contraction) -> Vec<u32> {
    let exact: HashSet<u32> = instructions(words)
        .filter(|(opcode, i)| *opcode == DECORATE && i[2] == NO_CONTRACTION)
        .map(|(_, i)| i[1])
        .collect();
    match contraction {
        Contraction::Always => contracted(words, &exact),
        Contraction::Never => kept_apart(words, &exact),
    }
}

/// With products and sums fused, where neither is exact.
fn contracted(words: &[u32], exact: &HashSet<u32>) -> Vec<u32> {
    let set = instructions(words)
        .find(|(opcode, i)| *opcode == EXT_INST_IMPORT && i[2..].starts_with(&glsl_std_450()))
        .map(|(_, i)| i[1]);
    let Some(set) = set else {
        return words.to_vec();
    };
    let mut out = words[..HEADER].to_vec();
    let mut products: HashMap<u32, [u32; 2]> = HashMap::new();
    for (opcode, i) in instructions(words) {
        if opcode == F_MUL && !exact.contains(&i[2]) {
            products.insert(i[2], [i[3], i[4]]);
        }
        let fused = matches!(opcode, F_ADD | F_SUB) && !exact.contains(&i[2]);
        let fused = fused.then(|| (products.get(&i[3]), products.get(&i[4])));
        match fused {
            // a * b + c, or c + a * b.
            Some((Some([a, b]), _)) if opcode == F_ADD => {
                push(&mut out, EXT_INST, &[i[1], i[2], set, FMA, *a, *b, i[4]]);
            }
            Some((None, Some([a, b]))) if opcode == F_ADD => {
                push(&mut out, EXT_INST, &[i[1], i[2], set, FMA, *a, *b, i[3]]);
            }
            // a * b - c is a * b + (-c), and c - a * b is (-a) * b + c.
            Some((Some([a, b]), _)) => {
                let negated = fresh(&mut out);
                push(&mut out, F_NEGATE, &[i[1], negated, i[4]]);
                push(&mut out, EXT_INST, &[i[1], i[2], set, FMA, *a, *b, negated]);
            }
            Some((None, Some([a, b]))) => {
                let negated = fresh(&mut out);
                push(&mut out, F_NEGATE, &[i[1], negated, *a]);
                push(
                    &mut out,
                    EXT_INST,
                    &[i[1], i[2], set, FMA, negated, *b, i[3]],
                );
            }
            _ => out.extend_from_slice(i),
        }
    }
    out
}

/// With every product, sum and dot product decorated.
fn kept_apart(words: &[u32], exact: &HashSet<u32>) -> Vec<u32> {
    let arithmetic = [
        F_ADD,
        F_SUB,
        F_MUL,
        VECTOR_TIMES_SCALAR,
        MATRIX_TIMES_VECTOR,
        DOT,
    ];
    let results: Vec<u32> = instructions(words)
        .filter(|(opcode, _)| arithmetic.contains(opcode))
        .map(|(_, i)| i[2])
        .filter(|result| !exact.contains(result))
        .collect();
    let mut out = words[..HEADER].to_vec();
    let mut decorated = false;
    for (opcode, i) in instructions(words) {
        if !decorated && (FIRST_TYPE..=LAST_TYPE).contains(&opcode) {
            for &result in &results {
                push(&mut out, DECORATE, &[result, NO_CONTRACTION]);
            }
            decorated = true;
        }
        out.extend_from_slice(i);
    }
    out
}

fn fresh(words: &mut [u32]) -> u32 {
    words[BOUND] += 1;
    words[BOUND] - 1
}

/// The name of the instruction set, as words.
fn glsl_std_450() -> [u32; 4] {
    let name = *b"GLSL.std.450\0\0\0\0";
    std::array::from_fn(|i| u32::from_le_bytes(std::array::from_fn(|k| name[4 * i + k])))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A module of a product %5, a sum %6 = %5 + %4, a difference %7 = %4 - %5 and an exact sum %8 = %5 + %4.
    fn module() -> Vec<u32> {
        let mut words = vec![0x0723_0203, 0x10500, 0, 9, 0];
        let name = glsl_std_450();
        push(&mut words, EXT_INST_IMPORT, &[&[1][..], &name[..]].concat());
        push(&mut words, DECORATE, &[8, NO_CONTRACTION]);
        push(&mut words, 22, &[2, 32]);
        push(&mut words, F_MUL, &[2, 5, 3, 4]);
        push(&mut words, F_ADD, &[2, 6, 5, 4]);
        push(&mut words, F_SUB, &[2, 7, 4, 5]);
        push(&mut words, F_ADD, &[2, 8, 5, 4]);
        words
    }

    #[test]
    fn sums_of_products_are_fused_unless_they_are_exact() {
        let words = rewritten(&module(), Contraction::Always);
        let after: Vec<_> = (instructions(&words).skip(4))
            .map(|(opcode, i)| (opcode, i[1..].to_vec()))
            .collect();
        let expected = vec![
            (EXT_INST, vec![2, 6, 1, FMA, 3, 4, 4]),
            (F_NEGATE, vec![2, 9, 3]),
            (EXT_INST, vec![2, 7, 1, FMA, 9, 4, 4]),
            (F_ADD, vec![2, 8, 5, 4]),
        ];
        assert_eq!(after, expected);
        assert_eq!(words[BOUND], 10);
    }

    #[test]
    fn every_sum_and_product_can_be_made_exact() {
        let words = rewritten(&module(), Contraction::Never);
        let decorated: Vec<u32> = instructions(&words)
            .filter(|(opcode, _)| *opcode == DECORATE)
            .map(|(_, i)| i[1])
            .collect();
        assert_eq!(decorated, [8, 5, 6, 7]);
    }
}
