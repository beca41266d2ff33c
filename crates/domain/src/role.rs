//! Roles and what each may do: the only table of rights.

crate::words! {
    /// What a person or a token may do in an org. Ordered: each may do all that those before it may.
    pub enum Role {
        /// Sees everything of the org but secrets.
        Viewer = "viewer",
        /// Runs, cancels, pauses, acknowledges.
        Operator = "operator",
        /// Manages the org: people, hosts, triggers, channels.
        Admin = "admin",
        /// Manages the installation, in every org. Belongs to a user, never to a membership.
        SuperAdmin = "super_admin",
    }
}

crate::words! {
    /// One kind of act. Every route of the API names exactly one.
    pub enum Permission {
        /// See hosts and their metrics.
        HostRead = "host.read",
        /// Pause and resume, switch always-on, mark degraded.
        HostOperate = "host.operate",
        /// Rename, label, limit, rotate keys, revoke, remove.
        HostManage = "host.manage",
        /// Make, list and revoke join tokens.
        HostInvite = "host.invite",
        /// See the org and its settings.
        OrgRead = "org.read",
        /// Change the org's settings.
        OrgManage = "org.manage",
        /// See who is in the org.
        MemberRead = "member.read",
        /// Invite, change roles, remove.
        MemberManage = "member.manage",
        /// Manage one's own tokens.
        TokenOwn = "token.own",
        /// Manage one's own saved views.
        ViewOwn = "view.own",
        /// Give saved views to everybody of the org.
        ViewShare = "view.share",
        /// See the org's audit log.
        AuditRead = "audit.read",
        /// Watch the org's live events.
        EventRead = "event.read",
        /// See jobs, their runs and their output.
        JobRead = "job.read",
        /// Make jobs and send queued ones elsewhere.
        JobRun = "job.run",
        /// Cancel jobs.
        JobCancel = "job.cancel",
        /// Put finished jobs back.
        JobRetry = "job.retry",
        /// See which secrets the org has, never what they are.
        SecretRead = "secret.read",
        /// Set and remove the org's secrets.
        SecretManage = "secret.manage",
        /// Set limits that jobs share by a key.
        LimitManage = "limit.manage",
        /// Pause and resume the org's queue or parts of it.
        QueuePause = "queue.pause",
        /// Claim jobs and report how they ended, as a program in another language.
        WorkerClaim = "worker.claim",
        /// See triggers and what they did.
        TriggerRead = "trigger.read",
        /// Make, change and remove triggers.
        TriggerManage = "trigger.manage",
        /// Fire a trigger by hand, make up for its past, tell events.
        TriggerFire = "trigger.fire",
        /// See alerts, channels and what was told.
        AlertRead = "alert.read",
        /// Acknowledge, snooze and resolve alerts; mute them, plan maintenance.
        AlertOperate = "alert.operate",
        /// Manage rules, channels, pings and addresses for events.
        AlertManage = "alert.manage",
        /// See servers, their runs and their output.
        ServerRead = "server.read",
        /// Start, stop, restart and kill servers, and type into them.
        ServerOperate = "server.operate",
        /// Make servers from definitions, change, move and remove them.
        ServerManage = "server.manage",
        /// See what may be run.
        DefinitionRead = "definition.read",
        /// See all orgs, people, loops and numbers of the installation.
        InstallationRead = "installation.read",
        /// Manage all orgs and all of the installation.
        Installation = "installation",
    }
}

impl Role {
    /// The roles a membership or a token of an org can have.
    pub const OF_MEMBERS: [Self; 3] = [Self::Viewer, Self::Operator, Self::Admin];

    /// Whether this role may do that.
    #[must_use]
    pub fn may(self, permission: Permission) -> bool {
        self >= permission.least()
    }
}

impl Permission {
    /// The least role that has this permission.
    #[must_use]
    pub const fn least(self) -> Role {
        match self {
            Self::HostRead
            | Self::OrgRead
            | Self::MemberRead
            | Self::TokenOwn
            | Self::ViewOwn
            | Self::EventRead
            | Self::JobRead
            | Self::TriggerRead
            | Self::AlertRead
            | Self::ServerRead
            | Self::DefinitionRead => Role::Viewer,
            Self::HostOperate
            | Self::ViewShare
            | Self::JobRun
            | Self::TriggerFire
            | Self::AlertOperate
            | Self::ServerOperate
            | Self::WorkerClaim
            | Self::QueuePause
            | Self::SecretRead
            | Self::JobCancel
            | Self::JobRetry => Role::Operator,
            Self::LimitManage
            | Self::TriggerManage
            | Self::AlertManage
            | Self::ServerManage
            | Self::SecretManage
            | Self::HostManage
            | Self::HostInvite
            | Self::OrgManage
            | Self::MemberManage
            | Self::AuditRead => Role::Admin,
            Self::InstallationRead | Self::Installation => Role::SuperAdmin,
        }
    }

    /// Whether using it changes nothing. Tokens of scope `read` have only these.
    #[must_use]
    pub const fn is_read(self) -> bool {
        matches!(
            self,
            Self::HostRead
                | Self::OrgRead
                | Self::MemberRead
                | Self::AuditRead
                | Self::EventRead
                | Self::JobRead
                | Self::TriggerRead
                | Self::AlertRead
                | Self::ServerRead
                | Self::SecretRead
                | Self::DefinitionRead
                | Self::InstallationRead
        )
    }
}

crate::words! {
    /// What a token is limited to, beside its role.
    pub enum Scope {
        /// Everything its role may.
        Api = "api",
        /// Only what changes nothing.
        Read = "read",
        /// Only the worker routes.
        Worker = "worker",
    }
}

impl Scope {
    /// Whether a token of this scope may use that permission.
    #[must_use]
    pub const fn covers(self, permission: Permission) -> bool {
        match self {
            Self::Api => true,
            Self::Read => permission.is_read(),
            Self::Worker => matches!(permission, Permission::WorkerClaim),
        }
    }
}

/// Why a change of rights is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum RoleRefused {
    /// Nobody gives more than they have.
    #[error("you cannot give a role above your own")]
    AboveOwn,
    /// An org always keeps an admin.
    #[error("this is the org's last admin; make another one first")]
    LastAdmin,
    /// `super_admin` is a property of a user.
    #[error("super_admin is not a role of an org")]
    NotAMemberRole,
}

/// Whether `giver` may set a member's role from `old` to `new` (`None` = not a member).
///
/// # Errors
/// The rule that forbids it.
pub fn change_role(giver: Role, old: Option<Role>, new: Option<Role>, admins: u32) -> Result<(), RoleRefused> {
    if new == Some(Role::SuperAdmin) {
        return Err(RoleRefused::NotAMemberRole);
    }
    if new.is_some_and(|new| new > giver) || old.is_some_and(|old| old > giver) {
        return Err(RoleRefused::AboveOwn);
    }
    if old == Some(Role::Admin) && new != Some(Role::Admin) && admins <= 1 {
        return Err(RoleRefused::LastAdmin);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rights_grow_with_the_role() {
        for permission in Permission::ALL {
            for pair in Role::ALL.windows(2) {
                assert!(!pair[0].may(*permission) || pair[1].may(*permission), "{} loses {permission}", pair[1]);
            }
        }
    }

    #[test]
    fn reading_scope_never_writes() {
        for permission in Permission::ALL {
            if Scope::Read.covers(*permission) {
                assert!(permission.as_str().ends_with(".read"), "{permission} is not a read");
            }
        }
    }

    #[test]
    fn an_org_keeps_its_last_admin() {
        use Role::{Admin, Operator, SuperAdmin, Viewer};
        for (giver, old, new, admins, expected) in [
            (Admin, None, Some(Viewer), 1, Ok(())),
            (Admin, Some(Admin), Some(Viewer), 1, Err(RoleRefused::LastAdmin)),
            (SuperAdmin, Some(Admin), None, 1, Err(RoleRefused::LastAdmin)),
            (Admin, Some(Admin), None, 2, Ok(())),
            (Operator, Some(Viewer), Some(Admin), 1, Err(RoleRefused::AboveOwn)),
            (Operator, Some(Admin), Some(Viewer), 2, Err(RoleRefused::AboveOwn)),
            (SuperAdmin, None, Some(SuperAdmin), 1, Err(RoleRefused::NotAMemberRole)),
        ] {
            assert_eq!(change_role(giver, old, new, admins), expected, "{giver} {old:?} {new:?}");
        }
    }
}
