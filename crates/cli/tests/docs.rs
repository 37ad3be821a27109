//! What the documents show is what the program does.
//!
//! Every `$ sweepnet …` in a ```` ```console ```` block of the book and the READMEs is run, in a folder that holds
//! a copy of `examples/`, and its output (both streams, in order) compared with what follows it. `? 1` below a
//! command is its exit code (else 0), `[..]` stands for anything within a line, a line `...` for any lines.
//! Other commands are not run. `UPDATE=1 cargo test -p sweepnet --test docs` rewrites what differs.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).unwrap_or_else(|e| panic!("{path}: {e}"))
}

/// A folder like the repository's root, as far as commands in the documents see it.
fn playground() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("examples")).unwrap();
    for file in fs::read_dir(root().join("examples")).unwrap().map(|file| file.unwrap()) {
        fs::copy(file.path(), folder.path().join("examples").join(file.file_name())).unwrap();
    }
    folder
}

/// Runs a command; what it printed, and its exit code.
fn sweepnet(folder: &Path, args: &[String]) -> (String, i32) {
    let printed = folder.join("printed");
    let file = fs::File::create(&printed).unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_sweepnet"));
    command.args(args).current_dir(folder).stdin(std::process::Stdio::null());
    let status = command.stdout(file.try_clone().unwrap()).stderr(file).status().unwrap();
    (fs::read_to_string(printed).unwrap(), status.code().unwrap())
}

/// The words of a command line, as far as quotes go.
fn words(line: &str) -> Vec<String> {
    let (mut words, mut word, mut quote) = (Vec::new(), String::new(), None);
    for c in line.chars() {
        match (c, quote) {
            (c, Some(q)) if c == q => quote = None,
            ('\'' | '"', None) => quote = Some(c),
            (' ', None) => words.push(std::mem::take(&mut word)),
            _ => word.push(c),
        }
    }
    words.push(word);
    words.retain(|word| !word.is_empty());
    words
}

fn line_matches(pattern: &str, line: &str) -> bool {
    let mut parts = pattern.split("[..]");
    let Some(mut rest) = line.strip_prefix(parts.next().unwrap_or_default()) else { return false };
    let parts: Vec<&str> = parts.collect();
    let Some((last, middle)) = parts.split_last() else { return rest.is_empty() };
    for part in middle {
        let Some(at) = rest.find(part) else { return false };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(last)
}

fn matches(expected: &[&str], actual: &[&str]) -> bool {
    match (expected, actual) {
        ([], _) => actual.is_empty(),
        (["...", rest @ ..], _) => (0..=actual.len()).any(|skip| matches(rest, &actual[skip..])),
        ([pattern, expected @ ..], [line, actual @ ..]) => {
            line_matches(pattern, line) && matches(expected, actual)
        }
        _ => false,
    }
}

/// A line without what differs from run to run and machine to machine.
fn without_times(line: &str) -> String {
    for start in
        ["memory  ", "time  ", "\"seconds\": ", "\"states_per_second\": ", "\"peak_resident_bytes\": "]
    {
        if let Some(rest) = line.trim_start().strip_prefix(start) {
            let kept = line.len() - rest.trim_start().len();
            return format!("{}[..]{}", &line[..kept], if line.ends_with(',') { "," } else { "" });
        }
    }
    match line.rsplit_once(", ") {
        Some((kept, time))
            if (time.ends_with(" s") || time.ends_with(" ms")) && line.contains(" states, ") =>
        {
            format!("{kept}, [..]")
        }
        _ => line.to_owned(),
    }
}

/// What to write in place of what no longer fits: a shortened output stays short at the same end, and a line that
/// a pattern still fits keeps the pattern.
fn renewed(expected: &[&str], actual: &[&str]) -> Vec<String> {
    let show = |line: &&str| {
        let pattern = expected.iter().find(|pattern| pattern.contains("[..]") && line_matches(pattern, line));
        pattern.map_or_else(|| without_times(line), |kept| (*kept).to_owned())
    };
    let shown = |lines: &[&str]| lines.iter().map(show).collect::<Vec<_>>();
    let Some(cut) = expected.iter().position(|line| *line == "...") else { return shown(actual) };
    let head = cut.min(actual.len());
    let tail = (expected.len() - cut - 1).min(actual.len() - head);
    [shown(&actual[..head]), vec!["...".to_owned()], shown(&actual[actual.len() - tail..])].concat()
}

/// Runs the commands of a document; the document as it should be.
fn checked(text: &str, folder: &Path) -> String {
    let mut out: Vec<String> = Vec::new();
    let mut lines = text.lines().peekable();
    let mut in_block = false;
    while let Some(line) = lines.next() {
        out.push(line.to_owned());
        in_block = if in_block { line != "```" } else { line == "```console" };
        let Some(command) = line.strip_prefix("$ ").filter(|_| in_block) else { continue };
        let mut expected = Vec::new();
        while let Some(line) = lines.next_if(|line| *line != "```" && !line.starts_with("$ ")) {
            expected.push(line);
        }
        let Some(arguments) = command.strip_prefix("sweepnet ") else {
            out.extend(expected.into_iter().map(str::to_owned));
            continue;
        };
        let blank = expected.len() - expected.iter().rev().take_while(|line| line.is_empty()).count();
        let trailing = expected.split_off(blank);
        let has_code = expected.first().and_then(|line| line.strip_prefix("? "));
        let wanted = has_code.map_or(0, |code| code.parse().unwrap());
        let expected = &expected[usize::from(has_code.is_some())..];
        let (printed, code) = sweepnet(folder, &words(arguments));
        let actual: Vec<&str> = printed.trim_end().lines().collect();
        if code != 0 {
            out.push(format!("? {code}"));
        }
        match code == wanted && matches(expected, &actual) {
            true => out.extend(expected.iter().map(|line| (*line).to_owned())),
            false => out.extend(renewed(expected, &actual)),
        }
        out.extend(trailing.into_iter().map(str::to_owned));
    }
    out.join("\n") + "\n"
}

/// The READMEs and the book, and the pages on internals.
fn documents() -> Vec<PathBuf> {
    let mut documents = vec![root().join("README.md"), root().join("examples/README.md")];
    for folder in ["docs/src", "docs/internals"] {
        documents.extend(fs::read_dir(root().join(folder)).unwrap().map(|file| file.unwrap().path()));
    }
    documents.retain(|path| path.exists() && path.extension().is_some_and(|e| e == "md"));
    documents
}

#[test]
fn commands_in_the_documents_print_what_is_shown() {
    let mut different = Vec::new();
    for path in documents() {
        let text = fs::read_to_string(&path).unwrap();
        let right = checked(&text, playground().path());
        if text == right {
            continue;
        }
        if std::env::var_os("UPDATE").is_some() {
            fs::write(&path, right).unwrap();
            continue;
        }
        let is = right.lines().zip(text.lines()).position(|(right, is)| right != is).unwrap_or(0);
        let lines = |text: &str| text.lines().skip(is).take(8).collect::<Vec<_>>().join("\n");
        let (name, line) = (path.display(), is + 1);
        different.push(format!("{name}:{line}\nshown:\n{}\nprinted:\n{}\n", lines(&text), lines(&right)));
    }
    assert!(different.is_empty(), "{}\n(UPDATE=1 rewrites the documents)", different.join("\n"));
}

/// All keys of JSON, but for names of places and transitions.
fn keys(value: &Value, found: &mut BTreeSet<String>) {
    const BY_NAME: [&str; 9] =
        ["bounds", "weights", "marking", "markings", "end", "places", "source", "target", "degrees"];
    match value {
        Value::Array(items) => items.iter().for_each(|item| keys(item, found)),
        Value::Object(fields) => {
            for (key, value) in fields {
                found.insert(key.clone());
                match value {
                    Value::Object(by_name) if BY_NAME.contains(&key.as_str()) => {
                        by_name.values().for_each(|value| keys(value, found));
                    }
                    _ if BY_NAME.contains(&key.as_str()) => {}
                    _ => keys(value, found),
                }
            }
        }
        _ => {}
    }
}

#[test]
fn every_json_field_is_documented() {
    let (folder, reference) = (playground(), read("docs/src/json.md"));
    let mut missing = BTreeSet::new();
    for example in
        ["philosophers.pnml", "order-process.pnml", "vending-machine.pnml", "unbounded-producer.lola"]
    {
        let (model, props) = (format!("examples/{example}"), format!("examples/{example}"));
        let props = Path::new(&props).with_extension("props").display().to_string();
        let commands = [
            format!("explore {model} --json"),
            format!("explore {model} --search dfs --json"),
            format!("explore {model} --codec product --json"),
            format!("explore {model} --search sweep --progress 0 --json"),
            format!("check {model} -P {props} -p some-stable --json"),
            format!("info {model} --json"),
            format!("simulate {model} --random 3 --json"),
            format!("graph {model} -o graph.json --json"),
            format!("convert {model} -o copy.pnml --json"),
        ];
        let last = [
            "explore examples/philosophers.pnml --search sweep --progress #eating1 --monotone --json",
            "graph examples/philosophers.pnml -o graph.swg --json",
            "query graph.swg --deadlock --stats --json",
        ];
        for command in commands.into_iter().chain(last.map(str::to_owned)) {
            let (printed, code) = sweepnet(folder.path(), &words(&command));
            assert_ne!(code, 2, "{command}: {printed}");
            let mut found = BTreeSet::new();
            keys(&serde_json::from_str(&printed).unwrap(), &mut found);
            missing.extend(found.into_iter().filter(|key| !reference.contains(&format!("`{key}`"))));
        }
    }
    let graph = fs::read_to_string(folder.path().join("graph.json")).unwrap();
    let mut found = BTreeSet::new();
    keys(&serde_json::from_str(&graph).unwrap(), &mut found);
    missing.extend(found.into_iter().filter(|key| !reference.contains(&format!("`{key}`"))));
    assert!(missing.is_empty(), "not in docs/src/json.md: {missing:?}");
}

#[test]
fn every_option_is_documented() {
    let (folder, chapter) = (playground(), read("docs/src/commands.md"));
    let commands = "check explore info simulate graph query convert fmt lint mcc completions man";
    for command in commands.split(' ') {
        assert!(chapter.contains(&format!("## `{command}`\n")), "no section for {command}");
        let (help, _) = sweepnet(folder.path(), &[command.to_owned(), "--help".to_owned()]);
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '-';
        for option in help.split(|c| !is_part(c)).filter(|word| word.starts_with("--") && word.len() > 2) {
            assert!(chapter.contains(&format!("`{option}")), "{command} {option} is not in the chapter");
        }
    }
}

/// The anchor that a heading gets: small letters, blanks as hyphens, no other signs.
fn anchor(heading: &str) -> String {
    let kept = heading.to_lowercase().replace(' ', "-");
    kept.chars().filter(|c| c.is_alphanumeric() || matches!(c, '-' | '_')).collect()
}

#[test]
fn links_lead_somewhere() {
    for path in documents() {
        let text = fs::read_to_string(&path).unwrap();
        let links = text.split("](").skip(1).filter_map(|rest| rest.split(')').next());
        for link in links.filter(|link| !link.contains("://") && !link.contains(' ')) {
            let (file, fragment) = link.split_once('#').unwrap_or((link, ""));
            let target = if file.is_empty() { path.clone() } else { path.parent().unwrap().join(file) };
            assert!(target.exists(), "{}: {link} leads nowhere", path.display());
            if !fragment.is_empty() {
                let text = fs::read_to_string(target).unwrap();
                let mut headings = text.lines().filter(|line| line.starts_with('#'));
                let found = headings.any(|line| anchor(line.trim_start_matches(['#', ' '])) == fragment);
                assert!(found, "{}: {link} leads to no heading", path.display());
            }
        }
    }
}
