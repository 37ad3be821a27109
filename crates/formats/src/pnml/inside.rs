//! What the reader is inside of, and what each element means there.

use sweepnet_net::{PlaceId, TransitionId};

/// An open element whose content is read; everything else is skipped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Inside {
    Pnml,
    Net,
    Page,
    Place(PlaceId),
    Transition(TransitionId),
    Reference(Referred),
    Arc,
    Label(Label),
    /// `<text>` (or `<value>`, in older dialects) of a label.
    Text,
    /// `<structure>` of a label of a coloured net, and everything in it.
    Tree,
    /// `<toolspecific tool="nupn">`.
    Nupn,
    Structure,
    Unit,
    UnitPlaces,
    Subunits,
}

/// What a reference node stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Referred {
    Place,
    Transition,
}

impl Referred {
    /// How files spell the reference.
    pub(super) fn name(self) -> &'static str {
        match self {
            Referred::Place => "referencePlace",
            Referred::Transition => "referenceTransition",
        }
    }
}

/// A labelled part of a net, node or arc.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Label {
    Name,
    InitialMarking,
    Inscription,
    ArcType,
    Capacity,
    Timed,
    /// Of coloured nets: sorts, variables and operators.
    Declaration,
    /// Of coloured nets: the sort of a place.
    Sort,
    /// Of coloured nets: the initial marking of a place.
    Tokens,
    /// Of coloured nets: the tokens of an arc.
    Flow,
    /// Of coloured nets: when a transition may fire.
    Condition,
}

impl Label {
    /// How files spell it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Label::Name => "name",
            Label::InitialMarking => "initialMarking",
            Label::Inscription => "inscription",
            Label::ArcType => "arctype",
            Label::Capacity => "capacity",
            Label::Timed => "timed",
            Label::Declaration => "declaration",
            Label::Sort => "type",
            Label::Tokens => "hlinitialMarking",
            Label::Flow => "hlinscription",
            Label::Condition => "condition",
        }
    }

    /// Whether its meaning is in a `<structure>`.
    pub(super) fn is_structured(self) -> bool {
        matches!(self, Label::Declaration | Label::Sort | Label::Tokens | Label::Flow | Label::Condition)
    }
}

impl Inside {
    /// How a message calls it.
    pub(super) fn name(self) -> &'static str {
        match self {
            Inside::Pnml => "pnml",
            Inside::Net => "net",
            Inside::Page => "page",
            Inside::Place(_) => "place",
            Inside::Transition(_) => "transition",
            Inside::Reference(referred) => referred.name(),
            Inside::Arc => "arc",
            Inside::Label(label) => label.name(),
            Inside::Text => "text",
            Inside::Nupn => "toolspecific",
            Inside::Tree | Inside::Structure => "structure",
            Inside::Unit => "unit",
            Inside::UnitPlaces => "places",
            Inside::Subunits => "subunits",
        }
    }

    /// The label that an element is, here.
    pub(super) fn label(self, element: &str) -> Option<Label> {
        match (self, element) {
            (Inside::Net | Inside::Place(_) | Inside::Transition(_), "name") => Some(Label::Name),
            (Inside::Place(_), "initialMarking") => Some(Label::InitialMarking),
            (Inside::Place(_), "capacity") => Some(Label::Capacity),
            (Inside::Transition(_), "timed") => Some(Label::Timed),
            (Inside::Arc, "inscription") => Some(Label::Inscription),
            (Inside::Arc, "arctype") => Some(Label::ArcType),
            _ => None,
        }
    }

    /// The label that an element is, here, in a coloured net.
    pub(super) fn structured_label(self, element: &str) -> Option<Label> {
        match (self, element) {
            (Inside::Net | Inside::Page, "declaration") => Some(Label::Declaration),
            (Inside::Place(_), "type") => Some(Label::Sort),
            (Inside::Place(_), "hlinitialMarking") => Some(Label::Tokens),
            (Inside::Arc, "hlinscription") => Some(Label::Flow),
            (Inside::Transition(_), "condition") => Some(Label::Condition),
            _ => None,
        }
    }

    /// Whether an element that is not read cannot change what the net does: drawings, comments, defaults of
    /// simulators, and all that a tool keeps to itself.
    pub(super) fn is_harmless(self, element: &str) -> bool {
        match element {
            "graphics" | "toolspecific" | "name" | "documentation" | "description" => true,
            // PIPE: colours of tokens (told apart in the markings), drawing, and timing of timed transitions.
            "token" | "labels" | "orientation" | "infiniteServer" | "tagged" | "arcpath" => true,
            // ProM: where a process should end.
            "finalmarkings" => true,
            _ => matches!(self, Inside::Label(_) | Inside::Reference(_) | Inside::Nupn),
        }
    }

    /// Whether the element belongs to coloured nets only.
    pub(super) fn is_coloured(element: &str) -> bool {
        matches!(element, "hlinitialMarking" | "hlinscription" | "condition")
    }
}
