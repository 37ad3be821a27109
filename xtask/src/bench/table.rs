//! Rows as people read them.

use sweepnet_space::digits::grouped;

use super::Row;
use super::subjects::Rival;

/// In which form.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Table {
    /// Aligned, for a terminal.
    Text,
    /// Markdown, for a document.
    Markdown,
}

/// A column: its heading, its width, and what stands there.
struct Column {
    heading: &'static str,
    width: usize,
    cell: fn(&Row) -> Option<String>,
}

const fn column(heading: &'static str, width: usize, cell: fn(&Row) -> Option<String>) -> Column {
    Column { heading, width, cell }
}

/// All columns after the first, which has the net's name.
const COLUMNS: &[Column] = &[
    column("threads", 7, |row| Some(row.threads.to_string())),
    column("states", 11, |row| ours(row, "states", thousands)),
    column("arcs", 13, |row| ours(row, "arcs", thousands)),
    column("unfolding s", 11, |row| ours(row, "unfolding_cpu_seconds", seconds)),
    column("CPU s", 8, |row| ours(row, "cpu_seconds", seconds)),
    column("wall s", 8, |row| ours(row, "wall_seconds", seconds)),
    column("states/CPU s", 12, |row| ours(row, "states_per_cpu_second", thousands)),
    column("bits/state", 10, |row| ours(row, "bits_per_state", tenths)),
    column("of it tables", 12, |row| ours(row, "table_bits_per_state", tenths)),
    column("log2(S/R)", 9, |row| ours(row, "log2_slack", tenths)),
    column("peak MB", 8, |row| ours(row, "peak_resident_bytes", |bytes| tenths(bytes / 1e6))),
    column("peak/store", 10, |row| ours(row, "peak_per_store", tenths)),
    column("naive CPU", 9, |row| row.ratio("cpu_seconds").map(times)),
    column("naive peak", 10, |row| row.ratio("peak_resident_bytes").map(times)),
    column("naive on", 20, |row| row.smaller.as_ref().map(|(net, _)| net.clone())),
];

/// Of the names.
const NAME: usize = 26;

impl Table {
    /// Prints the headings.
    pub fn print_headings(self) {
        println!("{}", self.line("net", |column| column.heading.to_owned()));
        if self == Self::Markdown {
            println!("| --- |{}", " ---: |".repeat(COLUMNS.len()));
        }
    }

    /// Prints a row. What is not known is a dash.
    pub fn print(self, row: &Row) {
        println!("{}", self.line(&row.net, |column| (column.cell)(row).unwrap_or_else(|| "-".to_owned())));
    }

    /// Prints what other tools needed for nets of these rows.
    pub fn print_notes(self, rows: &[Row]) {
        let rivals = rows.iter().filter_map(|row| Some((row, row.rival?)));
        for (i, (row, Rival { seconds, bytes })) in rivals.enumerate() {
            if i == 0 {
                println!();
            }
            println!(
                "{}: Helena's depth-first search, as published, {seconds} CPU s, {bytes} bytes/state",
                row.net
            );
        }
    }

    fn line(self, first: &str, cell: impl Fn(&Column) -> String) -> String {
        match self {
            Self::Text => COLUMNS.iter().fold(format!("{first:<NAME$}"), |line, column| {
                format!("{line} {:>1$}", cell(column), column.width)
            }),
            Self::Markdown => COLUMNS
                .iter()
                .fold(format!("| {first} |"), |line, column| format!("{line} {} |", cell(column))),
        }
    }
}

fn ours(row: &Row, name: &str, form: fn(f64) -> String) -> Option<String> {
    row.ours.get(name).map(form)
}

fn seconds(number: f64) -> String {
    if number < 1.0 { format!("{number:.3}") } else { format!("{number:.2}") }
}

fn tenths(number: f64) -> String {
    format!("{number:.1}")
}

fn times(number: f64) -> String {
    format!("{number:.1}x")
}

/// A whole number with commas.
fn thousands(number: f64) -> String {
    grouped(number.round() as i64)
}
