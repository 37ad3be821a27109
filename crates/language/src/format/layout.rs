//! Texts that can be broken into lines.
//!
//! A small version of the pretty printer of Wadler ("A prettier printer", 2003): a group stands on one line
//! if there is room for it, else all its own line breaks are taken. Each document knows its width, so that
//! layout takes one pass.

/// The longest line, where it can be helped.
pub(super) const WIDTH: usize = 100;

/// Columns of one step of indentation.
pub(super) const INDENT: usize = 2;

/// A text that can be broken into lines.
pub(super) struct Doc {
    /// Columns on one line.
    width: usize,
    kind: Kind,
}

enum Kind {
    Text(String),
    /// A line break, or else these columns of space.
    Break,
    Concat(Vec<Doc>),
    /// Line breaks in it are indented.
    Nest(Box<Doc>),
    /// Its line breaks are taken together or not at all.
    Group(Box<Doc>),
}

/// A text that stands on one line.
pub(super) fn text(text: impl Into<String>) -> Doc {
    let text = text.into();
    Doc { width: text.chars().count(), kind: Kind::Text(text) }
}

/// A space or a line break.
pub(super) fn line() -> Doc {
    Doc { width: 1, kind: Kind::Break }
}

/// Nothing or a line break.
fn soft() -> Doc {
    Doc { width: 0, kind: Kind::Break }
}

/// One after the other.
pub(super) fn concat(parts: impl IntoIterator<Item = Doc>) -> Doc {
    let parts: Vec<Doc> = parts.into_iter().collect();
    Doc { width: parts.iter().map(|part| part.width).sum(), kind: Kind::Concat(parts) }
}

/// Indented where it is broken.
pub(super) fn nest(doc: Doc) -> Doc {
    Doc { width: doc.width, kind: Kind::Nest(Box::new(doc)) }
}

/// On one line if there is room.
pub(super) fn group(doc: Doc) -> Doc {
    Doc { width: doc.width, kind: Kind::Group(Box::new(doc)) }
}

/// Parts with commas between them.
pub(super) fn commas(parts: impl IntoIterator<Item = Doc>) -> Doc {
    let mut joined = Vec::new();
    for part in parts {
        if !joined.is_empty() {
            joined.extend([text(","), line()]);
        }
        joined.push(part);
    }
    concat(joined)
}

/// Parts with commas between them, as many on a line as there is room for.
pub(super) fn filled(parts: impl IntoIterator<Item = Doc>) -> Doc {
    let mut parts: Vec<Doc> = parts.into_iter().collect();
    let last = parts.pop();
    let mut joined = Vec::new();
    for part in parts.into_iter().map(|part| concat([part, text(",")])).chain(last) {
        joined.push(match joined.is_empty() {
            true => part,
            false => group(concat([line(), part])),
        });
    }
    concat(joined)
}

/// `(a, b)`
pub(super) fn parentheses(contents: Doc) -> Doc {
    enclosed("(", soft, contents, ")")
}

/// `[a, b]`
pub(super) fn brackets(contents: Doc) -> Doc {
    enclosed("[", soft, contents, "]")
}

/// `{ a, b }`, `{ }`
pub(super) fn braces(contents: Doc) -> Doc {
    if contents.width == 0 {
        return text("{ }");
    }
    enclosed("{", line, contents, "}")
}

fn enclosed(open: &str, space: fn() -> Doc, contents: Doc, close: &str) -> Doc {
    if contents.width == 0 {
        return text(format!("{open}{close}"));
    }
    group(concat([text(open), nest(concat([space(), contents])), space(), text(close)]))
}

impl Doc {
    /// Whether the text begins with one of these.
    pub(super) fn starts_with(&self, characters: &[char]) -> bool {
        match &self.kind {
            Kind::Text(text) => text.starts_with(characters),
            Kind::Break => false,
            Kind::Concat(parts) => parts.first().is_some_and(|part| part.starts_with(characters)),
            Kind::Nest(doc) | Kind::Group(doc) => doc.starts_with(characters),
        }
    }

    /// All on one line.
    pub(super) fn flat(&self) -> String {
        let mut page = Page { text: String::new(), column: 0 };
        page.put(self, 0, false, 0);
        page.text
    }

    /// In lines, all but the first of which are indented at least so much. The first begins at that column.
    pub(super) fn lines(&self, indent: usize) -> String {
        let mut page = Page { text: String::new(), column: indent };
        page.put(self, indent, true, 0);
        page.text
    }
}

struct Page {
    text: String,
    column: usize,
}

impl Page {
    /// Puts a document where its breaks are taken or not. `rest` columns must have room behind it.
    fn put(&mut self, doc: &Doc, indent: usize, broken: bool, rest: usize) {
        match &doc.kind {
            Kind::Text(text) => {
                self.text.push_str(text);
                self.column += doc.width;
            }
            Kind::Break if broken => {
                self.text.push('\n');
                self.text.extend(std::iter::repeat_n(' ', indent));
                self.column = indent;
            }
            Kind::Break => {
                self.text.extend(std::iter::repeat_n(' ', doc.width));
                self.column += doc.width;
            }
            Kind::Concat(parts) => {
                // What follows each part, up to where the line can end.
                let mut following = vec![rest; parts.len()];
                for at in (1..parts.len()).rev() {
                    let ends = broken && parts[at].breaks_first();
                    following[at - 1] = if ends { 0 } else { parts[at].width + following[at] };
                }
                for (part, rest) in parts.iter().zip(following) {
                    self.put(part, indent, broken, rest);
                }
            }
            Kind::Nest(doc) => self.put(doc, indent + INDENT, broken, rest),
            Kind::Group(doc) => {
                let fits = self.column + doc.width + rest <= WIDTH;
                self.put(doc, indent, broken && !fits, rest);
            }
        }
    }
}

impl Doc {
    /// Whether a line can end before it.
    fn breaks_first(&self) -> bool {
        match &self.kind {
            Kind::Text(_) => false,
            Kind::Break => true,
            Kind::Concat(parts) => parts.first().is_some_and(Doc::breaks_first),
            Kind::Nest(doc) | Kind::Group(doc) => doc.breaks_first(),
        }
    }
}
