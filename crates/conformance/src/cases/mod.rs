//! The inputs, by subject. Each module hands out its cases for a backend.

pub(crate) mod closing;
pub(crate) mod damage;
pub(crate) mod databases;
pub(crate) mod disk_full;
pub(crate) mod duplicates;
pub(crate) mod flags;
pub(crate) mod handles;
pub(crate) mod keys;
pub(crate) mod map_full;
pub(crate) mod map_size;
pub(crate) mod nested;
pub(crate) mod open;
pub(crate) mod permissions;
pub(crate) mod processes;
pub(crate) mod read_only;
pub(crate) mod read_only_file_system;
pub(crate) mod readers;
pub(crate) mod reserve;
pub(crate) mod resize_while_reading;
pub(crate) mod sync;
pub(crate) mod transaction_full;
pub(crate) mod transactions;
pub(crate) mod values;
