//! Any text as a model: errors that can be printed, or a net that can be explored, and means the same when it is laid
//! out anew.
#![no_main]

use libfuzzer_sys::fuzz_target;
use sweepnet_language::format::format;
use sweepnet_language::{Diagnostic, Model, parse_file, parse_properties, read, read_properties};

fuzz_target!(|text: &str| {
    let rendered = |errors: &[Diagnostic]| errors.iter().for_each(|error| drop(error.render("text", text)));
    rendered(&parse_file(text).1);
    rendered(&parse_properties(text).1);
    let laid_out = format(text).ok();
    if let Some(laid_out) = &laid_out {
        assert_eq!(format(laid_out).as_ref(), Ok(laid_out), "not stable");
        let [before, after] = [text, laid_out].map(|text| without_spans(&parse_file(text).0));
        assert_eq!(before, after, "another tree");
    }
    match read(text, &[]) {
        Ok((model, warnings)) => {
            rendered(&warnings);
            let again = read(&laid_out.expect("it is well-formed"), &[]);
            let (again, _) = again.expect("it means the same");
            assert_eq!(meaning(&model), meaning(&again));
            sweepnet_fuzz::both_engines_agree(&model.net);
            let Model { mut net, scope, .. } = model;
            if let Err(errors) = read_properties(text, &mut net, &scope) {
                rendered(&errors);
            }
        }
        Err(errors) => rendered(&errors),
    }
});

/// A model as text, but for how its questions are written.
fn meaning(model: &Model) -> String {
    let Model { net, properties, .. } = model;
    let questions: Vec<_> = properties.iter().map(|property| &property.question).collect();
    format!("{:?} {:?} {:?} {:?} {questions:?}", net.name, net.places, net.transitions, net.progress)
}

/// A tree as text, without the places of things.
fn without_spans(tree: &impl std::fmt::Debug) -> String {
    let text = format!("{tree:?}");
    let (mut result, mut rest) = (String::new(), text.as_str());
    while let Some(at) = rest.find("..") {
        let (before, after) = (&rest[..at], &rest[at + 2..]);
        let digit = |c: char| c.is_ascii_digit();
        result.push_str(before.trim_end_matches(digit));
        result.push('_');
        rest = after.trim_start_matches(digit);
    }
    result + rest
}
