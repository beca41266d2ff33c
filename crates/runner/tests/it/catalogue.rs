//! Hosts that run only the definitions of their own catalogue.

use domain::{definition::Trust, job::RunStatus};
use proto::work::Kept;
use serde_json::json;

use crate::standalone::{Machine, granted, script};

const LOCAL: &str = r#"
key = "script"
argv = ["/bin/sh", "-c", "echo \"local $1 token=$TOKEN path=$PATH preload=$EVIL\"", "sh", "{{ name }}"]
secrets = ["TOKEN"]
timeout_seconds = 5

[arg_schema]
type = "object"
required = ["name"]
additionalProperties = false
properties.name = { type = "string", maxLength = 10 }
"#;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn own_definition_overrides_the_hubs_command_and_secrets() {
    let machine = Machine::new();
    std::fs::create_dir(machine.path("catalogue.d")).expect("a folder");
    std::fs::write(machine.path("catalogue.d/script.toml"), LOCAL).expect("writes");
    let mut runner = machine.start_trusting(Trust::Local).await;
    let evil = script("echo evil", &[], json!({"type": "object"}));

    let mut grant = granted(&evil, json!({"name": "kim"}));
    let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    grant.secrets = Kept([pair("TOKEN", "tk"), pair("EVIL", "yes"), pair("PATH", "/evil")].into());
    runner.grant(&grant, &evil).await;
    let result = runner.result().await;
    assert_eq!(result.status, RunStatus::Succeeded, "{result:?}");
    let tail = result.stdout_tail.expect("output");
    assert!(tail.contains("local kim token=tk") && tail.trim_end().ends_with("preload="), "{tail}");
    assert!(!tail.contains("/evil"), "{tail}");

    // The payload is checked with the host's schema, not with the hub's.
    runner.grant(&granted(&evil, json!({"name": "much longer than ten"})), &evil).await;
    let result = runner.result().await;
    assert_eq!((result.status, result.pid), (RunStatus::Failed, None));
    assert!(result.error.expect("a reason").contains("/name"));
    runner.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn job_fails_with_a_reason_until_catalogue_has_its_definition() {
    let machine = Machine::new();
    let mut runner = machine.start_trusting(Trust::Local).await;
    let sent = script(
        "echo \"$1\"",
        &["{{ name }}"],
        json!({"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]}),
    );
    for (content, status) in [
        (None, RunStatus::Failed),
        (Some("key = "), RunStatus::Failed),
        (Some(LOCAL), RunStatus::Succeeded),
        (Some("key = \"other\"\nargv = [\"true\"]\n"), RunStatus::Failed),
    ] {
        if let Some(content) = content {
            std::fs::create_dir_all(machine.path("catalogue.d")).expect("a folder");
            std::fs::write(machine.path("catalogue.d/script.toml"), content).expect("writes");
        }
        runner.grant(&granted(&sent, json!({"name": "kim"})), &sent).await;
        let result = runner.result().await;
        assert_eq!(result.status, status, "{content:?} {result:?}");
        if status == RunStatus::Failed {
            let error = result.error.expect("a reason");
            assert!(error.starts_with("this host runs only definitions from its catalogue.d"), "{error}");
        }
    }
    runner.stop().await;
}
