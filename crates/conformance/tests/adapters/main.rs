//! What the contract's own checks see of sound and of broken adapters, driven in memory.
//!
//! | module | what it looks at |
//! |---|---|
//! | `broken` | adapters with a defect, and the check that catches each |
//! | `worker` | the worker's main loop: launches, and requests at the wrong time |
//! | `lines` | what is no request at all, and pipes that end |
//! | `defect` | an adapter that is sound except for one thing |

mod broken;
mod defect;
mod lines;
mod worker;

use std::io;
use std::path::Path;

use backend_raw_ffi::RawFfi;
use write_backend::protocol::{Reply, Request};
use write_backend::{EnvironmentOptions, WriteBackend, worker as server};

/// What a worker of `B` replies to `requests`.
fn converse<B: WriteBackend>(requests: &[Request]) -> Vec<Reply> {
    let lines = requests.iter().map(|request| serde_json::to_string(request).unwrap() + "\n");
    let (ended, replies) = converse_raw::<B>(lines.collect::<String>().as_bytes());
    ended.unwrap();
    replies
}

/// How a worker of `B` ends when its input is exactly `input`, and what it replied until then.
fn converse_raw<B: WriteBackend>(input: &[u8]) -> (io::Result<()>, Vec<Reply>) {
    let mut output = Vec::new();
    let ended = server::serve::<B>(&mut &*input, &mut output);
    let replies = serde_json::Deserializer::from_slice(&output).into_iter();
    (ended, replies.collect::<Result<_, _>>().unwrap())
}

/// What `reply` refuses, or a panic.
fn reason(reply: &Reply) -> &str {
    match reply {
        Reply::Failed { reason } => reason,
        other => panic!("not refused: {other:?}"),
    }
}

/// Opens what a worker has written.
fn open(directory: &Path, options: &EnvironmentOptions) -> RawFfi {
    // SAFETY: the directory is one test's alone.
    unsafe { RawFfi::open(directory, options) }.unwrap()
}
