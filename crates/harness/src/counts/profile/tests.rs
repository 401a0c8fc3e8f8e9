use super::*;

const SAMPLE: &str = "# callgrind format
version: 1
creator: callgrind-3.19.0
cmd:  ./worker
part: 20
desc: Trigger: --dump-before=write

positions: line
events: Ir
summary: 30

ob=(1) /bin/worker
fl=(1) ???
fn=(1) mdb_put
0 7
cob=(2) /lib/libc.so.6
cfi=(2) ./malloc/malloc.c
cfn=(2) malloc
calls=3 0
0 12
+0 1

fn=(3) (below main)
cfn=(1)
calls=2 *
* 23
* 10

ob=(2)
fn=(2)
12 12
totals: 30
";

fn function(object: &str, name: &str) -> Function {
    Function { object: Rc::from(object), name: Rc::from(name) }
}

#[test]
fn costs_are_those_of_the_function_itself_and_calls_are_counted() {
    let profile = parse(SAMPLE.as_bytes()).unwrap();
    let put = function("/bin/worker", "mdb_put");
    let malloc = function("/lib/libc.so.6", "malloc");
    let main = function("/bin/worker", "(below main)");
    let costs = [(put.clone(), 8), (main.clone(), 10), (malloc.clone(), 12)];
    assert_eq!(profile.instructions, BTreeMap::from(costs));
    assert_eq!(profile.calls, BTreeMap::from([((put.clone(), malloc), 3), ((main, put), 2)]));
}

#[test]
fn what_is_not_of_the_format_is_named_with_its_line() {
    let message = |text: &str| parse(text.as_bytes()).unwrap_err();
    let call = SAMPLE.replace("+0 1\n", "+0 1\ncalls=1 0\n");
    assert!(message(&call).contains("line 22: a call without a callee: `calls=1 0`"));
    assert!(message("events: Dr\n").contains("no event `Ir`"));
    assert!(message("fn=(7)\n").contains("a number without a name"));
    assert!(message("fn=f\njcnd=1/2 3\n").contains("unknown kind of line"));
    assert!(message("1 2\n").contains("outside any function"));
    assert!(message("word\n").contains("neither"));
}

#[test]
fn a_cut_file_is_refused() {
    let cut = &SAMPLE[..SAMPLE.find("totals").unwrap()];
    assert!(parse(cut.as_bytes()).unwrap_err().contains("ends early"));
    let changed = parse(SAMPLE.replace("12 12", "12 11").as_bytes()).unwrap_err();
    assert!(changed.ends_with("add up to 29, the file says 30"), "{changed}");
}

#[test]
fn further_events_and_positions_are_passed_over() {
    let text = "positions: instr line\nevents: Dr Ir\nfn=f\n0x1 3 5 7\n+1 * 1\ntotals: 6 7\n";
    // An address in hexadecimal begins with a digit too.
    let profile = parse(text.as_bytes()).unwrap();
    assert_eq!(profile.instructions, BTreeMap::from([(function("???", "f"), 7)]));
}
