//! The OpenAPI document, generated from the routes.

use utoipa::{
    PartialSchema as _,
    openapi::{
        ContentBuilder, InfoBuilder, OpenApi, OpenApiBuilder, PathItem, RefOr, Required, ResponseBuilder,
        path::{Operation, ParameterBuilder, ParameterIn},
        schema::{ObjectBuilder, Ref, Type},
        security::{HttpAuthScheme, HttpBuilder, SecurityRequirement, SecurityScheme},
    },
};

use super::Access;

/// The document without routes.
pub(super) fn empty() -> OpenApi {
    let info = InfoBuilder::new()
        .title("Hostler")
        .version(proto::VERSION)
        .description(Some(
            "Durable jobs and long-lived processes on machines you own. Errors are application/problem+json with a stable code; \
             lists are pages with a cursor; resources of another org are 404. Org routes exist twice: for the caller's own org and under /orgs/{org}. \
             Every authenticated POST takes an Idempotency-Key of 1 to 200 characters: the request is executed once, and for 24 hours the \
             same request with the same key gets the same response, with idempotency-replayed: true. A different request with it is 409 \
             idempotency_mismatch; while the first request runs, or if it took effect and its response was lost, it is 409 key_held. Rejections with 401, 403 and 429 \
             release the key. A 5xx other than outcome_unknown and request_timeout means that nothing was done, and releases the key. POST /jobs stores its response together with its jobs; POST /worker/jobs/claim has its own \
             request_id; sign-out and routes without authentication take no key.",
        ))
        .build();
    let mut api = OpenApiBuilder::new().info(info).build();
    let components = api.components.get_or_insert_default();
    components.schemas.insert("Problem".to_owned(), proto::Problem::schema());
    components.schemas.insert("LiveEvent".to_owned(), proto::api::hub::LiveEvent::schema());
    let bearer = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).description(Some("An API token, hst_…")).build();
    components.security_schemes.insert("token".to_owned(), RefOr::T(SecurityScheme::Http(bearer)));
    api
}

/// Adds access rule, error response and id to an operation.
pub(super) fn describe(operation: &mut Operation, method: &axum::http::Method, path: &str, access: Access) {
    // Derived from method and path, because handler names repeat across files.
    let words = path
        .split(|c: char| !c.is_ascii_alphanumeric())
        .filter(|word| !word.is_empty() && !matches!(*word, "api" | "v1"));
    operation.operation_id =
        Some(format!("{}_{}", method.as_str().to_lowercase(), words.collect::<Vec<_>>().join("_")));
    let has_secret = path.contains("{secret}");
    let note = if has_secret { "Requires the secret in the URL.".to_owned() } else { access.to_string() };
    operation.description = Some(operation.description.take().map_or(note.clone(), |text| format!("{text}\n\n{note}")));
    let problem = ContentBuilder::new().schema(Some(Ref::from_schema_name("Problem"))).build();
    let failed = ResponseBuilder::new().description("Error").content("application/problem+json", problem).build();
    operation.responses.responses.insert("default".to_owned(), RefOr::T(failed));
    if !matches!(access, Access::Public | Access::Link) {
        operation.security = Some(vec![SecurityRequirement::new("token", Vec::<String>::new())]);
    }
}

/// The documentation of an org route under `/orgs/{org}`.
pub(super) fn under_org(mut item: PathItem) -> PathItem {
    let operations = [&mut item.get, &mut item.post, &mut item.patch, &mut item.put, &mut item.delete];
    for operation in operations.into_iter().flatten() {
        let org = ParameterBuilder::new()
            .name("org")
            .parameter_in(ParameterIn::Path)
            .required(Required::True)
            .description(Some("The org's slug or id"))
            .schema(Some(ObjectBuilder::new().schema_type(Type::String).build()))
            .build();
        operation.parameters.get_or_insert_default().insert(0, RefOr::T(org));
    }
    item
}

/// The document as it is checked in.
///
/// # Panics
/// Never: the document is made of maps and strings.
#[must_use]
pub fn text() -> String {
    let (_, api, _) = crate::http::routes().into_parts();
    let mut text = api.to_pretty_json().expect("an OpenAPI document is JSON");
    text.push('\n');
    text
}
