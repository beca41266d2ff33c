//! The examples at the top of each command's help text.

/// Examples by command.
const EXAMPLES: &[(&str, &[&str])] = &[
    ("up", &["hostler up", "hostler up --lan", "hostler up --home /srv/hostler"]),
    ("hub", &["hostler hub --ui --lan", "HOSTLER_DATABASE_URL=postgres://hostler@db/hostler hostler hub --ui"]),
    ("hub promote", &["hostler hub promote", "hostler hub promote --yes --org acme"]),
    (
        "runner",
        &[
            "hostler runner                works without a hub too",
            "hostler runner --ui           with the web UI of this machine",
            "hostler runner --hub --ui     the same as hostler up",
            "HOSTLER_HUBS=http://10.0.0.5:7411,http://10.0.1.5:7411 hostler runner",
        ],
    ),
    (
        "ui",
        &[
            "hostler ui --database-url postgres://hostler@db/hostler --lan",
            "hostler ui --database-url sqlite:/var/lib/hostler/runner.db --listen 127.0.0.1:7412",
        ],
    ),
    (
        "backup create",
        &[
            "hostler backup create /mnt/backup/hub.hostler",
            "hostler backup create hub.hostler --database-url postgres://hostler@db/hostler",
        ],
    ),
    ("backup verify", &["hostler backup verify hub.hostler", "hostler backup verify hub.hostler -o json"]),
    ("backup restore", &["hostler backup restore hub.hostler", "hostler backup restore hub.hostler --force --yes"]),
    (
        "db copy",
        &[
            "hostler db copy --from sqlite:/var/lib/hostler/hub.db --to postgres://hostler@db/hostler",
            "hostler db copy --from sqlite:hub.db --to postgres://hostler@db/hostler -o json",
        ],
    ),
    ("sync status", &["hostler sync status", "hostler sync status -o json"]),
    ("sync rejected", &["hostler sync rejected", "hostler sync rejected -o jsonl"]),
    ("sync digest", &["hostler sync digest", "hostler sync digest nas"]),
    (
        "join",
        &[
            "hostler join http://10.0.0.5:7411 hsj_…",
            "hostler join http://10.0.0.5:7411 hsj_… --name nas --always-on false",
            "hostler join http://10.0.0.5:7411 hsj_… --trust local     runs only definitions from its own catalogue.d",
        ],
    ),
    (
        "invite",
        &[
            "hostler invite",
            "hostler invite --uses 20 --ttl 8h -l env=prod",
            "hostler invite --queue default --queue gpu",
        ],
    ),
    ("login", &["hostler login http://10.0.0.5:7411", "hostler login http://10.0.0.5:7411 --token - < token"]),
    (
        "completion",
        &["hostler completion bash > /etc/bash_completion.d/hostler", "hostler completion zsh > ~/.zfunc/_hostler"],
    ),
    (
        "api",
        &["hostler api GET /api/v1/hosts", "hostler api PATCH /api/v1/org --input '{\"timezone\":\"Europe/Berlin\"}'"],
    ),
    ("batch list", &["hostler batch list", "hostler batch list -o json"]),
    ("batch show", &["hostler batch show 01K5", "hostler batch show 01K5 -o json --jq .failures"]),
    ("batch stop", &["hostler batch stop 01K5"]),
    ("bench link", &["hostler bench link --runners 200 --hub http://127.0.0.1:7411 --for 60s"]),
    (
        "bench queue",
        &[
            "hostler bench queue",
            "hostler bench queue --database-url postgres://postgres@127.0.0.1/bench --beside 1000000",
        ],
    ),
    (
        "bench sync",
        &["hostler bench sync", "hostler bench sync --rows 100000 --database-url postgres://hostler@db/bench"],
    ),
    ("bench spawn", &["hostler bench spawn", "hostler bench spawn --jobs 5000 --slots 32"]),
    ("leave", &["hostler leave --yes", "hostler leave --force --yes     on a copy of another machine"]),
    ("progress", &["hostler progress 41 \"copying files\"", "hostler progress 100"]),
    ("status", &["hostler status", "hostler status -o json | jq .hosts"]),
    ("doctor", &["hostler doctor", "hostler doctor -o json"]),
    ("version", &["hostler version", "hostler version -o json"]),
    ("logout", &["hostler logout", "hostler logout --context home"]),
    ("whoami", &["hostler whoami", "hostler whoami --context home"]),
    ("context list", &["hostler context list"]),
    ("context use", &["hostler context use home"]),
    ("context add", &["hostler context add home http://10.0.0.5:7411"]),
    ("context rm", &["hostler context rm home"]),
    ("token list", &["hostler token list", "hostler token list -o wide"]),
    (
        "token create",
        &[
            "hostler token create ci --role operator --ttl 30d",
            "hostler token create grafana --scope read",
            "hostler token create py --scope worker --queue default",
        ],
    ),
    ("token revoke", &["hostler token revoke ci"]),
    (
        "run",
        &[
            "hostler run hello --on web-1 --wait",
            "hostler run sleep seconds=30 -l env=prod -f",
            "hostler run host-report --on nas -o json",
            "hostler run sync provider_id=42 --dedupe sync:42 --window 10m --at 2h",
        ],
    ),
    ("ps", &["hostler ps", "hostler ps --filter 'status:failed,dead_letter after:-24h'", "hostler ps -w"]),
    (
        "job list",
        &["hostler job list --filter 'host:web-* def:sync-*' -n 200", "hostler job list --status running -o json"],
    ),
    ("job show", &["hostler job show 01K4Z", "hostler job show 01K4Z -o json | jq .attempts"]),
    ("job move", &["hostler job move 01K4Z --on db-1", "hostler job move 01K4Z --priority 10"]),
    ("why", &["hostler why 01K4Z"]),
    ("logs", &["hostler logs 01K4Z -f", "hostler logs 01K4Z -n 100 --times --stderr"]),
    ("cancel", &["hostler cancel 01K4Z", "hostler cancel --filter 'status:queued def:sync-*' --yes"]),
    (
        "retry",
        &[
            "hostler retry 01K4Z",
            "hostler retry --filter status:dead_letter --yes",
            "hostler retry 01K4Z --input '{\"seconds\":1}'",
        ],
    ),
    ("wait", &["hostler wait 01K4Z 01K50"]),
    ("queue", &["hostler queue", "hostler queue -o json"]),
    ("def list", &["hostler def list", "hostler def list -o wide"]),
    ("def show", &["hostler def show hello"]),
    ("def apply", &["hostler def apply -f definitions/", "hostler def apply -f sync.toml --dry-run"]),
    ("def validate", &["hostler def validate -f definitions/"]),
    ("def enable", &["hostler def enable sync-dropbox"]),
    ("def disable", &["hostler def disable sync-dropbox"]),
    ("def history", &["hostler def history sync-dropbox"]),
    ("trigger list", &["hostler trigger list", "hostler trigger list -o wide", "hostler trigger ls -o json"]),
    ("trigger show", &["hostler trigger show nightly", "hostler trigger show 01K4Z -o json | jq .last_fire"]),
    (
        "trigger create",
        &[
            "hostler trigger create --label nightly --def backup --cron '0 2 * * *' --tz Europe/Berlin --on nas",
            "hostler trigger create --label poll --def sync folder=/photos --every 15m --jitter 2m -l env=prod --each",
            "hostler trigger create --label changed --def sync 'folder={{ event.folder }}' --on-event folder.changed",
            "hostler trigger create --label home --def backup --cron @daily --on laptop-kim --place host --missed once",
        ],
    ),
    (
        "trigger edit",
        &["hostler trigger edit nightly --cron '30 2 * * *'", "hostler trigger edit 01K4Z --overlap queue_one"],
    ),
    ("trigger enable", &["hostler trigger enable nightly"]),
    ("trigger disable", &["hostler trigger disable nightly"]),
    ("trigger pause", &["hostler trigger pause nightly --until 2h"]),
    ("trigger resume", &["hostler trigger resume nightly"]),
    ("trigger rm", &["hostler trigger rm nightly", "hostler trigger rm nightly --yes"]),
    (
        "trigger next",
        &[
            "hostler trigger next nightly",
            "hostler trigger next '30 2 * * *' --tz Europe/Berlin --after 2027-03-27T00:00:00Z -n 3",
            "hostler trigger next '@every 90m' -o json",
        ],
    ),
    (
        "trigger test",
        &["hostler trigger test nightly", "hostler trigger test changed --event '{\"folder\": \"/photos\"}'"],
    ),
    ("trigger fire", &["hostler trigger fire nightly", "hostler trigger fire changed --event event.json --wait"]),
    ("trigger history", &["hostler trigger history nightly", "hostler trigger history nightly -n 200 -o jsonl"]),
    (
        "trigger backfill",
        &[
            "hostler trigger backfill nightly --from 7d --dry-run",
            "hostler trigger backfill nightly --from 2026-11-01T00:00:00Z --until 2026-11-08T00:00:00Z --yes",
        ],
    ),
    ("trigger apply", &["hostler trigger apply -f triggers/", "hostler trigger apply -f nightly.toml --dry-run"]),
    (
        "trigger import",
        &[
            "crontab -l | hostler trigger import -",
            "hostler trigger import /etc/crontab --system --on nas --tz Europe/Berlin --apply",
        ],
    ),
    (
        "event emit",
        &[
            "hostler event emit folder.changed '{\"folder\": \"/photos\"}'",
            "hostler event emit shop.order_paid - --correlation-id order-42 < order.json",
        ],
    ),
    ("event list", &["hostler event list", "hostler event list --type folder. -n 10 -o jsonl"]),
    (
        "schedule explain",
        &[
            "hostler schedule explain --host laptop-kim --asleep 22:00-08:00",
            "hostler schedule explain --host laptop-kim --asleep 22:00-08:00 --days 2 -o json",
        ],
    ),
    (
        "tail",
        &["hostler tail", "hostler tail --types job_run. --filter 'data.definition_key:sync-*' | jq .data.job_id"],
    ),
    ("limit list", &["hostler limit list"]),
    ("limit set", &["hostler limit set customer-42 --max-running 2 --rate 30/m"]),
    ("limit rm", &["hostler limit rm customer-42"]),
    ("alert list", &["hostler alert list", "hostler alert list --all -o wide", "hostler alert list -w"]),
    ("alert show", &["hostler alert show 01K4Z", "hostler alert show db-2 -o json"]),
    ("alert ack", &["hostler alert ack db-2 --note 'new disk is on its way'", "hostler alert ack 01K4Z --for 8h"]),
    ("alert snooze", &["hostler alert snooze db-2 --for 2h"]),
    ("alert resolve", &["hostler alert resolve 01K4Z --note 'ran it by hand'"]),
    ("alert rules", &["hostler alert rules", "hostler alert rules -o json"]),
    (
        "alert rule",
        &[
            "hostler alert rule queue_age --threshold 10m --severity critical",
            "hostler alert rule host_offline --for 5m --clear 1m --repeat 4h",
            "hostler alert rule version_skew --off",
            "hostler alert rule queue_age --reset",
        ],
    ),
    (
        "alert mute",
        &[
            "hostler alert mute --host db-2 --for 1h --note 'new disk'",
            "hostler alert mute -l env=test --kind host_offline --kind dead_letter --for 8h",
            "hostler alert mute --subject definition:sync --for 2h",
        ],
    ),
    ("maintenance list", &["hostler maintenance list", "hostler maintenance list -o wide"]),
    (
        "maintenance add",
        &[
            "hostler maintenance add --label 'new switch' --from 2026-12-01T20:00:00Z --until 2026-12-01T23:00:00Z",
            "hostler maintenance add --label updates -l env=prod --cron '0 2 * * 0' --tz Europe/Berlin --for 4h",
        ],
    ),
    ("maintenance rm", &["hostler maintenance rm updates", "hostler maintenance rm 01K4Z"]),
    ("channel list", &["hostler channel list", "hostler channel list -o wide"]),
    ("channel show", &["hostler channel show ops", "hostler channel show ops -o json"]),
    (
        "channel add",
        &[
            "hostler channel add ops webhook https://example.org/hook",
            "pass show discord-ops | hostler channel add ops discord -",
            "hostler channel add phone ntfy https://ntfy.sh/my-alerts --min-severity critical --per-day 20",
            "hostler channel add mail email --smtp smtp.example.org:587 --from hostler@example.org --to ana@example.org \\
      --username hostler --password env:SMTP_PASSWORD --quiet-hours 22:00-07:00 --tz Europe/Berlin",
            "hostler channel add siren command -- /usr/local/bin/siren --loud",
        ],
    ),
    (
        "channel edit",
        &[
            "hostler channel edit ops --min-severity warning --kind host_offline --kind dead_letter",
            "hostler channel edit ops --quiet-hours none --rename night",
            "hostler channel edit ops webhook https://example.org/other",
            "hostler channel edit ops --off",
        ],
    ),
    ("channel rm", &["hostler channel rm ops", "hostler channel rm ops --yes"]),
    ("channel test", &["hostler channel test ops", "hostler channel test ops -o json"]),
    ("notice list", &["hostler notice list", "hostler notice list -n 200 --filter status:failed -o wide"]),
    ("server list", &["hostler server list", "hostler server list -o wide"]),
    ("server show", &["hostler server show mc-1", "hostler server show mc-1 -o json"]),
    (
        "server create",
        &[
            "hostler server create cache --on web-1 --ready-tcp 6379 --start -- redis-server --port 6379",
            "hostler server create mc-1 --on web-1 --folder /srv/mc --stop-command stop --ready-log 'Done (' -- java -jar server.jar nogui",
        ],
    ),
    (
        "server edit",
        &["hostler server edit cache --autostart", "hostler server edit cache --restart always --memory 512"],
    ),
    ("server start", &["hostler server start mc-1", "hostler server start mc-1 --no-wait"]),
    ("server stop", &["hostler server stop mc-1", "hostler server stop mc-1 -o json"]),
    ("server restart", &["hostler server restart mc-1", "hostler server restart mc-1 --no-wait"]),
    ("server kill", &["hostler server kill mc-1", "hostler server kill mc-1 --yes"]),
    ("server input", &["hostler server input mc-1 say hello", "hostler server input mc-1 save-all"]),
    ("server console", &["hostler server console mc-1 -f", "hostler server console mc-1 -n 500 --run 3"]),
    ("server runs", &["hostler server runs mc-1", "hostler server runs mc-1 -o jsonl"]),
    ("server move", &["hostler server move mc-1 --to web-2", "hostler server move mc-1 --to web-2 --dry-run"]),
    ("server rm", &["hostler server rm mc-1", "hostler server rm mc-1 --force --yes"]),
    ("ping list", &["hostler ping list", "hostler ping list -o wide"]),
    (
        "ping add",
        &[
            "hostler ping add nas-backup --cron '0 3 * * *' --tz Europe/Berlin --grace 30m",
            "hostler ping add sensor --every 1h",
        ],
    ),
    ("ping rm", &["hostler ping rm sensor", "hostler ping rm sensor --yes"]),
    ("ping history", &["hostler ping history nas-backup", "hostler ping history nas-backup -o jsonl"]),
    ("hook list", &["hostler hook list", "hostler hook list -o json"]),
    (
        "hook add",
        &[
            "hostler hook add shop --event shop.order_paid",
            "pass show github-hook | hostler hook add github --event github --scheme github --secret -",
        ],
    ),
    ("hook rm", &["hostler hook rm shop --yes"]),
    ("secret list", &["hostler secret list", "hostler secret list -o name"]),
    (
        "secret set",
        &[
            "hostler secret set DEPLOY_TOKEN                      prompts for the value",
            "pass show deploy | hostler secret set DEPLOY_TOKEN",
            "hostler secret set SSH_KEY < id_ed25519",
        ],
    ),
    ("secret rm", &["hostler secret rm DEPLOY_TOKEN"]),
    ("pause", &["hostler pause queue default --note 'moving house' --until 2h", "hostler pause org", "hostler pause"]),
    ("resume", &["hostler resume queue default"]),
    ("report", &["hostler report"]),
    (
        "host list",
        &[
            "hostler host list",
            "hostler host list -l 'env=prod,!gpu' --status online",
            "hostler host list --filter 'name:web-*' -o json",
        ],
    ),
    ("host show", &["hostler host show web-1", "hostler host show 01K4Z -o yaml"]),
    (
        "host set",
        &[
            "hostler host set laptop-kim --always-on false",
            "hostler host set web-1 --max-running 4 --rate 10/m --dry-run",
            "hostler host set web-1 --queues default,gpu",
        ],
    ),
    ("host label", &["hostler host label web-1 env=prod zone=a", "hostler host label 'web-*' zone-"]),
    ("host pause", &["hostler host pause web-1 --note 'new disk' --until 2h"]),
    ("host resume", &["hostler host resume web-1", "hostler host resume 'web-*' --yes"]),
    ("host mark-degraded", &["hostler host mark-degraded web-1 --note 'flaky fan'"]),
    ("host unmark", &["hostler host unmark web-1"]),
    ("host metrics", &["hostler host metrics web-1"]),
    ("host timeline", &["hostler host timeline laptop-kim", "hostler host timeline web-1 --since 3d -o jsonl"]),
    ("host rotate-key", &["hostler host rotate-key web-1", "hostler host rotate-key '*' --yes"]),
    ("host revoke", &["hostler host revoke lost-laptop --yes"]),
    ("host share", &["hostler host share pool-1 --org acme", "hostler host share pool-1 --org acme --of default"]),
    ("host unshare", &["hostler host unshare pool-1 --org acme"]),
    ("host rm", &["hostler host rm web-1", "hostler host rm web-1 --confirm web-1 --cancel-jobs"]),
    ("org list", &["hostler org list"]),
    ("org show", &["hostler org show", "hostler org show --org acme"]),
    ("org create", &["hostler org create acme --timezone Europe/Berlin"]),
    (
        "org set",
        &[
            "hostler org set --timezone Europe/Berlin",
            "hostler org set --offline-after 2m --alert-after 30m",
            "hostler org set --keep-succeeded 7d --keep-failed 180d",
        ],
    ),
    ("org rm", &["hostler org rm acme", "hostler org rm acme --confirm acme"]),
    ("user list", &["hostler user list"]),
    ("user invite", &["hostler user invite ana@example.org --role operator"]),
    ("user invitations", &["hostler user invitations"]),
    ("user role", &["hostler user role ana@example.org admin"]),
    ("user verify", &["hostler user verify ana@example.org"]),
    ("user rm", &["hostler user rm ana@example.org --yes"]),
    ("audit", &["hostler audit --since 24h", "hostler audit --action 'host.*' -o jsonl", "hostler audit verify"]),
    ("audit verify", &["hostler audit verify", "hostler audit verify -o json"]),
    ("config show", &["hostler config show", "hostler config show -o wide"]),
    ("config check", &["hostler config check --config /etc/hostler.toml"]),
    (
        "service install",
        &["hostler service install", "hostler service install --runner --user", "hostler service install --print"],
    ),
    ("service remove", &["hostler service remove"]),
    ("service status", &["hostler service status"]),
    ("open", &["hostler open", "hostler open --print"]),
    ("help", &["hostler help host set", "hostler help exit-codes", "hostler help join_token_expired"]),
];

/// The examples of a command, given by its words without `hostler`.
pub(crate) fn of(path: &str) -> Option<&'static [&'static str]> {
    EXAMPLES.iter().find(|(command, _)| *command == path).map(|(_, examples)| *examples)
}

/// The commands that have examples.
#[cfg(test)]
pub(crate) fn commands() -> impl Iterator<Item = &'static str> {
    EXAMPLES.iter().map(|(command, _)| *command)
}
