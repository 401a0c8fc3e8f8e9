//! The linker's command line, as `rustc --print link-args` writes it: `Debug` of the standard
//! library's `Command`, that is words in quotes with Rust's escapes, after assignments of variables
//! without quotes in front.

use std::path::Path;

use serde::{Deserialize, Serialize};

/// How rustc linked a program.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LinkCommand {
    /// The C compiler that calls the linker.
    pub program: String,
    /// All arguments, the output's path among them.
    pub arguments: Vec<String>,
}

impl LinkCommand {
    /// The command in what cargo and rustc wrote to standard output; `None` where rustc was not run.
    #[must_use]
    pub fn read(said: &str) -> Option<Self> {
        // cargo's own lines are JSON objects.
        said.lines().rev().filter(|line| !line.starts_with('{')).find_map(|line| {
            let mut words = quoted_words(line)?.into_iter();
            let command = Self { program: words.next()?, arguments: words.collect() };
            command.output().is_some().then_some(command)
        })
    }

    /// The place of the output's path among the arguments.
    #[must_use]
    pub fn output(&self) -> Option<usize> {
        let flag = self.arguments.iter().position(|argument| argument == "-o")?;
        (flag + 1 < self.arguments.len()).then_some(flag + 1)
    }

    /// The places of the object files and archives among the arguments.
    #[must_use]
    pub fn inputs(&self) -> Vec<usize> {
        let is_input = |argument: &String| {
            let extension = Path::new(argument).extension().and_then(|it| it.to_str());
            !argument.starts_with('-') && matches!(extension, Some("o" | "rlib" | "a"))
        };
        (0..self.arguments.len()).filter(|&place| is_input(&self.arguments[place])).collect()
    }
}

/// The words of a line that are written in quotes; `None` when a quote or an escape does not end.
fn quoted_words(line: &str) -> Option<Vec<String>> {
    let mut words = Vec::new();
    let mut rest = line.trim_start();
    while !rest.is_empty() {
        let is_quoted = rest.starts_with('"');
        let (word, after) = word(rest)?;
        if is_quoted {
            words.push(word);
        }
        rest = after.trim_start();
    }
    Some(words)
}

/// The first word of `text`, which is not empty, and what follows.
fn word(text: &str) -> Option<(String, &str)> {
    let mut word = String::new();
    let mut inside = false;
    let mut characters = text.char_indices();
    while let Some((place, character)) = characters.next() {
        match character {
            '"' => inside = !inside,
            '\\' if inside => word.push(escaped(&mut characters)?),
            ' ' if !inside => return Some((word, &text[place..])),
            other => word.push(other),
        }
    }
    (!inside).then_some((word, ""))
}

/// The character of an escape as `char::escape_debug` writes it, behind its backslash. Bytes that are
/// not Unicode (`\xFF`) are refused: they could not be given back.
fn escaped(characters: &mut std::str::CharIndices<'_>) -> Option<char> {
    match characters.next()?.1 {
        'n' => Some('\n'),
        't' => Some('\t'),
        'r' => Some('\r'),
        '0' => Some('\0'),
        'u' => {
            let digits: String =
                characters.map(|(_, it)| it).skip(1).take_while(|it| *it != '}').collect();
            char::from_u32(u32::from_str_radix(&digits, 16).ok()?)
        }
        literal @ ('"' | '\\' | '\'') => Some(literal),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::process::Command;

    #[test]
    fn the_command_is_found_among_what_cargo_says() {
        let said = concat!(
            "{\"reason\":\"compiler-artifact\"}\n",
            "LC_ALL=\"C\" PATH=\"/a b\" \"cc\" \"-m64\" \"/t/x.o\" \"/t/lib y.rlib\" \"-lc\" \"-o\" \"/t/z\"\n",
            "{\"reason\":\"build-finished\"}\n",
        );
        let command = LinkCommand::read(said).unwrap();
        assert_eq!(command.program, "cc");
        assert_eq!(command.inputs(), [1, 2]);
        assert_eq!(command.arguments[command.output().unwrap()], "/t/z");
        assert_eq!(LinkCommand::read("{}\nwarning: nothing\n"), None);
    }

    proptest! {
        #[test]
        fn whatever_a_command_holds_is_read_back(words in prop::collection::vec("[^\0]*", 1..6)) {
            let mut command = Command::new("cc");
            command.env("LC_ALL", "C").args(&words).args(["-o", "out"]);
            let read = LinkCommand::read(&format!("{command:?}")).unwrap();
            prop_assert_eq!(&read.arguments[..words.len()], &words[..]);
        }
    }
}
