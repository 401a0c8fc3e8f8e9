//! The page `results/index.html`: all published runs in one file, to choose from, sort and draw. It
//! needs no network and works from disk.
//!
//! | file | what it owns |
//! |---|---|
//! | [`document`] | the page put together from its parts |
//! | [`data`] | what of the published runs is in it |
//! | [`numbers`] | how numbers are rounded in it |
//! | `page.html`, `page.css` | what is seen before the program runs, and how it looks |
//! | `decode.js` | the data as rows |
//! | `selection.js` | what is chosen, and its text in the page's address |
//! | `columns.js` | the table's columns: values, text, meaning |
//! | `controls.js`, `table.js`, `chart.js` | what is seen of a selection |
//! | `page.js` | ties these together |

pub mod data;
pub mod document;
pub mod numbers;
