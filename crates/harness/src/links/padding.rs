//! Objects that only take up room between others, for linkers without a switch for orders. Assembled
//! once, by the C compiler that links.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::links::command::LinkCommand;
use crate::links::error::{LinkError, tail};

/// How many there are. The first takes up 64 bytes, each next one 64 more, the last a page: what comes
/// behind any of them moves to another line of the caches, and stays at a multiple of 64.
pub const COUNT: usize = 64;

/// The step between their sizes: the alignment of everything that is measured.
const STEP: usize = 64;

/// The kept padding objects.
#[derive(Debug, Clone)]
pub struct Padding {
    directory: PathBuf,
}

impl Padding {
    /// Those in `directory`, which are made if they are not there.
    ///
    /// # Errors
    /// When the compiler cannot assemble, or the directory cannot be written.
    pub fn ready(directory: PathBuf, command: &LinkCommand) -> Result<Self, LinkError> {
        let padding = Self { directory };
        if !padding.directory.is_dir() {
            let partial =
                padding.directory.with_extension(format!("partial-{}", std::process::id()));
            let made = assemble(&partial, command).and_then(|()| {
                fs::rename(&partial, &padding.directory)
                    .map_err(|error| LinkError::file(&padding.directory, error))
            });
            if made.is_err() {
                let _ = fs::remove_dir_all(&partial);
            }
            // Another run may have been faster.
            if !padding.directory.is_dir() {
                made?;
            }
        }
        Ok(padding)
    }

    /// The arguments that link the object of `place`, which is below [`COUNT`]. Nothing calls it:
    /// without the second argument the linker would drop it.
    #[must_use]
    pub fn arguments(&self, place: usize) -> [String; 2] {
        let object = self.directory.join(format!("{place}.o"));
        [object.display().to_string(), format!("-Wl,--undefined=link_padding_{place}")]
    }
}

fn assemble(directory: &Path, command: &LinkCommand) -> Result<(), LinkError> {
    fs::create_dir_all(directory).map_err(|error| LinkError::file(directory, error))?;
    let mut sources = Vec::new();
    for place in 0..COUNT {
        let source = format!("{place}.s");
        let text = source_of(place);
        let path = directory.join(&source);
        fs::write(&path, text).map_err(|error| LinkError::file(path, error))?;
        sources.push(source);
    }
    let machine = |flag: &&String| flag.starts_with("-m") || flag.starts_with("--target");
    let output = Command::new(&command.program)
        .args(command.arguments.iter().filter(machine))
        .arg("-c")
        .args(&sources)
        .current_dir(directory)
        .output()
        .map_err(|error| LinkError::Start { program: command.program.clone(), error })?;
    if output.status.success() {
        return Ok(());
    }
    let said = tail(&output.stderr);
    Err(LinkError::Build { binary: "padding between object files".to_owned(), said })
}

/// `%progbits` is understood on all machines, `@progbits` is a comment on some.
fn source_of(place: usize) -> String {
    let bytes = STEP * (place + 1);
    format!(
        ".section .text.link_padding,\"ax\",%progbits\n.p2align 6\n.globl link_padding_{place}\n\
         link_padding_{place}:\n.skip {bytes}, 0xcc\n.section .note.GNU-stack,\"\",%progbits\n"
    )
}
