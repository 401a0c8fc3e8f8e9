//! Mistakes that a binding's types may make impossible: what the compiler says to each. They are written down
//! in the folder of a backend, one function each, with what is expected above it.

use std::collections::BTreeSet;

use anyhow::{bail, ensure};
use records::facts::Refusal;
use serde_json::Value;

/// What every folder that has such a file has in it, and what it means.
pub const MISTAKES: [(&str, &str); 6] = [
    ("transaction-moved", "a write transaction is moved to another thread"),
    (
        "value-put-again",
        "a value that was read is put again in the same transaction, without a copy",
    ),
    ("value-kept", "a value that was read is used after its transaction"),
    ("environment-closed", "a transaction is used after its environment was closed"),
    ("transaction-ended", "a transaction is used after its commit"),
    (
        "environment-shared",
        "a second thread writes through the same environment, which LMDB allows",
    ),
];

/// What `source` declares of each.
///
/// # Errors
/// Where it leaves one out, or does not say what is expected.
pub fn declared(source: &str) -> anyhow::Result<Vec<Refusal>> {
    let lines: Vec<&str> = source.lines().collect();
    let of = |(name, means): &(&str, &str)| {
        let cfg = format!("#[cfg(mistake = \"{name}\")]");
        let above = lines.windows(2).find(|pair| pair[1] == cfg).map(|pair| pair[0]);
        let error = match above {
            Some("// allowed") => None,
            Some(line) if line.starts_with("// refused: E") => {
                Some(line["// refused: ".len()..].to_owned())
            }
            _ => bail!("`{cfg}` must be there, below `// allowed` or `// refused: E....`"),
        };
        Ok(Refusal { mistake: (*name).to_owned(), means: (*means).to_owned(), error })
    };
    MISTAKES.iter().map(of).collect()
}

/// The code of the errors in `said`, cargo's messages as JSON; `None` where there are none. They must all be
/// of one code: a slip in the program would be another.
///
/// # Errors
/// Where they are not, with what the compiler says.
pub fn code(said: &str) -> anyhow::Result<Option<String>> {
    let mut codes = BTreeSet::new();
    for line in said.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()) {
        let message = &line["message"];
        let text = message["message"].as_str().unwrap_or_default();
        if message["level"] == "error" && !text.starts_with("aborting due to") {
            let code = message["code"]["code"].as_str();
            ensure!(code.is_some(), "{text}");
            codes.extend(code.map(|code| (code.to_owned(), text.to_owned())));
        }
    }
    let different: BTreeSet<&String> = codes.iter().map(|(code, _)| code).collect();
    ensure!(different.len() < 2, "errors of several kinds: {codes:?}");
    Ok(codes.into_iter().next().map(|(code, _)| code))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_is_no_refusal() {
        let message = |code: &str| {
            format!("{{\"message\":{{\"level\":\"error\",\"message\":\"m\",\"code\":{code}}}}}\n")
        };
        let [one, other] =
            ["E0382", "E0425"].map(|code| message(&format!("{{\"code\":\"{code}\"}}")));
        assert_eq!(code(&format!("{one}{one}no json\n")).unwrap().as_deref(), Some("E0382"));
        assert_eq!(code("{\"message\":{\"level\":\"warning\"}}\n").unwrap(), None);
        assert!(code(&(one + &other)).is_err() && code(&message("null")).is_err());
        assert!(declared("#[cfg(mistake = \"value-kept\")]").is_err());
    }
}
