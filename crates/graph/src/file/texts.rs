//! The names in a file: each with its length in four bytes before it.

use crate::Description;

/// The texts of a description as bytes.
pub fn write(description: &Description) -> Vec<u8> {
    let fixed = [&description.name, &description.search, &description.note];
    let mut bytes = Vec::new();
    for text in fixed.into_iter().chain(&description.events) {
        // Nobody has names of four gigabytes; they are left out rather than refused.
        let (length, text) = u32::try_from(text.len()).map_or((0, ""), |length| (length, text));
        bytes.extend(length.to_le_bytes());
        bytes.extend(text.as_bytes());
    }
    bytes
}

/// The texts in these bytes: name, search and note, then the names of events. None if they are no texts.
pub fn read(mut bytes: &[u8]) -> Option<(String, String, String, Vec<String>)> {
    let mut texts = Vec::new();
    while !bytes.is_empty() {
        let (length, rest) = bytes.split_first_chunk::<4>()?;
        let (text, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
        texts.push(std::str::from_utf8(text).ok()?.to_string());
        bytes = rest;
    }
    let mut texts = texts.into_iter();
    Some((texts.next()?, texts.next()?, texts.next()?, texts.collect()))
}
