//! The collection of real nets with known answers that may lie beside a checkout, in `../shared/models`.

use std::path::{Path, PathBuf};

/// The folder of the collection, if it is there; otherwise says so, for a test that then has nothing to do.
pub fn models() -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2)?;
    let models = root.parent()?.join("shared/models");
    if !models.is_dir() {
        eprintln!("skipped: there are no shared models beside this checkout");
        return None;
    }
    Some(models)
}

/// A net of the contest with known answers.
#[derive(Clone, Debug)]
pub struct Instance {
    /// Its name.
    pub name: String,
    /// The folder with its model and formulas.
    pub folder: PathBuf,
    fields: Vec<(String, String)>,
}

impl Instance {
    /// Whether it is a coloured net.
    pub fn is_coloured(&self) -> bool {
        self.name.contains("-COL-")
    }

    /// What is known under this heading, if anything.
    pub fn answer(&self, heading: &str) -> Option<&str> {
        let field = self.fields.iter().find(|(name, _)| name == heading);
        field.map(|(_, value)| value.as_str()).filter(|value| !matches!(*value, "" | "?"))
    }

    /// A number that is known under this heading.
    pub fn number(&self, heading: &str) -> Option<u128> {
        self.answer(heading)?.parse().ok()
    }

    /// The model's file.
    pub fn model(&self) -> PathBuf {
        self.folder.join("model.pnml")
    }

    /// The verdicts known for the formulas of an examination: formula id and verdict.
    pub fn expected(&self, examination: &str) -> Vec<(String, String)> {
        let text = std::fs::read_to_string(self.folder.join("expected.csv")).unwrap_or_default();
        let rows = text.lines().skip(1).map(|line| line.split(',').collect::<Vec<_>>());
        let of_it = rows.filter(|row| row.len() > 2 && row[0] == examination);
        of_it.map(|row| (row[1].to_owned(), row[2].to_owned())).collect()
    }
}

/// The nets of the contest, smallest first: place/transition nets and coloured ones.
pub fn contest() -> Vec<Instance> {
    let Some(models) = models() else { return Vec::new() };
    let table = models.join("mcc/answers.csv");
    rows(&table)
        .into_iter()
        .filter_map(|fields| {
            let name = fields.first()?.1.clone();
            let folder = models.join("mcc").join(&name);
            folder.is_dir().then_some(Instance { name, folder, fields })
        })
        .collect()
}

/// The rows of a table with headings: each a list of (heading, value).
pub fn rows(table: &Path) -> Vec<Vec<(String, String)>> {
    let text = std::fs::read_to_string(table).unwrap_or_default();
    let mut lines = text.lines();
    let headings: Vec<String> = lines.next().unwrap_or_default().split(',').map(str::to_owned).collect();
    let row = |line: &str| headings.iter().cloned().zip(line.split(',').map(str::to_owned)).collect();
    lines.map(row).collect()
}
