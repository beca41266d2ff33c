//! Builds the shim binary that the runner embeds: small, static, and in its own target folder, because the outer build
//! holds the lock of the default one.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::Command,
};

const FOLDER: &str = "../shim";

fn main() {
    for path in ["build.rs", "../shim/src", "../shim/Cargo.toml", "../../Cargo.lock"] {
        println!("cargo::rerun-if-changed={path}");
    }
    let out = PathBuf::from(variable("OUT_DIR"));
    let embedded = out.join("hostler-shim");
    if variable("CARGO_CFG_TARGET_OS") != "linux" {
        fs::write(&embedded, []).expect("the build folder can be written");
        return;
    }
    fs::copy(build(&out), &embedded).expect("the shim was built");
    println!("cargo::rustc-env=HOSTLER_SHIM_HASH={:016x}", hash(&fs::read(&embedded).expect("it was just copied")));
}

/// Builds the shim and returns the path of the binary.
fn build(out: &Path) -> PathBuf {
    let target = variable("TARGET");
    let folder = out.join("shim");
    let status = Command::new(variable("CARGO"))
        .args(["build", "--release", "--locked", "--quiet", "--bin", "hostler-shim", "--target", &target])
        .arg("--manifest-path")
        .arg(Path::new(FOLDER).join("Cargo.toml"))
        .arg("--target-dir")
        .arg(&folder)
        // Flags and wrappers of the outer build do not apply to this one.
        .env_remove("CARGO_ENCODED_RUSTFLAGS")
        .env_remove("RUSTC_WRAPPER")
        .env_remove("RUSTC_WORKSPACE_WRAPPER")
        .env("RUSTFLAGS", "-C target-feature=+crt-static -C relocation-model=static")
        .env("CARGO_PROFILE_RELEASE_OPT_LEVEL", "s")
        .env("CARGO_PROFILE_RELEASE_PANIC", "abort")
        .env("CARGO_PROFILE_RELEASE_LTO", "false")
        .env("CARGO_PROFILE_RELEASE_CODEGEN_UNITS", "1")
        .env("CARGO_PROFILE_RELEASE_STRIP", "symbols")
        .env("CARGO_PROFILE_RELEASE_DEBUG", "false")
        .status()
        .expect("cargo runs");
    assert!(
        status.success(),
        "the shim cannot be built: see the messages above; it is linked statically, for which some systems need a \
         package of their own (`glibc-static` on Fedora)"
    );
    folder.join(target).join("release/hostler-shim")
}

/// FNV-1a, for a file name per version. No integrity check: the runner compares the whole content before use.
fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3))
}

#[expect(clippy::disallowed_methods, reason = "cargo passes values to build scripts in the environment")]
fn variable(name: &str) -> String {
    env::var(name).unwrap_or_else(|_| panic!("cargo sets {name}"))
}
