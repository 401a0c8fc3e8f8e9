//! Whether a file that need not be there is there.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use crate::store::StoreError;

/// Whether something has the name `path`: a link that leads nowhere is there, and reading it says
/// what is wrong. Only a name that does not exist is absent; what cannot be reached may well be there.
///
/// # Errors
/// When that cannot be found out: with the path at which the search ended.
pub fn is_there(path: &Path) -> Result<bool, StoreError> {
    let failed = |path: &Path, error| StoreError::Io { path: path.to_owned(), error };
    match fs::symlink_metadata(path) {
        Ok(_) => Ok(true),
        Err(error) if error.kind() == ErrorKind::NotFound => {
            // A link on the way that leads nowhere is no absence of what is behind it.
            let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty());
            if let Some(parent) = parent
                && is_there(parent)?
            {
                fs::metadata(parent).map_err(|error| failed(parent, error))?;
            }
            Ok(false)
        }
        Err(error) => Err(failed(path, error)),
    }
}

/// The file at `path`, if something has that name.
///
/// # Errors
/// Those of [`is_there`].
pub fn optional(path: &Path) -> Result<Option<&Path>, StoreError> {
    Ok(is_there(path)?.then_some(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_name_is_absent() {
        let place = tempfile::tempdir().unwrap();
        assert!(!is_there(&place.path().join("a")).unwrap());
        assert!(!is_there(&place.path().join("a/b/c")).unwrap());
        assert!(is_there(place.path()).unwrap());
        assert!(!is_there(Path::new("no-such-name.json")).unwrap());
    }

    #[test]
    fn what_cannot_be_reached_is_an_error_with_its_name() {
        let place = tempfile::tempdir().unwrap();
        let file = place.path().join("file");
        fs::write(&file, "").unwrap();
        let message = is_there(&file.join("inside")).unwrap_err().to_string();
        assert!(message.contains("inside"), "{message}");
    }

    #[cfg(unix)]
    #[test]
    fn a_link_that_leads_nowhere_is_there_and_hides_what_is_behind_it() {
        let place = tempfile::tempdir().unwrap();
        let link = place.path().join("link");
        std::os::unix::fs::symlink("nowhere", &link).unwrap();
        assert!(is_there(&link).unwrap());
        let message = is_there(&link.join("a.json")).unwrap_err().to_string();
        assert!(message.contains("link: No such file"), "{message}");
    }
}
