//! Ranks that put nothing in an order that was not shown.

/// The ranks of `count` entries in the order of their means, from 1. `is_faster(i, j)` says whether
/// entry i was shown to be faster than entry j.
///
/// That two entries cannot be told apart carries over to no third one, so ranks cannot follow pairs
/// one by one. The list is cut only where **every** entry before the cut was shown to be faster than
/// every one after it: entries with different ranks are then told apart, all of them. The rank after
/// a cut counts the entries before it.
pub(super) fn ranks(count: usize, is_faster: impl Fn(usize, usize) -> bool) -> Vec<usize> {
    let mut ranks = Vec::with_capacity(count);
    let mut rank = 1;
    for place in 0..count {
        let is_cut = (0..place).all(|before| (place..count).all(|after| is_faster(before, after)));
        if place > 0 && is_cut {
            rank = place + 1;
        }
        ranks.push(rank);
    }
    ranks
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn nobody_is_ranked_without_evidence() {
        assert_eq!(ranks(3, |_, _| false), [1, 1, 1]);
        assert_eq!(ranks(3, |one, other| one < other), [1, 2, 3]);
        assert_eq!(ranks(0, |_, _| true), Vec::<usize>::new());
    }

    #[test]
    fn a_chain_of_neighbours_that_are_not_told_apart_is_one_rank() {
        // the first is faster than the third, neither is told from the second
        assert_eq!(ranks(3, |one, other| (one, other) == (0, 2)), [1, 1, 1]);
        // the last is told from all
        assert_eq!(ranks(4, |one, other| one < other && other == 3), [1, 1, 1, 4]);
    }

    proptest! {
        #[test]
        fn different_ranks_are_told_apart(shown in prop::collection::vec(any::<bool>(), 36)) {
            let is_faster = |one: usize, other: usize| shown[one * 6 + other];
            let found = ranks(6, is_faster);
            for one in 0..6 {
                for other in one + 1..6 {
                    prop_assert!(found[one] == found[other] || is_faster(one, other));
                }
            }
        }
    }
}
