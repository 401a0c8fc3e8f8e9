//! A headless Chromium spoken to over a pair of pipes, in its `DevTools` protocol
//! (<https://chromedevtools.github.io/devtools-protocol/>): keys that it takes for a person's, screens of
//! any size, and all that went wrong.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};
use tempfile::TempDir;

/// The watchdog: no answer takes this long, however busy the machine is.
const LIMIT: Duration = Duration::from_secs(60);
/// How often a page is asked whether something has come about, and how long it has for that.
const POLL: (Duration, u32) = (Duration::from_millis(20), 1000);
/// Names of the program; distributions differ.
const PROGRAMS: [&str; 3] = ["chromium", "chromium-browser", "google-chrome"];

/// A browser with one page.
pub(crate) struct Browser {
    child: Child,
    input: ChildStdin,
    messages: Receiver<Value>,
    session: Option<String>,
    last: u64,
    /// What the browser said without having been asked.
    events: Vec<Value>,
    _profile: TempDir,
}

impl Browser {
    /// A browser; `None`, and a word about it, where none is installed. A machine that checks every
    /// change must have one.
    pub(crate) fn start() -> Option<Self> {
        let runs = |name: &&&str| {
            let mut asked = Command::new(name);
            asked.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
            asked.status().is_ok_and(|status| status.success())
        };
        let Some(program) = PROGRAMS.iter().find(runs) else {
            assert!(std::env::var_os("CI").is_none(), "chromium is needed");
            eprintln!("skipped: no chromium was found");
            return None;
        };
        let profile = tempfile::tempdir().expect("a directory");
        // The browser reads from descriptor 3 and writes to 4: those that the shell has from here.
        let mut child = Command::new("sh")
            .args(["-c", "exec \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>&1", "sh", program])
            .args(["--remote-debugging-pipe", "--headless", "--no-sandbox", "--disable-gpu"])
            .args(["--no-first-run", "--disable-background-networking", "--disable-sync"])
            .args(["--disable-component-update", "--disable-quic", "--disable-dev-shm-usage"])
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("a shell");
        let input = child.stdin.take().expect("it was asked for");
        let output = BufReader::new(child.stdout.take().expect("it was asked for"));
        let (sender, messages) = mpsc::channel();
        thread::spawn(move || {
            let parts = output.split(0).map_while(Result::ok);
            let mut parsed = parts.map_while(|part| serde_json::from_slice(&part).ok());
            parsed.all(|message: Value| sender.send(message).is_ok())
        });
        let (session, last, events) = (None, 0, Vec::new());
        let mut browser = Self { child, input, messages, session, last, events, _profile: profile };
        let target = browser.ask("Target.createTarget", &json!({"url": "about:blank"}));
        let attach = json!({"targetId": target["targetId"], "flatten": true});
        let attached = browser.ask("Target.attachToTarget", &attach);
        browser.session = attached["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Runtime", "Log", "Network"] {
            browser.ask(&format!("{domain}.enable"), &json!({}));
        }
        Some(browser)
    }

    /// Sends a request and gives its result; what else comes meanwhile is kept.
    pub(crate) fn ask(&mut self, method: &str, parameters: &Value) -> Value {
        let answer = self.answer(method, parameters);
        assert!(answer["error"].is_null(), "{method}: {}", answer["error"]);
        answer["result"].clone()
    }

    /// Sends a request and gives the answer, be it an error.
    fn answer(&mut self, method: &str, parameters: &Value) -> Value {
        self.last += 1;
        let mut request = json!({"id": self.last, "method": method, "params": parameters});
        if let Some(session) = &self.session {
            request["sessionId"] = json!(session);
        }
        self.input.write_all(format!("{request}\0").as_bytes()).expect("it reads");
        loop {
            let message = self.messages.recv_timeout(LIMIT).expect("it answers in time");
            if message["id"] == json!(self.last) {
                return message;
            }
            self.events.push(message);
        }
    }

    /// Opens the file `page` with `fragment` behind its `#`, and waits until it is there.
    pub(crate) fn open(&mut self, page: &Path, fragment: &str) {
        // A blank page between: another fragment alone would not load the page again.
        self.ask("Page.navigate", &json!({"url": "about:blank"}));
        let url = format!("file://{}#{fragment}", page.display());
        self.ask("Page.navigate", &json!({"url": url}));
        self.eventually("document.readyState === 'complete' && location.protocol", "file:");
    }

    /// The value of an expression in the page.
    pub(crate) fn value(&mut self, expression: &str) -> Value {
        self.evaluate(expression).unwrap_or_else(|answer| panic!("{expression}: {answer}"))
    }

    /// The same; as an error what went wrong, an exception or that the page is just being replaced.
    fn evaluate(&mut self, expression: &str) -> Result<Value, Value> {
        let parameters =
            json!({"expression": expression, "returnByValue": true, "awaitPromise": true});
        let answer = self.answer("Runtime.evaluate", &parameters);
        let is_good = answer["error"].is_null() && answer["result"]["exceptionDetails"].is_null();
        if is_good { Ok(answer["result"]["result"]["value"].clone()) } else { Err(answer) }
    }

    /// Waits until an expression has a value.
    pub(crate) fn eventually(&mut self, expression: &str, expected: impl Into<Value>) {
        let expected = Ok(expected.into());
        let mut value = Err(Value::Null);
        for _ in 0..POLL.1 {
            value = self.evaluate(expression);
            if value == expected {
                return;
            }
            thread::sleep(POLL.0);
        }
        assert_eq!(value, expected, "{expression}");
    }

    /// Presses and releases a key: `Tab`, `Enter`, or a space.
    pub(crate) fn press(&mut self, key: &str) {
        let (code, text) = match key {
            "Tab" => (9, None),
            "Enter" => (13, Some("\r")),
            _ => (32, Some(" ")),
        };
        for kind in ["keyDown", "keyUp"] {
            let mut event = json!({"type": kind, "key": key, "windowsVirtualKeyCode": code});
            if let (Some(text), "keyDown") = (text, kind) {
                event["text"] = json!(text);
            }
            self.ask("Input.dispatchKeyEvent", &event);
        }
    }

    /// Presses Tab until an expression about `document.activeElement` is true.
    pub(crate) fn tab_to(&mut self, expression: &str) {
        for _ in 0..100 {
            self.press("Tab");
            if self.value(expression) == json!(true) {
                return;
            }
        }
        panic!("the keyboard does not get to where {expression}");
    }

    /// Sets the size of the screen in CSS pixels.
    pub(crate) fn screen(&mut self, width: u32, height: u32) {
        let size = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600});
        self.ask("Emulation.setDeviceMetricsOverride", &size);
    }

    /// Checks that body or picture follow a system that is light, and then one that is dark.
    pub(crate) fn follows_the_system(&mut self, colours: &str) {
        for (scheme, expected) in [
            ("light", ["rgb(255, 255, 255)", "rgb(31, 35, 40)"]),
            ("dark", ["rgb(13, 17, 23)", "rgb(230, 237, 243)"]),
        ] {
            let features = json!({"features": [{"name": "prefers-color-scheme", "value": scheme}]});
            self.ask("Emulation.setEmulatedMedia", &features);
            self.eventually(colours, json!(expected));
        }
    }

    /// Checks that nothing went wrong since the last time: no exception, no error on the console, and
    /// nothing was fetched except files of this machine.
    pub(crate) fn check(&mut self) {
        // What was said before this answer has been read with it.
        self.value("0");
        let is_problem = |event: &Value| {
            let parameters = &event["params"];
            match event["method"].as_str() {
                Some("Runtime.exceptionThrown") => true,
                Some("Runtime.consoleAPICalled") => parameters["type"] == "error",
                Some("Log.entryAdded") => parameters["entry"]["level"] == "error",
                Some("Network.requestWillBeSent") => {
                    let url = parameters["request"]["url"].as_str().unwrap_or_default();
                    !url.starts_with("file://") && url != "about:blank"
                }
                _ => false,
            }
        };
        let problems: Vec<Value> = self.events.drain(..).filter(is_problem).collect();
        assert_eq!(problems, Vec::<Value>::new());
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // Asked first, because a browser is many processes; both fail only when it has ended.
        let _ = self.input.write_all(b"{\"id\":0,\"method\":\"Browser.close\"}\0");
        while self.messages.recv_timeout(Duration::from_secs(10)).is_ok() {}
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
