//! Parts of the program that have tests inside. They are compiled here by themselves: the whole program, with a search
//! for each kind of state, need not be made twice for them.
#![allow(dead_code)]

#[path = "../src/graph_file/components.rs"]
mod components;
#[path = "../src/division.rs"]
mod division;
#[path = "../src/failure.rs"]
mod failure;
#[path = "../src/quantity.rs"]
mod quantity;
