//! Which versions of the crates a worker names are linked into it: cargo knows, the worker does not.

use std::path::Path;
use std::sync::OnceLock;

use write_backend::protocol::Hello;

use crate::facts::builds;
use crate::facts::metadata::Metadata;

/// `hello` with the versions that cargo has locked for the crates that it names without one.
#[must_use]
pub fn stated(mut hello: Hello) -> Hello {
    static METADATA: OnceLock<Option<Metadata>> = OnceLock::new();
    let metadata = METADATA.get_or_init(|| {
        let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        Metadata::read(&builds::metadata(&top, &["--locked"]).ok()?).ok()
    });
    let version = |name: &str| Some(metadata.as_ref()?.package(name)?.version.clone());
    for named in [&mut hello.binding, &mut hello.engine_crate].into_iter().flatten() {
        named.version = named.version.take().or_else(|| version(&named.name));
    }
    hello
}
