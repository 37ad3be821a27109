//! Scenarios: firing sequences in files, as TINA's `.scn` has them. Names stand between white space, in braces
//! where they need it; `#` begins a comment.

use std::io::{self, Write};

use sweepnet_net::{Net, TransitionId};

/// Writes transitions, one to a line.
pub fn write(out: &mut impl Write, net: &Net, events: &[TransitionId]) -> io::Result<()> {
    for t in events {
        let id = &net.transition(*t).id;
        if !id.is_empty() && id.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '\'' | '.' | '-')) {
            writeln!(out, "{id}")?;
        } else {
            let escaped: String = id
                .chars()
                .flat_map(|c| match c {
                    '\n' => vec!['\\', 'n'],
                    '{' | '}' | '\\' => vec!['\\', c],
                    c => vec![c],
                })
                .collect();
            writeln!(out, "{{{escaped}}}")?;
        }
    }
    Ok(())
}

/// The names in a scenario, each with its line.
pub fn words(text: &str) -> Vec<(usize, Result<String, &'static str>)> {
    let mut words = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let mut chars = line.chars().peekable();
        while let Some(c) = chars.next() {
            if c.is_whitespace() {
                continue;
            }
            if c == '#' {
                break;
            }
            let mut word = String::new();
            if c == '{' {
                let mut closed = false;
                while let Some(c) = chars.next() {
                    match c {
                        '}' => {
                            closed = true;
                            break;
                        }
                        '\\' => match chars.next() {
                            Some('n') => word.push('\n'),
                            Some(c) => word.push(c),
                            None => {}
                        },
                        c => word.push(c),
                    }
                }
                words.push((at + 1, if closed { Ok(word) } else { Err("a name in braces does not end") }));
                continue;
            }
            word.push(c);
            while let Some(c) = chars.next_if(|c| !c.is_whitespace()) {
                word.push(c);
            }
            // A time may follow the name in scenarios of timed nets; it has no meaning here.
            let name = word.split('@').next().unwrap_or_default().to_owned();
            words.push((at + 1, Ok(name)));
        }
    }
    words
}
