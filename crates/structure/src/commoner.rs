//! What siphons and traps tell of deadlocks and liveness.
//!
//! A siphon that contains an initially marked trap is never empty. If all siphons do (F. Commoner's property), then,
//!
//! - where all input and read arcs have weight 1 and nothing inhibits, no marking is **dead**: the empty places of a
//!   dead marking are a siphon, because every transition lacks one;
//! - in asymmetric-choice nets, every transition is **live** (Murata 1989, theorem 13).
//!
//! In extended free-choice nets the converse holds, too: if some siphon lacks such a trap, the net is not live
//! (M. Hack 1972; Desel and Esparza 1995, chapter 4). Nothing else is concluded. Places without any arc are left
//! out: they take part in nothing.

use sweepnet_net::{Net, PlaceId};

use crate::class::Class;
use crate::effort::GoOn;
use crate::farkas::Limit;
use crate::siphons::{PlaceSets, Rules, largest_siphon};

/// The siphons and traps of a net, and what follows from its initial marking.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Siphons {
    /// The minimal siphons.
    pub siphons: PlaceSets,
    /// The minimal traps.
    pub traps: PlaceSets,
    /// The largest siphon that is empty at the beginning, hence always.
    pub empty: Vec<PlaceId>,
    /// The positions of those minimal siphons that contain no trap that is marked at the beginning.
    pub unguarded: Vec<usize>,
    /// A largest siphon that contains no trap that is marked at the beginning, so that nothing here keeps it from
    /// being emptied: no minimal siphon can be added to it. Empty if there is none.
    pub emptiable: Vec<PlaceId>,
    /// Whether siphons show that no reachable marking is dead.
    pub deadlock_free: bool,
    /// Whether every transition can fire again and again, where siphons tell.
    pub live: Option<bool>,
}

impl Siphons {
    /// Looks for them within the limit, which each kind has for itself.
    pub fn of(net: &Net, class: &Class, limit: Limit, go_on: GoOn<'_>) -> Self {
        let trap_rules = Rules::of_traps(net);
        let siphons = Rules::of_siphons(net).minimal_sets(limit, go_on);
        let traps = trap_rules.minimal_sets(limit, go_on);
        let is_empty = |place: &PlaceId| net.place(*place).initial == 0;
        let empty = largest_siphon(net, net.place_ids().filter(is_empty));
        let unguarded_set = |set: &[PlaceId]| trap_rules.largest_of(set.iter().copied()).iter().all(is_empty);
        let unguarded: Vec<usize> = (0..siphons.sets.len())
            .filter(|at| !is_isolated(class, &siphons.sets[*at]) && unguarded_set(&siphons.sets[*at]))
            .collect();
        let mut emptiable: Vec<PlaceId> = Vec::new();
        for at in unguarded.iter().take_while(|_| go_on()) {
            let mut both = [&emptiable[..], &siphons.sets[*at]].concat();
            both.sort_unstable();
            both.dedup();
            if unguarded_set(&both) {
                emptiable = both;
            }
        }
        let guarded = match (unguarded.is_empty(), siphons.stopped) {
            (false, _) => Some(false),
            (true, None) => Some(true),
            (true, Some(_)) => None,
        };
        let ones = net.transition_ids().all(|t| {
            let mut arcs = net.inputs().of(t).iter().chain(net.reads().of(t));
            arcs.all(|arc| arc.weight == 1)
        });
        let sees_deadlocks = ones && net.inhibitors().is_empty() && !net.transitions().is_empty();
        let live = match guarded {
            Some(true) if class.asymmetric_choice => Some(true),
            Some(false) if class.extended_free_choice => Some(false),
            _ => None,
        };
        Self {
            siphons,
            traps,
            empty,
            unguarded,
            emptiable,
            deadlock_free: guarded == Some(true) && sees_deadlocks,
            live,
        }
    }
}

fn is_isolated(class: &Class, set: &[PlaceId]) -> bool {
    set.iter().all(|place| class.isolated_places.binary_search(place).is_ok())
}
