//! The page `results/index.html`: all published runs in one file, to choose from, sort and draw. It
//! needs no network and works from disk.
//!
//! What it shows is data: axes, columns, charts, and cells as texts. The program in it knows no axis, no
//! unit and no verdict; a cell's number is what its text begins with, in the unit that follows.
//!
//! | file | what it owns |
//! |---|---|
//! | [`document`] | the page put together from its parts |
//! | [`data`] | what of the published runs is in it |
//! | [`columns`] | its columns and charts |
//! | `page.html`, `page.css` | what is seen before the program runs, and how it looks |
//! | `selection.js` | the data as rows; what is chosen, and its text in the page's address |
//! | `controls.js`, `table.js`, `chart.js` | what is seen of a selection |
//! | `page.js` | ties these together |

pub mod columns;
pub mod data;
pub mod document;
