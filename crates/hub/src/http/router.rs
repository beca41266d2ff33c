//! Table of all routes, each with its access rule.

use axum::{Router, http::Method, middleware, routing::MethodRouter};
use domain::Permission;
use utoipa::openapi::{OpenApi, PathItem, path::Operation};
use utoipa_axum::{router::UtoipaMethodRouter, routes as handler};

use crate::http::{
    Access, auth,
    handlers::{
        admin, alerts, audit, batches, channels, definitions, docs, events, health, hosts, install, jobs, join_tokens,
        limits,
        people::{members, orgs, sign_in, tokens, views},
        pings, primary, runner, secrets, series, servers, sync, triggers, workers,
    },
    idempotency::Repeats,
    openapi,
};

/// A route in the list that tests check.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Route {
    pub method: Method,
    /// With parameters as `{name}`.
    pub path: String,
    pub access: Access,
}

/// Routes with their access rules and documentation. The only way to register a handler.
pub struct Routes {
    router: Router,
    /// `None` when serving: the document is much larger than the routes.
    api: Option<OpenApi>,
    list: Vec<Route>,
}

impl Routes {
    fn new(api: Option<OpenApi>) -> Self {
        Self { router: Router::new(), api, list: Vec::new() }
    }

    /// Adds a handler. Method and path come from its documentation attribute.
    fn add(mut self, access: Access, (schemas, paths, handler): UtoipaMethodRouter) -> Self {
        if let Some(api) = &mut self.api {
            api.components.get_or_insert_default().schemas.extend(schemas);
        }
        for (path, item) in paths.paths {
            let repeats = Repeats::on(access, &path);
            if let Access::Org(_) = access {
                let scoped = under_org(&path);
                let item = openapi::under_org(item.clone());
                self.mount(access, repeats, &scoped, item, handler.clone());
            }
            self.mount(access, repeats, &path, item, handler.clone());
        }
        self
    }

    fn mount(&mut self, access: Access, repeats: Repeats, path: &str, mut item: PathItem, handler: MethodRouter) {
        for (method, operation) in operations(&mut item) {
            openapi::describe(operation, &method, path, access);
            self.list.push(Route { method, path: path.to_owned(), access });
        }
        if let Some(api) = &mut self.api {
            api.paths.paths.entry(path.to_owned()).or_default().merge_operations(item);
        }
        let guard = middleware::from_fn(move |request, next| auth::authorise(access, repeats, request, next));
        let guarded = handler.route_layer(guard);
        self.router = std::mem::take(&mut self.router).route(path, guarded);
    }

    /// The router, the documentation and the list of routes.
    pub fn into_parts(self) -> (Router, OpenApi, Vec<Route>) {
        (self.router, self.api.unwrap_or_else(openapi::empty), self.list)
    }
}

/// Every route of the hub, with its documentation.
#[must_use]
pub fn routes() -> Routes {
    table(Routes::new(Some(openapi::empty())))
}

/// The router, without the documentation.
pub(crate) fn router() -> Router {
    table(Routes::new(None)).router
}

/// The path of an org route under `/orgs/{org}`; `/org` becomes `/orgs/{org}` itself.
fn under_org(path: &str) -> String {
    let rest = path.strip_prefix("/api/v1").unwrap_or(path);
    format!("/api/v1/orgs/{{org}}{}", rest.strip_prefix("/org").filter(|rest| rest.is_empty()).unwrap_or(rest))
}

fn operations(item: &mut PathItem) -> Vec<(Method, &mut Operation)> {
    [
        (Method::GET, item.get.as_mut()),
        (Method::POST, item.post.as_mut()),
        (Method::PATCH, item.patch.as_mut()),
        (Method::PUT, item.put.as_mut()),
        (Method::DELETE, item.delete.as_mut()),
    ]
    .into_iter()
    .filter_map(|(method, operation)| Some((method, operation?)))
    .collect()
}

// Access rules of installation routes.
const LOOK: Access = Access::Installation(Permission::InstallationRead);
const MANAGE: Access = Access::Installation(Permission::Installation);

fn table(routes: Routes) -> Routes {
    use Access::{Link, Org, Person, Public, Runner, SignedIn};
    use Permission::{
        AlertManage, AlertOperate, AlertRead, AuditRead, DefinitionRead, EventRead, HostInvite, HostManage,
        HostOperate, HostRead, JobCancel, JobRead, JobRetry, JobRun, LimitManage, MemberManage, MemberRead, OrgManage,
        OrgRead, QueuePause, SecretManage, SecretRead, ServerManage, ServerOperate, ServerRead, TokenOwn, TriggerFire,
        TriggerManage, TriggerRead, ViewOwn, WorkerClaim,
    };
    routes
        .add(Public, handler!(health::healthz))
        .add(Public, handler!(health::readyz))
        .add(LOOK, handler!(health::metrics))
        .add(Public, handler!(docs::openapi_json))
        .add(Public, handler!(docs::error_page))
        .add(Public, handler!(docs::hub_info))
        .add(Public, handler!(sign_in::password))
        .add(Public, handler!(sign_in::link))
        .add(Public, handler!(sign_in::invitation_view))
        .add(Public, handler!(sign_in::invitation_accept))
        .add(Public, handler!(sign_in::device_start))
        .add(Public, handler!(sign_in::device_poll))
        .add(Person, handler!(sign_in::device_view))
        .add(Person, handler!(sign_in::device_answer))
        .add(SignedIn, handler!(sign_in::sign_out))
        .add(SignedIn, handler!(sign_in::me))
        .add(Person, handler!(sign_in::password_set))
        .add(MANAGE, handler!(sign_in::link_create))
        .add(Public, handler!(runner::join))
        .add(Public, handler!(install::install_script))
        .add(Public, handler!(install::install_program))
        .add(Link, handler!(runner::link))
        .add(Runner, handler!(runner::own))
        .add(Runner, handler!(runner::leave))
        .add(Org(OrgRead), handler!(orgs::org_get))
        .add(Org(OrgManage), handler!(orgs::org_update))
        .add(Org(OrgRead), handler!(orgs::status))
        .add(Org(Permission::Installation), handler!(primary::promote))
        .add(Org(EventRead), handler!(events::events))
        .add(Org(HostRead), handler!(hosts::host_list))
        .add(Org(HostRead), handler!(hosts::host_get))
        .add(Org(HostOperate), handler!(hosts::host_update))
        .add(Org(HostRead), handler!(series::host_metrics))
        .add(Org(TriggerRead), handler!(hosts::host_schedules))
        .add(Org(HostManage), handler!(hosts::host_remove))
        .add(Org(HostOperate), handler!(hosts::host_pause))
        .add(Org(HostOperate), handler!(hosts::host_resume))
        .add(Org(HostOperate), handler!(hosts::host_mark_degraded))
        .add(Org(HostOperate), handler!(hosts::host_unmark))
        .add(Org(HostManage), handler!(hosts::host_rotate_key))
        .add(Org(HostManage), handler!(hosts::host_revoke))
        .add(Org(Permission::Installation), handler!(hosts::host_share))
        .add(Org(Permission::Installation), handler!(hosts::host_unshare))
        .add(Org(JobRead), handler!(jobs::job_list))
        .add(Org(JobRun), handler!(jobs::job_create))
        .add(Org(JobRead), handler!(jobs::job_summary))
        .add(Org(JobRead), handler!(series::job_series))
        .add(Org(JobRead), handler!(jobs::job_get))
        .add(Org(JobRead), handler!(jobs::job_why))
        .add(Org(JobRead), handler!(jobs::job_attempts))
        .add(Org(JobRead), handler!(jobs::job_logs))
        .add(Org(JobCancel), handler!(jobs::job_cancel))
        .add(Org(JobRetry), handler!(jobs::job_retry))
        .add(Org(JobRun), handler!(jobs::job_move))
        .add(Org(ServerRead), handler!(servers::server_list))
        .add(Org(ServerManage), handler!(servers::server_create))
        .add(Org(ServerRead), handler!(servers::server_get))
        .add(Org(ServerManage), handler!(servers::server_update))
        .add(Org(ServerManage), handler!(servers::server_remove))
        .add(Org(ServerOperate), handler!(servers::server_start))
        .add(Org(ServerOperate), handler!(servers::server_stop))
        .add(Org(ServerOperate), handler!(servers::server_restart))
        .add(Org(ServerOperate), handler!(servers::server_kill))
        .add(Org(ServerOperate), handler!(servers::server_input))
        .add(Org(ServerRead), handler!(servers::server_runs))
        .add(Org(ServerRead), handler!(servers::server_console))
        .add(Org(ServerRead), handler!(series::server_metrics))
        .add(Org(TriggerRead), handler!(triggers::trigger_list))
        .add(Org(TriggerManage), handler!(triggers::trigger_create))
        .add(Org(TriggerRead), handler!(triggers::schedule_preview))
        .add(Org(TriggerManage), handler!(triggers::crontab_import))
        .add(Org(TriggerRead), handler!(triggers::trigger_get))
        .add(Org(TriggerManage), handler!(triggers::trigger_update))
        .add(Org(TriggerManage), handler!(triggers::trigger_remove))
        .add(Org(TriggerRead), handler!(triggers::trigger_next))
        .add(Org(TriggerRead), handler!(triggers::trigger_history))
        .add(Org(TriggerRead), handler!(triggers::trigger_test))
        .add(Org(TriggerFire), handler!(triggers::trigger_fire))
        .add(Org(TriggerFire), handler!(triggers::trigger_backfill))
        .add(Org(TriggerFire), handler!(triggers::event_emit))
        .add(Org(AlertRead), handler!(alerts::alert_list))
        .add(Org(AlertRead), handler!(alerts::alert_get))
        .add(Org(AlertOperate), handler!(alerts::alert_ack))
        .add(Org(AlertOperate), handler!(alerts::alert_snooze))
        .add(Org(AlertOperate), handler!(alerts::alert_resolve))
        .add(Org(AlertRead), handler!(alerts::alert_rules))
        .add(Org(AlertManage), handler!(alerts::alert_rule_set))
        .add(Org(AlertRead), handler!(alerts::mute_window_list))
        .add(Org(AlertOperate), handler!(alerts::mute_window_create))
        .add(Org(AlertOperate), handler!(alerts::mute_window_remove))
        .add(Org(HostRead), handler!(alerts::host_timeline))
        .add(Org(AlertRead), handler!(channels::channel_list))
        .add(Org(AlertManage), handler!(channels::channel_create))
        .add(Org(AlertRead), handler!(channels::channel_get))
        .add(Org(AlertManage), handler!(channels::channel_update))
        .add(Org(AlertManage), handler!(channels::channel_remove))
        .add(Org(AlertManage), handler!(channels::channel_test))
        .add(Org(AlertRead), handler!(channels::notice_list))
        .add(Org(AlertRead), handler!(pings::ping_list))
        .add(Org(AlertManage), handler!(pings::ping_create))
        .add(Org(AlertManage), handler!(pings::ping_remove))
        .add(Org(AlertRead), handler!(pings::ping_history))
        .add(Public, handler!(pings::ping_get))
        .add(Public, handler!(pings::ping_post))
        .add(Public, handler!(pings::ping_word_get))
        .add(Public, handler!(pings::ping_word_post))
        .add(Org(AlertRead), handler!(pings::hook_list))
        .add(Org(AlertManage), handler!(pings::hook_create))
        .add(Org(AlertManage), handler!(pings::hook_remove))
        .add(Public, handler!(pings::hook_in))
        .add(Org(JobRun), handler!(batches::batch_create))
        .add(Org(JobRead), handler!(batches::batch_list))
        .add(Org(JobRead), handler!(batches::batch_get))
        .add(Org(JobRun), handler!(batches::batch_stop))
        .add(Org(WorkerClaim), handler!(workers::claim))
        .add(Org(WorkerClaim), handler!(workers::heartbeat))
        .add(Org(WorkerClaim), handler!(workers::complete))
        .add(Org(WorkerClaim), handler!(workers::fail))
        .add(LOOK, handler!(workers::list_all))
        .add(Org(JobRead), handler!(limits::limit_list))
        .add(Org(LimitManage), handler!(limits::limit_set))
        .add(Org(JobRead), handler!(limits::pause_list))
        .add(Org(QueuePause), handler!(limits::pause_set))
        .add(Org(OrgRead), handler!(views::view_list))
        .add(Org(ViewOwn), handler!(views::view_create))
        .add(Org(ViewOwn), handler!(views::view_update))
        .add(Org(ViewOwn), handler!(views::view_remove))
        .add(Org(SecretRead), handler!(secrets::secret_list))
        .add(Org(SecretManage), handler!(secrets::secret_set))
        .add(Org(SecretManage), handler!(secrets::secret_remove))
        .add(Org(DefinitionRead), handler!(definitions::list))
        .add(Org(DefinitionRead), handler!(definitions::get))
        .add(LOOK, handler!(definitions::list_all))
        .add(MANAGE, handler!(definitions::put))
        .add(LOOK, handler!(definitions::get_any))
        .add(MANAGE, handler!(definitions::update))
        .add(LOOK, handler!(definitions::history))
        .add(Org(HostInvite), handler!(join_tokens::join_token_list))
        .add(Org(HostInvite), handler!(join_tokens::join_token_create))
        .add(Org(HostInvite), handler!(join_tokens::join_token_revoke))
        .add(Org(MemberRead), handler!(members::member_list))
        .add(Org(MemberManage), handler!(members::member_update))
        .add(Org(MemberManage), handler!(members::member_remove))
        .add(Org(MemberManage), handler!(members::invitation_list))
        .add(Org(MemberManage), handler!(members::invitation_create))
        .add(Org(MemberManage), handler!(members::invitation_remove))
        .add(Org(TokenOwn), handler!(tokens::token_list))
        .add(Org(TokenOwn), handler!(tokens::token_create))
        .add(Org(TokenOwn), handler!(tokens::token_revoke))
        .add(Org(HostRead), handler!(sync::sync_status))
        .add(Org(HostRead), handler!(sync::sync_digest))
        .add(Org(AuditRead), handler!(audit::audit_list))
        .add(Org(AuditRead), handler!(audit::audit_verify))
        .add(LOOK, handler!(admin::org_list))
        .add(MANAGE, handler!(admin::org_create))
        .add(MANAGE, handler!(admin::org_remove))
        .add(LOOK, handler!(admin::user_list))
        .add(MANAGE, handler!(admin::user_update))
        .add(MANAGE, handler!(admin::user_remove))
        .add(LOOK, handler!(admin::loops))
        .add(LOOK, handler!(admin::job_summary))
        .add(LOOK, handler!(admin::audit_list))
        .add(LOOK, handler!(admin::audit_verify))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn org_routes_are_mounted_twice() {
        assert_eq!(under_org("/api/v1/hosts/{host}"), "/api/v1/orgs/{org}/hosts/{host}");
        assert_eq!(under_org("/api/v1/org"), "/api/v1/orgs/{org}");
        let (_, _, list) = routes().into_parts();
        for route in
            list.iter().filter(|route| matches!(route.access, Access::Org(_)) && !route.path.contains("/orgs/"))
        {
            let twin = under_org(&route.path);
            assert!(list.iter().any(|other| other.path == twin && other.method == route.method), "{twin} is missing");
        }
    }

    #[test]
    fn operation_ids_are_unique() {
        let (_, api, _) = routes().into_parts();
        let mut seen = std::collections::BTreeSet::new();
        for mut item in api.paths.paths.into_values() {
            for (_, operation) in operations(&mut item) {
                let id = operation.operation_id.clone().expect("a name");
                assert!(seen.insert(id.clone()), "duplicate operation id {id}");
            }
        }
    }

    #[test]
    fn every_route_is_documented() {
        let (_, api, list) = routes().into_parts();
        let documented: usize = api.paths.paths.into_values().map(|mut item| operations(&mut item).len()).sum();
        assert_eq!(documented, list.len());
    }
}
