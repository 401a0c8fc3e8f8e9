//! `results/README.md`, for one who must choose a binding.
//!
//! | module | what it owns |
//! |---|---|
//! | [`page`] | the whole document |
//! | [`words`] | what each binding costs, in sentences |
//! | [`costs`] | what a binding adds to a commit, and when that matters |
//! | [`runs`] | the published runs, and where to look for what |

pub mod costs;
pub mod page;
pub mod runs;
pub mod words;
