//! Embeds the built UI in the binary, or a page with build instructions if there is none.

use std::{env, fs, path::Path};

#[expect(clippy::disallowed_methods, reason = "cargo passes values to build scripts in the environment")]
fn main() {
    let manifest = env::var("CARGO_MANIFEST_DIR").expect("cargo sets it");
    let out = env::var("OUT_DIR").expect("cargo sets it");
    let dist = Path::new(&manifest).join("../../ui/dist");
    println!("cargo:rerun-if-changed={}", dist.display());
    let assets = Path::new(&out).join("assets");
    let _ = fs::remove_dir_all(&assets);
    fs::create_dir_all(&assets).expect("the build folder can be written to");
    if dist.join("index.html").exists() {
        copy(&dist, &assets);
    } else {
        fs::write(assets.join("index.html"), STUB).expect("the build folder can be written to");
    }
    fs::rename(assets.join("index.html"), Path::new(&out).join("index.html")).expect("there is an index.html");
    // Also without a built UI: `load_directory` needs at least one file.
    fs::write(assets.join("robots.txt"), "User-agent: *\nDisallow: /\n").expect("the build folder can be written to");
    let _ = fs::remove_dir_all(assets.join(".vite"));
    memory_serve::load_directory(assets.to_str().expect("paths are text"));
}

fn copy(from: &Path, to: &Path) {
    for entry in fs::read_dir(from).expect("the folder can be read").flatten() {
        let (source, target) = (entry.path(), to.join(entry.file_name()));
        if source.is_dir() {
            fs::create_dir_all(&target).expect("the build folder can be written to");
            copy(&source, &target);
        } else {
            fs::copy(&source, &target).expect("the file can be copied");
        }
    }
}

const STUB: &str = r#"<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Hostler</title></head>
<body>
<h1>Hostler is running</h1>
<p>This binary was built without the web UI. Install Node 20 and build again:</p>
<pre>make build</pre>
<p>The API is at <a href="api/v1/hub">/api/v1/hub</a>. For the command line, run <code>hostler help</code>.</p>
</body>
</html>
"#;
