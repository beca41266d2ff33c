//! The settings of a server that only a super admin may choose, because each of them can run any command on the host.

use super::{ReadyCheck, Server};

/// A setting that needs a super admin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Restricted {
    /// A command that is not rendered from a definition.
    Command,
    /// The Unix user of the process.
    User,
    /// A readiness check that runs a command.
    ReadyCommand,
    /// A working directory other than the server's own.
    Folder,
    /// Environment variables that the definition does not let its users set. Many programs run code named by a
    /// variable (`BASH_ENV`, `LD_PRELOAD`, `NODE_OPTIONS`), so only listed names are safe.
    Env(Vec<String>),
}

/// The restricted settings that an edit sets or changes. Settings that were there before stay, unless the edit changes
/// the program: chosen for one program, they may run code in another one. `settable` are the names that the definition
/// of `after` lets its users set.
#[must_use]
pub fn restricted(before: Option<&Server>, after: &Server, settable: &[String]) -> Vec<Restricted> {
    let is_same_program = before.is_some_and(|before| {
        before.definition_key == after.definition_key && (after.definition_key.is_some() || before.argv == after.argv)
    });
    let kept = before.filter(|_| is_same_program);
    let mut found = Vec::new();
    if after.definition_key.is_none() && !is_same_program {
        found.push(Restricted::Command);
    }
    if after.user.is_some() && kept.is_none_or(|before| before.user != after.user) {
        found.push(Restricted::User);
    }
    // The command was chosen by a super admin and does not depend on the program.
    let runs_command = matches!(after.ready.check, ReadyCheck::Command { .. });
    if runs_command && before.is_none_or(|before| before.ready != after.ready) {
        found.push(Restricted::ReadyCommand);
    }
    if after.folder.is_some() && kept.is_none_or(|before| before.folder != after.folder) {
        found.push(Restricted::Folder);
    }
    let mut names: Vec<String> = changed_names(kept, before, after).filter(|name| !settable.contains(name)).collect();
    names.sort();
    names.dedup();
    if !names.is_empty() {
        found.push(Restricted::Env(names));
    }
    found
}

/// The variables that are new, changed or removed.
fn changed_names<'a>(
    kept: Option<&'a Server>,
    before: Option<&'a Server>,
    after: &'a Server,
) -> impl Iterator<Item = String> + 'a {
    let set = after.env.iter().filter(move |(name, value)| kept.is_none_or(|kept| kept.env.get(*name) != Some(*value)));
    let removed = before.into_iter().flat_map(|before| before.env.keys()).filter(|name| !after.env.contains_key(*name));
    set.map(|(name, _)| name.clone()).chain(removed.cloned())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::server::Ready;

    fn of(definition: &str) -> Server {
        Server { definition_key: Some(definition.to_owned()), ..Server::new(vec!["run".to_owned()]) }
    }

    fn with_env(mut server: Server, env: &[(&str, &str)]) -> Server {
        server.env = env.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        server
    }

    fn env(names: &[&str]) -> Vec<Restricted> {
        vec![Restricted::Env(names.iter().map(|name| (*name).to_owned()).collect())]
    }

    #[test]
    fn variables_are_free_only_if_the_definition_lists_them() {
        let settable = ["PORT".to_owned(), "MODE".to_owned()];
        let site = || with_env(of("site"), &[("PORT", "1")]);
        let old = || with_env(of("site"), &[("PORT", "1"), ("BASH_ENV", "/x")]);
        for (before, after, expected) in [
            (None, site(), vec![]),
            (None, with_env(of("site"), &[("BASH_ENV", "/x")]), env(&["BASH_ENV"])),
            (
                None,
                with_env(of("site"), &[("PATH", "/x"), ("LD_PRELOAD", "x"), ("MODE", "")]),
                env(&["LD_PRELOAD", "PATH"]),
            ),
            (Some(site()), with_env(site(), &[("PORT", "2"), ("MODE", "fast")]), vec![]),
            (Some(site()), with_env(site(), &[("PORT", "1"), ("BASH_ENV", "/x")]), env(&["BASH_ENV"])),
            // Unchanged, changed, removed, and kept with another definition.
            (Some(old()), Server { autostart: true, ..old() }, vec![]),
            (Some(old()), with_env(old(), &[("PORT", "1"), ("BASH_ENV", "/y")]), env(&["BASH_ENV"])),
            (Some(old()), site(), env(&["BASH_ENV"])),
            (Some(old()), Server { definition_key: Some("other".to_owned()), ..old() }, env(&["BASH_ENV"])),
        ] {
            assert_eq!(restricted(before.as_ref(), &after, &settable), expected, "{after:?}");
        }
    }

    #[test]
    fn command_user_folder_and_ready_command_are_restricted() {
        let plain = || of("site");
        let free = || Server::new(vec!["sh".to_owned()]);
        let folder = |server: Server| Server { folder: Some("/srv/x".to_owned()), ..server };
        let user = |server: Server| Server { user: Some("root".to_owned()), ..server };
        let ready: Ready = serde_json::from_value(json!({"kind": "command", "argv": ["sh"]})).expect("a check");
        let checked = |server: Server| Server { ready: ready.clone(), ..server };
        for (before, after, expected) in [
            (None, plain(), vec![]),
            (None, free(), vec![Restricted::Command]),
            (Some(plain()), free(), vec![Restricted::Command]),
            (Some(free()), free(), vec![]),
            (Some(free()), Server { argv: vec!["evil".to_owned()], ..free() }, vec![Restricted::Command]),
            (None, folder(plain()), vec![Restricted::Folder]),
            (Some(folder(plain())), folder(plain()), vec![]),
            (Some(folder(plain())), plain(), vec![]),
            (Some(folder(plain())), folder(of("other")), vec![Restricted::Folder]),
            (None, user(plain()), vec![Restricted::User]),
            (Some(user(plain())), user(plain()), vec![]),
            (Some(user(plain())), user(of("other")), vec![Restricted::User]),
            (None, checked(plain()), vec![Restricted::ReadyCommand]),
            (Some(checked(plain())), checked(of("other")), vec![]),
        ] {
            assert_eq!(restricted(before.as_ref(), &after, &[]), expected, "{before:?} -> {after:?}");
        }
    }
}
