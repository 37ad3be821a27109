//! Attributes of a tag, text as XML means it, and what XML forbids.

use std::borrow::Cow;

use quick_xml::errors::SyntaxError;
use quick_xml::escape::EscapeError;
use quick_xml::events::BytesStart;
use quick_xml::events::attributes::AttrError;
use quick_xml::{Error as XmlError, XmlVersion};

use crate::error::clip;
use crate::{ErrorKind, Position, ReadError};

/// The values of the named attributes, trimmed. Others are not looked at.
pub(super) fn attributes<'t, const N: usize>(
    tag: &'t BytesStart<'_>,
    names: [&str; N],
    at: Position,
) -> Result<[Option<Cow<'t, str>>; N], ReadError> {
    let mut values = [const { None }; N];
    let mut keys = [const { None }; N];
    // Without the check of all attributes for duplicates, which takes quadratic time: those that count are checked.
    for attribute in tag.attributes().with_checks(false) {
        let attribute = attribute.map_err(|e| attribute_error(&e, tag, at))?;
        let key = attribute.key.local_name().into_inner();
        let Some(i) = names.iter().position(|name| *name == key) else { continue };
        if keys[i].replace(attribute.key) == Some(attribute.key) {
            let found = format!("the attribute '{}' for the second time", names[i]);
            return Err(ErrorKind::unexpected(found, "each attribute once").at(at));
        }
        let value = attribute.normalized_value(XmlVersion::Implicit1_0).map_err(|e| xml_error(&e).at(at))?;
        legal(&value).map_err(|e| e.at(at))?;
        values[i] = Some(match value {
            Cow::Borrowed(value) => Cow::Borrowed(trim(value)),
            Cow::Owned(value) => Cow::Owned(trim(&value).to_owned()),
        });
    }
    Ok(values)
}

/// Without the blanks of XML at both ends.
pub(super) fn trim(text: &str) -> &str {
    text.trim_matches([' ', '\t', '\n', '\r'])
}

/// Whether XML 1.0 may contain the character.
pub(super) fn is_legal(c: char) -> bool {
    !matches!(c, '\0'..='\u{8}' | '\u{B}' | '\u{C}' | '\u{E}'..='\u{1F}' | '\u{FFFE}' | '\u{FFFF}')
}

/// Refuses text that XML may not contain.
pub(super) fn legal(text: &str) -> Result<(), ErrorKind> {
    match text.chars().find(|c| !is_legal(*c)) {
        Some(c) => Err(ErrorKind::IllegalCharacter(u32::from(c))),
        None => Ok(()),
    }
}

/// What the XML parser complains of, in our words.
pub(super) fn xml_error(error: &XmlError) -> ErrorKind {
    use quick_xml::errors::IllFormedError as Ill;
    match error {
        XmlError::Io(e) => ErrorKind::Io(std::io::Error::new(e.kind(), e.to_string())),
        XmlError::Encoding(_) => ErrorKind::NotUtf8,
        XmlError::Escape(EscapeError::UnrecognizedEntity(_, name)) => ErrorKind::UnknownEntity(clip(name)),
        XmlError::Escape(EscapeError::UnterminatedEntity(_))
        | XmlError::IllFormed(Ill::UnclosedReference) => {
            ErrorKind::unexpected("'&' without ';'", "an entity like '&amp;'")
        }
        XmlError::IllFormed(Ill::MismatchedEndTag { expected, found }) => {
            ErrorKind::unexpected(format!("</{}>", clip(found)), format!("</{}>", clip(expected)))
        }
        XmlError::IllFormed(Ill::UnmatchedEndTag(found)) => {
            ErrorKind::unexpected(format!("</{}>", clip(found)), "a start tag, because nothing is open")
        }
        XmlError::Syntax(error) => syntax_error(*error),
        other => ErrorKind::Xml(clip_sentence(&other.to_string())),
    }
}

fn syntax_error(error: SyntaxError) -> ErrorKind {
    let (inside, expected) = match error {
        SyntaxError::InvalidBangMarkup => {
            return ErrorKind::unexpected("'<!'", "a tag or a comment: '<!-- … -->'");
        }
        SyntaxError::UnclosedPI => ("a processing instruction", "'?>'"),
        SyntaxError::UnclosedXmlDecl => ("the XML declaration", "'?>'"),
        SyntaxError::UnclosedComment => ("a comment", "'-->'"),
        SyntaxError::UnclosedDoctype => ("the document type declaration", "'>'"),
        SyntaxError::UnclosedCData => ("a CDATA section", "']]>'"),
        SyntaxError::UnclosedTag => ("a tag", "'>'"),
        SyntaxError::UnclosedSingleQuotedAttributeValue => ("the value of an attribute", "\"'\""),
        SyntaxError::UnclosedDoubleQuotedAttributeValue => ("the value of an attribute", "'\"'"),
    };
    ErrorKind::UnexpectedEnd { inside: inside.to_owned(), expected: expected.to_owned() }
}

/// What is wrong with an attribute, where it is wrong.
fn attribute_error(error: &AttrError, tag: &BytesStart<'_>, mut at: Position) -> ReadError {
    let (offset, reason) = match error {
        AttrError::ExpectedEq(i) => (*i, "an attribute without '='"),
        AttrError::ExpectedValue(i) => (*i, "an attribute without a value"),
        AttrError::UnquotedValue(i) => (*i, "a value without quotes"),
        AttrError::ExpectedQuote(i, _) => (*i, "a value without its closing quote"),
        AttrError::Duplicated(i, _) => (*i, "an attribute for the second time"),
    };
    // Offsets count from behind the '<'.
    at.advance(b"<");
    at.advance(tag.as_bytes().get(..offset).unwrap_or_default());
    ErrorKind::unexpected(reason, "attributes like id=\"p1\"").at(at)
}

/// The parser's message may quote the file at any length.
fn clip_sentence(message: &str) -> String {
    message.chars().take(200).map(|c| if c.is_control() { ' ' } else { c }).collect()
}
