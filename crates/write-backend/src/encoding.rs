//! What a backend makes of the values that it is handed before LMDB stores them: bytes as they are, or
//! what a codec writes for typed data.
//!
//! Everybody is handed the same bytes. A backend with an encoding sees typed data in them, and what it
//! stores is checked against the bytes that are made by hand here.

use std::borrow::Cow;

use serde::Serialize;

use crate::named::named;
use crate::workload::Workload;

/// How values, and integer keys, become the bytes that are stored.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
pub enum Encoding {
    /// As they are.
    #[default]
    Bytes,
    /// A value is text. Its bytes stay what they are.
    Text,
    /// A key is an integer of 32 bits, big-endian.
    U32Key,
    /// A key is an integer of 32 bits and a value one of 64, both big-endian.
    Integers,
    /// A value is a [`Record`] in the format of the crate bincode, version 1: fixed integers, little-endian.
    Bincode,
    /// A value is a [`Record`] in JSON without spaces.
    Json,
    /// A value is a [`Record`] in `MessagePack`: an array of its fields.
    MessagePack,
}

named!(
    Encoding,
    "encoding",
    [
        Bytes = "bytes",
        Text = "text",
        U32Key = "u32-key",
        Integers = "integers",
        Bincode = "bincode",
        Json = "json",
        MessagePack = "message-pack",
    ]
);

/// Typed data as programs keep it: integers and a short text. It is read from a value that was handed over:
/// three integers, little-endian, and the rest.
///
/// ```
/// use write_backend::encoding::{Encoding, Record};
/// let mut value = vec![0; 22];
/// (value[0], value[20], value[21]) = (7, b'h', b'i');
/// assert_eq!(Record::of(&value), Some(Record { id: 7, parent: 0, kind: 0, name: "hi" }));
/// let json = Encoding::Json.stored(&value);
/// assert_eq!(&*json, br#"{"id":7,"parent":0,"kind":0,"name":"hi"}"#);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Record<'a> {
    /// A number.
    pub id: u64,
    /// Another one.
    pub parent: u64,
    /// A smaller one.
    pub kind: u32,
    /// A text without anything that JSON would have to escape.
    pub name: &'a str,
}

impl<'a> Record<'a> {
    /// What its numbers take in a value, in bytes.
    const NUMBERS: usize = 20;

    /// The record in `value`; `None` where that is too short or holds no text.
    #[inline]
    #[must_use]
    pub fn of(value: &'a [u8]) -> Option<Self> {
        let (id, rest) = value.split_first_chunk()?;
        let (parent, rest) = rest.split_first_chunk()?;
        let (kind, name) = rest.split_first_chunk()?;
        Some(Self {
            id: u64::from_le_bytes(*id),
            parent: u64::from_le_bytes(*parent),
            kind: u32::from_le_bytes(*kind),
            name: std::str::from_utf8(name).ok()?,
        })
    }
}

impl Encoding {
    /// Whether it is the one that need not be named.
    #[must_use]
    pub fn is_default(&self) -> bool {
        *self == Self::default()
    }

    /// Refuses sizes that it has no data for.
    ///
    /// # Errors
    /// A sentence that names the size and what is allowed.
    pub fn check(self, workload: &Workload) -> Result<(), String> {
        let Workload { key_size, value_size, .. } = *workload;
        let (key, values) = match self {
            Self::Bytes | Self::Text => (None, 0..=usize::MAX),
            Self::U32Key => (Some(4), 0..=usize::MAX),
            Self::Integers => (Some(4), 8..=8),
            Self::Bincode | Self::Json | Self::MessagePack => (None, Record::NUMBERS..=usize::MAX),
        };
        if let Some(key) = key.filter(|key| *key != key_size) {
            return Err(format!(
                "key size {key_size} is not allowed with {self}: it must be {key}"
            ));
        }
        if !values.contains(&value_size) {
            let (low, high) = (values.start(), values.end());
            let most = if high == low { String::new() } else { " at least".to_owned() };
            return Err(format!(
                "value size {value_size} is not allowed with {self}: it must be{most} {low}"
            ));
        }
        Ok(())
    }

    /// Makes text of the bytes that it takes for text. Done before the clock starts.
    pub(crate) fn shape(self, value: &mut [u8]) {
        let from = match self {
            Self::Bytes | Self::U32Key | Self::Integers => return,
            Self::Text => 0,
            Self::Bincode | Self::Json | Self::MessagePack => Record::NUMBERS,
        };
        for byte in value.iter_mut().skip(from) {
            *byte = b'a' + (*byte & 15);
        }
    }

    /// The bytes that are stored for a value that was handed over.
    #[must_use]
    pub fn stored(self, value: &[u8]) -> Cow<'_, [u8]> {
        let mut bytes = Vec::new();
        match Record::of(value) {
            Some(record) if self.write(&record, &mut bytes) => Cow::Owned(bytes),
            _ => Cow::Borrowed(value),
        }
    }

    /// Adds what is stored for `record` to `out`, made by hand; whether it is an encoding of records.
    #[inline]
    pub fn write(self, record: &Record<'_>, out: &mut Vec<u8>) -> bool {
        match self {
            Self::Bytes | Self::Text | Self::U32Key | Self::Integers => return false,
            Self::Bincode => bincode(record, out),
            Self::Json => json(record, out),
            Self::MessagePack => message_pack(record, out),
        }
        true
    }
}

#[inline]
fn bincode(record: &Record<'_>, out: &mut Vec<u8>) {
    out.extend_from_slice(&record.id.to_le_bytes());
    out.extend_from_slice(&record.parent.to_le_bytes());
    out.extend_from_slice(&record.kind.to_le_bytes());
    out.extend_from_slice(&(record.name.len() as u64).to_le_bytes());
    out.extend_from_slice(record.name.as_bytes());
}

#[inline]
fn json(record: &Record<'_>, out: &mut Vec<u8>) {
    out.extend_from_slice(b"{\"id\":");
    decimal(record.id, out);
    out.extend_from_slice(b",\"parent\":");
    decimal(record.parent, out);
    out.extend_from_slice(b",\"kind\":");
    decimal(u64::from(record.kind), out);
    out.extend_from_slice(b",\"name\":\"");
    out.extend_from_slice(record.name.as_bytes());
    out.extend_from_slice(b"\"}");
}

/// `number` in decimal digits.
#[inline]
fn decimal(mut number: u64, out: &mut Vec<u8>) {
    // The largest has twenty.
    let mut digits = [0; 20];
    let mut first = digits.len();
    loop {
        first -= 1;
        digits[first] = b'0' + (number % 10) as u8;
        number /= 10;
        if number == 0 {
            break;
        }
    }
    out.extend_from_slice(&digits[first..]);
}

/// The `MessagePack` specification, "Serialization": the shortest form of each number and text.
#[inline]
fn message_pack(record: &Record<'_>, out: &mut Vec<u8>) {
    out.push(0x94);
    for number in [record.id, record.parent, u64::from(record.kind)] {
        match number {
            0..0x80 => out.push(number as u8),
            0x80..=0xff => out.extend_from_slice(&[0xcc, number as u8]),
            0x100..=0xffff => prefixed(0xcd, &(number as u16).to_be_bytes(), out),
            0x1_0000..=0xffff_ffff => prefixed(0xce, &(number as u32).to_be_bytes(), out),
            _ => prefixed(0xcf, &number.to_be_bytes(), out),
        }
    }
    let length = record.name.len();
    match length {
        0..32 => out.push(0xa0 | length as u8),
        32..=0xff => out.extend_from_slice(&[0xd9, length as u8]),
        0x100..=0xffff => prefixed(0xda, &(length as u16).to_be_bytes(), out),
        _ => prefixed(0xdb, &(length as u32).to_be_bytes(), out),
    }
    out.extend_from_slice(record.name.as_bytes());
}

#[inline]
fn prefixed(prefix: u8, bytes: &[u8], out: &mut Vec<u8>) {
    out.push(prefix);
    out.extend_from_slice(bytes);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::batch::Batch;

    #[test]
    fn what_is_handed_over_holds_what_an_encoding_takes() {
        for encoding in Encoding::ALL {
            let mut workload = Workload { batch_size: 20, value_size: 8, ..Workload::default() };
            if encoding.check(&workload).is_err() {
                workload.value_size = 40;
            }
            assert_eq!(encoding.check(&workload), Ok(()), "{encoding}");
            let batch = Batch::new(&workload, 0).shaped(encoding);
            for (_, value) in batch.pairs() {
                let stored = encoding.stored(value);
                let is_record = encoding.write(&Record::of(&[0; 20]).unwrap(), &mut Vec::new());
                assert_eq!(stored != value, is_record, "{encoding}");
                assert!(encoding != Encoding::Text || std::str::from_utf8(value).is_ok());
                if encoding == Encoding::Json {
                    let read: serde_json::Value = serde_json::from_slice(&stored).unwrap();
                    assert_eq!(read, serde_json::to_value(Record::of(value).unwrap()).unwrap());
                }
            }
        }
        let refused = Encoding::Integers.check(&Workload::default()).unwrap_err();
        assert!(refused.contains("it must be 8"), "{refused}");
        assert!(Encoding::Json.check(&Workload::default()).unwrap_err().contains("at least 20"));
    }
}
