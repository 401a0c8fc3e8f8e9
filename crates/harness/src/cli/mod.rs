//! The command lines of the benches and of the program `harness`.
//!
//! | module | what it owns |
//! |---|---|
//! | [`arguments`] | the options that all benches share |
//! | [`mod@bench`] | what all command lines share |
//! | [`behaviour`] | `harness behaviour` |
//! | [`calibrate`] | `compare --calibrate` |
//! | [`compare`] | the bench `compare` |
//! | [`counts`] | the bench `counts` |
//! | [`criterion_options`] | our options beside Criterion's |
//! | [`documents`] | `harness report` |
//! | [`facts`] | `harness facts` |
//! | [`link_orders`] | the example `link_orders` |
//! | [`output`] | standard output |
//! | [`percent`] | parts of a hundred as a user writes them |
//! | [`program`] | the program `harness` |
//! | [`publish`] | `harness publish`, and `--publish` |
//! | [`stored`] | `harness show`, `rank` and `diff` |
//! | [`supply`] | where a bench gets backends and programs from |
//! | [`watch`] | progress of a comparison, and when it has enough |
//! | [`mod@write`] | the Criterion bench `write` |

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
