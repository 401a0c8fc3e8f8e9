//! Generated sections in documents written by hand: text between a pair of markers, each a Markdown
//! comment on a line of its own.
//!
//! ```text
//! <!-- begin summary: cargo run -p harness -- report -->
//! ...
//! <!-- end summary -->
//! ```

/// Why a section cannot be put into a document.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SpliceError {
    /// There is no line that begins the section, or more than one.
    #[error("a line `<!-- begin {0}: ... -->` must be there once")]
    Begin(String),
    /// No line after it ends the section.
    #[error("the line `<!-- end {0} -->` is missing after its beginning")]
    End(String),
}

/// `document` with the text between the markers of `section` replaced by `text`.
///
/// ```
/// use report::splice::splice;
/// let document = "a\n<!-- begin x: how -->\nold\n<!-- end x -->\nb\n";
/// let expected = "a\n<!-- begin x: how -->\n\nnew\n\n<!-- end x -->\nb\n";
/// assert_eq!(splice(document, "x", "new\n").unwrap(), expected);
/// ```
///
/// # Errors
/// When the markers are not there, each once and in order.
pub fn splice(document: &str, section: &str, text: &str) -> Result<String, SpliceError> {
    let begin = format!("<!-- begin {section}:");
    let end = format!("<!-- end {section} -->");
    let mut found = 0;
    let mut inside = false;
    let mut spliced = String::with_capacity(document.len() + text.len());
    for line in document.split_inclusive('\n') {
        if line.starts_with(&begin) {
            found += 1;
            inside = true;
            spliced.push_str(line);
            spliced.push('\n');
            spliced.push_str(text.trim_end());
            spliced.push_str("\n\n");
        } else if line.trim_end() == end {
            inside = false;
            spliced.push_str(line);
        } else if !inside {
            spliced.push_str(line);
        }
    }
    if found != 1 {
        return Err(SpliceError::Begin(section.to_owned()));
    }
    if inside { Err(SpliceError::End(section.to_owned())) } else { Ok(spliced) }
}

/// Whether `document` has the beginning of `section`.
#[must_use]
pub fn has_section(document: &str, section: &str) -> bool {
    let begin = format!("<!-- begin {section}:");
    document.lines().any(|line| line.starts_with(&begin))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn missing_markers_are_named() {
        let begin = "<!-- begin x: how -->\n";
        assert_eq!(splice("text\n", "x", ""), Err(SpliceError::Begin("x".to_owned())));
        assert_eq!(splice(begin, "x", ""), Err(SpliceError::End("x".to_owned())));
        let twice = format!("{begin}<!-- end x -->\n{begin}<!-- end x -->\n");
        assert_eq!(splice(&twice, "x", ""), Err(SpliceError::Begin("x".to_owned())));
    }

    proptest! {
        #[test]
        fn splicing_twice_changes_nothing_more(text in "[a-z\n ]{0,40}", around in "[a-z\n ]{0,40}") {
            let document = format!("{around}\n<!-- begin x: y -->\nold\n<!-- end x -->\n{around}");
            let once = splice(&document, "x", &text).unwrap();
            prop_assert_eq!(splice(&once, "x", &text).unwrap(), once);
        }
    }
}
