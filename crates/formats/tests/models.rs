//! Files of other tools, and the nets of the Model Checking Contest: all are read, with the counts that others
//! found. What coloured ones hold is in `symmetric.rs`.

mod common;

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::BufReader;
use std::path::{Path, PathBuf};

use common::{models, read_bytes};
use sweepnet_formats::{Document, ErrorKind, Format, Model, Options, ReadError, read, write};
use sweepnet_net::Net;

fn read_file(path: &Path) -> Result<Document, ReadError> {
    let file = File::open(path).expect("a file");
    read(BufReader::new(file), Format::from_path(path).expect("a known extension"), &Options::default())
}

/// Lines of a table, by instance; each with its named columns.
fn table(path: &Path) -> HashMap<String, HashMap<String, String>> {
    let text = fs::read_to_string(path).expect("a table");
    let mut lines = text.lines().map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>());
    let names = lines.next().expect("a heading");
    lines.map(|line| (line[0].clone(), names.iter().cloned().zip(line).collect())).collect()
}

/// Written in every format that can hold it, the net comes back.
fn comes_back(net: &Net, path: &Path) {
    for format in [Format::Pnml, Format::Tina, Format::Lola] {
        let mut written = Vec::new();
        let Ok(warnings) = write(net, format, &mut written) else { continue };
        let again = read_bytes(format, &written).expect("what was written can be read");
        assert_eq!(again.warnings, [], "{}", path.display());
        let again = again.into_plain().expect("the same kind of net");
        let same = again == *net;
        assert!(same || !warnings.is_empty() || format == Format::Lola, "{} in {format}", path.display());
        assert_eq!(again.initial_marking(), net.initial_marking());
        assert_eq!(again.inputs().len(), net.inputs().len());
    }
}

#[test]
fn the_contest() {
    let Some(models) = models() else { return };
    let answers = table(&models.join("mcc/answers.csv"));
    let mut plain = 0;
    for (instance, answer) in &answers {
        let path = models.join("mcc").join(instance).join("model.pnml");
        if !path.exists() {
            continue;
        }
        let document = match (read_file(&path), answer["format"].as_str()) {
            (Ok(document), "PNML P/T") => document,
            (Ok(document), "PNML symmetric") => {
                assert!(matches!(document.model, Model::Coloured(_)), "{instance}");
                continue;
            }
            (result, kind) => panic!("{instance}, {kind}: {:?}", result.map(|document| document.warnings)),
        };
        let warnings = document.warnings;
        let net = document.model.into_plain().expect("a place/transition net");
        let counts = [net.places().len(), net.transitions().len(), net.arc_count()].map(|n| n.to_string());
        let expected = ["places", "transitions", "arcs_in_net"].map(|column| answer[column].clone());
        assert_eq!(counts, expected, "{instance}");
        assert_eq!(warnings, [], "{instance}");
        comes_back(&net, &path);
        plain += 1;
    }
    println!("{plain} place/transition nets read");
    assert!(plain > 0);
}

#[test]
fn business_processes() {
    let Some(models) = models() else { return };
    for (instance, answer) in table(&models.join("formats/workflow/answers.csv")) {
        let path = models.join("formats/workflow").join(format!("{instance}.pnml"));
        if !path.exists() {
            continue;
        }
        let net = read_file(&path).expect("a net").into_plain().expect("a place/transition net");
        let counts = [net.places().len(), net.transitions().len()].map(|n| n.to_string());
        assert_eq!(counts, ["places", "transitions"].map(|column| answer[column].clone()), "{instance}");
        comes_back(&net, &path);
    }
}

#[test]
fn files_of_other_tools() {
    let Some(models) = models() else { return };
    for folder in ["pnml", "tina", "lola"] {
        let entries = fs::read_dir(models.join("formats").join(folder)).expect("a folder");
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
        paths.sort();
        for path in paths.iter().filter(|path| Format::from_path(path).is_some()) {
            match read_file(path) {
                Ok(document) => {
                    if let Model::Plain(net) = document.model {
                        comes_back(&net, path);
                    }
                }
                Err(error) if matches!(error.kind, ErrorKind::Coloured(_)) => {}
                // It has a dot on a place for pairs.
                Err(_) if path.ends_with("pnmlframework-SharedMemory.pnml") => {}
                Err(error) => panic!("{}: {error}", path.display()),
            }
        }
    }
}

/// The same net in two formats, both from other tools.
#[test]
fn kanban_is_the_same_net_in_lola_and_tina() {
    let Some(models) = models() else { return };
    let lola =
        read_file(&models.join("formats/lola/Kanban5.pnml.lola")).expect("a net").into_plain().unwrap();
    let tina = read_file(&models.join("formats/tina/Kanban-00005.net")).expect("a net").into_plain().unwrap();
    assert_eq!((lola.places().len(), lola.transitions().len()), (16, 16));
    assert_eq!((tina.places().len(), tina.transitions().len(), tina.arc_count()), (16, 16, 40));
    assert_eq!(lola.arc_count(), 40);
    assert_eq!(lola.initial_marking().total(), tina.initial_marking().total());
}
