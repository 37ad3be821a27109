//! Symmetric nets in short form.
//!
//! Terms are written as `operator(term, …)`, with `$x` for a variable, `'a` for a constant that the net declares,
//! `3` for a number, `3r` for a value of the range, `.` for a dot, `all:S` and `empty:S` for multisets of a sort,
//! `in:P(…)` for the element of a partition, and `!f(…)` for an operator that the net declares.

use std::iter::Peekable;
use std::str::Chars;

/// What most nets here declare.
pub const DECLARATIONS: &str = r#"
<namedsort id="e" name="E"><finiteenumeration>
<feconstant id="a" name="A"/><feconstant id="b" name="B"/><feconstant id="c" name="C"/>
</finiteenumeration></namedsort>
<namedsort id="r" name="R"><finiteintrange start="1" end="5"/></namedsort>
<namedsort id="exr" name="ExR"><productsort><usersort declaration="e"/><usersort declaration="r"/></productsort></namedsort>
<namedsort id="exe" name="ExE"><productsort><usersort declaration="e"/><usersort declaration="e"/></productsort></namedsort>
<partition id="p" name="P"><usersort declaration="e"/>
<partitionelement id="low" name="Low"><useroperator declaration="a"/><useroperator declaration="c"/></partitionelement>
<partitionelement id="high" name="High"><useroperator declaration="b"/></partitionelement></partition>
<variabledecl id="x" name="x"><usersort declaration="e"/></variabledecl>
<variabledecl id="y" name="y"><usersort declaration="e"/></variabledecl>
<variabledecl id="n" name="n"><usersort declaration="r"/></variabledecl>"#;

/// A net with these declarations and this on its page, which begins in line 4.
pub fn net(declarations: &str, content: &str) -> String {
    let declarations = declarations.replace('\n', "");
    format!(
        "<pnml><net id=\"n\" type=\"http://www.pnml.org/version-2009/grammar/symmetricnet\">\n\
         <declaration><structure><declarations>{declarations}</declarations></structure></declaration>\n\
         <page id=\"g\">\n{content}\n</page></net></pnml>"
    )
}

/// A place of a declared sort, with these initial tokens.
pub fn place(id: &str, sort: &str, initial: &str) -> String {
    let sort = format!("<type><structure><usersort declaration=\"{sort}\"/></structure></type>");
    let initial = match initial {
        "" => String::new(),
        term => format!("\n<hlinitialMarking><structure>{}</structure></hlinitialMarking>", xml(term)),
    };
    format!("<place id=\"{id}\">{sort}{initial}</place>\n")
}

/// A transition with this condition.
pub fn transition(id: &str, condition: &str) -> String {
    match condition {
        "" => format!("<transition id=\"{id}\"/>\n"),
        term => format!(
            "<transition id=\"{id}\">\n<condition><structure>{}</structure></condition></transition>\n",
            xml(term)
        ),
    }
}

/// An arc with this inscription.
pub fn arc(source: &str, target: &str, term: &str) -> String {
    format!(
        "<arc id=\"{source}-{target}\" source=\"{source}\" target=\"{target}\">\
         <hlinscription><structure>{}</structure></hlinscription></arc>\n",
        xml(term)
    )
}

/// A term in XML.
pub fn xml(term: &str) -> String {
    let mut rest = term.chars().peekable();
    let xml = parse(&mut rest);
    assert_eq!(rest.next(), None, "{term}");
    xml
}

fn parse(rest: &mut Peekable<Chars<'_>>) -> String {
    let mut word = String::new();
    while let Some(c) = rest.next_if(|c| !matches!(c, '(' | ')' | ',')) {
        word.push(c);
    }
    let word = word.trim();
    let mut operands = String::new();
    if rest.next_if_eq(&'(').is_some() {
        while rest.next_if_eq(&')').is_none() {
            operands += &format!("<subterm>{}</subterm>", parse(rest));
            rest.next_if_eq(&',');
        }
        while rest.next_if_eq(&' ').is_some() {}
    }
    if let Some(id) = word.strip_prefix('$') {
        return format!("<variable refvariable=\"{id}\"/>");
    }
    if let Some(id) = word.strip_prefix('\'') {
        return format!("<useroperator declaration=\"{id}\"/>");
    }
    if let Some(id) = word.strip_prefix('!') {
        return format!("<useroperator declaration=\"{id}\">{operands}</useroperator>");
    }
    if let Some((operator, sort)) = word.split_once(':') {
        return match operator {
            "in" => format!("<partitionelementof refpartition=\"{sort}\">{operands}</partitionelementof>"),
            _ => format!("<{operator}><usersort declaration=\"{sort}\"/></{operator}>"),
        };
    }
    if let Some(value) = word.strip_suffix('r').filter(|value| value.parse::<i64>().is_ok()) {
        let range = "<finiteintrange start=\"1\" end=\"5\"/>";
        return format!("<finiteintrangeconstant value=\"{value}\">{range}</finiteintrangeconstant>");
    }
    match word {
        "." => "<dotconstant/>".to_owned(),
        "true" | "false" => format!("<booleanconstant value=\"{word}\"/>"),
        _ if word.parse::<i64>().is_ok() => {
            format!("<numberconstant value=\"{word}\"><natural/></numberconstant>")
        }
        _ => format!("<{word}>{operands}</{word}>"),
    }
}
