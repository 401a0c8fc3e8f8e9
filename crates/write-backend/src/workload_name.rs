//! The name of a workload, written and read by the table of axes.

use crate::axes::{AXES, Axis};
use crate::workload::Workload;

/// The axes in the order of a name.
fn by_place() -> [&'static Axis; AXES.len()] {
    let mut axes = AXES.each_ref();
    axes.sort_by_key(|axis| axis.place);
    axes
}

/// The values of all axes, except those that are implied.
pub(crate) fn format(workload: &Workload) -> String {
    let mentioned = by_place().into_iter().filter(|axis| axis.implied != Some(axis.get(workload)));
    let parts: Vec<String> =
        mentioned.map(|axis| format!("{}{}", axis.tag, axis.get(workload))).collect();
    parts.join("-")
}

/// Reads a name.
///
/// # Errors
/// A sentence that says what is wrong and what is allowed.
pub(crate) fn parse(name: &str) -> Result<Workload, String> {
    let mut workload = Workload::default();
    let mut rest = Some(name);
    // Why what is left is no value of an axis that need not be there.
    let mut refused = Vec::new();
    for axis in by_place() {
        let part = rest.and_then(|text| text.strip_prefix(axis.tag)).map(|text| split(axis, text));
        let value = match (part, axis.implied) {
            (None, None) => return Err(no_name(name)),
            (None, Some(implied)) => implied,
            (Some((value, after)), implied) => match (axis.parse(value), implied) {
                (Ok(value), _) => {
                    rest = after;
                    value
                }
                (Err(reason), None) => return Err(reason),
                (Err(reason), Some(implied)) => {
                    refused.push(reason);
                    implied
                }
            },
        };
        axis.set(&mut workload, value);
    }
    match rest {
        None => Ok(workload),
        Some(_) if refused.is_empty() => Err(no_name(name)),
        Some(_) => Err(refused.join("; ")),
    }
}

/// The value of `axis` at the beginning of `text`, and what follows the hyphen after it. A value may
/// hold a hyphen itself: the longest one that is there is taken.
fn split<'text>(axis: &Axis, text: &'text str) -> (&'text str, Option<&'text str>) {
    let is_value = |end: &usize| axis.parse(&text[..*end]).is_ok();
    let ends = text.match_indices('-').map(|(index, _)| index).chain([text.len()]);
    let end = ends.clone().rev().find(is_value).or_else(|| ends.clone().next());
    let end = end.unwrap_or(text.len());
    (&text[..end], text.get(end + 1..))
}

fn no_name(text: &str) -> String {
    let parts = by_place().map(|axis| {
        let part = format!("{}{}", axis.tag, axis.option.replace('-', "_").to_uppercase());
        if axis.implied.is_some() { format!("[{part}]") } else { part }
    });
    format!(
        "`{text}` is no workload: expected {}, for example commit-n100-v64-k4-sequential-nosync",
        parts.join("-")
    )
}
