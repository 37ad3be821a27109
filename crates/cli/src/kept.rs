//! Graphs kept in files, each with the model that it is the graph of.
//!
//! The model's text goes into the file, with everything that was said about how to read it. So a graph can be asked when
//! the model has changed or is gone, and nobody asks it about another model unawares: the net is made from the text again,
//! and its fingerprint has to be the graph's.

use std::io::{BufRead, Read, Write};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use sweepnet_colour::ColouredNet;
use sweepnet_graph::{Description, FileError, Graph, fingerprint};
use sweepnet_language::Setting;
use sweepnet_net::Net;
use sweepnet_space::Report;

use crate::args::{Engine, Exploring, Input, ReadFormat, Saying};
use crate::failure::Failure;
use crate::input::{self, Subject};
use crate::model::{self, Prepared, Way};
use crate::session::Session;

/// A graph from a file, and its net.
pub struct Kept {
    /// The graph.
    pub graph: Graph,
    /// The model, as it can be asked about.
    pub subject: Subject,
    /// How it was read.
    pub input: Input,
}

/// Whether a file is a kept graph, by its name.
pub fn is_graph(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("swg"))
}

/// The text of a model, with how it is to be read: what a graph file has to know.
pub struct Text {
    bytes: Vec<u8>,
    input: Input,
}

impl Text {
    /// Reads a model's text.
    pub fn read(input: &Input, memory: Option<u64>) -> Result<Self, Failure> {
        let mut bytes = Vec::new();
        let name = input::display_name(&input.model);
        input::open(input, memory)?
            .read_to_end(&mut bytes)
            .map_err(|error| Failure::input(format!("cannot read {name}: {error}")))?;
        Ok(Self { bytes, input: input.clone() })
    }

    /// The text, to be read as a model.
    pub fn source(&self) -> impl BufRead + '_ {
        self.bytes.as_slice()
    }

    fn note(&self) -> Result<String, Failure> {
        let text = std::str::from_utf8(&self.bytes).map_err(|_| {
            Failure::input("only a model whose file is UTF-8 text can be kept with its graph in a .swg file")
        })?;
        let parameters = self.input.parameters.iter().map(|(name, value)| match value {
            Setting::Integer(value) => json!([name, value]),
            Setting::Truth(value) => json!([name, value]),
        });
        let note = json!({
            "file": self.input.model.to_string_lossy(),
            "format": self.input.format.map(ReadFormat::name),
            "net": self.input.net,
            "parameters": parameters.collect::<Vec<_>>(),
            "text": text,
        });
        Ok(note.to_string())
    }
}

/// Writes a graph with its model.
pub fn write(
    out: &mut impl Write,
    graph: Graph,
    net: &Net,
    report: &Report,
    text: &Text,
) -> Result<Graph, Failure> {
    let graph = graph.described(Description {
        model: fingerprint(net),
        name: net.name.clone(),
        search: report.search.name().to_owned(),
        exact: report.distinct().is_some(),
        events: net.transitions().iter().map(|transition| transition.id.to_string()).collect(),
        note: text.note()?,
    });
    graph.write(out)?;
    Ok(graph)
}

/// Opens a graph, and reads its model.
pub fn open(path: &Path, saying: Saying, session: &Session) -> Result<Kept, Failure> {
    let refused = |why: String| Failure::input(format!("{}: {why}", path.display()));
    let graph = Graph::open_within(path, &session.control().watch()).map_err(|error| match error {
        FileError::Stopped(reason) => session.stopped(&path.display().to_string(), reason),
        error => refused(error.to_string()),
    })?;
    let damaged = || refused("the model in the file is damaged".to_owned());
    let note: Value = serde_json::from_str(&graph.description.note).map_err(|_| damaged())?;
    let text = note["text"].as_str().ok_or_else(damaged)?;
    let pairs = note["parameters"].as_array().ok_or_else(damaged)?;
    let setting = |value: &Value| match value {
        Value::Bool(value) => Some(Setting::Truth(*value)),
        value => value.as_i64().map(Setting::Integer),
    };
    let pair = |pair: &Value| Some((pair[0].as_str()?.to_owned(), setting(&pair[1])?));
    let input = Input {
        model: PathBuf::from(note["file"].as_str().ok_or_else(damaged)?),
        parameters: pairs.iter().map(pair).collect::<Option<_>>().ok_or_else(damaged)?,
        format: note["format"].as_str().and_then(ReadFormat::named),
        net: note["net"].as_str().map(str::to_owned),
    };
    // What there is to say about the model was said when the graph was made.
    let quiet = Saying { quiet: true, ..saying };
    let subject = input::read_from(&input, quiet, session, text.as_bytes())?.subject;
    Ok(Kept { graph, subject, input })
}

/// The whole net of a model, unfolded if it is coloured.
pub fn prepare(
    subject: Subject,
    exploring: &Exploring,
    session: &Session,
    input: &Input,
) -> Result<Prepared, Failure> {
    let exploring = Exploring { engine: Engine::Unfolded, ..exploring.clone() };
    let whole = |prepared: Prepared| match prepared.is_slice() {
        true => prepared.whole(&exploring, session, input),
        false => Ok(Way::Plain(prepared)),
    };
    if let Subject::Coloured(coloured) = &subject
        && let Some(why) = has_no_graph(&coloured.net)
    {
        let name = input::display_name(&input.model);
        return Err(Failure::input(format!(
            "{name}: it has {why}, and graphs are those of place/transition nets, which have none; `check` asks the coloured \
             net itself, also about paths (home, live, ctl, ltl)"
        )));
    }
    let way = match model::prepare(subject, &exploring, session, input)? {
        Way::Plain(prepared) => whole(prepared)?,
        coloured => coloured,
    };
    match way {
        Way::Plain(prepared) => Ok(prepared),
        Way::Coloured(_) => Err(Failure::input(format!(
            "{}: its graph is that of the place/transition net that it stands for, and there is none",
            input::display_name(&input.model)
        ))),
        Way::Stopped(_, reason) => Err(input::stopped(input, session, reason)),
    }
}

/// What a coloured net has that no place/transition net stands for.
fn has_no_graph(net: &ColouredNet) -> Option<&'static str> {
    match net.is_timed() {
        true => Some("timed places"),
        false => net.has_priorities().then_some("priorities"),
    }
}

/// Refuses a graph that is not the net's.
pub fn check(graph: &Graph, net: &Net, path: &Path) -> Result<(), Failure> {
    match graph.description.model == fingerprint(net) && graph.events() as usize <= net.transitions().len() {
        true => Ok(()),
        false => Err(Failure::input(format!("{}: this is the graph of another model", path.display()))),
    }
}

/// The failure to go through a graph whose file is whole, but has edges that the net has not.
pub fn forged(path: &Path) -> Failure {
    Failure::input(format!("{}: the edges in the file are not those of its model", path.display()))
}
