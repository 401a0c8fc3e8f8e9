//! Reads its argument, as the other programs do, and ends.

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let directory = std::env::args().nth(1).ok_or("a directory is needed")?;
    if !std::path::Path::new(&directory).is_dir() {
        return Err("that is no directory".into());
    }
    Ok(())
}
