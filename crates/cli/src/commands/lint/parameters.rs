//! Definitions in terms of parameters: `(N - #p)'()` and not `(4 - #p)'()`, if 4 is what N happens to be.
//!
//! Which parameters a number comes from is found out by looking at the model with other values of them: one parameter
//! larger by 1 and by 2, the others as they are, and all of them larger by 1. A number that follows as a linear
//! expression is written as that; if a definition has another form with other values, it stays as it is.

use sweepnet_language::Setting;

use super::Hint;

/// Hints with parameters where numbers stood. `with` gives the hints with other values, if there is such a model.
pub fn named(
    hints: Vec<Hint>,
    parameters: &[(&str, Setting)],
    with: impl Fn(&[(String, Setting)]) -> Option<Vec<Hint>>,
) -> Vec<Hint> {
    let integers: Vec<usize> =
        (0..parameters.len()).filter(|at| matches!(parameters[*at].1, Setting::Integer(_))).collect();
    let has_numbers = hints.iter().any(|(_, text)| split(text).iter().any(|part| part.number().is_some()));
    if integers.is_empty() || !has_numbers {
        return hints;
    }
    let larger = |which: &[usize], by: i64| {
        let value = |(at, (name, value)): (usize, &(&str, Setting))| match value {
            Setting::Integer(number) if which.contains(&at) => {
                Some(((*name).to_owned(), Setting::Integer(number.checked_add(by)?)))
            }
            value => Some(((*name).to_owned(), *value)),
        };
        with(&parameters.iter().enumerate().map(value).collect::<Option<Vec<_>>>()?)
    };
    let each: Option<Vec<_>> =
        integers.iter().map(|at| Some([larger(&[*at], 1)?, larger(&[*at], 2)?])).collect();
    let (Some(each), Some(all)) = (each, larger(&integers, 1)) else { return hints };
    let known: Vec<(&str, i64)> = integers
        .iter()
        .filter_map(|at| match parameters[*at] {
            (name, Setting::Integer(value)) => Some((name, value)),
            _ => None,
        })
        .collect();
    hints.into_iter().map(|hint| in_terms_of(&known, &hint, &each, &all).unwrap_or(hint)).collect()
}

/// A hint in terms of parameters, if its numbers are linear in them.
fn in_terms_of(
    parameters: &[(&str, i64)],
    hint: &Hint,
    each: &[[Vec<Hint>; 2]],
    all: &[Hint],
) -> Option<Hint> {
    let (place, text) = hint;
    let parts = split(text);
    let now = numbers(&parts);
    let then = |hints: &[Hint]| {
        let (_, text) = hints.iter().find(|(other, _)| other == place)?;
        let others = split(text);
        let same_form = others.len() == parts.len()
            && others.iter().zip(&parts).all(|(a, b)| a == b || a.number().is_some() && b.number().is_some());
        same_form.then(|| numbers(&others))
    };
    let mut slopes: Vec<Vec<i64>> = Vec::new();
    for [by_one, by_two] in each {
        let (one, two) = (then(by_one)?, then(by_two)?);
        let slope: Vec<i64> = one.iter().zip(&now).map(|(one, now)| one - now).collect();
        let is_linear = (0..now.len()).all(|at| two[at] - now[at] == 2 * slope[at]);
        is_linear.then(|| slopes.push(slope))?;
    }
    let together = then(all)?;
    let sum = |at: usize| slopes.iter().map(|slope| slope[at]).sum::<i64>();
    (0..now.len()).all(|at| together[at] - now[at] == sum(at)).then_some(())?;
    let (mut written, mut at) = (String::new(), 0);
    for (position, part) in parts.iter().enumerate() {
        let Some(number) = part.number() else {
            written.push_str(part.0);
            continue;
        };
        let factors: Vec<(&str, i64, i64)> =
            parameters.iter().zip(&slopes).map(|((name, value), slope)| (*name, *value, slope[at])).collect();
        let (expression, is_sum) = linear(&factors, number);
        // The first of a difference in parentheses is a sum of its own.
        let is_first =
            position == 1 && parts[0].0 == "(" && parts.get(2).is_some_and(|next| next.0.starts_with(" - "));
        match is_sum && !is_first {
            true => written.push_str(&format!("({expression})")),
            false => written.push_str(&expression),
        }
        at += 1;
    }
    Some((place.clone(), written))
}

/// A number as a linear expression over parameters, and whether that is a sum.
fn linear(parameters: &[(&str, i64, i64)], number: i64) -> (String, bool) {
    let mut rest = number;
    let mut written = String::new();
    let mut terms = 0;
    for (name, value, factor) in parameters.iter().filter(|(_, _, factor)| *factor != 0) {
        rest -= value * factor;
        let size = if factor.abs() == 1 { (*name).to_owned() } else { format!("{} * {name}", factor.abs()) };
        written.push_str(match (written.is_empty(), *factor < 0) {
            (true, false) => "",
            (true, true) => "0 - ",
            (false, false) => " + ",
            (false, true) => " - ",
        });
        written.push_str(&size);
        terms += 1 + usize::from(factor.abs() > 1 || *factor < 0);
    }
    match (written.is_empty(), rest) {
        (true, rest) => return (rest.to_string(), false),
        (false, 0) => {}
        (false, rest) if rest < 0 => written.push_str(&format!(" - {}", -rest)),
        (false, rest) => written.push_str(&format!(" + {rest}")),
    }
    (written, terms + usize::from(rest != 0) > 1)
}

/// A piece of a definition: a number, or what stands between numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Piece<'a>(&'a str);

impl Piece<'_> {
    fn number(&self) -> Option<i64> {
        self.0.parse().ok()
    }
}

fn numbers(pieces: &[Piece<'_>]) -> Vec<i64> {
    pieces.iter().filter_map(Piece::number).collect()
}

/// The pieces of a definition. Digits in names are no numbers.
fn split(text: &str) -> Vec<Piece<'_>> {
    let (mut pieces, mut from, mut at) = (Vec::new(), 0, 0);
    let bytes = text.as_bytes();
    let end_of = |mut at: usize, is_part: &dyn Fn(u8) -> bool| {
        while bytes.get(at).is_some_and(|byte| is_part(*byte)) {
            at += 1;
        }
        at
    };
    while at < bytes.len() {
        let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii();
        if bytes[at].is_ascii_digit() {
            let end = end_of(at, &|byte| byte.is_ascii_digit());
            pieces.extend([&text[from..at], &text[at..end]].map(Piece));
            (from, at) = (end, end);
        } else if is_word(bytes[at]) {
            at = end_of(at, &is_word);
        } else {
            at += 1;
        }
    }
    pieces.push(Piece(&text[from..]));
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_told_from_names() {
        let pieces: Vec<&str> = split("(12 - 2 * #p2)'()").iter().map(|piece| piece.0).collect();
        assert_eq!(pieces, ["(", "12", " - ", "2", " * #p2)'()"]);
    }

    #[test]
    fn a_number_is_written_in_parameters() {
        assert_eq!(linear(&[("N", 4, 1)], 4), ("N".to_owned(), false));
        assert_eq!(linear(&[("N", 4, 2), ("K", 3, 0)], 7), ("2 * N - 1".to_owned(), true));
        assert_eq!(linear(&[("N", 4, -1), ("K", 3, 1)], 0), ("0 - N + K + 1".to_owned(), true));
        assert_eq!(linear(&[("N", 4, 0)], 7), ("7".to_owned(), false));
    }
}
