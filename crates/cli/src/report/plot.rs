//! A drawing of a sweep: how many states each progress value had, as SVG.

use std::io::{self, Write};

use sweepnet_space::report::Point;
use sweepnet_space::{Report, Swept};

use super::sweep::value;
use crate::args::Exploring;
use crate::failure::Failure;
use crate::output::Draft;
use crate::quantity::grouped;

const WIDTH: f64 = 960.0;
const HEIGHT: f64 = 420.0;
const LEFT: f64 = 90.0;
const RIGHT: f64 = 20.0;
const TOP: f64 = 60.0;
const BOTTOM: f64 = 60.0;

/// A curve: its name, its colour, and what it shows of a point.
type Curve = (&'static str, &'static str, fn(&Point) -> u64);

const CURVES: [Curve; 3] = [
    ("kept at most", "#0072b2", |point| point.kept),
    ("explored", "#e69f00", |point| point.explored),
    ("kept for ever", "#d55e00", |point| point.persistent),
];

/// Draws the sweep of a report where the arguments ask for it.
pub fn draw(exploring: &Exploring, model: &str, report: &Report) -> Result<(), Failure> {
    if let (Some(path), Some(swept)) = (&exploring.plot, &report.swept) {
        let mut draft = Draft::new(path)?;
        write(&mut draft, model, swept)?;
        draft.finish()?;
    }
    Ok(())
}

/// Writes the drawing. Sweeps follow each other from left to right.
fn write(out: &mut impl Write, model: &str, swept: &Swept) -> io::Result<()> {
    let points = &swept.profile;
    let most = points.iter().flat_map(|point| CURVES.map(|(_, _, of)| of(point))).max().unwrap_or(0).max(1);
    let x =
        |at: usize| LEFT + (WIDTH - LEFT - RIGHT) * at as f64 / points.len().max(2).saturating_sub(1) as f64;
    let y = |count: u64| TOP + (HEIGHT - TOP - BOTTOM) * (1.0 - count as f64 / most as f64);
    writeln!(
        out,
        r#"<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="13">"#
    )?;
    writeln!(out, r#"<rect width="100%" height="100%" fill="white"/>"#)?;
    let title = format!("{model}: states by progress {}", swept.measure);
    let title: String = title.chars().take(120).collect();
    writeln!(out, r#"<text x="{LEFT}" y="24" font-size="16">{}</text>"#, escaped(&title))?;
    for quarter in 0..=4_u64 {
        let count = most / 4 * quarter + most % 4 * quarter / 4;
        let (y, right) = (y(count), WIDTH - RIGHT);
        writeln!(out, r##"<line x1="{LEFT}" y1="{y:.1}" x2="{right}" y2="{y:.1}" stroke="#ddd"/>"##)?;
        let (x, below) = (LEFT - 8.0, y + 4.0);
        writeln!(out, r#"<text x="{x}" y="{below:.1}" text-anchor="end">{}</text>"#, grouped(count))?;
    }
    let shown = points.len().div_ceil(8).max(1);
    for (at, point) in points.iter().enumerate().step_by(shown) {
        let (x, y) = (x(at), HEIGHT - BOTTOM + 20.0);
        writeln!(out, r#"<text x="{x:.1}" y="{y}" text-anchor="middle">{}</text>"#, value(&point.value))?;
    }
    for at in 1..points.len() {
        if points[at].sweep != points[at - 1].sweep {
            let (x, bottom) = (x(at), HEIGHT - BOTTOM);
            writeln!(
                out,
                r##"<line x1="{x:.1}" y1="{TOP}" x2="{x:.1}" y2="{bottom}" stroke="#999" stroke-dasharray="3 3"/>"##
            )?;
        }
    }
    for (number, (name, colour, of)) in CURVES.iter().enumerate() {
        let line: Vec<String> = points
            .iter()
            .enumerate()
            .map(|(at, point)| format!("{:.1},{:.1}", x(at), y(of(point))))
            .collect();
        let line = line.join(" ");
        writeln!(out, r#"<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="1.6"/>"#)?;
        let x = LEFT + 140.0 * number as f64;
        writeln!(out, r#"<rect x="{x}" y="34" width="12" height="12" fill="{colour}"/>"#)?;
        writeln!(out, r#"<text x="{}" y="45">{name}</text>"#, x + 18.0)?;
    }
    let (middle, bottom) = ((LEFT + WIDTH) / 2.0, HEIGHT - 14.0);
    writeln!(
        out,
        r#"<text x="{middle}" y="{bottom}" text-anchor="middle">progress; dashed lines: a sweep begins anew</text>"#
    )?;
    writeln!(out, "</svg>")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}
