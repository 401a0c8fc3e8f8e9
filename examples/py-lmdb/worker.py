#!/usr/bin/env python3
"""A worker for py-lmdb: the protocol of PROTOCOL.md, spoken from Python.

It shows how a binding of another language is measured beside those of this workspace:

    cargo bench -p harness --bench compare -- --worker py-lmdb=examples/py-lmdb/worker.py

Needs Python 3.9 or newer and the package `lmdb` (py-lmdb), which brings an LMDB of its own.
"""

import json
import sys
import time

try:
    import lmdb
except ImportError:
    sys.exit("py-lmdb is missing: install it with `pip install lmdb`")

PROTOCOL = 2
MASK = (1 << 64) - 1


def split_mix_64(state):
    """The bytes of the SplitMix64 generator (Steele, Lea, Flood 2014), each output low byte first."""
    while True:
        state = (state + 0x9E3779B97F4A7C15) & MASK
        mixed = state
        mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & MASK
        yield (mixed ^ (mixed >> 31)).to_bytes(8, "little")


def take(generator, size):
    """The next `size` bytes; what is left of the last output is thrown away."""
    taken = b"".join(next(generator) for _ in range((size + 7) // 8))
    return taken[:size]


def fnv_1a(data):
    """The 64-bit FNV-1a hash."""
    value = 0xCBF29CE484222325
    for byte in data:
        value = ((value ^ byte) * 0x100000001B3) & MASK
    return value


def value_for(key, size):
    """The value that belongs to `key`: it depends on the key alone, and its first byte differs."""
    value = take(split_mix_64(fnv_1a(key)), size)
    return bytes([key[0] ^ 0xFF]) + value[1:] if value else value


def keys_of(workload, seed):
    """The keys of a batch, in the order in which they are put."""
    count, size = workload["batch_size"], workload["key_size"]
    digits = [index.to_bytes(8, "big") for index in range(count)]
    ascending = [it[-size:] if size < 8 else bytes(size - 8) + it for it in digits]
    order = workload["key_order"]
    if order == "sequential":
        return ascending
    if order == "sequential-le":
        return [key[::-1] for key in ascending]
    if order == "random":
        generator, drawn = split_mix_64(seed), {}
        while len(drawn) < count:
            drawn.setdefault(take(generator, size))
        return list(drawn)
    raise ValueError(f"unknown key order {order}")


def open_environment(directory, options):
    """Opens the environment as asked for, or says why it cannot."""
    if options["database"]["name"] is not None or options["database"]["duplicates"]:
        raise ValueError("this worker opens the unnamed database alone")
    sync = options["sync"]
    if sync not in ("nosync", "nometasync", "sync", "mapasync"):
        raise ValueError(f"unknown sync mode {sync}")
    return lmdb.open(
        directory,
        map_size=options["map_size"],
        sync=sync != "nosync",
        metasync=sync != "nometasync",
        map_async=sync == "mapasync",
        writemap=options["writable_map"],
        max_dbs=options["max_databases"],
        # As everywhere in the matrix: py-lmdb's own default is other.
        readahead=True,
        create=False,
    )


def flags_of(environment):
    """The sync mode and the kind of map that py-lmdb says the open environment has."""
    flags = environment.flags()
    if not flags["sync"]:
        sync = "nosync"
    elif flags["map_async"]:
        sync = "mapasync"
    elif not flags["metasync"]:
        sync = "nometasync"
    else:
        sync = "sync"
    return {"sync": sync, "writable_map": flags["writemap"]}


def run(environment, pairs, finish, put, transactions):
    """The timed loop: begin, puts, finish. Returns nanoseconds."""
    append = put == "append"
    commits = finish == "commit"
    start = time.perf_counter_ns()
    for _ in range(transactions):
        txn = environment.begin(write=True)
        if append:
            for key, value in pairs:
                txn.put(key, value, append=True)
        else:
            for key, value in pairs:
                txn.put(key, value)
        if commits:
            txn.commit()
        else:
            txn.abort()
    return time.perf_counter_ns() - start


class Worker:
    """The state between two requests."""

    def __init__(self):
        self.environment = None
        self.workload = None
        self.pairs = []

    def hello(self, _request):
        engine = ".".join(str(part) for part in lmdb.version())
        return {
            "reply": "hello",
            "protocol": PROTOCOL,
            "backend": "py-lmdb",
            "binding": {"name": "lmdb (PyPI)", "version": lmdb.__version__},
            "engine_crate": None,
            "engine_version": engine,
            "profile": "release",
            "puts": ["plain", "append"],
            "put_alignment": None,
            "loop_alignment": {},
        }

    def prepare(self, request):
        if self.environment is not None:
            raise ValueError("an environment is open: close it")
        self.workload = request["workload"]
        keys = keys_of(self.workload, request["seed"])
        self.pairs = [(key, value_for(key, self.workload["value_size"])) for key in keys]
        self.environment = open_environment(request["directory"], request["environment"])
        return {"reply": "prepared", **flags_of(self.environment)}

    def run(self, request):
        self.need_environment()
        finish, put = self.workload["finish"], self.workload.get("put", "plain")
        run(self.environment, self.pairs, finish, put, request["warm_up"])
        transactions = request["transactions"]
        elapsed = run(self.environment, self.pairs, finish, put, transactions)
        return {"reply": "ran", "transactions": transactions, "elapsed_ns": elapsed}

    def close(self, _request=None):
        self.need_environment()
        self.environment.close()
        self.environment = None
        return {"reply": "closed"}

    def finish(self, _request):
        if self.environment is not None:
            self.close()
        return {"reply": "finished"}

    def need_environment(self):
        if self.environment is None:
            raise ValueError("nothing is prepared")


def main():
    worker = Worker()
    for line in sys.stdin:
        try:
            request = json.loads(line)
            kind = request["request"]
            if kind not in ("hello", "prepare", "run", "close", "finish"):
                raise ValueError(f"this worker does not do `{kind}`")
            reply = getattr(worker, kind)(request)
        except Exception as error:  # whatever it is, the harness is told, and the worker goes on
            reply = {"reply": "failed", "reason": f"{type(error).__name__}: {error}"}
        print(json.dumps(reply), flush=True)
        if reply["reply"] == "finished":
            return


if __name__ == "__main__":
    main()
