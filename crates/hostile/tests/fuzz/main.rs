//! The corpora of the fuzz targets, with a bounded number of mutations each. `make fuzz` runs the same for longer.
//!
//! - `certificates`: damaged and forged certificates in front of a joining runner

mod certificates;

use std::{
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use hostile::fuzz::{Mutator, Target, feed, seeds};

/// Mutations of each target in the ordinary run.
const MUTATIONS: u64 = 1_500;

/// How long each target is fed with mutations; the ordinary run counts them instead.
#[expect(clippy::disallowed_methods, reason = "a switch of this test, not a setting of the program")]
fn long_run() -> Option<Duration> {
    let seconds = std::env::var("HOSTLER_FUZZ_SECONDS").ok()?;
    Some(Duration::from_secs(seconds.parse().expect("HOSTLER_FUZZ_SECONDS is a number")))
}

/// The files of a corpus, in the order of their names; those that end in `.hex` hold bytes as hexadecimal text.
fn corpus(name: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("corpus").join(name);
    let mut paths: Vec<PathBuf> =
        folder.read_dir().expect("the corpus exists").map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    assert!(!paths.is_empty(), "{name} has a corpus");
    paths.iter().map(|path| read(path)).collect()
}

fn read(path: &Path) -> Vec<u8> {
    let bytes = std::fs::read(path).expect("a corpus file can be read");
    if path.extension().is_none_or(|ending| ending != "hex") {
        return bytes.strip_suffix(b"\n").unwrap_or(&bytes).to_vec();
    }
    let digits: Vec<u8> = bytes.into_iter().filter(u8::is_ascii_hexdigit).collect();
    data_encoding::HEXLOWER_PERMISSIVE.decode(&digits).expect("hexadecimal text")
}

/// Prints the input of a panic in a form that can be added to the corpus.
struct Blame<'i> {
    target: Target,
    input: &'i [u8],
}

impl Drop for Blame<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("input of {}, as a .hex file: {}", self.target, data_encoding::HEXLOWER.encode(self.input));
        }
    }
}

fn fuzz(target: Target) {
    let mut inputs = corpus(target.as_str());
    inputs.extend(seeds(target));
    for input in &inputs {
        let _blame = Blame { target, input };
        feed(target, input);
    }
    let (long, began) = (long_run(), Instant::now());
    let (mut mutator, mut count) = (Mutator::new(1), 0);
    while long.map_or(count < MUTATIONS, |long| began.elapsed() < long) {
        let (first, second) = (&inputs[mutator.below(inputs.len())], &inputs[mutator.below(inputs.len())]);
        let input = mutator.mutate(first, second);
        let _blame = Blame { target, input: &input };
        feed(target, &input);
        count += 1;
    }
    println!("{target}: {} inputs, {count} mutations", inputs.len());
}

macro_rules! fuzz_tests {
    ($($name:ident: $target:ident),+ $(,)?) => {
        $(#[test]
        fn $name() {
            fuzz(Target::$target);
        })+

        #[test]
        fn every_target_has_a_test() {
            assert_eq!(Target::ALL, &[$(Target::$target),+]);
        }
    };
}

fuzz_tests! {
    link_frames_survive_random_input: LinkFrame,
    text_pages_survive_random_input: PageText,
    packed_pages_survive_random_input: PagePacked,
    filters_survive_random_input: Filter,
    schedules_survive_random_input: Cron,
    templates_survive_random_input: Template,
    log_pieces_survive_random_input: LogPiece,
}
