//! One life of a worker program: start, hello, requests with a time limit, end.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use serde::Deserialize;
use write_backend::protocol::{Hello, MAX_LINE, PROTOCOL, Reply, Request};
use write_backend::worker::PADDING;
use write_backend::{AXES, Axis, Workload};

use crate::backends::{Backend, Engine};
use crate::interrupt;
use crate::machine::pin::{self, Core};
use crate::worker::Failure;
use crate::worker::child::Child;

#[derive(Debug, Clone)]
pub struct Start {
    pub core: Option<Core>,
    /// Bytes added to its environment: moves its stack and its heap, so that launches differ in them by
    /// chance instead of by the length of the user's environment (Mytkowicz et al., "Producing wrong data
    /// without doing anything obviously wrong!", 2009).
    pub padding: usize,
    pub limit: Duration,
}

#[derive(Debug)]
pub struct Session {
    child: Child,
    limit: Duration,
}

impl Session {
    /// Starts `program`, asks who it is, and refuses it unless it is `backend` with the engine that
    /// its binding ships.
    pub fn start(
        program: &Path,
        backend: &Backend,
        start: &Start,
    ) -> Result<(Self, Hello), Failure> {
        Self::begin(Command::new(program), start)?.greeted(program, backend)
    }

    /// Starts `command` and asks it who it is, without waiting for the answer: while it gets ready,
    /// others can be started. [`greeted`](Self::greeted) must follow.
    pub fn begin(mut command: Command, start: &Start) -> Result<Self, Failure> {
        command.env(PADDING, "x".repeat(start.padding));
        let mut session = Self { child: Child::start(command)?, limit: start.limit };
        if let Some(core) = start.core {
            pin::bind_process(session.child.id(), core);
        }
        session.send(&Request::Hello)?;
        Ok(session)
    }

    /// Waits for the answer of a worker that was [begun](Self::begin); those of
    /// [`start`](Self::start) are its errors.
    pub fn greeted(mut self, program: &Path, backend: &Backend) -> Result<(Self, Hello), Failure> {
        let refused =
            |reason| Failure::Failed(format!("worker {} is refused: {reason}", program.display()));
        let line = self.receive()?;
        // Another version of the protocol may have another hello.
        if let Ok(Spoken { protocol }) = serde_json::from_str(&line)
            && protocol != PROTOCOL
        {
            let reason = format!("protocol {PROTOCOL} expected, found {protocol}");
            return Err(refused(reason));
        }
        let hello = match self.understood(&line)? {
            Reply::Hello(hello) => *hello,
            other => return Err(self.nonsense(&format!("{other:?}"))),
        };
        match refusal(&hello, backend) {
            Some(reason) => Err(refused(reason)),
            None => Ok((self, hello)),
        }
    }

    pub fn ask(&mut self, request: &Request) -> Result<Reply, Failure> {
        self.send(request)?;
        self.reply()
    }

    fn send(&mut self, request: &Request) -> Result<(), Failure> {
        // Workers that always answer at once never let the harness wait, so it looks here too.
        if interrupt::requested() {
            return Err(Failure::Interrupted);
        }
        self.child.tell(request)
    }

    fn reply(&mut self) -> Result<Reply, Failure> {
        let line = self.receive()?;
        self.understood(&line)
    }

    fn understood(&mut self, line: &str) -> Result<Reply, Failure> {
        match serde_json::from_str(line) {
            Ok(Reply::Failed { reason }) => Err(Failure::Reported(reason)),
            Ok(reply) => Ok(reply),
            Err(_) => Err(self.nonsense(line)),
        }
    }

    fn receive(&mut self) -> Result<String, Failure> {
        match self.child.line(self.limit)? {
            Some(line) if line.len() > MAX_LINE => Err(self.child.nonsense(&line)),
            Some(line) => Ok(line),
            None => Err(self.child.died()),
        }
    }

    pub fn finish(mut self) -> Result<(), Failure> {
        self.ask_to_finish()?;
        self.finished()
    }

    /// Asks the worker to finish without waiting for it; [`finished`](Self::finished) must follow.
    pub fn ask_to_finish(&mut self) -> Result<(), Failure> {
        self.send(&Request::Finish)
    }

    /// Waits for a worker that was [asked to finish](Self::ask_to_finish).
    pub fn finished(mut self) -> Result<(), Failure> {
        match self.reply()? {
            Reply::Finished => {}
            other => return Err(self.nonsense(&format!("{other:?}"))),
        }
        self.child.end()
    }

    /// The failure for a reply that does not answer the request; ends the worker.
    pub fn nonsense(&mut self, line: &str) -> Failure {
        self.child.nonsense(line)
    }
}

pub fn offers(hello: &Hello, workload: &Workload) -> Result<(), Failure> {
    let is_offered = |axis: &Axis| match axis.key {
        "put" => hello.puts.iter().any(|put| put == workload.put.name()),
        key => {
            let is_usual = axis.implied.is_none_or(|implied| implied == axis.get(workload));
            is_usual || hello.axes.iter().any(|known| known == key)
        }
    };
    match AXES.iter().find(|axis| !is_offered(axis)) {
        None => Ok(()),
        Some(axis) => Err(Failure::NotOffered {
            backend: hello.backend.clone(),
            what: axis.name,
            value: axis.get(workload),
        }),
    }
}

#[derive(Deserialize)]
struct Spoken {
    protocol: u32,
}

/// Why a worker that said `hello` may not be measured as `backend`.
fn refusal(hello: &Hello, backend: &Backend) -> Option<String> {
    if hello.backend != backend.id {
        return Some(format!("backend {} expected, found {}", backend.id, hello.backend));
    }
    let named = |version: Option<&str>| match version {
        Some(version) => format!("LMDB {version}"),
        None => "no LMDB".to_owned(),
    };
    let found = hello.engine_version.as_deref();
    let (is_it, expected) = match &backend.engine {
        Engine::Any => (found.is_some(), "an LMDB".to_owned()),
        Engine::None => (found.is_none(), named(None)),
        Engine::Version(version) => (found == Some(version), named(Some(version))),
    };
    let expected_format = (backend.engine != Engine::Any).then_some(&backend.data_format);
    let (expected, found) = match (expected_format, &hello.data_format) {
        _ if !is_it => (expected, named(found)),
        (Some(expected), Some(found)) if expected != found => {
            (format!("data format {expected}"), found.to_string())
        }
        _ => return None,
    };
    Some(format!("{expected} expected for {}, found {found}", backend.id))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::backends::testing;
    use write_backend::protocol::Profile;
    use write_backend::{DataFormat, Encoding};

    fn hello(backend: &str, engine: Option<&str>) -> Hello {
        Hello {
            protocol: PROTOCOL,
            backend: backend.to_owned(),
            binding: None,
            engine_crate: None,
            engine_version: engine.map(str::to_owned),
            data_format: None,
            encoding: Encoding::Bytes,
            profile: Profile::Debug,
            puts: Vec::new(),
            axes: Vec::new(),
            put_alignment: None,
            loop_alignment: BTreeMap::new(),
        }
    }

    #[test]
    fn a_put_that_is_not_offered_is_named() {
        let workload = "abort-n1-v4-k4-sequential-nosync-append".parse().unwrap();
        let mut hello = hello("lmdb-rkv", None);
        hello.puts = vec!["plain".to_owned(), "cursor".to_owned()];
        let failure = offers(&hello, &workload).unwrap_err().to_string();
        assert_eq!(failure, "lmdb-rkv does not offer put \"append\"");
        hello.puts.push("append".to_owned());
        assert!(offers(&hello, &workload).is_ok());
        let workload = Workload { preload: 9, ..workload };
        let failure = offers(&hello, &workload).unwrap_err().to_string();
        assert_eq!(failure, "lmdb-rkv does not offer preload \"9\"");
        hello.axes.push("preload".to_owned());
        assert!(offers(&hello, &workload).is_ok());
    }

    #[test]
    fn an_engine_must_be_the_expected_one_or_any() {
        let raw = &testing::find("raw-ffi");
        assert_eq!(refusal(&hello("raw-ffi", Some("0.9.21")), raw), None);
        assert!(refusal(&hello("raw-ffi", None), raw).unwrap().ends_with("found no LMDB"));
        let any = Backend { engine: Engine::Any, ..(**raw).clone() };
        assert_eq!(refusal(&hello("raw-ffi", Some("0.9.90")), &any), None);
        let expected = "an LMDB expected for raw-ffi, found no LMDB";
        assert_eq!(refusal(&hello("raw-ffi", None), &any).unwrap(), expected);
        let mut other = hello("raw-ffi", Some("0.9.21"));
        other.data_format = DataFormat::try_from("lmdb-3".to_owned()).ok();
        assert_eq!(refusal(&other, &any), None);
        let expected = "data format lmdb-1 expected for raw-ffi, found lmdb-3";
        assert_eq!(refusal(&other, raw).unwrap(), expected);
    }
}
