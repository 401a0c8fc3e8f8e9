//! The page of two made-up machines in a browser.

use std::path::PathBuf;

use report::page::document::page;
use serde_json::Value;
use tempfile::TempDir;

use crate::browser::Browser;
use crate::fixture;

/// The page of two made-up machines in a browser; removed in the end.
pub(crate) struct Scene {
    pub(crate) browser: Browser,
    pub(crate) page: PathBuf,
    _directory: TempDir,
}

impl Scene {
    /// `None` where there is no browser.
    pub(crate) fn open(fragment: &str) -> Option<Self> {
        let mut browser = Browser::start()?;
        let directory = tempfile::tempdir().expect("a directory");
        let text = page(&fixture::two_machines(directory.path()));
        let page = directory.path().join("index.html");
        std::fs::write(&page, text).expect("it is written");
        browser.open(&page, fragment);
        Some(Self { browser, page, _directory: directory })
    }

    pub(crate) fn value(&mut self, expression: &str) -> Value {
        self.browser.value(expression)
    }

    pub(crate) fn eventually(&mut self, expression: &str, expected: &Value) {
        self.browser.eventually(expression, expected);
    }

    /// Checks in the end of every test that nothing went wrong unseen.
    pub(crate) fn close(mut self) {
        assert_eq!(self.browser.problems(&self.page), Vec::<Value>::new());
    }
}

pub(crate) const ROWS: &str = "document.querySelectorAll('#table tbody tr').length";
pub(crate) const MARKS: &str = "document.querySelectorAll('#chart .row').length";
/// The boxes that are checked, as `name=value`.
pub(crate) const CHECKED: &str = "[...document.querySelectorAll('input:checked')].map((it) => `${it.name}=${it.value}`).join(' ')";
/// The first column of the table.
pub(crate) const NAMES: &str =
    "[...document.querySelectorAll('#table tbody th')].map((it) => it.textContent).join(' ')";

/// Everything that can be shown, so that all columns and rows without values take part.
pub(crate) const EVERYTHING: &str = "columns=time,overhead,relative,counts&sync=nosync,sync&value=4,64\
                          &backend=raw-ffi,raw-ffi@lmdb-master-sys,heed,owned-buffer";
