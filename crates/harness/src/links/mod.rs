//! The same program with its functions in another order: linked again and again from kept object
//! files.
//!
//! One program is one sample of all the layouts that its source can have, however often it is run
//! (Curtsinger and Berger, "STABILIZER: statistically sound performance evaluation", ASPLOS 2013);
//! the order in which a linker takes its files is one of the "innocuous" choices that turn the result
//! of a comparison around (Mytkowicz et al., "Producing wrong data without doing anything obviously
//! wrong!", ASPLOS 2009). STABILIZER moves code while a program runs, with a compiler pass and at a
//! cost of its own; here every launch gets another program, and what is measured is ordinary code.
//!
//! | module | what it owns |
//! |---|---|
//! | [`build`] | one call of cargo: objects, and the linker's command line |
//! | [`command`] | that command line |
//! | [`linker`] | which linker it calls, and how its switch is spelt |
//! | `lock` | who uses the kept files |
//! | [`method`] | what an order is, and the arguments that make one |
//! | [`padding`] | objects that only take up room |
//! | [`store`] | what is kept, for how long, and how much |
//! | [`objects`] | the kept files of one program |
//! | [`run`] | the orders of a run, another one for every launch |
//! | [`real`] | builds that users make of the same sources |
//! | [`error`] | what can go wrong |
//!
//! A path through it:
//!
//! ```ignore
//! let store = Store::open("target/link-orders".as_ref())?;
//! let objects = store.collect(build)?;
//! let orders = orders(7, 60);
//! let jobs = [Job { objects: &objects, method: Method::Functions, orders: &orders }];
//! let programs = store.link(&jobs, |done, all| eprintln!("{done} of {all}"));
//! ```

pub mod build;
pub mod command;
pub mod error;
pub mod linker;
mod lock;
pub mod method;
pub mod objects;
pub mod padding;
pub mod real;
pub mod run;
pub mod store;

pub use build::Build;
pub use error::LinkError;
pub use method::{Method, orders};
pub use objects::Objects;
pub use real::{DRAWN, REAL_BUILDS, drawn};
pub use run::RunOrders;
pub use store::{Job, Store};
