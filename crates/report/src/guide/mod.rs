//! `results/README.md`, for somebody who must choose a binding.
//!
//! | module | what it owns |
//! |---|---|
//! | [`page`] | the whole document |
//! | [`words`] | what each binding costs, in sentences |
//! | [`costs`] | what a binding adds to a commit, and when that matters |

pub mod costs;
pub mod page;
pub mod words;
