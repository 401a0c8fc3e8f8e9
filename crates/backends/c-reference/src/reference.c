/*
 * The loop of crates/write-backend/src/timed.rs as a C programmer writes it: begin, puts, finish, and
 * a look at every return code.
 *
 * lmdb-sys does not hand out its header, so what is used of LMDB's interface is declared here
 * (http://www.lmdb.tech/doc/group__mdb.html).
 */

#include <stddef.h>
#include <stdint.h>

typedef struct MDB_env MDB_env;
typedef struct MDB_txn MDB_txn;
typedef unsigned int MDB_dbi;
typedef struct MDB_val {
    size_t mv_size;
    void *mv_data;
} MDB_val;

int mdb_txn_begin(MDB_env *env, MDB_txn *parent, unsigned int flags, MDB_txn **txn);
int mdb_txn_commit(MDB_txn *txn);
void mdb_txn_abort(MDB_txn *txn);
int mdb_put(MDB_txn *txn, MDB_dbi dbi, MDB_val *key, MDB_val *data, unsigned int flags);

/* Bytes that somebody else owns, as Rust lays out `Slice` in lib.rs. */
struct slice {
    void *start;
    size_t length;
};

struct pair {
    struct slice key;
    struct slice value;
};

/* Puts all pairs; 0 or the first error. */
static inline int put_all(MDB_txn *txn, MDB_dbi dbi, const struct pair *pairs, size_t count)
{
    for (const struct pair *pair = pairs; pair < pairs + count; ++pair) {
        MDB_val key = { pair->key.length, pair->key.start };
        MDB_val value = { pair->value.length, pair->value.start };
        int code = mdb_put(txn, dbi, &key, &value, 0);
        if (code != 0)
            return code;
    }
    return 0;
}

/*
 * Two functions, as in the Rust loop: what is measured holds no branch that a user's own loop would
 * not. The names say where counting is switched on.
 */
int c_reference_abort_loop(MDB_env *env, MDB_dbi dbi, const struct pair *pairs, size_t count,
                           uint64_t transactions)
{
    for (; transactions > 0; --transactions) {
        MDB_txn *txn;
        int code = mdb_txn_begin(env, NULL, 0, &txn);
        if (code != 0)
            return code;
        code = put_all(txn, dbi, pairs, count);
        mdb_txn_abort(txn);
        if (code != 0)
            return code;
    }
    return 0;
}

int c_reference_commit_loop(MDB_env *env, MDB_dbi dbi, const struct pair *pairs, size_t count,
                            uint64_t transactions)
{
    for (; transactions > 0; --transactions) {
        MDB_txn *txn;
        int code = mdb_txn_begin(env, NULL, 0, &txn);
        if (code != 0)
            return code;
        code = put_all(txn, dbi, pairs, count);
        if (code != 0) {
            mdb_txn_abort(txn);
            return code;
        }
        code = mdb_txn_commit(txn);
        if (code != 0)
            return code;
    }
    return 0;
}
