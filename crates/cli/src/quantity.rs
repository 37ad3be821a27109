//! Sizes, durations and large numbers, as people write and read them.

use std::time::Duration;

pub use sweepnet_space::digits::grouped;

/// Reads a size in bytes: `512M`, `2G`, `1.5GiB`, `1000000`. Units are powers of 1024.
pub fn parse_bytes(text: &str) -> Result<u64, String> {
    let (number, unit) = split(text);
    if number.is_empty() {
        return Err("expected a number with an optional unit, as in 512M or 2G".to_owned());
    }
    let unit = unit.trim_end_matches("iB").trim_end_matches(['b', 'B']);
    let shift = match unit {
        "" => 0,
        "k" | "K" => 10,
        "m" | "M" => 20,
        "g" | "G" => 30,
        "t" | "T" => 40,
        _ => return Err(format!("'{unit}' is not a unit of memory; use K, M, G or T, as in 512M")),
    };
    scaled(number, (1u64 << shift) as f64).map_err(|why| format!("{why} (512M and 2G are examples)"))
}

/// Reads a time: `90`, `90s`, `10m`, `1.5h`, `500ms`.
pub fn parse_duration(text: &str) -> Result<Duration, String> {
    let (number, unit) = split(text);
    if number.is_empty() {
        return Err("expected a number with an optional unit, as in 90s or 10m".to_owned());
    }
    let milliseconds = match unit {
        "ms" => 1.0,
        "" | "s" => 1e3,
        "m" | "min" => 60e3,
        "h" => 3_600e3,
        "d" => 86_400e3,
        _ => return Err(format!("'{unit}' is not a unit of time; use ms, s, m, h or d, as in 10m")),
    };
    match scaled(number, milliseconds).map_err(|why| format!("{why} (90s and 10m are examples)"))? {
        0 => Err("it must be at least 1ms".to_owned()),
        milliseconds => Ok(Duration::from_millis(milliseconds)),
    }
}

/// Reads a number: `1000000`, `1_000_000`, `1,000,000`, `10M`, `1e6`.
pub fn parse_count(text: &str) -> Result<u64, String> {
    let plain: String = text.chars().filter(|c| !matches!(c, '_' | ',' | '\'')).collect();
    if let Ok(number) = plain.parse() {
        return Ok(number);
    }
    let (number, unit) = split(&plain);
    let factor = match unit {
        "k" | "K" => 1e3,
        "m" | "M" => 1e6,
        "g" | "G" => 1e9,
        "" => 1.0,
        _ => match plain.parse::<f64>() {
            Ok(value) if value >= 0.0 && value.fract() == 0.0 => return scaled(&plain, 1.0),
            _ => return Err(format!("'{text}' is not a number")),
        },
    };
    scaled(number, factor)
}

fn split(text: &str) -> (&str, &str) {
    let text = text.trim();
    let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
    (&text[..end], text[end..].trim())
}

fn scaled(number: &str, factor: f64) -> Result<u64, String> {
    if factor == 1.0
        && let Ok(exact) = number.parse()
    {
        return Ok(exact);
    }
    let value: f64 = number.parse().map_err(|_| "expected a number with an optional unit".to_owned())?;
    let scaled = value * factor;
    if scaled.is_finite() && (0.0..=u64::MAX as f64).contains(&scaled) {
        Ok(scaled as u64)
    } else {
        Err("the number is too large".to_owned())
    }
}

/// Reads a number as [`parse_count`] does, and refuses 0.
pub fn parse_positive(text: &str) -> Result<u64, String> {
    match parse_count(text)? {
        0 => Err("it must be at least 1".to_owned()),
        count => Ok(count),
    }
}

/// Reads a number of threads.
pub fn parse_threads(text: &str) -> Result<usize, String> {
    match text.parse() {
        Ok(threads @ 1..=256) => Ok(threads),
        _ => Err("it must be a number from 1 to 256".to_owned()),
    }
}

/// `1 state`, `2 states`, `1,000 states`.
pub fn counted(number: u64, what: &str) -> String {
    format!("{} {what}{}", grouped(number), if number == 1 { "" } else { "s" })
}

/// Bytes for people: `27.0 MB`, in powers of 1024, as [`parse_bytes`] reads them.
pub fn bytes(number: u64) -> String {
    let units = ["B", "KB", "MB", "GB", "TB"];
    let mut value = number as f64;
    let mut unit = 0;
    while value >= 1024.0 && unit + 1 < units.len() {
        value /= 1024.0;
        unit += 1;
    }
    if unit == 0 { format!("{number} B") } else { format!("{value:.1} {}", units[unit]) }
}

/// A time for people: `0.42 s`, `3 min 20 s`.
pub fn duration(time: Duration) -> String {
    let seconds = time.as_secs_f64();
    match time.as_secs() {
        _ if seconds < 1e-4 => "under 0.1 ms".to_owned(),
        _ if seconds < 0.01 => format!("{:.1} ms", seconds * 1e3),
        0..10 => format!("{seconds:.2} s"),
        10..120 => format!("{seconds:.1} s"),
        whole @ 120..7_200 => format!("{} min {} s", whole / 60, whole % 60),
        whole => format!("{} h {} min", whole / 3_600, whole / 60 % 60),
    }
}

/// States per second, for people: `2.4 M states/s`.
pub fn rate(per_second: f64) -> String {
    match per_second {
        r if r >= 1e6 => format!("{:.1} M states/s", r / 1e6),
        r if r >= 1e4 => format!("{:.0} k states/s", r / 1e3),
        r => format!("{r:.0} states/s"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_as_people_write_them() {
        assert_eq!(parse_bytes("2G"), Ok(2 << 30));
        assert_eq!(parse_bytes("1.5 GiB"), Ok(3 << 29));
        assert_eq!(parse_bytes("512MB"), Ok(512 << 20));
        assert_eq!(parse_bytes("18446744073709551615"), Ok(u64::MAX));
        assert!(parse_bytes("2 parsecs").is_err());
        assert!(parse_bytes("").is_err());
        assert!(parse_bytes("-3G").is_err());
        assert!(parse_bytes("99999999999T").is_err());
    }

    #[test]
    fn times_are_read_as_people_write_them() {
        assert_eq!(parse_duration("10m"), Ok(Duration::from_secs(600)));
        assert_eq!(parse_duration("1.5h"), Ok(Duration::from_secs(5_400)));
        assert_eq!(parse_duration("90"), Ok(Duration::from_secs(90)));
        assert_eq!(parse_duration("500ms"), Ok(Duration::from_millis(500)));
        assert!(parse_duration("soon").is_err());
    }

    #[test]
    fn counts_are_read_as_people_write_them() {
        assert_eq!(parse_count("1,000,000"), Ok(1_000_000));
        assert_eq!(parse_count("10M"), Ok(10_000_000));
        assert_eq!(parse_count("1e6"), Ok(1_000_000));
        assert!(parse_count("many").is_err());
        assert!(parse_count("-1").is_err());
    }

    #[test]
    fn threads_are_a_few() {
        assert_eq!(parse_threads("1"), Ok(1));
        assert_eq!(parse_threads("256"), Ok(256));
        for text in ["0", "257", "-1", "two", ""] {
            assert!(parse_threads(text).is_err(), "{text}");
        }
    }

    #[test]
    fn bytes_have_units() {
        assert_eq!(bytes(27 << 20), "27.0 MB");
        assert_eq!(bytes(1023), "1023 B");
    }
}
