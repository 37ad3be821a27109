#![no_main]

use libfuzzer_sys::fuzz_target;
use sweepnet_formats::Format;

fuzz_target!(|bytes: &[u8]| sweepnet_fuzz::there_and_back(Format::Pnml, bytes));
