//! A standard output that may be written to after its reader has gone.
//!
//! Criterion prints with `println!`, which panics then (`cargo bench ... | head`). On Unix its text goes
//! through a pipe of ours, whose other end outlives the reader; elsewhere it goes straight out, and the panic
//! stays. A terminal is left alone: it does not go before the program does, and Criterion looks for one.

/// What is printed while this lives may be for nobody.
#[derive(Debug)]
pub struct Lasting(#[cfg(unix)] Option<unix::Pipe>);

impl Lasting {
    /// Puts a pipe in the place of standard output, where that is possible.
    #[must_use]
    pub fn begin() -> Self {
        Self(
            #[cfg(unix)]
            unix::Pipe::new().ok().flatten(),
        )
    }

    /// Passes on what is still under way, and puts standard output back.
    ///
    /// # Errors
    /// When something could not be written while there was a reader: on a full disk, for example.
    pub fn end(self) -> std::io::Result<()> {
        #[cfg(unix)]
        return self.0.map_or(Ok(()), unix::Pipe::end);
        #[cfg(not(unix))]
        Ok(())
    }
}

#[cfg(unix)]
mod unix {
    use std::fs::File;
    use std::io::{self, ErrorKind, IsTerminal as _, PipeReader, Read as _, Write as _};
    use std::os::fd::AsFd as _;
    use std::thread::JoinHandle;

    #[derive(Debug)]
    pub struct Pipe {
        real: File,
        carrier: JoinHandle<io::Result<()>>,
    }

    impl Pipe {
        pub fn new() -> io::Result<Option<Self>> {
            if io::stdout().is_terminal() {
                return Ok(None);
            }
            let real = File::from(io::stdout().as_fd().try_clone_to_owned()?);
            let mut to = real.try_clone()?;
            let (from, entry) = io::pipe()?;
            rustix::stdio::dup2_stdout(&entry)?;
            let carrier = std::thread::spawn(move || carry(from, &mut to));
            Ok(Some(Self { real, carrier }))
        }

        pub fn end(self) -> io::Result<()> {
            io::stdout().flush()?;
            // Closes the last end that is written to.
            rustix::stdio::dup2_stdout(&self.real)?;
            self.carrier.join().unwrap_or(Ok(()))
        }
    }

    /// Reads to the end, also when nobody takes it.
    fn carry(mut from: PipeReader, to: &mut File) -> io::Result<()> {
        let mut outcome = Ok(());
        let mut buffer = [0; 4096];
        loop {
            let read = match from.read(&mut buffer) {
                Ok(0) => return outcome,
                Ok(read) => read,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                Err(error) => return outcome.and(Err(error)),
            };
            match to.write_all(&buffer[..read]) {
                Err(error) if error.kind() != ErrorKind::BrokenPipe && outcome.is_ok() => {
                    outcome = Err(error);
                }
                _ => {}
            }
        }
    }
}
