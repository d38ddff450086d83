//! SPIR-V before deflate packs it: numbers of 7 bits a byte, and ids by how far they are from the result before. So instructions
//! that do the same look the same wherever they are. `build/pack.rs` writes it.

/// An instruction begins with nothing that is new,
pub const OPERANDS: u32 = 0;
/// with the id of its result,
pub const RESULT: u32 = 1;
/// or with the type of its result, and its id.
pub const TYPED_RESULT: u32 = 2;

/// PackedNumbers from bytes.
struct PackedNumbers<'a>(std::slice::Iter<'a, u8>);

impl PackedNumbers<'_> {
    fn next(&mut self) -> Option<u32> {
        let mut number = 0u32;
        for shift in (0..35).step_by(7) {
            let byte = *self.0.next()?;
            number |= u32::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }

    /// A difference, up or down.
    fn step(&mut self) -> Option<u32> {
        let folded = self.next()?;
        Some((folded >> 1) ^ (folded & 1).wrapping_neg())
    }
}

/// Writes the words that `bytes` stand for, if they are as many as there is room for.
pub fn unpack(bytes: &[u8], words: &mut [u32]) -> Option<()> {
    let mut numbers = PackedNumbers(bytes.iter());
    let (head, mut rest) = words.split_at_mut_checked(5)?;
    for word in head {
        *word = numbers.next()?;
    }
    let mut last = 0u32;
    while !rest.is_empty() {
        let (code, length) = (numbers.next()?, numbers.next()?);
        let (instruction, after) = rest.split_at_mut_checked(length as usize)?;
        let (first, mut operands) = instruction.split_first_mut()?;
        *first = length << 16 | code >> 2;
        let begin = code & 3;
        if begin == TYPED_RESULT {
            let (kind, after) = operands.split_first_mut()?;
            *kind = numbers.next()?;
            operands = after;
        }
        match begin {
            OPERANDS => {}
            RESULT | TYPED_RESULT => {
                let (result, after) = operands.split_first_mut()?;
                last = last.wrapping_add(numbers.step()?);
                *result = last;
                operands = after;
            }
            _ => return None,
        }
        for operand in operands {
            *operand = last.wrapping_sub(numbers.step()?);
        }
        rest = after;
    }
    numbers.0.next().is_none().then_some(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// `%3 = OpTypeFloat 32` and `%7 = OpConstant %3 1.0` behind a head.
    const WORDS: [u32; 12] = [
        0x0723_0203,
        0x0001_0300,
        0,
        8,
        0,
        3 << 16 | 22,
        3,
        32,
        4 << 16 | 43,
        3,
        7,
        0x3f80_0000,
    ];

    #[rustfmt::skip]
    const BYTES: [u8; 24] = [
        0x83, 0x84, 0x8c, 0x39, 0x80, 0x86, 0x04, 0, 8, 0, // the head, seven bits a byte, the lowest first
        22 << 2 | 1, 3, 6, 57, // a result three up from none; 32 is 29 up from that, and odd numbers are steps back
        0xae, 0x01, 4, 3, 8, // the type as it is, and a result four up
        0xf1, 0xff, 0xff, 0xf7, 0x07, // 1.0 as a step from 7
    ];

    #[test]
    fn a_module_by_hand() {
        let mut words = [0; WORDS.len()];
        assert_eq!(unpack(&BYTES, &mut words), Some(()));
        assert_eq!(words, WORDS);
    }

    #[test]
    fn too_few_and_too_many_bytes_are_refused() {
        let mut words = [0; WORDS.len()];
        for length in 0..BYTES.len() {
            assert_eq!(unpack(&BYTES[..length], &mut words), None, "{length}");
        }
        let more = [&BYTES[..], &[0]].concat();
        assert_eq!(unpack(&more, &mut words), None);
    }

    #[test]
    fn damage_ends_in_an_answer() {
        let mut words = [0; WORDS.len()];
        for at in 0..BYTES.len() {
            for byte in [0, 1, 0x7f, 0x80, 0xff] {
                let mut damaged = BYTES;
                damaged[at] = byte;
                let whole = unpack(&damaged, &mut words).is_some();
                assert!(whole || byte != BYTES[at], "byte {at} is as it was");
            }
        }
    }
}
