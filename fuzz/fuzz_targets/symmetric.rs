//! Any bytes as PNML with colours: what can be read can be unfolded and explored, as far as it is small.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sweepnet_formats::{Format, Model, Options, read};

fuzz_target!(|bytes: &[u8]| {
    match read(bytes, Format::Pnml, &Options::default()) {
        Ok(document) => {
            if let Model::Coloured(net) = document.model {
                sweepnet_fuzz::both_engines_agree(&net);
            }
        }
        Err(error) => drop(error.to_string()),
    }
});
