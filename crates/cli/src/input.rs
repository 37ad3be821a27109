//! Reading models.

use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sweepnet_colour::patience::Steps;
use sweepnet_colour::unfold::Limits as UnfoldLimits;
use sweepnet_colour::{ColouredNet, ModelError, Patience, Sources, UnfoldError, Unfolding};
use sweepnet_formats::{Document, ErrorKind, Format, Model, Options, Position, ReadError, Warning};
use sweepnet_language::ast::Span;
use sweepnet_language::diagnostic::position;
use sweepnet_language::{Diagnostic, Property as Asked, Scope};
use sweepnet_net::{Net, PlaceId};
use sweepnet_space::StopReason;
use sweepnet_space::budget::is_outgrown;

use crate::args::{Input, ReadFormat, Saying};
use crate::excerpt;
use crate::failure::Failure;
use crate::machine;
use crate::report::model_error::unbound;
use crate::session::Session;

/// A model as it was read, with what there is to say about its file.
pub struct Given {
    /// The model.
    pub subject: Subject,
    /// Warnings; printed already, unless nobody wants to hear of them.
    pub warnings: Vec<Warning>,
}

/// A model of either kind.
pub enum Subject {
    /// A place/transition net.
    Plain(Arc<Net>),
    /// A coloured net.
    Coloured(Box<Coloured>),
}

/// A coloured net with the questions that its file asks.
pub struct Coloured {
    /// The net.
    pub net: ColouredNet,
    /// What names mean in questions.
    pub scope: Scope,
    /// The questions.
    pub properties: Vec<Asked>,
    /// Where its parts are declared, if its file tells.
    pub source: Option<Source>,
}

/// The file of a model.
pub struct Source {
    /// How it is called.
    pub file: String,
    /// Where it can be read again, if it can.
    pub path: Option<PathBuf>,
    /// Where in it the parts of the net stand.
    pub parts: Parts,
}

/// Where the parts of a net stand.
pub enum Parts {
    /// In a text, whose lines can be shown.
    Shown(String, Sources<Span>),
    /// In a file that went by.
    Counted(Sources<Position>),
}

/// A place in a file that is wrong.
pub struct Spot {
    /// Its line.
    pub line: u64,
    /// Its column.
    pub column: u64,
    /// What is wrong there, with the line underlined where there is one to show.
    pub shown: String,
}

impl Source {
    /// The place of an error that an event of this transition showed, with the sentence that tells it.
    pub fn spot(&self, error: &ModelError, transition: Option<usize>, sentence: &str) -> Option<Spot> {
        let (file, severity) = (&self.file, "model error");
        match &self.parts {
            Parts::Shown(text, sources) => {
                let span = sources.of(error, transition)?;
                let (line, column) = position(text, span.start);
                let shown = Diagnostic::error(span, sentence).render_as(severity, file, text);
                Some(Spot { line: line as u64, column: column as u64, shown })
            }
            Parts::Counted(sources) => {
                let at = sources.of(error, transition)?;
                let shown = excerpt::message(severity, file, self.path.as_deref(), at, sentence);
                Some(Spot { line: at.line, column: at.column, shown })
            }
        }
    }
}

/// Reads the model that the arguments name, and prints its warnings; they are also given back, for JSON.
pub fn read(input: &Input, saying: Saying, session: &Session) -> Result<Given, Failure> {
    let again = (input.model != Path::new("-")).then_some(&*input.model);
    read_as(input, saying, session, again, open(input, Some(session.limits.memory))?)
}

/// The same from another source; the arguments tell what is in it.
pub fn read_from(
    input: &Input,
    saying: Saying,
    session: &Session,
    source: impl BufRead,
) -> Result<Given, Failure> {
    read_as(input, saying, session, None, source)
}

fn read_as(
    input: &Input,
    saying: Saying,
    session: &Session,
    again: Option<&Path>,
    mut source: impl BufRead,
) -> Result<Given, Failure> {
    let name = display_name(&input.model);
    let given = match format_of(input, &mut source, &name)? {
        Language::Own => read_snet(input, saying, session, &name, source)?,
        Language::Foreign(format) => {
            if let Some((parameter, _)) = input.parameters.first() {
                return Err(Failure::input(format!(
                    "--set {parameter}: only models in the Sweepnet language (.snet) have parameters"
                )));
            }
            let options = Options { net: input.net.clone() };
            let Document { model, warnings, sources, .. } = sweepnet_formats::read(source, format, &options)
                .map_err(|error| refused(&error, &name, again))?;
            if !saying.quiet {
                print_warnings(&name, &warnings);
            }
            let subject = match model {
                Model::Plain(mut net) => {
                    name_after_file(&mut net.name, input);
                    Subject::Plain(Arc::new(net))
                }
                Model::Coloured(mut net) => {
                    name_after_file(&mut net.name, input);
                    let scope = Scope::of(&net);
                    let properties = Vec::new();
                    let (file, path) = (name.clone(), again.map(Path::to_path_buf));
                    let source = Some(Source { file, path, parts: Parts::Counted(sources) });
                    Subject::Coloured(Box::new(Coloured { net: *net, scope, properties, source }))
                }
            };
            Given { subject, warnings }
        }
    };
    Ok(given)
}

/// Why a file in a foreign format cannot be read.
fn refused(error: &ReadError, name: &str, again: Option<&Path>) -> Failure {
    match &error.kind {
        // These are about no place in the file.
        ErrorKind::Io(_) | ErrorKind::Empty { .. } | ErrorKind::NoSuchNet { .. } => {
            Failure::input(format!("{name}: {}", error.kind))
        }
        kind => {
            let at = Position { line: error.line, column: error.column };
            Failure::Input(excerpt::message("error", name, again, at, &kind.to_string()))
        }
    }
}

/// A model as a place/transition net.
pub struct Unfolded {
    /// The net.
    pub net: Arc<Net>,
    /// What it is the unfolding of.
    pub folded: Option<Box<Folded>>,
    /// What there is to say about its file.
    pub warnings: Vec<Warning>,
}

/// A coloured net and its unfolding.
pub struct Folded {
    /// The net.
    pub coloured: Coloured,
    /// How its nodes became others.
    pub unfolding: Unfolding,
}

impl Folded {
    /// The places that a promise of the model keeps from growing for ever: too many tokens are an error of the model.
    pub fn limited_places(&self) -> Arc<[PlaceId]> {
        let unlimited = self.coloured.net.unlimited_places();
        let folds = self.unfolding.net.folding().into_iter().flat_map(|folding| &folding.places);
        let limited = folds.zip(unlimited).filter(|(_, unlimited)| !unlimited);
        limited.flat_map(|(fold, _)| fold.instances.clone()).map(PlaceId::new).collect()
    }
}

/// Reads a model as a place/transition net: a coloured one is unfolded, however large that becomes.
pub fn read_net(
    input: &Input,
    saying: Saying,
    session: &Session,
) -> Result<(Arc<Net>, Vec<Warning>), Failure> {
    let Unfolded { net, warnings, .. } = read_unfolded(input, saying, session)?;
    Ok((net, warnings))
}

/// The same, with what the net is the unfolding of.
pub fn read_unfolded(input: &Input, saying: Saying, session: &Session) -> Result<Unfolded, Failure> {
    let Given { subject, mut warnings } = read(input, saying, session)?;
    let (net, folded) = match subject {
        Subject::Plain(net) => (net, None),
        Subject::Coloured(coloured) => {
            let refused = |error: UnfoldError| not_unfolded(input, &coloured.net, &error);
            let unfolding = match session.patiently(|go_on| unfold(&coloured.net, usize::MAX, go_on)) {
                Ok(unfolded) => unfolded.map_err(refused)?,
                Err(reason) => return Err(stopped(input, session, reason)),
            };
            let net = match unfolding.faults.first() {
                None => Arc::clone(&unfolding.net),
                Some((first, why)) => {
                    let id = &unfolding.net.transition(*first).id;
                    let message = format!(
                        "{} of transitions have no result and are left out, {id} first ({why}); \
                         explore and check tell whether they are ever enabled",
                        crate::quantity::counted(unfolding.faults.len() as u64, "binding")
                    );
                    let warning = Warning { line: 1, column: 1, message };
                    if !saying.quiet {
                        complain!("warning: {}: {}", display_name(&input.model), warning.message);
                    }
                    warnings.push(warning);
                    let right = unfolding.without_faults();
                    Arc::new(right.map_err(|error| refused(UnfoldError::Build(error)))?)
                }
            };
            (net, Some(Box::new(Folded { coloured: *coloured, unfolding })))
        }
    };
    Ok(Unfolded { net, folded, warnings })
}

/// Unfolds a coloured net.
pub fn unfold(net: &ColouredNet, nodes: usize, go_on: &dyn Fn() -> bool) -> Result<Unfolding, UnfoldError> {
    net.unfold(&UnfoldLimits { nodes, go_on })
}

/// The most values that are gone through where nobody set a limit.
const SOON: u64 = 1 << 28;

/// Unfolds a coloured net if that does not take long.
pub fn unfold_soon(net: &ColouredNet, nodes: usize) -> Result<Unfolding, UnfoldError> {
    let steps = Steps::new(SOON);
    unfold(net, nodes, &|| steps.go_on())
}

/// A limit came before there was a place/transition net.
pub fn stopped(input: &Input, session: &Session, reason: StopReason) -> Failure {
    let name = display_name(&input.model);
    session.stopped(&format!("{name}: the place/transition net that it stands for was not made"), reason)
}

/// Why there is no place/transition net.
pub fn not_unfolded(input: &Input, net: &ColouredNet, error: &UnfoldError) -> Failure {
    let name = display_name(&input.model);
    match error {
        UnfoldError::Timed | UnfoldError::Priorities => Failure::input(format!(
            "{name}: {error}; explore, check and simulate work on the coloured net itself"
        )),
        UnfoldError::LookedAt { place } => Failure::input(format!(
            "{name}: arcs look at place '{}', which only its definition changes: such a net has no unfolding; \
             explore, check and simulate work on the coloured net itself",
            net.places[*place].id
        )),
        UnfoldError::Unbound { transition, variable } => {
            Failure::input(format!("{name}: {}", unbound(net, *transition, *variable)))
        }
        other => Failure::input(format!("{name}: {other}")),
    }
}

fn name_after_file(name: &mut String, input: &Input) {
    if name.is_empty() {
        *name = match input.model.file_stem() {
            Some(stem) if input.model != Path::new("-") => stem.to_string_lossy().into_owned(),
            _ => display_name(&input.model),
        };
    }
}

/// How a file is called in messages.
pub fn display_name(path: &Path) -> String {
    if path == Path::new("-") { "standard input".to_owned() } else { path.display().to_string() }
}

/// Warnings shown in full; the rest is counted.
const WARNINGS_SHOWN: usize = 10;

/// Prints warnings to standard error.
fn print_warnings(name: &str, warnings: &[Warning]) {
    for warning in warnings.iter().take(WARNINGS_SHOWN) {
        complain!("warning: {name}: {warning}");
    }
    if warnings.len() > WARNINGS_SHOWN {
        complain!("warning: {name}: {} more warnings", warnings.len() - WARNINGS_SHOWN);
    }
}

/// A model in the Sweepnet language.
fn read_snet(
    input: &Input,
    saying: Saying,
    session: &Session,
    name: &str,
    mut source: impl Read,
) -> Result<Given, Failure> {
    let text = read_text(&mut source, name)?;
    if let Some(net) = &input.net {
        return Err(Failure::input(format!("--net {net}: a file in the Sweepnet language holds one net")));
    }
    let (file, errors) = sweepnet_language::parse_file(&text);
    if file.items.is_empty() && errors.is_empty() {
        return Err(Failure::input(format!("{name}: the file declares nothing")));
    }
    let read = session
        .patiently(|go_on| sweepnet_language::read_while(&text, &input.parameters, Patience::asking(go_on)));
    let read = read.map_err(|reason| session.stopped(&format!("{name}: not read to the end"), reason))?;
    let (model, diagnostics) =
        read.map_err(|found| Failure::Input(refusal(&found, errors.is_empty(), name, &text)))?;
    if !saying.quiet && !diagnostics.is_empty() {
        complain!("{}", rendered(&diagnostics, name, &text));
    }
    let warning = |diagnostic: &Diagnostic| {
        let (line, column) = position(&text, diagnostic.span.start);
        Warning { line: line as u64, column: column as u64, message: diagnostic.message.clone() }
    };
    let warnings = diagnostics.iter().map(warning).collect();
    let sweepnet_language::Model { mut net, properties, scope, sources } = model;
    name_after_file(&mut net.name, input);
    let source = Some(Source { file: name.to_owned(), path: None, parts: Parts::Shown(text, sources) });
    Ok(Given { subject: Subject::Coloured(Box::new(Coloured { net, scope, properties, source })), warnings })
}

/// Why a model is refused. If its text could be read, errors without a place are about parameters that it has not.
fn refusal(errors: &[Diagnostic], is_read: bool, name: &str, text: &str) -> String {
    let (unknown, placed): (Vec<Diagnostic>, Vec<Diagnostic>) =
        errors.iter().cloned().partition(|error| is_read && error.span == (0..0));
    let mut said: Vec<String> =
        unknown.iter().map(|error| error.render_without_place(name).trim_end().to_owned()).collect();
    said.extend((!placed.is_empty()).then(|| rendered(&placed, name, text)));
    said.join("\n\n")
}

/// The text of a file.
pub fn read_text(source: &mut impl Read, name: &str) -> Result<String, Failure> {
    let mut bytes = Vec::new();
    source.read_to_end(&mut bytes).map_err(|error| Failure::input(format!("cannot read {name}: {error}")))?;
    String::from_utf8(bytes)
        .map_err(|_| Failure::input(format!("{name}: this is not text (it is not valid UTF-8)")))
}

/// What is wrong with a text, for people.
pub fn rendered(diagnostics: &[Diagnostic], name: &str, text: &str) -> String {
    let rendered: Vec<String> =
        diagnostics.iter().map(|diagnostic| diagnostic.render(name, text).trim_end().to_owned()).collect();
    rendered.join("\n\n")
}

/// Opens the file that the arguments name.
pub fn open(input: &Input, memory: Option<u64>) -> Result<impl BufRead + use<>, Failure> {
    let name = display_name(&input.model);
    let budget = memory.unwrap_or_else(machine::free_memory);
    let source: Box<dyn Read> = if input.model == Path::new("-") {
        Box::new(io::stdin().lock())
    } else {
        let open = File::open(&input.model).and_then(|file| match file.metadata()?.is_dir() {
            true => Err(io::Error::other("it is a folder, not a file")),
            false => Ok(file),
        });
        Box::new(open.map_err(|error| Failure::input(format!("cannot read {name}: {error}")))?)
    };
    Ok(BufReader::with_capacity(1 << 16, Watched { source, budget, unlooked: 0 }))
}

/// What a file is written in.
enum Language {
    Own,
    Foreign(Format),
}

fn format_of(input: &Input, source: &mut impl BufRead, name: &str) -> Result<Language, Failure> {
    let by_name = match (input.format, input.model.extension().and_then(|e| e.to_str())) {
        (Some(ReadFormat::Snet), _) => Some(Language::Own),
        (Some(ReadFormat::Pnml), _) => Some(Language::Foreign(Format::Pnml)),
        (Some(ReadFormat::Tina), _) => Some(Language::Foreign(Format::Tina)),
        (Some(ReadFormat::Lola), _) => Some(Language::Foreign(Format::Lola)),
        (None, Some(extension)) if extension.eq_ignore_ascii_case("snet") => Some(Language::Own),
        (None, _) => Format::from_path(&input.model).map(Language::Foreign),
    };
    if let Some(language) = by_name {
        return Ok(language);
    }
    let start = source.fill_buf().map_err(|error| Failure::input(format!("cannot read {name}: {error}")))?;
    if start.is_empty() {
        return Err(Failure::input(format!("{name}: the file is empty")));
    }
    if sweepnet_language::looks_like(&String::from_utf8_lossy(start)) {
        return Ok(Language::Own);
    }
    Format::detect(start).map(Language::Foreign).ok_or_else(|| {
        Failure::input(format!(
            "{name}: it is not clear what format this is; \
             name the file .snet, .pnml, .net or .lola, or say --format"
        ))
    })
}

/// Bytes read between two looks at the memory.
const LOOK: usize = 1 << 20;

/// A source that stops when the process has outgrown its memory budget: a net that does not fit ends with a
/// message, not with the process.
struct Watched<R> {
    source: R,
    budget: u64,
    unlooked: usize,
}

impl<R: Read> Read for Watched<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.source.read(buffer)?;
        self.unlooked += read;
        if self.unlooked >= LOOK {
            self.unlooked = 0;
            if is_outgrown(self.budget) {
                return Err(io::Error::other("the net does not fit into the memory budget (--memory)"));
            }
        }
        Ok(read)
    }
}
