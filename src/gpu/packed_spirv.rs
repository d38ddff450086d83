//! SPIR-V before deflate packs it: numbers of 7 bits a byte, and ids by how far they are from the result before. So instructions
//! that do the same look the same wherever they are. `build/pack.rs` writes it.

/// How an instruction begins.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Begin {
    /// Nothing that is new.
    Operands = 0,
    /// The id of its result.
    Result = 1,
    /// The type of its result, and its id.
    TypedResult = 2,
}

/// Numbers from bytes.
struct Numbers<'a>(std::slice::Iter<'a, u8>);

impl Numbers<'_> {
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
    let mut numbers = Numbers(bytes.iter());
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
        if begin == Begin::TypedResult as u32 {
            let (kind, after) = operands.split_first_mut()?;
            *kind = numbers.next()?;
            operands = after;
        }
        if begin != Begin::Operands as u32 {
            let (result, after) = operands.split_first_mut()?;
            last = last.wrapping_add(numbers.step()?);
            *result = last;
            operands = after;
        }
        for operand in operands {
            *operand = last.wrapping_sub(numbers.step()?);
        }
        rest = after;
    }
    numbers.0.next().is_none().then_some(())
}
