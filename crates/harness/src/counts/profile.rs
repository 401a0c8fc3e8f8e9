//! Callgrind's output as text, read into costs and calls. Pure: bytes in, numbers out.
//!
//! The format is the one of Valgrind's manual, "Callgrind Format Specification", version 1.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Function {
    /// The file it was loaded from; `???` where Callgrind does not know.
    pub object: Rc<str>,
    /// Its symbol, not demangled; an address where there is none.
    pub name: Rc<str>,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Profile {
    /// Instructions executed in each function itself, not in those that it called.
    pub instructions: BTreeMap<Function, u64>,
    pub calls: BTreeMap<(Function, Function), u64>,
}

/// Reads one dump of Callgrind; the error is the first line that is not of the format, or that the sums
/// do not agree.
pub fn parse(bytes: &[u8]) -> Result<Profile, String> {
    let text = String::from_utf8_lossy(bytes);
    let mut reader = Reader { positions: 1, object: Rc::from("???"), ..Reader::default() };
    for (index, line) in text.lines().enumerate() {
        reader.line(line).map_err(|what| {
            let line: String = line.chars().take(80).collect();
            format!("callgrind's output, line {}: {what}: `{line}`", index + 1)
        })?;
    }
    let found = reader.sum;
    match reader.total {
        Some(stated) if stated == found => Ok(reader.profile),
        Some(stated) => {
            Err(format!("callgrind's output: the costs add up to {found}, the file says {stated}"))
        }
        None => Err("callgrind's output ends early: it has no line `totals`".to_owned()),
    }
}

#[derive(Default)]
struct Reader {
    profile: Profile,
    /// Names are written out once, as `(7) name`, and then as `(7)`; objects and functions have numbers
    /// of their own.
    names: HashMap<(&'static str, u64), Rc<str>>,
    /// How many columns a cost line has before its costs.
    positions: usize,
    event: usize,
    object: Rc<str>,
    function: Option<Rc<str>>,
    called_object: Option<Rc<str>>,
    called: Option<Rc<str>>,
    /// The next cost line belongs to a call: the callee's cost, which is counted where it arose.
    after_call: bool,
    sum: u64,
    total: Option<u64>,
}

impl Reader {
    fn line(&mut self, line: &str) -> Result<(), &'static str> {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            return Ok(());
        }
        // A cost line begins with a position: a number, relative or not, or `*`.
        if line.starts_with(|first: char| first.is_ascii_digit() || "+-*".contains(first)) {
            return self.cost(line);
        }
        match line.find(['=', ':']) {
            Some(end) if line[end..].starts_with('=') => self.body(&line[..end], &line[end + 1..]),
            Some(end) => self.header(&line[..end], line[end + 1..].trim()),
            None => Err("neither a cost nor a name nor a header"),
        }
    }

    fn header(&mut self, key: &str, value: &str) -> Result<(), &'static str> {
        match key {
            "positions" => self.positions = value.split_whitespace().count(),
            "events" => {
                let mut events = value.split_whitespace();
                self.event = events.position(|event| event == "Ir").ok_or("no event `Ir`")?;
            }
            "totals" => {
                let total = value.split_whitespace().nth(self.event).unwrap_or("0");
                self.total = Some(total.parse().map_err(|_| "the total is no number")?);
            }
            // Where, when and how: nothing that is counted.
            _ => {}
        }
        Ok(())
    }

    fn body(&mut self, key: &str, value: &str) -> Result<(), &'static str> {
        match key {
            "ob" => self.object = self.name("ob", value)?,
            "fn" => {
                self.function = Some(self.name("fn", value)?);
                self.forget_call();
            }
            "cob" => self.called_object = Some(self.name("ob", value)?),
            "cfn" => self.called = Some(self.name("fn", value)?),
            "calls" => {
                let count = value.split_whitespace().next().unwrap_or_default();
                self.call(count.parse().map_err(|_| "the number of calls is none")?)?;
            }
            // Source files: names of their own that nothing here needs.
            "fl" | "fi" | "fe" | "cfi" | "cfl" => {}
            // Anything else could be followed by lines that would be taken for costs.
            _ => return Err("unknown kind of line"),
        }
        Ok(())
    }

    fn name(&mut self, kind: &'static str, text: &str) -> Result<Rc<str>, &'static str> {
        let numbered = text.strip_prefix('(').and_then(|rest| rest.split_once(')'));
        // `(below main)` is a name.
        let number = numbered.and_then(|(number, name)| Some((number.parse().ok()?, name.trim())));
        match number {
            None => Ok(Rc::from(text)),
            Some((number, "")) => {
                self.names.get(&(kind, number)).cloned().ok_or("a number without a name")
            }
            Some((number, name)) => {
                let name: Rc<str> = Rc::from(name);
                self.names.insert((kind, number), Rc::clone(&name));
                Ok(name)
            }
        }
    }

    fn call(&mut self, count: u64) -> Result<(), &'static str> {
        let caller = self.current()?;
        let name = self.called.clone().ok_or("a call without a callee")?;
        let object = self.called_object.clone().unwrap_or_else(|| self.object.clone());
        let calls = self.profile.calls.entry((caller, Function { object, name })).or_default();
        *calls = calls.saturating_add(count);
        self.forget_call();
        self.after_call = true;
        Ok(())
    }

    fn cost(&mut self, line: &str) -> Result<(), &'static str> {
        // Events that did not happen may be left out at the end.
        let cost = line.split_whitespace().nth(self.positions + self.event).unwrap_or("0");
        let cost: u64 = cost.parse().map_err(|_| "the cost is no number")?;
        if std::mem::take(&mut self.after_call) {
            return Ok(());
        }
        let function = self.current()?;
        let sum = self.profile.instructions.entry(function).or_default();
        *sum = sum.saturating_add(cost);
        self.sum = self.sum.saturating_add(cost);
        Ok(())
    }

    fn current(&self) -> Result<Function, &'static str> {
        let name = self.function.clone().ok_or("outside any function")?;
        Ok(Function { object: self.object.clone(), name })
    }

    fn forget_call(&mut self) {
        self.called = None;
        self.called_object = None;
        self.after_call = false;
    }
}

#[cfg(test)]
#[path = "profile/tests.rs"]
mod tests;
