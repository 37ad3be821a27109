//! Typed numbers of places and transitions, so that one is never taken for the other.

use std::fmt;

macro_rules! id {
    ($name:ident, $prefix:literal, $doc:literal) => {
        #[doc = $doc]
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(u32);

        impl $name {
            /// The id with this position.
            ///
            /// # Panics
            /// Never on positions that come from a net: the builder refuses nets with more than `u32::MAX` nodes.
            pub fn new(index: usize) -> Self {
                Self(u32::try_from(index).expect("a net has fewer than 2^32 nodes"))
            }

            /// Its position, to index with.
            #[inline(always)]
            pub fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }
    };
}

id!(PlaceId, "p", "The number of a place: its position in the net, from 0.");
id!(TransitionId, "t", "The number of a transition: its position in the net, from 0.");
