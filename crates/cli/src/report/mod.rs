//! What several commands print.

pub mod components;
pub mod json;
pub mod model_error;
pub mod plot;
pub mod stop;
pub mod sweep;
pub mod table;
pub mod trace;
pub mod window;
