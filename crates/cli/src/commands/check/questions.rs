//! What is asked: on the command line, in files of properties, and by the model itself.

use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

use sweepnet_colour::Patience;
use sweepnet_language::nearest::nearest;
use sweepnet_language::{Property as Asked, read_properties, read_property};
use sweepnet_logic::coloured::{Untranslated, translate};
use sweepnet_logic::{Property, contest, parse_properties, parse_property};
use sweepnet_net::Net;

use crate::args::{Asking, Engine};
use crate::failure::Failure;
use crate::input::{self, Coloured, Folded, Subject};
use crate::model::Prepared;
use crate::session::Session;

/// A question as far as it can be understood before the net is unfolded.
pub enum Wanted {
    /// About a place/transition net.
    Plain(Property),
    /// About a coloured net.
    Coloured(Box<Asked>),
    /// A file of the contest's formulas: its name and contents.
    Contest(String, Vec<u8>),
}

/// Questions about the net that is explored.
pub enum Resolved {
    /// All of them.
    Properties(Vec<Property>),
    /// Some can only be answered on the coloured net.
    NeedsColours,
}

/// All that the arguments ask.
pub fn gather(asking: &Asking, quiet: bool, mut subject: Subject) -> Result<(Vec<Wanted>, Subject), Failure> {
    let (mut wanted, mut errors) = (Vec::new(), Vec::new());
    let given = asking.properties.iter().map(String::as_str);
    for text in asking.deadlock.then_some("deadlock-free").into_iter().chain(given) {
        match one(text, &mut subject) {
            Ok(question) => wanted.push(question),
            Err(error) => errors.push(error),
        }
    }
    for path in &asking.files {
        from_file(path, &mut subject, &mut wanted, &mut errors, quiet)?;
    }
    if !errors.is_empty() {
        return Err(Failure::Input(errors.join("\n")));
    }
    if let Subject::Coloured(coloured) = &subject
        && wanted.is_empty()
    {
        // Nothing else is asked: the model's own questions.
        wanted.extend(coloured.properties.iter().cloned().map(|asked| Wanted::Coloured(Box::new(asked))));
    }
    if wanted.is_empty() {
        return Err(Failure::input(
            "there is nothing to check; ask with --deadlock, --property or --properties, \
             for example: -p 'invariant #p <= 1'",
        ));
    }
    Ok((wanted, subject))
}

/// A question of the command line; of a model that asks questions itself, also the name of one of them.
fn one(text: &str, subject: &mut Subject) -> Result<Wanted, String> {
    match subject {
        Subject::Plain(net) => {
            parse_property(text, net).map(Wanted::Plain).map_err(|error| error.to_string())
        }
        Subject::Coloured(coloured) => {
            if let Some(named) = coloured.properties.iter().find(|property| property.name == text.trim()) {
                return Ok(Wanted::Coloured(Box::new(named.clone())));
            }
            let Coloured { net, scope, .. } = &mut **coloured;
            match read_property(text, net, scope) {
                Ok(asked) => Ok(Wanted::Coloured(Box::new(asked))),
                Err(mut error) => {
                    // A single word may have been meant for the name of a question.
                    if error.suggestions.is_empty() && !text.trim().contains(char::is_whitespace) {
                        let names = coloured.properties.iter().map(|property| property.name.as_str());
                        error.suggestions = nearest(text.trim(), names);
                    }
                    Err(input::rendered(&[error], "--property", text))
                }
            }
        }
    }
}

fn from_file(
    path: &Path,
    subject: &mut Subject,
    wanted: &mut Vec<Wanted>,
    errors: &mut Vec<String>,
    quiet: bool,
) -> Result<(), Failure> {
    let name = input::display_name(path);
    let mut bytes = Vec::new();
    let read = match path == Path::new("-") {
        true => io::stdin().read_to_end(&mut bytes),
        false if path.is_dir() => Err(io::Error::other("it is a folder, not a file")),
        false => File::open(path).and_then(|mut file| file.read_to_end(&mut bytes)),
    };
    read.map_err(|error| Failure::input(format!("cannot read {name}: {error}")))?;
    let before = wanted.len() + errors.len();
    // The contest's properties are XML, ours never begin like that.
    if bytes.trim_ascii_start().starts_with(b"<") || bytes.starts_with(b"\xEF\xBB\xBF<") {
        match subject {
            Subject::Plain(net) => {
                let properties = from_contest(&name, &bytes, net, errors)?;
                wanted.extend(properties.into_iter().map(Wanted::Plain));
            }
            Subject::Coloured(_) => wanted.push(Wanted::Contest(name.clone(), bytes)),
        }
    } else {
        let text = input::read_text(&mut bytes.as_slice(), &name)?;
        match subject {
            Subject::Plain(net) => match parse_properties(&text, net) {
                Ok(read) => wanted.extend(read.into_iter().map(Wanted::Plain)),
                Err(list) => errors.extend(list.iter().map(|error| error.located(&name).to_string())),
            },
            Subject::Coloured(coloured) => {
                let Coloured { net, scope, .. } = &mut **coloured;
                match read_properties(&text, net, scope) {
                    Ok(read) => {
                        wanted.extend(read.into_iter().map(|asked| Wanted::Coloured(Box::new(asked))))
                    }
                    Err(list) => errors.push(input::rendered(&list, &name, &text)),
                }
            }
        }
    }
    if wanted.len() + errors.len() == before && !quiet {
        complain!("warning: {name}: there is no property in this file");
    }
    Ok(())
}

fn from_contest(
    name: &str,
    bytes: &[u8],
    net: &Net,
    errors: &mut Vec<String>,
) -> Result<Vec<Property>, Failure> {
    let read = contest::read_properties(bytes, net, net)
        .map_err(|error| Failure::input(format!("{name}: {error}")))?;
    let mut properties = Vec::new();
    for property in read {
        match property.property {
            Ok(resolved) => properties.push(resolved),
            Err(unsupported) => errors.push(format!("error: {name}: {}: {unsupported}", property.id)),
        }
    }
    Ok(properties)
}

/// The questions in terms of the net that is explored.
pub fn resolve(
    wanted: &[Wanted],
    prepared: &Prepared,
    engine: Engine,
    session: &Session,
) -> Result<Resolved, Failure> {
    let (mut properties, mut errors) = (Vec::new(), Vec::new());
    for question in wanted {
        match question {
            Wanted::Plain(property) => properties.push(property.clone()),
            Wanted::Contest(name, bytes) => {
                properties.extend(from_contest(name, bytes, &prepared.net, &mut errors)?);
            }
            Wanted::Coloured(asked) => {
                let Some(colours) = &prepared.colours else { continue };
                let Folded { coloured, unfolding } = &colours.folded;
                let bytes = session.control().budget().room();
                let translated = session.patiently(|go_on| {
                    translate(&coloured.net, unfolding, asked, bytes, Patience::asking(go_on))
                });
                // The other engine looks at the same limits, and says what is known by then.
                let translated = match translated {
                    Ok(translated) => translated,
                    Err(_) if engine == Engine::Auto => return Ok(Resolved::NeedsColours),
                    Err(reason) => return Err(session.stopped(&format!("property '{}'", asked.name), reason)),
                };
                match translated {
                    Ok(property) => properties.push(property),
                    Err(
                        Untranslated::NotLinear
                        | Untranslated::Defined
                        | Untranslated::TooLarge
                        | Untranslated::Fault(_),
                    ) if engine == Engine::Auto => return Ok(Resolved::NeedsColours),
                    Err(error) => errors.push(format!("error: property '{}': {error}", asked.name)),
                }
            }
        }
    }
    match errors.is_empty() {
        true => Ok(Resolved::Properties(properties)),
        false => Err(Failure::Input(errors.join("\n"))),
    }
}
