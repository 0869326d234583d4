//! Rows as bytes: for each row a byte, which of its words differ from the row before, and these words; at the end a zero.

use std::io::{self, ErrorKind, Read, Write};

const ROW: u8 = 1;
const END: u8 = 0;

/// Writes rows, each by what differs from the one before.
pub(crate) struct Writer<'o> {
    out: &'o mut dyn Write,
    before: Vec<u32>,
}

/// Reads them again.
pub(crate) struct Reader<'i> {
    from: &'i mut dyn Read,
    before: Vec<u32>,
}

impl<'o> Writer<'o> {
    pub(crate) fn new(out: &'o mut dyn Write, n_words: usize) -> Self {
        Writer { out, before: vec![0; n_words] }
    }

    pub(crate) fn row(&mut self, row: &[u32]) -> io::Result<()> {
        let mut bytes = vec![ROW];
        let differs: Vec<bool> = row.iter().zip(&self.before).map(|(now, then)| now != then).collect();
        bytes.extend(differs.chunks(8).map(|eight| eight.iter().rev().fold(0, |byte, bit| byte << 1 | u8::from(*bit))));
        for (now, then) in row.iter().zip(&self.before).filter(|(now, then)| now != then) {
            // The difference, small ones of either sign in few bytes.
            let by = now.wrapping_sub(*then) as i32;
            let mut left = ((by << 1) ^ (by >> 31)) as u32;
            while left >= 0x80 {
                bytes.push(left as u8 | 0x80);
                left >>= 7;
            }
            bytes.push(left as u8);
        }
        self.before.copy_from_slice(row);
        self.out.write_all(&bytes)
    }

    pub(crate) fn end(self) -> io::Result<()> {
        self.out.write_all(&[END])
    }
}

impl<'i> Reader<'i> {
    pub(crate) fn new(from: &'i mut dyn Read, n_words: usize) -> Self {
        Reader { from, before: vec![0; n_words] }
    }

    /// The next row; none at the end.
    pub(crate) fn row(&mut self) -> io::Result<Option<&[u32]>> {
        match self.byte()? {
            END => return Ok(None),
            ROW => {}
            _ => return Err(ErrorKind::InvalidData.into()),
        }
        let mut differs = vec![0; self.before.len().div_ceil(8)];
        self.from.read_exact(&mut differs)?;
        for word in 0..differs.len() * 8 {
            if differs[word / 8] >> (word % 8) & 1 == 1 {
                let by = self.number()?;
                let by = (by >> 1) as i32 ^ -((by & 1) as i32);
                let then = self.before.get_mut(word).ok_or(ErrorKind::InvalidData)?;
                *then = then.wrapping_add(by as u32);
            }
        }
        Ok(Some(&self.before))
    }

    fn byte(&mut self) -> io::Result<u8> {
        let mut byte = [0];
        self.from.read_exact(&mut byte).map(|()| byte[0])
    }

    fn number(&mut self) -> io::Result<u32> {
        let mut number = 0;
        for shift in (0..35).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte < 0x80 {
                return u32::try_from(number).map_err(|_| ErrorKind::InvalidData.into());
            }
        }
        Err(ErrorKind::InvalidData.into())
    }
}
