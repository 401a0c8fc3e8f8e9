//! The timed worker of `heed:bincode`, in a folder of its own: the crate bincode is unmaintained
//! (RUSTSEC-2025-0141), and nothing but this program has it.

use heed::types::SerdeBincode;
use heed_encodings::{Encoded, codecs, record};
use write_backend::encoding::Record;

codecs! {
    /// `SerdeBincode`, for values.
    Bincode, "heed:bincode", Bincode, |database, txn, key, value| {
        let record = record(value)?;
        database.remap_data_type::<SerdeBincode<Record<'_>>>().put(txn, key, &record)
    };
}

fn main() -> std::process::ExitCode {
    write_backend::worker::main::<Encoded<Bincode>>()
}
