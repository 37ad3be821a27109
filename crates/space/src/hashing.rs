//! Hash maps and sets for what is looked at many times, with a fast hash that is the same on every run.

use std::hash::BuildHasherDefault;

use rapidhash::fast::RapidHasher;

type Hasher = BuildHasherDefault<RapidHasher<'static>>;

/// See the [module](self).
pub type HashMap<K, V> = std::collections::HashMap<K, V, Hasher>;

/// See the [module](self).
pub type HashSet<K> = std::collections::HashSet<K, Hasher>;
