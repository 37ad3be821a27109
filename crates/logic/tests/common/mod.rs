//! Nets, views and random predicates that several tests share.
#![allow(dead_code)]

use proptest::prelude::*;
use sweepnet_logic::{Comparison, Expression, Predicate, Relation, View};
use sweepnet_net::{Net, NetBuilder, PlaceId, TransitionId};

/// Names that need no quotes, and names that need them badly.
pub const PLACES: [&str; 8] =
    ["p1", "p2", "and", "property", "name with \"spaces\"", "7", "x.y'", "{\\\n\t}ß"];
pub const TRANSITIONS: [&str; 5] = ["t1", "t2", "not", "a-b", ""];

/// A net with those names, and a few labels: `room` is unambiguous, `twin` is not.
pub fn net() -> Net {
    let mut net = NetBuilder::new("test");
    for (i, place) in PLACES.iter().enumerate() {
        let place = net.place(place, 1).unwrap();
        match i {
            0 => net.label_place(place, "room"),
            1 | 2 => net.label_place(place, "twin"),
            _ => {}
        }
    }
    for transition in TRANSITIONS {
        net.transition(transition).unwrap();
    }
    net.build().unwrap()
}

/// A marking made up freely.
#[derive(Clone, Debug)]
pub struct Made {
    pub tokens: Vec<u64>,
    pub enabled: Vec<bool>,
    pub dead: bool,
    pub initial: bool,
}

impl View for Made {
    fn tokens(&self, place: PlaceId) -> u64 {
        self.tokens[place.index()]
    }
    fn is_enabled(&self, transition: TransitionId) -> bool {
        self.enabled[transition.index()]
    }
    fn is_dead(&self) -> bool {
        self.dead
    }
    fn is_initial(&self) -> bool {
        self.initial
    }
}

/// Token counts are small mostly, because then comparisons go both ways.
pub fn made() -> impl Strategy<Value = Made> {
    let tokens = prop_oneof![8 => 0..4u64, 1 => any::<u64>()];
    let tokens = prop::collection::vec(tokens, PLACES.len());
    let enabled = prop::collection::vec(any::<bool>(), TRANSITIONS.len());
    (tokens, enabled, any::<bool>(), any::<bool>()).prop_map(|(tokens, enabled, dead, initial)| Made {
        tokens,
        enabled,
        dead,
        initial,
    })
}

/// An expression as it could be written, before it is put into normal form.
#[derive(Clone, Debug)]
pub enum Written {
    Number(i128),
    Tokens(usize),
    Sum(Vec<Written>),
    Product(Vec<Written>),
    Minus(Box<Written>),
}

impl Written {
    pub fn normal(&self) -> Expression {
        match self {
            Self::Number(n) => Expression::constant(*n).unwrap(),
            Self::Tokens(p) => Expression::place(PlaceId::new(*p)),
            Self::Sum(parts) => Expression::sum(parts.iter().map(Self::normal)).unwrap(),
            Self::Product(parts) => Expression::product(parts.iter().map(Self::normal)).unwrap(),
            Self::Minus(part) => part.normal().negate(),
        }
    }

    /// The naive twin of [`Expression::eval`]. Nothing overflows: with small tokens there is no need to check.
    pub fn value(&self, view: &Made) -> i128 {
        match self {
            Self::Number(n) => *n,
            Self::Tokens(p) => i128::from(view.tokens[*p]),
            Self::Sum(parts) => parts.iter().map(|part| part.value(view)).sum(),
            Self::Product(parts) => parts.iter().map(|part| part.value(view)).product(),
            Self::Minus(part) => -part.value(view),
        }
    }
}

pub fn written() -> impl Strategy<Value = Written> {
    let leaf =
        prop_oneof![(-4..5i128).prop_map(Written::Number), (0..PLACES.len()).prop_map(Written::Tokens)];
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 1..4).prop_map(Written::Sum),
            prop::collection::vec(inner.clone(), 1..3).prop_map(Written::Product),
            inner.prop_map(|part| Written::Minus(Box::new(part))),
        ]
    })
}

pub fn relation() -> impl Strategy<Value = Relation> {
    use Relation::*;
    prop::sample::select(vec![Equal, NotEqual, Less, AtMost, Greater, AtLeast])
}

pub fn predicate() -> impl Strategy<Value = Predicate> {
    let comparison = (written(), relation(), written()).prop_map(|(left, relation, right)| {
        Comparison::new(left.normal(), relation, right.normal()).unwrap()
    });
    let leaf = prop_oneof![
        8 => comparison.prop_map(Predicate::Compare),
        4 => (0..TRANSITIONS.len()).prop_map(|t| Predicate::Enabled(TransitionId::new(t))),
        2 => prop::collection::vec((0..TRANSITIONS.len()).prop_map(TransitionId::new), 2..5)
            .prop_map(Predicate::any_enabled),
        1 => prop::sample::select(vec![Predicate::True, Predicate::False, Predicate::Deadlock, Predicate::Initial]),
    ];
    leaf.prop_recursive(5, 40, 4, |inner| {
        let many = prop::collection::vec(inner.clone(), 2..5);
        prop_oneof![
            many.clone().prop_map(Predicate::And),
            many.clone().prop_map(Predicate::Or),
            many.prop_map(Predicate::Xor),
            inner.prop_map(|operand| !operand),
        ]
    })
}
