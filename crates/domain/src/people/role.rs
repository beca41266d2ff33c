//! Roles, permissions and token scopes: the only table of rights.

crate::string_enum! {
    /// The role of a user or token in an org. Ordered: each role has all permissions of the roles before it.
    pub enum Role {
        /// Reads everything in the org except secret values.
        Viewer = "viewer",
        /// Runs and cancels jobs, pauses queues and hosts, acknowledges alerts.
        Operator = "operator",
        /// Manages the org: members, hosts, triggers, channels.
        Admin = "admin",
        /// Manages the installation and every org. A property of a user, never of a membership.
        SuperAdmin = "super_admin",
    }
}

crate::string_enum! {
    /// A kind of action. Every API route requires exactly one.
    pub enum Permission {
        /// Read hosts and their metrics.
        HostRead = "host.read",
        /// Pause, resume and mark hosts, switch always-on.
        HostOperate = "host.operate",
        /// Rename, label, limit, revoke and remove hosts, rotate their keys.
        HostManage = "host.manage",
        /// Create, list and revoke join tokens.
        HostInvite = "host.invite",
        /// Read the org and its settings.
        OrgRead = "org.read",
        /// Change the org's settings.
        OrgManage = "org.manage",
        /// Read the members of the org.
        MemberRead = "member.read",
        /// Invite and remove members, change their roles.
        MemberManage = "member.manage",
        /// Manage the caller's own tokens.
        TokenOwn = "token.own",
        /// Manage the caller's own saved views.
        ViewOwn = "view.own",
        /// Share saved views with the org.
        ViewShare = "view.share",
        /// Read the org's audit log.
        AuditRead = "audit.read",
        /// Subscribe to the org's live events.
        EventRead = "event.read",
        /// Read jobs, their runs and their output.
        JobRead = "job.read",
        /// Create jobs and move queued ones.
        JobRun = "job.run",
        JobCancel = "job.cancel",
        /// Retry finished jobs.
        JobRetry = "job.retry",
        /// Read the names of the org's secrets, never their values.
        SecretRead = "secret.read",
        /// Set and remove the org's secrets.
        SecretManage = "secret.manage",
        /// Set limits by limit key.
        LimitManage = "limit.manage",
        /// Pause and resume the org's queues.
        QueuePause = "queue.pause",
        /// Claim jobs and report results as an external worker. Only tokens of scope `worker` have it.
        WorkerClaim = "worker.claim",
        /// Read triggers and their fires.
        TriggerRead = "trigger.read",
        /// Create, change and remove triggers.
        TriggerManage = "trigger.manage",
        /// Fire a trigger, backfill a schedule, send events.
        TriggerFire = "trigger.fire",
        /// Read alerts, channels and notifications.
        AlertRead = "alert.read",
        /// Acknowledge, snooze and resolve alerts; mute alerts, plan maintenance windows.
        AlertOperate = "alert.operate",
        /// Manage alert rules, channels, pings and webhook endpoints.
        AlertManage = "alert.manage",
        /// Read servers, their runs and their output.
        ServerRead = "server.read",
        /// Start, stop, restart and kill servers, and write to their input.
        ServerOperate = "server.operate",
        /// Create, change, move and remove servers.
        ServerManage = "server.manage",
        DefinitionRead = "definition.read",
        /// Read all orgs, users, loops and metrics of the installation.
        InstallationRead = "installation.read",
        /// Manage all orgs and the installation.
        Installation = "installation",
    }
}

impl Role {
    /// The roles of members and of an org's tokens.
    pub const OF_MEMBERS: [Self; 3] = [Self::Viewer, Self::Operator, Self::Admin];

    /// Whether this role has the permission.
    #[must_use]
    pub fn may(self, permission: Permission) -> bool {
        self >= permission.least()
    }
}

impl Permission {
    /// The lowest role that has this permission.
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

    /// Whether the permission allows only reads. Tokens of scope `read` have only such permissions.
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

crate::string_enum! {
    /// The limit of a token, in addition to its role.
    pub enum Scope {
        /// All permissions of its role, except the worker API: a claim contains secrets, which no role may read.
        Api = "api",
        /// Only permissions that read.
        Read = "read",
        /// Only the worker API.
        Worker = "worker",
    }
}

impl Scope {
    /// Whether a token of this scope can have the permission.
    #[must_use]
    pub const fn covers(self, permission: Permission) -> bool {
        match self {
            Self::Api => !matches!(permission, Permission::WorkerClaim),
            Self::Read => permission.is_read(),
            Self::Worker => matches!(permission, Permission::WorkerClaim),
        }
    }
}

/// The role of a token's requests. `maker` is the current role of the user who created it. A worker token counts only
/// while its maker is an admin, because its claims contain secrets.
#[must_use]
pub fn token_role(scope: Scope, role: Role, maker: Role) -> Role {
    if scope == Scope::Worker && maker < Role::Admin { Role::Viewer } else { role.min(maker) }
}

/// Why a change of roles is rejected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum RoleRefused {
    #[error("you cannot grant or change a role above your own")]
    AboveOwn,
    #[error("this is the org's last admin; make another member an admin first")]
    LastAdmin,
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

/// The role of a login token: the role that the user chose, or else the role that the device asked for, and never above
/// the user's own. Super admin only if the user chose it: the device's wish alone must not give a program all rights.
#[must_use]
pub fn login_role(own: Role, chosen: Option<Role>, asked: Option<Role>) -> Role {
    match chosen {
        Some(chosen) => chosen.min(own),
        None => asked.unwrap_or(own).min(own).min(Role::Admin),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn login_role_is_super_admin_only_if_the_user_chose_it() {
        use Role::{Admin, Operator, SuperAdmin, Viewer};
        for (own, chosen, asked, expected) in [
            (SuperAdmin, None, None, Admin),
            (SuperAdmin, None, Some(SuperAdmin), Admin),
            (SuperAdmin, Some(SuperAdmin), None, SuperAdmin),
            (SuperAdmin, None, Some(Viewer), Viewer),
            (Admin, Some(SuperAdmin), None, Admin),
            (Operator, None, None, Operator),
            (Operator, None, Some(Admin), Operator),
            (Operator, Some(Viewer), Some(Operator), Viewer),
        ] {
            assert_eq!(login_role(own, chosen, asked), expected, "{own} {chosen:?} {asked:?}");
        }
    }

    #[test]
    fn each_role_has_all_permissions_of_lower_roles() {
        for permission in Permission::ALL {
            for pair in Role::ALL.windows(2) {
                assert!(!pair[0].may(*permission) || pair[1].may(*permission), "{} loses {permission}", pair[1]);
            }
        }
    }

    #[test]
    fn read_scope_covers_only_read_permissions() {
        for permission in Permission::ALL {
            if Scope::Read.covers(*permission) {
                assert!(permission.as_str().ends_with(".read"), "{permission} is not a read");
            }
        }
    }

    #[test]
    fn worker_token_counts_only_while_its_maker_is_an_admin() {
        use Role::{Admin, Operator, SuperAdmin, Viewer};
        for (scope, role, maker, expected) in [
            (Scope::Api, Operator, Admin, Operator),
            (Scope::Api, Admin, Operator, Operator),
            (Scope::Read, Viewer, Admin, Viewer),
            (Scope::Worker, Operator, Admin, Operator),
            (Scope::Worker, Operator, SuperAdmin, Operator),
            (Scope::Worker, Operator, Operator, Viewer),
            (Scope::Worker, Admin, Viewer, Viewer),
        ] {
            assert_eq!(token_role(scope, role, maker), expected, "{scope} {role} {maker}");
        }
    }

    #[test]
    fn only_worker_scope_covers_claims() {
        for scope in Scope::ALL {
            assert_eq!(scope.covers(Permission::WorkerClaim), *scope == Scope::Worker, "{scope}");
        }
    }

    #[test]
    fn change_role_keeps_the_last_admin() {
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
