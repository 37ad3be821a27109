//! The contest's property files.

mod common;

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use common::net;
use insta::assert_snapshot;
use sweepnet_logic::contest::{ContestProperty, Nodes, read_properties};
use sweepnet_logic::{Question, parse_property};
use sweepnet_net::{Net, NetBuilder, PlaceId, TransitionId};

fn file(formula: &str) -> String {
    format!(
        "<?xml version=\"1.0\"?>\n<property-set xmlns=\"http://mcc.lip6.fr/\">\n<property>\n<id>x</id>\n\
         <description>why &amp; how</description>\n<tags><is-hard>true</is-hard></tags>\n\
         <formula>\n{formula}\n</formula>\n</property>\n</property-set>\n"
    )
}

fn read(text: &str) -> Result<Vec<ContestProperty>, String> {
    let net = net();
    read_properties(text.as_bytes(), &net, &net).map_err(|e| e.to_string())
}

/// The question a formula asks as text, or why not.
fn asked(formula: &str) -> String {
    match read(&file(formula)) {
        Ok(mut all) => match all.remove(0).property {
            Ok(property) => property.text,
            Err(unsupported) => unsupported.to_string(),
        },
        Err(error) => format!("error: {error}"),
    }
}

const LE: &str = "<integer-le><tokens-count><place>p1</place><place>p2</place></tokens-count>\
                  <integer-constant>3</integer-constant></integer-le>";

#[test]
fn formulas_become_questions() {
    let one = "<tokens-count><place>p1</place></tokens-count>";
    let two = "<integer-constant> 2 </integer-constant>";
    for (formula, question) in [
        (format!("<exists-path><finally>{LE}</finally></exists-path>"), "reachable #p1 + #p2 <= 3"),
        (format!("<all-paths><globally>{LE}</globally></all-paths>"), "invariant #p1 + #p2 <= 3"),
        (
            format!("<negation><exists-path><finally>{LE}</finally></exists-path></negation>"),
            "not reachable #p1 + #p2 <= 3",
        ),
        (
            format!("<negation><all-paths><globally>{LE}</globally></all-paths></negation>"),
            "reachable not #p1 + #p2 <= 3",
        ),
        (
            format!("<all-paths><negation><finally>{LE}</finally></negation></all-paths>"),
            "invariant not #p1 + #p2 <= 3",
        ),
        (
            format!("<negation><negation><exists-path><finally>{LE}</finally></exists-path></negation></negation>"),
            "reachable #p1 + #p2 <= 3",
        ),
        (format!("<invariant>{LE}</invariant>"), "invariant #p1 + #p2 <= 3"),
        (format!("<possibility>{LE}</possibility>"), "reachable #p1 + #p2 <= 3"),
        ("<impossibility><deadlock/></impossibility>".into(), "deadlock-free"),
        ("<place-bound><place>p1</place><place>p2</place></place-bound>".into(), "bound #p1 + #p2"),
        ("<true/>".into(), "invariant true"),
        ("<false></false>".into(), "invariant false"),
        (LE.into(), "reachable initial and #p1 + #p2 <= 3"),
        (
            "<possibility><is-fireable><transition>t1</transition><transition>a-b</transition></is-fireable>\
             </possibility>"
                .into(),
            "reachable enabled(t1) or enabled(\"a-b\")",
        ),
        (format!("<possibility><integer-eq>{one}{two}</integer-eq></possibility>"), "reachable #p1 = 2"),
        (format!("<possibility><integer-ne>{one}{two}</integer-ne></possibility>"), "reachable #p1 != 2"),
        (format!("<possibility><integer-lt>{one}{two}</integer-lt></possibility>"), "reachable #p1 < 2"),
        (format!("<possibility><integer-gt>{one}{two}</integer-gt></possibility>"), "reachable #p1 > 2"),
        (format!("<possibility><integer-ge>{one}{two}</integer-ge></possibility>"), "reachable #p1 >= 2"),
        (
            format!(
                "<possibility><integer-ge><integer-product><integer-sum>{one}{two}</integer-sum>{two}\
                 </integer-product><integer-difference>{two}{one}</integer-difference></integer-ge></possibility>"
            ),
            "reachable 3*#p1 >= -2",
        ),
        (
            "<invariant><exclusive-disjunction><implication><true/><false/></implication>\
             <equivalence><deadlock/><true/></equivalence></exclusive-disjunction></invariant>"
                .into(),
            "invariant (not true or false) xor (deadlock <-> true)",
        ),
        (
            "<invariant><conjunction><disjunction><deadlock/></disjunction><true/><false/></conjunction></invariant>"
                .into(),
            "invariant deadlock and true and false",
        ),
        (format!("<k-safe>{two}</k-safe>"), "2-safe"),
        ("<quasi-liveness/>".into(), "quasi-live"),
        ("<stable-marking/>".into(), "some-stable"),
        ("<liveness/>".into(), "live"),
        (format!("<all-paths><finally>{LE}</finally></all-paths>"), "ctl AF #p1 + #p2 <= 3"),
        (format!("<exists-path><globally>{LE}</globally></exists-path>"), "ctl EG #p1 + #p2 <= 3"),
        (
            "<exists-path><next><if-no-successor>false</if-no-successor><steps>1</steps><deadlock/></next></exists-path>"
                .into(),
            "ctl EX deadlock",
        ),
        (
            "<all-paths><until><before><true/></before><reach><deadlock/></reach><strength>weak</strength></until>\
             </all-paths>"
                .into(),
            "ctl A (true W deadlock)",
        ),
        (
            format!("<conjunction><exists-path><finally>{LE}</finally></exists-path><deadlock/></conjunction>"),
            "ctl EF #p1 + #p2 <= 3 and deadlock",
        ),
        (
            format!(
                "<all-paths><globally><exists-path><finally>{LE}</finally></exists-path></globally></all-paths>"
            ),
            "ctl AG EF #p1 + #p2 <= 3",
        ),
        (
            format!("<all-paths><globally><finally>{LE}</finally></globally></all-paths>"),
            "ltl G F #p1 + #p2 <= 3",
        ),
        (
            format!(
                "<all-paths><until><before><next>{LE}</next></before><reach><negation><globally><deadlock/>\
                 </globally></negation></reach></until></all-paths>"
            ),
            "ltl X #p1 + #p2 <= 3 U not G deadlock",
        ),
        ("<possibility><is-fireable><transition><![CDATA[a-b]]></transition></is-fireable></possibility>".into(),
         "reachable enabled(\"a-b\")"),
        (
            "<place-bound><place>name with &quot;sp&#97;ces&quot;</place></place-bound>".into(),
            "bound #\"name with \\\"spaces\\\"\"",
        ),
    ] {
        let text = asked(&formula);
        assert_eq!(text, question, "{formula}");
        let properties = read(&file(&formula)).unwrap();
        assert_eq!((properties[0].id.as_str(), properties[0].description.as_str()), ("x", "why & how"));
        let read_back = parse_property(&text, &net()).unwrap().question;
        assert_eq!(properties[0].property.as_ref().unwrap().question, read_back);
    }
}

#[test]
fn what_is_not_supported_is_named() {
    let ef = format!("<exists-path><finally>{LE}</finally></exists-path>");
    for (formula, what) in [
        (
            "<exists-path><next><if-no-successor>true</if-no-successor><steps>1</steps><true/></next></exists-path>"
                .into(),
            "`if-no-successor` true in `next`",
        ),
        (
            format!("<all-paths><conjunction><finally>{ef}</finally><finally>{LE}</finally></conjunction></all-paths>"),
            "`all-paths` of a formula of neither logic",
        ),
        (
            format!("<exists-path><globally><finally>{LE}</finally></globally></exists-path>"),
            "`exists-path` of a formula of neither logic",
        ),
        ("<invariant><finally><deadlock/></finally></invariant>".into(), "`invariant` of a path formula"),
        ("<conjunction><true/><liveness/></conjunction>".into(), "a `conjunction` of questions"),
        ("<all-paths><globally><quasi-liveness/></globally></all-paths>".into(), "`globally` of a question"),
        ("<is-live><transition>t1</transition><level>l4</level></is-live>".into(), "liveness (`is-live`)"),
        ("<control><what>is this</what></control>".into(), "the element `what`"),
        (
            "<possibility><integer-eq><integer-division><integer-constant>1</integer-constant>\
             <integer-constant>1</integer-constant></integer-division><integer-constant>1</integer-constant>\
             </integer-eq></possibility>"
                .into(),
            "the element `integer-division`",
        ),
        (
            "<possibility><integer-le><place-bound><place>p1</place></place-bound>\
             <integer-constant>1</integer-constant></integer-le></possibility>"
                .into(),
            "a `place-bound` inside `integer-le`",
        ),
        ("<negation><quasi-liveness/></negation>".into(), "a `negation` of a question"),
        ("<finally><true/></finally>".into(), "a path formula without `all-paths` or `exists-path`"),
    ] {
        assert_eq!(asked(&formula), format!("{what} is not supported by this version"), "{formula}");
    }
}

#[test]
fn errors_say_where() {
    assert_snapshot!(asked("<place-bound>\n  <place>p9</place>\n</place-bound>"), @r#"error: 9:3: there is no place 'p9' in the net"#);
    assert_snapshot!(asked("<is-fireable><transition>p1</transition></is-fireable>"), @r#"error: 8:14: there is no transition 'p1' in the net"#);
    assert_snapshot!(asked("<integer-constant>many</integer-constant>"), @r#"error: 8:1: 'many' is no integer of at most 127 bits"#);
    assert_snapshot!(asked("<integer-constant>1</integer-constant>"), @r#"error: 7:1: `formula` wants formulas inside"#);
    assert_snapshot!(asked("<negation><true/><true/></negation>"), @r#"error: 8:1: `negation` wants 1 element inside and has 2"#);
    assert_snapshot!(asked("<negation/>"), @r#"error: 8:1: `negation` wants 1 element inside and has 0"#);
    assert_snapshot!(asked("<conjunction/>"), @r#"error: 8:1: `conjunction` wants formulas inside"#);
    assert_snapshot!(asked("<implication><true/></implication>"), @r#"error: 8:1: `implication` wants two operands and has 1"#);
    assert_snapshot!(asked("<tokens-count><transition>t1</transition></tokens-count>"), @r#"error: 8:1: `tokens-count` wants one or more `place` inside"#);
    assert_snapshot!(asked("<is-fireable/>"), @r#"error: 8:1: `is-fireable` wants one or more `transition` inside"#);
    assert_snapshot!(asked("<integer-le><integer-constant>1</integer-constant></integer-le>"), @r#"error: 8:1: `integer-le` wants two numbers and has 1"#);
    assert_snapshot!(asked("<integer-le><true/><true/></integer-le>"), @r#"error: 8:1: `integer-le` wants numbers (`tokens-count`, `integer-constant`, …) inside"#);
    assert_snapshot!(asked("<k-safe><true/></k-safe>"), @r#"error: 8:1: `k-safe` wants a number of tokens"#);
    assert_snapshot!(asked("<true>yes</true>"), @r#"error: 8:1: `true` holds no text"#);
    assert_snapshot!(asked("<true/><false/>"), @r#"error: 7:1: `formula` wants 1 element inside and has 2"#);
    assert_snapshot!(asked("<place-bound><place>&lol;</place></place-bound>"), @r#"error: 8:21: the entity `&lol;` is not known"#);
    assert_snapshot!(asked("<true></false>"), @r#"error: 8:7: this is not well-formed XML: ill-formed document: expected `</true>`, but `</false>` was found"#);
    assert_snapshot!(asked(&"<negation>".repeat(1000)), @r#"error: 8:9971: this is nested too deeply: at most 1000 levels are allowed"#);
    let deep = format!("{}<true/>{}", "<negation>".repeat(990), "</negation>".repeat(990));
    assert!(asked(&deep).starts_with("reachable initial and not not"));
}

#[test]
fn files_that_are_no_property_files() {
    let wrong = |text: &str| read(text).unwrap_err();
    assert_snapshot!(wrong(""), @r#"1:1: expected `property-set`, found nothing"#);
    assert_snapshot!(wrong("#p1 <= 1"), @r#"1:1: expected `property-set`, found text"#);
    assert_snapshot!(wrong("<pnml/>"), @r#"1:1: expected `property-set`, found `pnml`"#);
    assert_snapshot!(wrong("<property-set/><property-set/>"), @r#"1:16: `property-set` stands after the end of the property set"#);
    assert_snapshot!(wrong("<property-set>\n  <property>"), @r#"2:13: this is not well-formed XML: `property`, opened at 2:3, is never closed"#);
    assert_snapshot!(wrong("<property-set>\n  <property"), @r#"2:3: this is not well-formed XML: syntax error: tag not closed: `>` not found before end of input"#);
    assert_snapshot!(wrong("<property-set><property/></property-set>"), @r#"1:15: this property has no `id`"#);
    assert_snapshot!(wrong("<property-set><property><id>x</id></property></property-set>"), @r#"1:15: the property 'x' has no `formula`"#);
    assert_snapshot!(wrong("<property-set><property><id><b/></id></property></property-set>"), @r#"1:29: expected text, found `b`"#);
    let one = "<property><id>x</id><formula><true/></formula></property>";
    assert_snapshot!(wrong(&format!("<property-set>{one}\n{one}</property-set>")), @r#"2:1: there are two properties with the id 'x'"#);
    let two = "<property><id>x</id><formula><true/></formula><formula><true/></formula></property>";
    assert_snapshot!(wrong(&format!("<property-set>{two}</property-set>")), @r#"1:61: a property has one `formula`"#);
    assert_eq!(read("<property-set/>"), Ok(vec![]));
}

/// One name for several nodes, as in the unfolding of a coloured net.
#[test]
fn a_name_may_stand_for_many_nodes() {
    struct Unfolded;
    impl Nodes for Unfolded {
        fn places(&self, name: &str) -> Option<Vec<PlaceId>> {
            (name == "p").then(|| vec![PlaceId::new(0), PlaceId::new(1)])
        }
        fn transitions(&self, name: &str) -> Option<Vec<TransitionId>> {
            (name == "never").then(Vec::new)
        }
    }
    let text = |formula: &str| {
        let all = read_properties(file(formula).as_bytes(), &net(), &Unfolded).unwrap();
        all[0].property.as_ref().unwrap().text.clone()
    };
    assert_eq!(text("<place-bound><place>p</place></place-bound>"), "bound #p1 + #p2");
    let never = "<possibility><is-fireable><transition>never</transition></is-fireable></possibility>";
    assert_eq!(text(never), "reachable false");
}

/// The contest's models, which are kept beside the repository if at all.
fn models() -> Option<PathBuf> {
    let above = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors();
    above.map(|folder| folder.join("shared/models/mcc")).find(|folder| folder.is_dir())
}

/// A net with the names that a property file mentions.
fn stub(text: &str) -> Net {
    let mentioned = |open: &str, close: &str| -> BTreeSet<String> {
        let pieces = text.split(open).skip(1);
        pieces.map(|piece| piece.split(close).next().unwrap().trim().to_owned()).collect()
    };
    let mut net = NetBuilder::new("stub");
    for place in mentioned("<place>", "</place>") {
        net.place(&place, 0).unwrap();
    }
    for transition in mentioned("<transition>", "</transition>") {
        net.transition(&transition).unwrap();
    }
    net.build().unwrap()
}

#[test]
fn all_files_of_the_contest() {
    let Some(models) = models() else {
        eprintln!("skipped: the contest's models are not beside the repository");
        return;
    };
    let mut files = 0;
    for model in std::fs::read_dir(models).unwrap().map(|entry| entry.unwrap().path()) {
        for examination in [
            "ReachabilityCardinality",
            "ReachabilityFireability",
            "UpperBounds",
            "CTLCardinality",
            "CTLFireability",
            "LTLCardinality",
            "LTLFireability",
        ] {
            let path = model.join(examination).with_extension("xml");
            let Ok(text) = std::fs::read_to_string(&path) else { continue };
            if !model.to_string_lossy().contains("-PT-") {
                continue;
            }
            let net = stub(&text);
            let all =
                read_properties(text.as_bytes(), &net, &net).unwrap_or_else(|e| panic!("{path:?}: {e}"));
            assert_eq!(all.len(), 16, "{path:?}");
            files += 1;
            for property in all {
                let asked = property.property.unwrap_or_else(|why| panic!("{path:?}: {why}"));
                let read_back = parse_property(&asked.text, &net).unwrap().question;
                assert_eq!(read_back, asked.question, "{path:?}");
                assert_eq!(matches!(asked.question, Question::Bound(_)), examination == "UpperBounds");
            }
        }
    }
    assert!(files > 0);
}
