//! Database handles used in another environment than their own: a mistake LMDB cannot see.

use write_backend::{DatabaseOptions, EnvironmentOptions, Probe, WriteTransaction as _};

use crate::case::Case;
use crate::child::step;
use crate::directory::Directory;
use crate::outcome::{Answer, Outcome};
use crate::steps::{KEY, NOTHING, VALUE, must_hold, open, options};

pub(crate) fn cases<B: Probe>() -> Vec<Case> {
    vec![
        Case::new(
            "handle/unnamed-of-another-environment",
            "A transaction of environment B with the handle of A's unnamed database.",
            |directory| foreign::<B>(directory, None, None),
        ),
        Case::new(
            "handle/named-of-another-environment",
            "A transaction of environment B with the handle of A's database `alpha`; the same \
             handle stands for `beta` in B.",
            |directory| foreign::<B>(directory, Some("alpha"), Some("beta")),
        ),
        Case::new(
            "handle/unknown-to-the-environment",
            "The same, and B has no database with that handle.",
            |directory| foreign::<B>(directory, Some("alpha"), None),
        ),
    ]
}

/// Puts into B with the handle of A and says where the pair went.
fn foreign<B: Probe>(directory: &Directory, in_a: Option<&str>, in_b: Option<&str>) -> Answer {
    let database = |name: Option<&str>| EnvironmentOptions {
        max_databases: 4,
        database: DatabaseOptions { name: name.map(str::to_owned), duplicates: false },
        ..options()
    };
    let a = open::<B>(directory.sub("a")?.path(), &database(in_a))?;
    let b = open::<B>(directory.sub("b")?.path(), &database(in_b))?;
    step("put with the handle of another environment");
    let mut txn = b.begin_with_handle_of(&a)?;
    txn.put(KEY, VALUE)?;
    step("commit");
    txn.commit()?;
    must_hold(&a, NOTHING)?;
    must_hold(&b, &[(KEY, VALUE)])?;
    Ok(Outcome::accepted("the pair was written into B"))
}
