//! Large numbers as people read them.

/// A number with its digits in groups of three: `2,546,432`.
pub fn grouped(number: impl Into<i128>) -> String {
    let number: i128 = number.into();
    let digits = number.unsigned_abs().to_string();
    let mut text = String::with_capacity(digits.len() + digits.len() / 3 + 1);
    if number < 0 {
        text.push('-');
    }
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_numbers_have_commas() {
        let texts = [0, 999, 1_000, 12_440_545, -1, -123_456].map(grouped);
        assert_eq!(texts, ["0", "999", "1,000", "12,440,545", "-1", "-123,456"]);
    }
}
