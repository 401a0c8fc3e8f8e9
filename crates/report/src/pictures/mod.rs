//! Pictures of a published run as SVG: each is a text that the run's data gives, and nothing else. Which
//! pictures a run gets, and how documents show them.

pub mod instructions;
pub mod overhead;
pub(crate) mod svg;
pub mod time_per_put;

use std::borrow::Cow;

use crate::view::RunView;
use instructions::instructions;
use overhead::overhead;
use time_per_put::time_per_put;

/// A picture of a run.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// The name of its file, beside the run's data.
    pub name: Cow<'static, str>,
    /// What it is called where it is shown.
    pub title: Cow<'static, str>,
    /// The file.
    pub svg: String,
    /// What it shows, for anyone who cannot see it.
    pub description: String,
}

/// The file of the picture that the README shows.
pub const OVERHEAD: &str = "overhead.svg";
/// The file of the picture of times.
pub const TIME_PER_PUT: &str = "time-per-put.svg";
/// The file of the picture of instructions.
pub const INSTRUCTIONS: &str = "instructions.svg";
/// The files of all pictures.
pub const NAMES: [&str; 3] = [OVERHEAD, TIME_PER_PUT, INSTRUCTIONS];

/// All pictures that the data of a run gives.
#[must_use]
pub fn pictures(run: &RunView<'_>) -> Vec<Picture> {
    let compare = run.compare.as_ref();
    let drawn = [
        (OVERHEAD, "Overhead", compare.and_then(overhead)),
        (TIME_PER_PUT, "Time per put", compare.and_then(time_per_put)),
        (INSTRUCTIONS, "Instructions per put", run.counts.as_ref().and_then(instructions)),
    ];
    let picture = |(name, title, drawn): (&'static str, &'static str, Option<(String, String)>)| {
        let (svg, description) = drawn?;
        Some(Picture { name: name.into(), title: title.into(), svg, description })
    };
    drawn.into_iter().filter_map(picture).collect()
}

impl Picture {
    /// The picture in a Markdown document, `directory` being where its file is, seen from there.
    ///
    /// ```
    /// use report::pictures::Picture;
    /// let description = "Means [all].".to_owned();
    /// let picture = Picture { name: "a.svg".into(), title: "A".into(), svg: String::new(), description };
    /// assert_eq!(picture.markdown("x"), "![Means \\[all\\].](x/a.svg)\n");
    /// ```
    #[must_use]
    pub fn markdown(&self, directory: &str) -> String {
        let alternative = self.description.replace('[', "\\[").replace(']', "\\]");
        let slash = if directory.is_empty() { "" } else { "/" };
        format!("![{alternative}]({directory}{slash}{})\n", self.name)
    }
}

/// The pictures for the page of their run.
#[must_use]
pub fn section(pictures: &[Picture]) -> String {
    let part = |it: &Picture| format!("### {}\n\n{}\n", it.title, it.markdown(""));
    pictures.iter().map(part).collect()
}
