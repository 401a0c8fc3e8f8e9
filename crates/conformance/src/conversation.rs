//! A worker driven in memory: requests in, replies out, no process and no pipe.

use std::io;

use write_backend::WriteBackend;
use write_backend::protocol::{Reply, Request};
use write_backend::worker;

/// What a worker of `B` replies to `requests`.
///
/// # Errors
/// When the worker ends with an error, or says something that is no reply.
pub fn converse<B: WriteBackend>(requests: &[Request]) -> io::Result<Vec<Reply>> {
    let mut input = Vec::new();
    for request in requests {
        serde_json::to_writer(&mut input, request)?;
        input.push(b'\n');
    }
    let (ended, replies) = converse_raw::<B>(&input);
    ended?;
    replies
}

/// How a worker of `B` ends when its input is exactly `input`, and what it replied until then.
pub fn converse_raw<B: WriteBackend>(input: &[u8]) -> (io::Result<()>, io::Result<Vec<Reply>>) {
    let mut output = Vec::new();
    let ended = worker::serve::<B>(&mut &*input, &mut output);
    let lines = output.split(|byte| *byte == b'\n').filter(|line| !line.is_empty());
    let replies = lines.map(|line| serde_json::from_slice(line).map_err(io::Error::from));
    (ended, replies.collect())
}
