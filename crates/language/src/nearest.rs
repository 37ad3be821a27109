//! Near names, to suggest where a name errs.

/// Suggestions for one name.
pub const SUGGESTIONS: usize = 3;

/// The candidates nearest to a name, within a distance at which a slip of the finger is likelier than another
/// name. The edit distance is computed only where length and letters allow it to be small.
pub fn nearest<'a>(name: &str, candidates: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    // Nobody mistypes a name of this length, and distances are quadratic.
    if name.len() > 200 {
        return Vec::new();
    }
    let allowed = (name.chars().count() / 3).clamp(1, 3);
    let letters = histogram(name);
    let mut found: Vec<(usize, &str)> = Vec::new();
    for candidate in candidates {
        let worst = match found.len() {
            SUGGESTIONS => found[SUGGESTIONS - 1].0,
            _ => allowed + 1,
        };
        let unlike = candidate.len().abs_diff(name.len()) > 4 * allowed
            || letters.iter().zip(histogram(candidate)).map(|(a, b)| a.abs_diff(b) as usize).sum::<usize>()
                > 8 * allowed;
        let distance = match unlike {
            true if !candidate.eq_ignore_ascii_case(name) => continue,
            _ if candidate.eq_ignore_ascii_case(name) => 0,
            _ => strsim::osa_distance(name, candidate),
        };
        if distance < worst && !found.iter().any(|(_, other)| *other == candidate) {
            let at = found.partition_point(|(d, _)| *d <= distance);
            found.insert(at, (distance, candidate));
            found.truncate(SUGGESTIONS);
        }
    }
    found.into_iter().map(|(_, candidate)| candidate.to_owned()).collect()
}

/// How often each byte occurs, modulo 32: one edited character changes at most eight of these counts by one.
fn histogram(name: &str) -> [u8; 32] {
    let mut counts = [0u8; 32];
    for byte in name.bytes() {
        let count = &mut counts[usize::from(byte % 32)];
        *count = count.saturating_add(1);
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn slips_of_the_finger_are_found_nearest_first() {
        assert_eq!(nearest("sent1", ["received", "sent", "went1"]), ["sent", "went1"]);
        assert_eq!(nearest("WAITING", ["waiting"]), ["waiting"]);
        assert!(nearest("p", ["performing"]).is_empty());
    }
}
