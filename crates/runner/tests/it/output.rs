//! The output of runs: the files of the shim, and the lines read from them.

use std::{fs, os::unix::fs::symlink};

use domain::Span;
use runner::exec::{
    Caps, Ending, Follower, Line, OutputStream, Position, Redactor, launch, lines::LINE_BYTES_MAX, prepare,
};

use crate::fixture::{TestRunFolder, lines, order, shim, texts, until, verdict};

#[tokio::test]
async fn invalid_utf8_is_replaced() {
    let folder = TestRunFolder::new();
    let run = folder.begin(r"printf 'a\377b\r\n\303\244\0\033[1m\nno end'").await;
    run.outcome().await;
    assert_eq!(texts(&run.lines(), OutputStream::Out), ["a\u{fffd}b", "ä\0\u{1b}[1m", "no end"]);
}

#[tokio::test]
async fn merged_streams_keep_the_order_of_lines() {
    let folder = TestRunFolder::new();
    let mut order = order("for i in 1 2 3 4 5; do echo o$i; echo e$i >&2; done");
    order.is_merged = true;
    let run = folder.begin_order(&order).await;
    run.outcome().await;
    assert_eq!(texts(&run.lines(), OutputStream::Out), ["o1", "e1", "o2", "e2", "o3", "e3", "o4", "e4", "o5", "e5"]);
}

#[tokio::test]
async fn hundred_megabyte_line_is_cut_and_its_middle_dropped() {
    let folder = TestRunFolder::new();
    let mut order = order("head -c 100000000 /dev/zero | tr '\\0' x; echo; echo done");
    order.caps = Caps { head_bytes: 1_000_000, tail_bytes: 400_000 };
    let run = folder.begin_order(&order).await;
    let outcome = run.outcome().await;
    assert_eq!((outcome.ending, outcome.output_bytes), (Ending::Code(0), 100_000_006));
    let lines = run.lines();
    assert!(lines.iter().all(|line| line.text.len() <= LINE_BYTES_MAX));
    let shown: u64 =
        lines.iter().filter(|line| line.stream == OutputStream::Out).map(|line| line.text.len() as u64).sum();
    // Without the two line breaks.
    assert_eq!(outcome.dropped_bytes, 100_000_006 - shown - 2);
    assert!((1_200_000..=1_400_000).contains(&(shown + 2)));
    assert_eq!(texts(&lines, OutputStream::System), [gap(outcome.dropped_bytes)]);
    assert_eq!(lines.last().map(|line| line.text.as_str()), Some("done"));
}

#[tokio::test]
async fn hundred_megabyte_line_is_read_in_bounded_memory() {
    let folder = TestRunFolder::new();
    let mut order = order("head -c 100000000 /dev/zero | tr '\\0' x");
    order.caps.head_bytes = u64::MAX;
    let run = folder.begin_order(&order).await;
    assert_eq!(run.outcome().await.dropped_bytes, 0);
    let before = peak_kb();
    let mut follower = Follower::new(&run.dir, Redactor::new(["not in it"]), Position::default());
    let mut shown = 0;
    loop {
        let lines = follower.poll(true, 100, 1 << 20).expect("readable");
        if lines.is_empty() {
            break;
        }
        shown += lines.iter().map(|line| line.text.len()).sum::<usize>();
    }
    assert_eq!(shown, 100_000_000);
    // Other tests of this process also use memory.
    assert!(peak_kb() < before + 50_000, "{before} kB, then {} kB", peak_kb());
}

/// Peak memory of this process, in kB.
fn peak_kb() -> u64 {
    let status = fs::read_to_string("/proc/self/status").expect("own file");
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.strip_suffix("kB")?.trim().parse().ok());
    peak.expect("Linux says so")
}

/// The system line for tens of megabytes of dropped output.
fn gap(bytes: u64) -> String {
    format!("… {}.{} MB left out …", bytes / 1_000_000, bytes % 1_000_000 / 100_000)
}

#[tokio::test]
async fn long_line_continues_in_the_next_line() {
    let folder = TestRunFolder::new();
    let run = folder.begin("head -c 300000 /dev/zero | tr '\\0' x; echo y; echo z").await;
    run.outcome().await;
    let lines = run.lines();
    let pieces: Vec<_> = lines.iter().map(|line| (line.text.len(), line.is_cut)).collect();
    let full = (LINE_BYTES_MAX, true);
    assert_eq!(pieces, [full, full, full, full, (300_001 - 4 * LINE_BYTES_MAX, false), (1, false)]);
}

#[tokio::test]
async fn head_and_tail_are_stored_and_dropped_bytes_counted() {
    let folder = TestRunFolder::new();
    let mut order = order("seq 1 200000");
    order.caps = Caps { head_bytes: 10_000, tail_bytes: 8_000 };
    let run = folder.begin_order(&order).await;
    let outcome = run.outcome().await;
    let whole: Vec<String> = (1..=200_000).map(|number| number.to_string()).collect();
    let whole = whole.join("\n") + "\n";
    assert_eq!(outcome.output_bytes, whole.len() as u64);
    let kept = outcome.output_bytes - outcome.dropped_bytes;
    assert!((14_000..=18_000).contains(&kept), "{kept}");
    let lines = run.lines();
    let at = lines.iter().position(|line| line.stream == OutputStream::System).expect("there is a gap");
    let text = |lines: &[Line]| lines.iter().map(|line| line.text.as_str()).collect::<Vec<_>>().join("\n");
    assert_eq!(text(&lines[..at]), whole[..10_000].trim_end_matches('\n'));
    assert!(lines[at - 1].is_cut || whole[..10_000].ends_with('\n'));
    let tail = usize::try_from(kept).expect("small") - 10_000;
    assert_eq!(text(&lines[at + 1..]), whole[whole.len() - tail..].trim_end_matches('\n'));
    assert_eq!(lines.iter().map(|line| line.no).collect::<Vec<_>>(), (0..lines.len() as u64).collect::<Vec<_>>());
}

#[tokio::test]
async fn full_disk_drops_output_and_does_not_block_the_program() {
    let folder = TestRunFolder::new();
    let order = order("seq 1 100000; exit 4");
    let dir = folder.dir(&order.run_id);
    prepare(&dir, &order).await.expect("prepared");
    symlink("/dev/full", dir.join("log")).expect("own file");
    launch(shim(), &dir).await.expect("started");
    until("the run has ended", || dir.join("exit").exists()).await;
    let runner::exec::RunState::Finished(outcome) = verdict(&dir).await else { panic!("not finished") };
    assert_eq!((outcome.ending, outcome.dropped_bytes), (Ending::Code(4), 588_895));
    fs::remove_file(dir.join("log")).expect("own file");
    assert_eq!(texts(&lines(&dir), OutputStream::System), ["… 588.8 kB left out …"]);
}

#[tokio::test]
async fn partly_written_record_is_truncated() {
    let folder = TestRunFolder::new();
    let mut order = order("seq 1 30000");
    order.caps = Caps { head_bytes: 150_000, tail_bytes: 10_000 };
    let dir = folder.dir(&order.run_id);
    prepare(&dir, &order).await.expect("prepared");
    // Limit files to 100 blocks of 512 bytes: the write that exceeds it is partial.
    let mut limited = tokio::process::Command::new("sh");
    limited.args(["-c", "ulimit -f 100; exec \"$0\" \"$1\""]).arg(shim().path()).arg(&dir);
    limited.output().await.expect("spawned");
    until("the run has ended", || dir.join("exit").exists()).await;
    let runner::exec::RunState::Finished(outcome) = verdict(&dir).await else { panic!("not finished") };
    let kept = outcome.output_bytes - outcome.dropped_bytes;
    assert_eq!((outcome.ending, outcome.output_bytes), (Ending::Code(0), 168_894));
    assert!(kept > 10_000 && kept < 62_000, "{kept}");
    let lines = lines(&dir);
    assert_eq!(lines.first().map(|line| line.text.as_str()), Some("1"));
    assert_eq!(lines.last().map(|line| line.text.as_str()), Some("30000"));
    let shown = lines.iter().filter(|line| line.stream == OutputStream::Out);
    let bytes: usize = shown.map(|line| line.text.len() + usize::from(!line.is_cut)).sum();
    assert_eq!(bytes as u64, kept, "all stored bytes are shown");
}

/// Reads all output in small steps, each with a new reader that starts at the saved position.
fn in_steps(dir: &std::path::Path, max_lines: usize, redactor: &Redactor) -> Vec<Line> {
    let (mut all, mut position) = (Vec::new(), Position::default());
    loop {
        let mut follower = Follower::new(dir, redactor.clone(), position);
        let more = follower.poll(true, max_lines, 1 << 20).expect("readable");
        if more.is_empty() {
            return all;
        }
        all.extend(more);
        let saved = serde_json::to_string(follower.position()).expect("serialized");
        position = serde_json::from_str(&saved).expect("readable");
    }
}

#[tokio::test]
async fn reader_continues_from_any_saved_position() {
    let folder = TestRunFolder::new();
    let mut order = order(
        "printf half; for i in $(seq 1 300); do echo error $i >&2; done; echo ' done'
         echo '-----BEGIN PRIVATE KEY-----'; echo abc; echo def; echo '-----END PRIVATE KEY-----'
         seq 1 20000; echo last >&2; printf open",
    );
    order.caps = Caps { head_bytes: 9_000, tail_bytes: 4_000 };
    let run = folder.begin_order(&order).await;
    let outcome = run.outcome().await;
    let whole = run.lines();
    assert!(outcome.dropped_bytes > 0 && whole.len() > 300);
    assert!(whole.iter().all(|line| line.text != "abc" && line.text != "def"));
    let redactor = Redactor::new([""; 0]);
    for max_lines in [1, 7, 1000] {
        assert_eq!(in_steps(&run.dir, max_lines, &redactor), whole);
    }
}

#[tokio::test]
async fn lines_of_a_live_run_are_readable_beyond_the_head() {
    let folder = TestRunFolder::new();
    let mut order = order("echo one; seq 1 3000; echo two; printf three; sleep 1000");
    order.caps = Caps { head_bytes: 100, tail_bytes: 2_000 };
    let run = folder.begin_order(&order).await;
    let mut follower = Follower::new(&run.dir, Redactor::new(["one"]), Position::default());
    let mut seen = Vec::new();
    until("the last whole line has arrived", || {
        seen.extend(follower.poll(false, 100, 1 << 20).expect("readable"));
        seen.iter().any(|line| line.text == "two")
    })
    .await;
    assert_eq!(seen.first().map(|line| line.text.as_str()), Some("one"), "values of three letters are not redacted");
    run.handle().stop(Span::from_secs(10)).await.expect("the shim answers");
    run.outcome().await;
    let rest = follower.poll(true, 100, 1 << 20).expect("readable");
    assert_eq!(texts(&rest, OutputStream::Out), ["three"]);
    assert!(follower.poll(true, 100, 1 << 20).expect("readable").is_empty());
}

#[tokio::test]
async fn secrets_are_masked_across_reads_and_lines() {
    let folder = TestRunFolder::new();
    let mut order = order("echo $S; printf '%s' \"$S\"; sleep 0.05; printf '%s\\n' \"$S\"; printf \"$M\\n\"");
    order.env.insert("S".into(), "correct-horse".into());
    order.env.insert("M".into(), "line one\nline two".into());
    let run = folder.begin_order(&order).await;
    run.outcome().await;
    let shown = in_steps(&run.dir, 1, &Redactor::new(["correct-horse", "line one\nline two"]));
    assert_eq!(texts(&shown, OutputStream::Out), ["•••", "•••", "•••", "•••"]);
}
