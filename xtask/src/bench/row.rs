//! The measurements of a net with so many threads: ours, and the naive twin's if it ran.

use std::path::Path;

use serde_json::{Value, json};

use super::subjects::Rival;
use super::{Figures, How};

/// A row of the table.
#[derive(Clone, Debug)]
pub struct Row {
    /// The net's name.
    pub net: String,
    /// Threads that explored it.
    pub threads: usize,
    /// How it was explored.
    pub how: How,
    /// Whether two threads are promised to be faster than one.
    pub scales: bool,
    /// Our figures.
    pub ours: Figures,
    /// The twin's.
    pub naive: Option<Figures>,
    /// The smaller net on which the twin was measured instead, and our figures there.
    pub smaller: Option<(String, Figures)>,
    /// What another tool needed for it.
    pub rival: Option<Rival>,
}

impl Row {
    /// How many times as much of something the twin took, on the same net.
    pub fn ratio(&self, name: &str) -> Option<f64> {
        let ours = self.smaller.as_ref().map_or(&self.ours, |(_, figures)| figures);
        ratio(self.naive.as_ref()?, ours, name)
    }

    /// For the file.
    pub fn to_json(&self) -> Value {
        json!({
            "net": self.net,
            "threads": self.threads,
            "how": self.how.to_json(),
            "ours": self.ours.to_json(),
            "naive": self.naive.as_ref().map(Figures::to_json),
            "naive_net": self.smaller.as_ref().map(|(net, _)| net),
            "ours_on_naive_net": self.smaller.as_ref().map(|(_, figures)| figures.to_json()),
            "naive_cpu_ratio": self.ratio("cpu_seconds"),
        })
    }
}

/// How many times as much of something one has as the other.
pub fn ratio(one: &Figures, other: &Figures, name: &str) -> Option<f64> {
    Some(one.get(name)? / other.get(name)?)
}

/// A row of a file. How it was explored is there for people to read.
#[derive(Clone, Debug)]
pub struct Earlier {
    /// The net's name.
    pub net: String,
    /// Threads that explored it.
    pub threads: usize,
    /// Our figures.
    pub ours: Figures,
    /// The twin's.
    pub naive: Option<Figures>,
}

/// The rows of a file.
pub fn read(path: &Path) -> Result<Vec<Earlier>, String> {
    let told = |error: &dyn std::fmt::Display| format!("{}: {error}", path.display());
    let text = std::fs::read_to_string(path).map_err(|error| told(&error))?;
    let document: Value = serde_json::from_str(&text).map_err(|error| told(&error))?;
    let rows = document["rows"].as_array().ok_or_else(|| told(&"there are no rows"))?;
    let row = |row: &Value| {
        Some(Earlier {
            net: row["net"].as_str()?.to_owned(),
            threads: usize::try_from(row["threads"].as_u64()?).ok()?,
            ours: Figures::from_json(&row["ours"])?,
            naive: Figures::from_json(&row["naive"]),
        })
    };
    rows.iter().map(|each| row(each).ok_or_else(|| told(&format!("not a row: {each}")))).collect()
}
