//! The command lines of the benches and of the program `harness`.

pub mod arguments;
mod axes;
pub mod behaviour;
pub mod bench;
pub mod calibrate;
pub mod compare;
pub mod counts;
pub mod criterion_options;
pub mod documents;
pub mod facts;
pub mod link_orders;
pub mod output;
pub mod percent;
pub mod program;
pub mod publish;
pub mod stored;
pub mod supply;
pub mod watch;
pub mod write;
