//! Database handles used in another environment than their own: a mistake LMDB cannot see.

use super::prelude::*;

cases! {
    "handle/unnamed-of-another-environment":
        "A transaction of environment B with the handle of A's unnamed database.",
        |at| foreign(at, options(), options()) => Accepted("the pair was written into B");
    "handle/named-of-another-environment":
        "A transaction of environment B with the handle of A's database `alpha`; the same \
         handle stands for `beta` in B.",
        |at| foreign(at, named("alpha", 4), named("beta", 4))
            => Accepted("the pair was written into B");
    "handle/unknown-to-the-environment": "The same, and B has no database with that handle.",
        |at| foreign(at, named("alpha", 4), allowing(4))
            => Refused(Put, InvalidArgument, "");
}

/// Puts into B with the handle of A and says where the pair went.
fn foreign<B: Probe>(at: &Place<B>, in_a: EnvironmentOptions, in_b: EnvironmentOptions) -> Answer {
    let a = at.sub("a")?.with(in_a).open()?;
    let b = at.sub("b")?.with(in_b).open()?;
    step("put with the handle of another environment");
    let mut txn = b.begin_with_handle_of(&a)?;
    txn.put(KEY, VALUE)?;
    step("commit");
    txn.commit()?;
    must_hold(&a, NOTHING)?;
    must_hold(&b, &[(KEY, VALUE)])?;
    accepted("the pair was written into B")
}
