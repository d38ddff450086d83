//! SPIR-V in the form that deflate packs best.

#[path = "../src/gpu/packed_spirv.rs"]
mod packed_spirv;

use packed_spirv::{OPERANDS, RESULT, TYPED_RESULT, unpack};
use rspirv::grammar::{INSTRUCTION_TABLE, OperandKind};

/// How many words the module has, how many bytes stand for them, and these bytes by deflate.
pub fn pack(words: &[u32]) -> Vec<u8> {
    let bytes = numbers(words);
    let mut again = vec![0; words.len()];
    assert!(
        unpack(&bytes, &mut again).is_some() && again == words,
        "a module cannot be unpacked"
    );
    let mut packed = (words.len() as u32).to_le_bytes().to_vec();
    packed.extend((bytes.len() as u32).to_le_bytes());
    packed.extend(miniz_oxide::deflate::compress_to_vec(&bytes, 9));
    packed
}

fn numbers(words: &[u32]) -> Vec<u8> {
    let mut bytes = Vec::new();
    let (head, mut rest) = words.split_at(5);
    head.iter().for_each(|&word| number(&mut bytes, word));
    let mut last = 0u32;
    while let Some(&first) = rest.first() {
        let (length, code) = (first >> 16, first & 0xffff);
        let (instruction, after) = rest.split_at(length as usize);
        let (begin, mut operands) = (beginning(code), &instruction[1..]);
        number(&mut bytes, code << 2 | begin);
        number(&mut bytes, length);
        if begin == TYPED_RESULT {
            number(&mut bytes, operands[0]);
            operands = &operands[1..];
        }
        if begin != OPERANDS {
            step(&mut bytes, operands[0].wrapping_sub(last));
            last = operands[0];
            operands = &operands[1..];
        }
        for &operand in operands {
            step(&mut bytes, last.wrapping_sub(operand));
        }
        rest = after;
    }
    bytes
}

fn beginning(code: u32) -> u32 {
    let known = INSTRUCTION_TABLE.lookup_opcode(code);
    let kinds = known.map_or(&[][..], |known| known.operands);
    match kinds.iter().map(|kind| kind.kind).next() {
        Some(OperandKind::IdResultType) => TYPED_RESULT,
        Some(OperandKind::IdResult) => RESULT,
        _ => OPERANDS,
    }
}

fn number(bytes: &mut Vec<u8>, mut number: u32) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn step(bytes: &mut Vec<u8>, difference: u32) {
    let sign = (difference as i32 >> 31) as u32;
    number(bytes, (difference << 1) ^ sign);
}
