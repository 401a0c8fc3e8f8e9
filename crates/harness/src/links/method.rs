//! What a link order is, and the arguments that make one. Pure.

use std::collections::BTreeSet;
use std::fmt;

use crate::links::command::LinkCommand;
use crate::links::error::LinkError;
use crate::links::linker::Linker;
use crate::links::padding::{self, Padding};
use crate::random::Random;

/// How a program's code is moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Method {
    /// All functions in random order, by the linker's own switch: LLD and mold.
    Functions,
    /// Object files and crates in random order, with padding of random length in front of each; what
    /// comes from one file stays together. Any linker.
    Objects,
    /// Everything moved by one random length, in its old order. Any linker.
    Shift,
}

impl Method {
    /// All of them, the one that moves most first.
    pub const ALL: [Self; 3] = [Self::Functions, Self::Objects, Self::Shift];

    /// The name in files and on command lines.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Functions => "functions",
            Self::Objects => "objects",
            Self::Shift => "shift",
        }
    }
}

/// A method with all that it takes.
#[derive(Debug, Clone)]
pub(super) enum Means {
    /// [`Method::Functions`] by a linker that has a switch for it.
    Functions(Linker),
    /// [`Method::Objects`].
    Objects(Padding),
    /// [`Method::Shift`].
    Shift(Padding),
}

impl Means {
    /// The arguments that link in the given order.
    ///
    /// # Errors
    /// When the linker has no switch for it.
    pub(super) fn arguments(
        &self,
        command: &LinkCommand,
        order: u32,
    ) -> Result<Vec<String>, LinkError> {
        let mut random = Random::new(u64::from(order));
        let mut arguments = match self {
            Self::Functions(linker) => [&command.arguments[..], &[linker.switch(order)?]].concat(),
            Self::Objects(padding) => objects(command, padding, &mut random),
            Self::Shift(padding) => shift(command, padding, &mut random),
        };
        // Symbols are read from the program that the build made; without them a link is a fifth
        // smaller, and its code and data are the same to the byte.
        arguments.push("-Wl,--strip-all".to_owned());
        Ok(arguments)
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// All inputs in random order where the first of them was, each behind a padding of its own. GNU ld
/// looks for symbols from left to right, so they become one group, which it goes through until nothing
/// is missing.
fn objects(command: &LinkCommand, padding: &Padding, random: &mut Random) -> Vec<String> {
    let places = command.inputs();
    let mut inputs: Vec<&String> = places.iter().map(|&place| &command.arguments[place]).collect();
    random.shuffle(&mut inputs);
    let mut paddings = random.order(padding::COUNT).into_iter();
    let mut arguments = Vec::new();
    for (place, argument) in command.arguments.iter().enumerate() {
        if !places.contains(&place) {
            arguments.push(argument.clone());
        }
        if places.first() != Some(&place) {
            continue;
        }
        arguments.push("-Wl,--start-group".to_owned());
        for input in &inputs {
            // More inputs than paddings: the last ones have none in front, and are moved by the others.
            arguments.extend(paddings.next().into_iter().flat_map(|it| padding.arguments(it)));
            arguments.push((*input).clone());
        }
        arguments.push("-Wl,--end-group".to_owned());
    }
    arguments
}

/// One padding in front of all inputs.
fn shift(command: &LinkCommand, padding: &Padding, random: &mut Random) -> Vec<String> {
    let first = command.inputs().first().copied().unwrap_or(0);
    let mut arguments = command.arguments.clone();
    arguments.splice(first..first, padding.arguments(random.below(padding::COUNT)));
    arguments
}

/// `count` different orders for `seed`. Different seeds have different ones, but for chance.
#[must_use]
pub fn orders(seed: u64, count: usize) -> Vec<u32> {
    // Above 0 and below 2^31: the rest means something else to some linker.
    const END: usize = i32::MAX as usize;
    let mut random = Random::new(seed);
    let mut seen = BTreeSet::new();
    let drawn = std::iter::repeat_with(|| 1 + random.below(END) as u32);
    drawn.filter(|order| seen.insert(*order)).take(count).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_different_and_none_means_something_else() {
        let found = orders(7, 500);
        assert_eq!(found, orders(7, 500));
        assert_ne!(found, orders(8, 500));
        assert_eq!(found.iter().collect::<BTreeSet<_>>().len(), 500);
        assert!(found.iter().all(|order| (1..=i32::MAX as u32).contains(order)));
    }
}
