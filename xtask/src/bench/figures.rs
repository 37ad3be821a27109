//! Named numbers: what one measurement gave. They go from child to parent and into files as they are, so that
//! a new figure needs a line where it is made and, if it is to be printed, one in the table's columns.

use serde_json::{Map, Value};
use sweepnet_space::Report;
use sweepnet_space::coloured::ColouredReport;

/// Numbers with names, in order. What does not apply has none.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figures(Map<String, Value>);

impl Figures {
    /// Those of an exploration: all that the library tells of it.
    pub fn of(report: &Report) -> Self {
        let states = report.states as f64;
        let table_bytes = report.table_bytes as f64;
        let log2_space = report.components.as_ref().map(|components| components.log2_ranks);
        let mut figures = Self::default();
        figures
            .set("states", states)
            .set("arcs", report.counts.arcs as f64)
            .set("key_bits", report.key_bits as f64)
            .set("store_bytes", report.store_bytes as f64)
            .set("table_bytes", table_bytes)
            .set("search_bytes", report.search_bytes as f64)
            .set("bits_per_state", (report.store_bytes as f64 + table_bytes) * 8.0 / states)
            .set("table_bits_per_state", table_bytes * 8.0 / states);
        if let Some(log2_space) = log2_space {
            figures.set("log2_slack", log2_space - states.log2());
        }
        figures
    }

    /// Those of an exploration on coloured markings.
    pub fn of_coloured(report: &ColouredReport) -> Self {
        let states = report.states as f64;
        let mut figures = Self::default();
        figures
            .set("states", states)
            .set("arcs", report.counts.arcs as f64)
            .set("store_bytes", report.store_bytes as f64)
            .set("search_bytes", report.search_bytes as f64)
            .set("bits_per_state", report.store_bytes as f64 * 8.0 / states)
            .set("encoded_bits_per_state", report.state_bytes as f64 * 8.0 / states);
        figures
    }

    /// A number under a name.
    pub fn set(&mut self, name: &str, number: f64) -> &mut Self {
        // Whole numbers are written as such.
        let whole = number.fract() == 0.0 && number.abs() < 9e15;
        let value = if whole { Value::from(number as i64) } else { Value::from(number) };
        self.0.insert(name.to_owned(), value);
        self
    }

    /// The number under a name.
    pub fn get(&self, name: &str) -> Option<f64> {
        self.0.get(name)?.as_f64()
    }

    /// As JSON.
    pub fn to_json(&self) -> Value {
        Value::Object(self.0.clone())
    }

    /// From JSON.
    pub fn from_json(value: &Value) -> Option<Self> {
        value.as_object().cloned().map(Self)
    }

    /// From the text of JSON.
    pub fn parse(text: &str) -> Result<Self, String> {
        let value: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
        Self::from_json(&value).ok_or_else(|| format!("not an object: {text}"))
    }
}
