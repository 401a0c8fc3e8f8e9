//! Lines that are no requests, and pipes that end.

use std::io::{self, Write};

use backend_raw_ffi::RawFfi;
use write_backend::protocol::{MAX_LINE, Reply};
use write_backend::worker;

use crate::{converse_raw, reason};

#[test]
fn lines_that_are_no_requests_are_answered_and_passed_over() {
    let lines: [&[u8]; 8] = [
        b"nonsense",
        b"",
        b"{\"request\":\"hello\"",
        b"{\"request\":\"dance\"}",
        b"{\"request\":\"run\"}",
        b"{\"request\":\"run\",\"warm_up\":0,\"transactions\":-1}",
        b"[1, 2]",
        b"\xff\xfe\x00",
    ];
    let mut input = lines.join(&b'\n');
    input.extend_from_slice(b"\n{\"request\":\"finish\"}\n");
    let (ended, replies) = converse_raw::<RawFfi>(&input);
    assert!(ended.is_ok());
    let (last, refused) = replies.split_last().unwrap();
    assert_eq!(refused.len(), lines.len());
    for reply in refused {
        assert!(reason(reply).starts_with("unreadable request: "), "{reply:?}");
    }
    assert_eq!(*last, Reply::Finished);
}

#[test]
fn a_line_cut_off_by_the_end_of_input_is_answered() {
    let (ended, replies) = converse_raw::<RawFfi>(b"{\"request\":\"hel");
    assert!(ended.is_ok());
    assert!(reason(&replies[0]).starts_with("unreadable request: "));
}

#[test]
fn a_last_line_needs_no_end() {
    let (ended, replies) = converse_raw::<RawFfi>(b"{\"request\":\"finish\"}");
    assert!(ended.is_ok());
    assert_eq!(replies, [Reply::Finished]);
}

#[test]
fn the_longest_line_is_read_and_a_longer_one_ends_the_worker() {
    let request = b"{\"request\":\"finish\"}";
    let padded = |length: usize| {
        let mut line = request.to_vec();
        line.resize(length - 1, b' ');
        line.push(b'\n');
        line
    };
    let (ended, replies) = converse_raw::<RawFfi>(&padded(MAX_LINE));
    assert!(ended.is_ok());
    assert_eq!(replies, [Reply::Finished]);
    let (ended, replies) = converse_raw::<RawFfi>(&padded(MAX_LINE + 1));
    let error = ended.unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::InvalidData);
    assert!(error.to_string().contains("65536"), "{error}");
    assert_eq!(replies, []);
}

#[test]
fn a_reader_that_went_away_ends_the_worker() {
    /// Refuses everything.
    struct Gone;
    impl Write for Gone {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(io::ErrorKind::BrokenPipe.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut input: &[u8] = b"{\"request\":\"hello\"}\n";
    let error = worker::serve::<RawFfi>(&mut input, &mut Gone).unwrap_err();
    assert_eq!(error.kind(), io::ErrorKind::BrokenPipe);
}
