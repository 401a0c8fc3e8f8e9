//! stub
use std::fmt;
use crate::outcome::Outcome;
pub struct Expectation;
impl Expectation { pub fn matches(&self, _: &Outcome) -> bool { true } }
impl fmt::Display for Expectation { fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result { write!(f, "") } }
pub fn of(_: &str, _: &str) -> Option<Expectation> { Some(Expectation) }
pub fn difference(_: &str, _: &str) -> Option<&'static str> { None }
