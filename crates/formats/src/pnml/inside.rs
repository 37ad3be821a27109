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
    Reference,
    Arc,
    Label(Label),
    /// `<text>` (or `<value>`, in older dialects) of a label.
    Text,
    /// `<toolspecific tool="nupn">`.
    Nupn,
    Structure,
    Unit,
    UnitPlaces,
    Subunits,
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
            Inside::Reference => "a reference node",
            Inside::Arc => "arc",
            Inside::Label(Label::Name) => "name",
            Inside::Label(Label::InitialMarking) => "initialMarking",
            Inside::Label(Label::Inscription) => "inscription",
            Inside::Label(Label::ArcType) => "arctype",
            Inside::Label(Label::Capacity) => "capacity",
            Inside::Label(Label::Timed) => "timed",
            Inside::Text => "text",
            Inside::Nupn => "toolspecific",
            Inside::Structure => "structure",
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

    /// Whether an element that is not read cannot change what the net does: drawings, comments, defaults of
    /// simulators, and all that a tool keeps to itself.
    pub(super) fn is_harmless(self, element: &str) -> bool {
        match element {
            "graphics" | "toolspecific" | "name" | "documentation" | "description" => true,
            // PIPE: colours of tokens (told apart in the markings), drawing, and timing of timed transitions.
            "token" | "labels" | "orientation" | "infiniteServer" | "tagged" | "arcpath" => true,
            // ProM: where a process should end.
            "finalmarkings" => true,
            _ => matches!(self, Inside::Label(_) | Inside::Reference | Inside::Nupn),
        }
    }

    /// Whether the element belongs to coloured nets only.
    pub(super) fn is_coloured(element: &str) -> bool {
        matches!(element, "hlinitialMarking" | "hlinscription" | "condition")
    }
}
