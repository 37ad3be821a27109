//! What every reader must keep: no panic on any bytes, and a net that was read can be written and read again.

use sweepnet_formats::{Format, Options, read, write};

/// Reads the bytes; if they are a net, writes it and reads it again. Nothing may be lost on the way.
pub fn there_and_back(format: Format, bytes: &[u8]) {
    let Ok(document) = read(bytes, format, &Options::default()) else { return };
    let mut written = Vec::new();
    let warnings =
        write(&document.net, format, &mut written).expect("what was read in a format can be written in it");
    assert!(warnings.is_empty(), "what was read in a format fits into it: {warnings:?}");
    let again = read(&written[..], format, &Options::default()).expect("what was written can be read");
    assert_eq!(again.net, document.net);
    // The other formats may refuse, but not panic.
    for other in Format::ALL {
        let mut written = Vec::new();
        if write(&document.net, other, &mut written).is_ok() && other != Format::Dot {
            let again = read(&written[..], other, &Options::default()).expect("what was written can be read");
            assert_eq!(again.net.places().len(), document.net.places().len());
            assert_eq!(again.net.transitions().len(), document.net.transitions().len());
            assert_eq!(again.net.initial_marking(), document.net.initial_marking());
        }
    }
}
