//! The spellings of other tools.

use std::borrow::Cow;

use super::assembly::ArcKind;
use super::attributes::trim;
use crate::error::clip;
use crate::{ErrorKind, Position, ReadError};

/// PIPE writes counts per colour, `Default,1`; with a single colour that is a number.
pub(super) fn uncoloured(text: &str) -> Result<&str, ErrorKind> {
    match text.split_once(',') {
        None => Ok(text),
        Some((_, count)) if !count.contains(',') => Ok(trim(count)),
        Some(_) => Err(ErrorKind::Coloured(format!("'{}', a count for several colours,", clip(text)))),
    }
}

pub(super) fn required(
    value: Option<Cow<'_, str>>,
    element: &'static str,
    attribute: &'static str,
    expected: &'static str,
    at: Position,
) -> Result<String, ReadError> {
    match value {
        Some(value) if !value.is_empty() => Ok(value.into_owned()),
        _ => Err(ErrorKind::MissingAttribute { element, attribute, expected }.at(at)),
    }
}

pub(super) fn arc_kind(kind: &str, at: Position) -> Result<ArcKind, ReadError> {
    match kind {
        "normal" | "" => Ok(ArcKind::Normal),
        "read" | "test" => Ok(ArcKind::Read),
        "inhibitor" => Ok(ArcKind::Inhibitor),
        "reset" => Ok(ArcKind::Reset),
        _ => Err(ErrorKind::ArcKind(clip(kind)).at(at)),
    }
}

/// What a net says it is.
pub(super) enum NetType {
    PlaceTransition,
    Coloured,
    Unknown(String),
}

/// What a net's type URI, in one of its many spellings, says.
pub(super) fn net_type(kind: Option<&str>) -> NetType {
    let Some(kind) = kind else {
        return NetType::Unknown("the net has no type; it is read as a place/transition net".to_owned());
    };
    let lower = kind.to_ascii_lowercase();
    let last = lower.rsplit('/').next().unwrap_or_default();
    let coloured = ["symmetricnet", "highlevelnet", "hlpng", "hlnet", "coloured", "colored"];
    let plain = ["ptnet", "ptnetb", "pnmlcoremodel", "t net", "tpn", "epnml-1.1", "epnml"];
    if coloured.iter().any(|word| lower.contains(word)) {
        NetType::Coloured
    } else if plain.contains(&last) {
        NetType::PlaceTransition
    } else {
        let kind = clip(kind);
        NetType::Unknown(format!("the net type '{kind}' is not known; it is read as a place/transition net"))
    }
}
