//! The program `harness` as a user runs it, in workspaces of its own: what it writes, prints and
//! refuses, and how it ends.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use records::testing::Run;
use serde_json::{Value, json};
use tempfile::TempDir;

/// A workspace with two documents that are written by hand, and results.
struct Workspace {
    root: TempDir,
}

/// What a run of the program left.
struct Ended {
    code: Option<i32>,
    stdout: String,
    stderr: String,
}

impl Ended {
    #[track_caller]
    fn assert_code(&self, code: i32) -> &Self {
        assert_eq!(self.code, Some(code), "{}\n{}", self.stdout, self.stderr);
        assert!(!self.stderr.contains("panicked"), "{}", self.stderr);
        self
    }
}

impl Workspace {
    fn new() -> Self {
        let root = tempfile::tempdir().expect("a directory");
        for (name, sections) in [
            ("README.md", &["results", "behaviour"][..]),
            ("METHOD.md", &["calibration", "agreement", "link-orders"]),
        ] {
            let markers =
                sections.iter().map(|it| format!("<!-- begin {it}: x -->\n<!-- end {it} -->\n"));
            let text = format!("Written by hand.\n\n{}", markers.collect::<String>());
            fs::write(root.path().join(name), text).expect("a document");
        }
        fs::create_dir_all(root.path().join("results/latest")).expect("a directory");
        Self { root }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.root.path().join(name)
    }

    fn write(&self, name: &str, value: &Value) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("below the root")).expect("a directory");
        fs::write(path, value.to_string()).expect("a file");
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).expect(name)
    }

    fn command(&self, line: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_harness"));
        command.arg("--root").arg(self.root.path()).args(line.split_whitespace());
        command.current_dir(self.root.path()).stdin(Stdio::null());
        command
    }

    fn run(&self, line: &str) -> Ended {
        let Output { status, stdout, stderr } = self.command(line).output().expect("it starts");
        let text = |bytes| String::from_utf8(bytes).expect("text");
        Ended { code: status.code(), stdout: text(stdout), stderr: text(stderr) }
    }
}

/// A run against which nothing speaks: two backends on two workloads.
fn two(run: Run) -> Value {
    let run = run
        .backend("raw-ffi", None, 1.0)
        .backend("owned-buffer", Some("raw-ffi"), 1.3)
        .workloads(&["commit-n1-v64-k16-random-sync", "commit-n100-v64-k16-random-sync"]);
    serde_json::to_value(run.build()).expect("JSON")
}

/// A run of `compare` with as many `launches`.
fn run(launches: usize) -> Value {
    two(Run::compare().launches(launches))
}

#[test]
fn a_run_is_published_and_its_documents_are_made_and_checked() {
    let workspace = Workspace::new();
    workspace.write("results/latest/compare.json", &run(30));
    let published = workspace.run("publish box");
    published.assert_code(0);
    assert!(published.stdout.contains("cargo run -p harness -- report"), "{}", published.stdout);
    assert!(published.stdout.contains("box/2026-11-30/compare.json"), "{}", published.stdout);
    let stored = workspace.read("results/box/2026-11-30/compare.json");
    assert_eq!(stored, workspace.read("results/latest/compare.json"));
    assert!(workspace.run("publish box").assert_code(0).stdout.contains("nothing changed"));

    let page = "results/box/2026-11-30/README.md";
    let check = workspace.run("report --check");
    assert!(check.assert_code(1).stderr.contains(page), "{}", check.stderr);
    assert!(!workspace.path(page).exists(), "a check writes nothing");
    workspace.run("report").assert_code(0);
    assert!(workspace.read(page).contains("### Summary"));
    workspace.run("report --check").assert_code(0);
    fs::write(workspace.path(page), "edited").expect("a file");
    workspace.run("report --check").assert_code(1);
    let readme = workspace.read("README.md");
    assert!(readme.starts_with("Written by hand.\n") && readme.contains("```text"), "{readme}");
}

/// As git checks files out where `core.autocrlf` is set.
#[test]
fn line_ends_of_another_system_are_no_difference() {
    let workspace = Workspace::new();
    let stored = "results/box/2026-11-30/compare.json";
    let text = serde_json::to_string_pretty(&run(30)).expect("JSON");
    fs::create_dir_all(workspace.path("results/box/2026-11-30")).expect("a directory");
    fs::write(workspace.path(stored), &text).expect("a file");
    workspace.run("report").assert_code(0);
    let pages = ["README.md", "METHOD.md", "results/README.md", "results/box/2026-11-30/README.md"];
    for name in pages.into_iter().chain([stored]) {
        let text = workspace.read(name).replace('\n', "\r\n");
        fs::write(workspace.path(name), text).expect("a file");
    }
    workspace.run("report --check").assert_code(0);
    fs::write(workspace.path("results/latest/compare.json"), &text).expect("a file");
    workspace.run("publish box").assert_code(0);
    fs::write(workspace.path(stored), serde_json::to_string(&run(40)).expect("JSON"))
        .expect("a file");
    workspace.run("report").assert_code(0);
    // The number of launches stands in this one; what has not changed keeps its line ends.
    assert!(!workspace.read("results/box/2026-11-30/README.md").contains('\r'));
}

#[test]
fn damaged_data_is_named_and_overwrites_nothing() {
    let workspace = Workspace::new();
    let file = "results/box/2026-11-30/compare.json";
    workspace.write(file, &run(30));
    workspace.run("report").assert_code(0);
    let page = "results/box/2026-11-30/README.md";
    fs::write(workspace.path(page), "as it was").expect("a file");
    let mut damaged = run(30);
    damaged["cases"][3]["launches_ns"][5] = (-7).into();
    let newer = json!({ "schema": 3 });
    let whole = run(30).to_string();
    for (text, cause) in [
        (damaged.to_string(), "cases[3].launches_ns[5]: -7: it must be a finite number above 0"),
        (newer.to_string(), "schema: this results file was written in format 3"),
        (whole[..whole.len() / 2].to_owned(), "not a results file"),
        (String::new(), "not a results file"),
    ] {
        fs::write(workspace.path(file), text).expect("a file");
        for command in ["report", "report --check", "show box/2026-11-30", "rank box/2026-11-30"] {
            let ended = workspace.run(command);
            ended.assert_code(2);
            assert!(ended.stderr.contains("compare.json: "), "{command}: {}", ended.stderr);
            assert!(ended.stderr.contains(cause), "{command}: {}", ended.stderr);
        }
        assert_eq!(workspace.read(page), "as it was");
    }
}

#[test]
fn documents_that_no_data_gives_are_named_and_removed() {
    let workspace = Workspace::new();
    let place = "results/box/2026-11-30";
    workspace.write(&format!("{place}/compare.json"), &run(30));
    workspace.run("report").assert_code(0);
    fs::remove_file(workspace.path(&format!("{place}/compare.json"))).expect("it was there");
    let check = workspace.run("report --check");
    for name in ["README.md", "overhead.svg", "time-per-put.svg"] {
        let name = format!("{place}/{name}: no data gives it");
        assert!(check.assert_code(1).stderr.contains(&name), "{}", check.stderr);
    }
    let notes = workspace.path(&format!("{place}/behaviour.md"));
    fs::write(&notes, "# Notes\n\nBy hand.\n").expect("a file");
    let ended = workspace.run("report");
    assert!(ended.assert_code(2).stderr.contains("behaviour.md: named like"), "{}", ended.stderr);
    assert!(workspace.path(&format!("{place}/README.md")).exists(), "nothing is done by halves");
    fs::remove_file(notes).expect("it was there");
    workspace.run("report").assert_code(0);
    assert_eq!(fs::read_dir(workspace.path(place)).expect("a directory").count(), 0);
    workspace.run("report --check").assert_code(0);
}

#[test]
fn a_run_that_may_not_be_published_is_refused_with_all_reasons() {
    let workspace = Workspace::new();
    let mut bad = run(30);
    bad["complete"] = false.into();
    bad["backends"][0]["profile"] = "debug".into();
    bad["options"]["file_system"] = "tmpfs".into();
    workspace.write("results/latest/compare.json", &bad);
    let ended = workspace.run("publish box");
    ended.assert_code(1);
    for reason in ["compare.json: the run is partial", "debug build: raw-ffi", "tmpfs"] {
        assert!(ended.stderr.contains(reason), "{}", ended.stderr);
    }
    assert!(!workspace.path("results/box").exists());

    workspace.write("results/latest/compare.json", &run(30));
    workspace.run("publish box").assert_code(0);
    workspace.write("results/latest/compare.json", &run(29));
    let ended = workspace.run("publish box");
    assert!(ended.assert_code(1).stderr.contains("--replace"), "{}", ended.stderr);
    assert_eq!(workspace.read("results/box/2026-11-30/compare.json"), run(30).to_string());
    workspace.run("publish box --replace").assert_code(0);
    assert_eq!(workspace.read("results/box/2026-11-30/compare.json"), run(29).to_string());
    workspace.run("publish box --date 2026-12-24 --from results/latest").assert_code(0);
    assert!(workspace.path("results/box/2026-12-24/compare.json").exists());
}

#[test]
fn a_run_is_shown_in_every_format() {
    let workspace = Workspace::new();
    workspace.write("results/box/2026-11-30/compare.json", &run(30));
    let show = |options: &str| workspace.run(&format!("show box/2026-11-30 {options}")).stdout;
    let markdown = show("");
    assert!(markdown.contains("| owned-buffer |         1 |"), "{markdown}");
    let csv = show("--format csv");
    let lengths: Vec<usize> = csv.split("\r\n").map(|line| line.split(',').count()).collect();
    let [header, rows @ .., 1] = &lengths[..] else { panic!("{csv}") };
    assert_eq!((rows, *header > 20), (&[*header; 4][..], true), "{csv}");
    let json: Value = serde_json::from_str(&show("--format json")).expect("JSON");
    let overhead = json["tables"][0]["rows"][1]["overhead"].as_f64().expect("a number");
    assert!((overhead - 1.3).abs() < 0.005, "{overhead}");
    // The same file by its path.
    let by_path = workspace.run("show results/box/2026-11-30/compare.json --format csv").stdout;
    assert_eq!(by_path, csv);
}

#[test]
fn two_runs_are_compared_if_they_can_be() {
    let workspace = Workspace::new();
    let mut other = run(30);
    other["host"]["cpu"] = "Other CPU".into();
    workspace.write("a.json", &run(30));
    workspace.write("b.json", &other);
    let ended = workspace.run("diff a.json b.json");
    assert!(ended.assert_code(0).stdout.contains("Two machines"), "{}", ended.stdout);
    let csv = workspace.run("diff a.json b.json --format csv").stdout;
    let row = "Times,raw-ffi,commit-n1-v64-k16-random-sync,commit,1,64,";
    assert!(csv.contains(row), "{csv}");

    other["options"]["map_size"] = 4096.into();
    other["backends"][1]["binding_version"] = "9.9.9".into();
    workspace.write("b.json", &other);
    let refused = workspace.run("diff a.json b.json");
    refused.assert_code(1);
    assert_eq!(refused.stdout, "");
    for what in
        ["map size: A 10485760, B 4096", "binding of owned-buffer: A 0.8.0, B 9.9.9", "--anyway"]
    {
        assert!(refused.stderr.contains(what), "{}", refused.stderr);
    }
    let anyway = workspace.run("diff a.json b.json --anyway");
    assert!(anyway.assert_code(0).stdout.contains("They differ in map size"), "{}", anyway.stdout);
}

/// Cargo starts a bench in its package's directory, and a shell may be anywhere.
#[test]
fn paths_are_seen_from_the_top_of_the_workspace() {
    let workspace = Workspace::new();
    workspace.write("a.json", &run(30));
    let mut elsewhere = workspace.command("show a.json");
    let output = elsewhere.current_dir(std::env::temp_dir()).output().expect("it starts");
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    // This one is in the real workspace, and not in the current directory.
    let ended = workspace.run("behaviour --backend heed --dir Cargo.toml");
    let said = &ended.assert_code(2).stderr;
    assert!(said.contains("Cargo.toml is not a directory"), "{said}");
}

/// A script must not take a text that was cut short for a whole one; but that a reader has gone, as in
/// `harness show ... | head`, is no error.
#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_under_standard_output_is_an_error_and_a_gone_reader_is_none() {
    let workspace = Workspace::new();
    workspace.write("a.json", &run(30));
    for line in ["show a.json", "show a.json --format json", "diff a.json a.json", "rank a.json"] {
        let full = fs::File::options().write(true).open("/dev/full").expect("a device");
        let output = workspace.command(line).stdout(full).output().expect("it starts");
        assert_eq!(output.status.code(), Some(2), "{line}");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(errors.contains("standard output: No space left on device"), "{line}: {errors}");

        let mut command = workspace.command(line);
        let mut child =
            command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
        drop(child.stdout.take());
        let Output { status, stderr, .. } = child.wait_with_output().expect("it ends");
        assert_eq!(status.code(), Some(0), "{line}");
        assert_eq!(String::from_utf8_lossy(&stderr), "", "{line}");
    }
}

#[test]
fn wrong_arguments_are_refused_with_what_is_allowed() {
    let workspace = Workspace::new();
    workspace.write("a.json", &run(30));
    workspace.write("few.json", &run(3));
    workspace.write("counts.json", &two(Run::counts()));
    for (line, cause) in [
        ("publish Box", "1 to 40 of a-z, 0-9"),
        ("publish baseline", "taken"),
        ("publish box --date today", "like 2026-11-30"),
        ("publish box", "none of compare.json, compare-equal-flags.json, counts.json"),
        ("publish box --from nowhere", "there is no such directory"),
        ("show nowhere", "no such file or published run (HOST/DATE)"),
        ("show results", "a directory with none of compare.json"),
        ("show a.json --format yaml", "markdown, csv, json"),
        ("show README.md", "not a results file"),
        ("rank counts.json", "run of compare"),
        ("rank few.json", "run of compare"),
        ("diff a.json", "<B>"),
        ("diff a.json counts.json", "nothing in common"),
        ("forget", "forget"),
    ] {
        let ended = workspace.run(line);
        ended.assert_code(2);
        assert!(ended.stderr.starts_with("error: "), "{line}: {}", ended.stderr);
        assert!(ended.stderr.contains(cause), "{line}: {}", ended.stderr);
        assert_eq!(ended.stdout, "", "{line}");
    }
}

#[test]
fn help_shows_what_a_user_types_and_the_exit_codes() {
    let workspace = Workspace::new();
    let help = workspace.run("--help");
    for text in ["Usage: cargo run -p harness -- [OPTIONS] <COMMAND>", "Exit codes: 0 done; 1 "] {
        assert!(help.assert_code(0).stdout.contains(text), "{}", help.stdout);
    }
    let help = workspace.run("diff --help").stdout;
    assert!(help.contains("Usage: cargo run -p harness -- diff [OPTIONS] <A> <B>"), "{help}");
}
