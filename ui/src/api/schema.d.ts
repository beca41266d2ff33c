/** Made by `npm run gen` from docs/openapi.json: do not edit. */

export interface paths {
    "/api/v1/admin/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the audit log of the installation, newest first.
         * @description Requires the permission `installation.read` (super admins).
         */
        get: {
            parameters: {
                query?: {
                    /** @description Only actions of the actor with this name. */
                    actor?: string;
                    /** @description Only this action; `*` at the end matches any rest, as in `host.*`. */
                    action?: string;
                    /** @description Only entries from this time on. */
                    since?: string;
                    /** @description The start of the page: `next` of the previous page. */
                    cursor?: string;
                    /** @description Page size, 1 to 1,000. */
                    limit?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Page_AuditEntry"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/audit/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Verify every hash chain of the audit log.
         * @description Requires the permission `installation.read` (super admins).
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AuditVerdict"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/jobs/definitions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List all definitions by key.
         * @description Requires the permission `installation.read` (super admins).
         */
        get: {
            parameters: {
                query?: {
                    /** @description The start of the page: `next` of the previous page. */
                    cursor?: string;
                    /** @description Page size, 1 to 1,000. */
                    limit?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DefinitionPage"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        /**
         * Create a definition, or the next version of the definition with this key.
         * @description Requires the permission `installation` (super admins).
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["DefinitionRequest"];
                };
            };
            responses: {
                /** @description Changed or unchanged */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DefinitionPut"];
                    };
                };
                /** @description Created */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DefinitionPut"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/jobs/definitions/{definition}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a definition by key or id.
         * @description Requires the permission `installation.read` (super admins).
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Key or id */
                    definition: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Definition"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change fields of a definition.
         * @description Requires the permission `installation` (super admins).
         */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Key or id */
                    definition: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["DefinitionRequest"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DefinitionPut"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/v1/admin/jobs/definitions/{definition}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the versions of a definition, newest first.
         * @description Requires the permission `installation.read` (super admins).
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Key or id */
                    definition: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DefinitionHistory"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/jobs/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count the jobs of every organization.
         * @description Requires the permission `installation.read` (super admins).
         */
        get: {
            parameters: {
                query?: {
                    /** @description The start of the page: `next` of the previous page. */
                    cursor?: string;
                    /** @description Page size, 1 to 1,000. */
                    limit?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Page_OrgJobs"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/loops": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the status of this hub process's loops.
         * @description Requires the permission `installation.read` (super admins).
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["HubLoops"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/orgs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List all organizations by slug.
         * @description Requires the permission `installation.read` (super admins).
         */
        get: {
            parameters: {
                query?: {
                    /** @description The start of the page: `next` of the previous page. */
                    cursor?: string;
                    /** @description Page size, 1 to 1,000. */
                    limit?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Page_Org"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        /**
         * Create an organization.
         * @description Requires the permission `installation` (super admins).
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["OrgRequest"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Org"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/orgs/{named}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove an organization with everything in it. The body must repeat its slug.
         * @description Requires the permission `installation` (super admins).
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Slug or id */
                    named: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["OrgRemoval"];
                };
            };
            responses: {
                /** @description Removed */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List all users by email address.
         * @description Requires the permission `installation.read` (super admins).
         */
        get: {
            parameters: {
                query?: {
                    /** @description The start of the page: `next` of the previous page. */
                    cursor?: string;
                    /** @description Page size, 1 to 1,000. */
                    limit?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Page_User"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/admin/users/{user}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a user with all tokens and sessions.
         * @description Requires the permission `installation` (super admins).
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Id */
                    user: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Removed */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        /**
         * Change a user's rights in the installation.
         * @description Requires the permission `installation` (super admins).
         */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Id */
                    user: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["UserPatch"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["User"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/v1/admin/workers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List all API workers and runners of all organizations.
         * @description Requires the permission `installation.read` (super admins).
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Workers"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/alert-rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the alert rules, one per kind of alert.
         * @description Requires the permission `alert.read` in the org.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AlertRules"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/alert-rules/{kind}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change an alert rule. Absent fields are reset to their defaults.
         * @description Requires the permission `alert.manage` in the org.
         */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Kind of alert */
                    kind: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["AlertRuleRequest"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AlertRule"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/alerts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the organization's alerts, newest first.
         * @description Requires the permission `alert.read` in the org.
         */
        get: {
            parameters: {
                query?: {
                    /** @description `open` (default; includes acknowledged alerts) or `all`. */
                    status?: string;
                    /** @description The start of the page: `next` of the previous page. */
                    cursor?: string;
                    /** @description Page size, 1 to 1,000. */
                    limit?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Page_Alert"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/alerts/{alert}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an alert.
         * @description Requires the permission `alert.read` in the org.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Id */
                    alert: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Alert"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/alerts/{alert}/ack": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Acknowledge an alert.
         * @description Requires the permission `alert.operate` in the org.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Id */
                    alert: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["AckRequest"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Alert"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/alerts/{alert}/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resolve an alert by hand.
         * @description Requires the permission `alert.operate` in the org.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Id */
                    alert: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ResolveRequest"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Alert"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/alerts/{alert}/snooze": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Snooze an alert: send no notifications about it until a time.
         * @description Requires the permission `alert.operate` in the org.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Id */
                    alert: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SnoozeRequest"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Alert"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the organization's audit log, newest first.
         * @description Requires the permission `audit.read` in the org.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Only actions of the actor with this name. */
                    actor?: string;
                    /** @description Only this action; `*` at the end matches any rest, as in `host.*`. */
                    action?: string;
                    /** @description Only entries from this time on. */
                    since?: string;
                    /** @description The start of the page: `next` of the previous page. */
                    cursor?: string;
                    /** @description Page size, 1 to 1,000. */
                    limit?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Page_AuditEntry"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/audit/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Verify that no sealed entry of the organization's audit log was altered or removed.
         * @description Requires the permission `audit.read` in the org.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AuditVerdict"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/batches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the organization's bulk actions, newest first.
         * @description Requires the permission `job.read` in the org.
         */
        get: {
            parameters: {
                query?: {
                    /** @description The start of the page: `next` of the previous page. */
                    cursor?: string;
                    /** @description Page size, 1 to 1,000. */
                    limit?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Page_Batch"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        /**
         * Create a bulk action on the jobs that match a filter: cancel, retry or move. It runs in the background. With
         *     `dry_run`, only count the matching jobs.
         * @description Requires the permission `job.run` in the org.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["BatchRequest"];
                };
            };
            responses: {
                /** @description Counted only (`dry_run`) */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Batch"];
                    };
                };
                /** @description Created */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Batch"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/batches/{batch}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a bulk action and its progress.
         * @description Requires the permission `job.read` in the org.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Id */
                    batch: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Batch"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/batches/{batch}/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop a bulk action. Jobs that were already changed stay changed.
         * @description Requires the permission `job.run` in the org.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Id */
                    batch: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Batch"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/channels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the notification channels.
         * @description Requires the permission `alert.read` in the org.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Channels"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        /**
         * Create a channel.
         * @description Requires the permission `alert.manage` in the org.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ChannelRequest"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Channel"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/channels/{channel}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a channel by id or name.
         * @description Requires the permission `alert.read` in the org.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Id or name */
                    channel: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Channel"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /**
         * Remove a channel.
         * @description Requires the permission `alert.manage` in the org.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Id or name */
                    channel: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Removed */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        /**
         * Change fields of a channel. A named field is replaced as a whole; null removes it.
         * @description Requires the permission `alert.manage` in the org.
         */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Id or name */
                    channel: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ChannelRequest"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Channel"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/v1/channels/{channel}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test notification to a channel.
         * @description Requires the permission `alert.manage` in the org.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Id or name */
                    channel: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ChannelTested"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream or list the organization's events. With a WebSocket upgrade: frames of `LiveEvent`. With the header
         *     `Accept: text/event-stream`: the same as server-sent events. Otherwise: a list. `cursor` replays the events after
         *     it; a `resync` event reports that some were missed.
         * @description Requires the permission `event.read` in the org.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Only events after this one: the `cursor` of an event. */
                    cursor?: number;
                    /** @description Only events whose name starts with one of these prefixes, separated by commas, as in `job.,job_run.`. */
                    types?: string;
                    /** @description Page size of a list, 1 to 1,000. */
                    limit?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Frames of `LiveEvent` */
                101: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["EventPage"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        /**
         * Send an event. The event and the jobs of all triggers that it fires are written in one transaction.
         * @description Requires the permission `trigger.fire` in the org.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["EventRequest"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["EventMade"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/hooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the webhooks through which other systems send events.
         * @description Requires the permission `alert.read` in the org.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Hooks"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        /**
         * Create a webhook. Its secret is shown once.
         * @description Requires the permission `alert.manage` in the org.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["HookRequest"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["HookMade"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/hooks/{hook}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a webhook.
         * @description Requires the permission `alert.manage` in the org.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Id */
                    hook: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Removed */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/hosts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the organization's hosts by name.
         * @description Requires the permission `host.read` in the org.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Only hosts in these states, separated by commas. */
                    status?: string;
                    /** @description A label selector, as in `env=prod,zone in (a,b),!gpu`. */
                    labels?: string;
                    /** @description Only names that match; `*` matches any characters. */
                    name?: string;
                    /** @description The start of the page: `next` of the previous page. */
                    cursor?: string;
                    /** @description Page size, 1 to 1,000. */
                    limit?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Page_Host"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/hosts/{host}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a host by id or name.
         * @description Requires the permission `host.read` in the org.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Id or name */
                    host: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["HostDetail"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /**
         * Remove a host. Fails if jobs are queued for it or running on it, unless the request cancels them.
         * @description Requires the permission `host.manage` in the org.
         */
        delete: {
            parameters: {
                query?: {
                    /**
                     * @description Cancel the host's queued and running jobs and remove its servers; otherwise a host with such jobs or servers is
                     *     not removed.
                     */
                    cancel_jobs?: boolean;
                };
                header?: never;
                path: {
                    /** @description Id or name */
                    host: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Removed */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        /**
         * Change a host. Operators may change `always_on`; all other fields need an admin.
         * @description Requires the permission `host.operate` in the org.
         */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Id or name */
                    host: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["HostPatch"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["HostDetail"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/v1/hosts/{host}/mark-degraded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mark a host as degraded.
         * @description Requires the permission `host.operate` in the org.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Id or name */
                    host: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["HostMarkRequest"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["HostDetail"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/hosts/{host}/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the load of a host over time.
         * @description Requires the permission `host.read` in the org.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Start; one hour before `before` if absent. Metrics are stored for eight days. */
                    after?: string;
                    /** @description End; now if absent. */
                    before?: string;
                };
                header?: never;
                path: {
                    /** @description Id or name */
                    host: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SeriesSet"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/hosts/{host}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pause a host: it starts no new jobs.
         * @description Requires the permission `host.operate` in the org.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Id or name */
                    host: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["HostMarkRequest"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["HostDetail"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/hosts/{host}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume a paused host.
         * @description Requires the permission `host.operate` in the org.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Id or name */
                    host: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["HostDetail"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/hosts/{host}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke a host's keys. Its connection is closed and none of its keys is accepted again.
         * @description Requires the permission `host.manage` in the org.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Id or name */
                    host: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["HostDetail"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/hosts/{host}/rotate-key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Request a new key from a host. A linked host replaces its key immediately, an absent one when it returns.
         * @description Requires the permission `host.manage` in the org.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Id or name */
                    host: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["HostDetail"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/hosts/{host}/schedules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the schedules of a host, with recent results, the time at which each becomes stale, and the catch-up.
         * @description Requires the permission `trigger.read` in the org.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Id or name */
                    host: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["HostSchedules"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/hosts/{host}/share": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Share a host with another organization. It then also runs that organization's jobs, with fair shares.
         * @description Requires the permission `installation` in the org.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Id or name */
                    host: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["HostShareRequest"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["HostDetail"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/hosts/{host}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the timeline of a host: outages, runs, fires of schedules, alerts.
         * @description Requires the permission `host.read` in the org.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Start; one day ago if absent. */
                    from?: string;
                    /** @description End; now if absent. */
                    until?: string;
                };
                header?: never;
                path: {
                    /** @description Id or name */
                    host: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Timeline"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/hosts/{host}/unmark": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Remove the mark "degraded" from a host.
         * @description Requires the permission `host.operate` in the org.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Id or name */
                    host: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["HostDetail"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/hosts/{host}/unshare": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop sharing a host with another organization. Running jobs are completed.
         * @description Requires the permission `installation` in the org.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Id or name */
                    host: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["HostShareRequest"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["HostDetail"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/hub": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the hub's version, key and clock.
         * @description Public.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["HubInfo"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the organization's open invitations.
         * @description Requires the permission `member.manage` in the org.
         */
        get: {
            parameters: {
                query?: {
                    /** @description The start of the page: `next` of the previous page. */
                    cursor?: string;
                    /** @description Page size, 1 to 1,000. */
                    limit?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Page_Invitation"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        /**
         * Invite a person. The link is shown once.
         * @description Requires the permission `member.manage` in the org.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["InvitationRequest"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["InvitationCreated"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/invitations/{invitation}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an open invitation.
         * @description Requires the permission `member.manage` in the org.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Id */
                    invitation: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Removed */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the organization's jobs that match a filter, newest first.
         * @description Requires the permission `job.read` in the org.
         */
        get: {
            parameters: {
                query?: {
                    /** @description A filter, as in `status:failed host:web-* after:-24h`. */
                    filter?: string;
                    /** @description Only these statuses, separated by commas. */
                    status?: string;
                    /** @description Only jobs created by this source. */
                    source?: string;
                    /** @description Only jobs created after this time. */
                    created_after?: string;
                    /** @description Only jobs created before this time. */
                    created_before?: string;
                    /** @description The start of the page: `next` of the previous page. */
                    cursor?: string;
                    /** @description The number of rows to skip, at most 10,000; prefer `cursor`. */
                    offset?: number;
                    /** @description Page size, 1 to 1,000. */
                    limit?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["JobPage"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        /**
         * Create a job. An array or NDJSON creates several and returns one result per row. With an `Idempotency-Key`, a
         *     repeated request creates no second job.
         * @description Requires the permission `job.run` in the org.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["JobRequest"];
                };
            };
            responses: {
                /** @description Results of several jobs, or one job that already existed */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["BulkMade"];
                    };
                };
                /** @description Created */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["JobMade"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/definitions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the definitions that the organization may use.
         * @description Requires the permission `definition.read` in the org.
         */
        get: {
            parameters: {
                query?: {
                    /** @description The start of the page: `next` of the previous page. */
                    cursor?: string;
                    /** @description Page size, 1 to 1,000. */
                    limit?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DefinitionPage"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/definitions/{definition}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a definition that the organization may use, by key.
         * @description Requires the permission `definition.read` in the org.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Key */
                    definition: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Definition"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/series": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get job counts and durations of the organization over time.
         * @description Requires the permission `job.read` in the org.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Start; one hour before `before` if absent. Metrics are stored for eight days. */
                    after?: string;
                    /** @description End; now if absent. */
                    before?: string;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SeriesSet"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count jobs by status, with the age of the oldest queued job.
         * @description Requires the permission `job.read` in the org.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["JobSummary"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/triggers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the organization's triggers.
         * @description Requires the permission `trigger.read` in the org.
         */
        get: {
            parameters: {
                query?: {
                    /** @description The start of the page: `next` of the previous page. */
                    cursor?: string;
                    /** @description Page size, 1 to 1,000. */
                    limit?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Page_Trigger"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        /**
         * Create a trigger: a schedule or an event rule.
         * @description Requires the permission `trigger.manage` in the org.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["TriggerRequest"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Trigger"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/triggers/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import a crontab. Each line that can be parsed becomes a definition and a trigger.
         * @description Requires the permission `trigger.manage` in the org.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ImportRequest"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Imported"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/triggers/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview the next times of a schedule before it is created.
         * @description Requires the permission `trigger.read` in the org.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PreviewRequest"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Preview"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/triggers/{trigger}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a trigger by id or label.
         * @description Requires the permission `trigger.read` in the org.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Id or label */
                    trigger: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Trigger"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /**
         * Remove a trigger. Its history is kept.
         * @description Requires the permission `trigger.manage` in the org.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Id or label */
                    trigger: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Removed */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        /**
         * Change fields of a trigger. A named field is replaced as a whole; null removes it.
         * @description Requires the permission `trigger.manage` in the org.
         */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Id or label */
                    trigger: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["TriggerRequest"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Trigger"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/v1/jobs/triggers/{trigger}/backfill": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create jobs for past times of a schedule that have none.
         * @description Requires the permission `trigger.fire` in the org.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Id or label */
                    trigger: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["BackfillRequest"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Backfilled"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/triggers/{trigger}/fire": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Fire a trigger now.
         * @description Requires the permission `trigger.fire` in the org.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Id or label */
                    trigger: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["TriggerFireRequest"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TriggerFired"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/triggers/{trigger}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the fires of a trigger, newest first.
         * @description Requires the permission `trigger.read` in the org.
         */
        get: {
            parameters: {
                query?: {
                    /** @description The start of the page: `next` of the previous page. */
                    cursor?: string;
                    /** @description Page size, 1 to 1,000. */
                    limit?: number;
                };
                header?: never;
                path: {
                    /** @description Id or label */
                    trigger: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Page_Fire"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/triggers/{trigger}/next": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the next times of a trigger.
         * @description Requires the permission `trigger.read` in the org.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Only times after this one; now if absent. */
                    after?: string;
                    /** @description The number of times, 1 to 100; 10 if absent. */
                    count?: number;
                };
                header?: never;
                path: {
                    /** @description Id or label */
                    trigger: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Preview"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/triggers/{trigger}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test a trigger: show the jobs that it would create now or for this event. Creates nothing.
         * @description Requires the permission `trigger.read` in the org.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Id or label */
                    trigger: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["TriggerFireRequest"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WouldMake"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/{job}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a job by id or unique prefix of its id.
         * @description Requires the permission `job.read` in the org.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Id or unique prefix of it */
                    job: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["JobDetail"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/{job}/attempts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the runs of a job in order.
         * @description Requires the permission `job.read` in the org.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Id or unique prefix of it */
                    job: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Runs"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/{job}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a job. A queued job never starts; a running job is stopped.
         * @description Requires the permission `job.cancel` in the org.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Id or unique prefix of it */
                    job: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CancelRequest"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["JobDetail"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/{job}/logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the log lines of a run.
         * @description Requires the permission `job.read` in the org.
         */
        get: {
            parameters: {
                query?: {
                    /** @description The number of the run; the last run if absent. */
                    attempt?: number;
                    /** @description Only lines after this one. */
                    after?: number;
                    /** @description Only the last lines, this many. */
                    tail?: number;
                    /** @description The number of lines, 1 to 10,000. */
                    limit?: number;
                    /** @description Wait for the first line, at most this many seconds (less than 30). */
                    wait?: number;
                };
                header?: never;
                path: {
                    /** @description Id or unique prefix of it */
                    job: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LogPage"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/{job}/move": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Move a queued job to another target, or change its priority.
         * @description Requires the permission `job.run` in the org.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Id or unique prefix of it */
                    job: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["MoveRequest"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["JobDetail"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/{job}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Put a finished job back into its queue, with its history.
         * @description Requires the permission `job.retry` in the org.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Id or unique prefix of it */
                    job: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["RetryRequest"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["JobDetail"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/jobs/{job}/why": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Explain why a job is waiting, or how it ended.
         * @description Requires the permission `job.read` in the org.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Id or unique prefix of it */
                    job: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Why"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/join": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Join a machine as a host, with a join token.
         * @description Public.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["JoinRequest"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["JoinAccepted"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/join-tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the organization's join tokens.
         * @description Requires the permission `host.invite` in the org.
         */
        get: {
            parameters: {
                query?: {
                    /** @description The start of the page: `next` of the previous page. */
                    cursor?: string;
                    /** @description Page size, 1 to 1,000. */
                    limit?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Page_JoinToken"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        /**
         * Create a join token. Its secret is shown once.
         * @description Requires the permission `host.invite` in the org.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["JoinTokenRequest"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["JoinTokenCreated"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/join-tokens/{join_token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke a join token. Hosts that joined with it stay.
         * @description Requires the permission `host.invite` in the org.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Id */
                    join_token: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Revoked */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/limits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the limits that jobs share by a key.
         * @description Requires the permission `job.read` in the org.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Limits"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/limits/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set the limit of a key. Without numbers, the limit is removed.
         * @description Requires the permission `limit.manage` in the org.
         */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The key */
                    key: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["LimitRequest"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Limits"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Open the runner link: a WebSocket on which the runner proves its key.
         * @description For runners.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The link is open */
                101: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/maintenance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List maintenance windows and mutes.
         * @description Requires the permission `alert.read` in the org.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["MuteWindows"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        /**
         * Create a maintenance window or a mute. Alerts raised within it are recorded; notifications are sent only if they
         *     outlast it.
         * @description Requires the permission `alert.operate` in the org.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["MuteWindowRequest"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["MuteWindow"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/maintenance/{window}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a maintenance window or a mute.
         * @description Requires the permission `alert.operate` in the org.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Id */
                    window: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Removed */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the caller's account and organizations.
         * @description Requires a signed-in user.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Me"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/me/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Set the caller's password. All other sessions and all login tokens of the caller end.
         * @description Requires a browser session.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PasswordRequest"];
                };
            };
            responses: {
                /** @description Set */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the organization's members by email address.
         * @description Requires the permission `member.read` in the org.
         */
        get: {
            parameters: {
                query?: {
                    /** @description The start of the page: `next` of the previous page. */
                    cursor?: string;
                    /** @description Page size, 1 to 1,000. */
                    limit?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Page_Member"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/members/{user}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a member from the organization. Their live connections are closed.
         * @description Requires the permission `member.manage` in the org.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Id */
                    user: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Removed */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        /**
         * Change a member's role. Their live connections are closed.
         * @description Requires the permission `member.manage` in the org.
         */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Id */
                    user: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["MemberPatch"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Member"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/v1/notices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List sent and pending notifications, newest first.
         * @description Requires the permission `alert.read` in the org.
         */
        get: {
            parameters: {
                query?: {
                    /** @description The start of the page: `next` of the previous page. */
                    cursor?: string;
                    /** @description Page size, 1 to 1,000. */
                    limit?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Page_Notice"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/org": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the organization.
         * @description Requires the permission `org.read` in the org.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Org"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the organization's settings.
         * @description Requires the permission `org.manage` in the org.
         */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["OrgPatch"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Org"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/v1/orgs/{org}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the organization.
         * @description Requires the permission `org.read` in the org.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Org"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        /**
         * Change the organization's settings.
         * @description Requires the permission `org.manage` in the org.
         */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["OrgPatch"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Org"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/v1/orgs/{org}/alert-rules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the alert rules, one per kind of alert.
         * @description Requires the permission `alert.read` in the org.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AlertRules"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{org}/alert-rules/{kind}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Change an alert rule. Absent fields are reset to their defaults.
         * @description Requires the permission `alert.manage` in the org.
         */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                    /** @description Kind of alert */
                    kind: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["AlertRuleRequest"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AlertRule"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{org}/alerts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the organization's alerts, newest first.
         * @description Requires the permission `alert.read` in the org.
         */
        get: {
            parameters: {
                query?: {
                    /** @description `open` (default; includes acknowledged alerts) or `all`. */
                    status?: string;
                    /** @description The start of the page: `next` of the previous page. */
                    cursor?: string;
                    /** @description Page size, 1 to 1,000. */
                    limit?: number;
                };
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Page_Alert"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{org}/alerts/{alert}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an alert.
         * @description Requires the permission `alert.read` in the org.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                    /** @description Id */
                    alert: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Alert"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{org}/alerts/{alert}/ack": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Acknowledge an alert.
         * @description Requires the permission `alert.operate` in the org.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                    /** @description Id */
                    alert: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["AckRequest"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Alert"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{org}/alerts/{alert}/resolve": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resolve an alert by hand.
         * @description Requires the permission `alert.operate` in the org.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                    /** @description Id */
                    alert: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ResolveRequest"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Alert"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{org}/alerts/{alert}/snooze": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Snooze an alert: send no notifications about it until a time.
         * @description Requires the permission `alert.operate` in the org.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                    /** @description Id */
                    alert: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SnoozeRequest"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Alert"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{org}/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the organization's audit log, newest first.
         * @description Requires the permission `audit.read` in the org.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Only actions of the actor with this name. */
                    actor?: string;
                    /** @description Only this action; `*` at the end matches any rest, as in `host.*`. */
                    action?: string;
                    /** @description Only entries from this time on. */
                    since?: string;
                    /** @description The start of the page: `next` of the previous page. */
                    cursor?: string;
                    /** @description Page size, 1 to 1,000. */
                    limit?: number;
                };
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Page_AuditEntry"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{org}/audit/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Verify that no sealed entry of the organization's audit log was altered or removed.
         * @description Requires the permission `audit.read` in the org.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["AuditVerdict"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{org}/batches": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the organization's bulk actions, newest first.
         * @description Requires the permission `job.read` in the org.
         */
        get: {
            parameters: {
                query?: {
                    /** @description The start of the page: `next` of the previous page. */
                    cursor?: string;
                    /** @description Page size, 1 to 1,000. */
                    limit?: number;
                };
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Page_Batch"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        /**
         * Create a bulk action on the jobs that match a filter: cancel, retry or move. It runs in the background. With
         *     `dry_run`, only count the matching jobs.
         * @description Requires the permission `job.run` in the org.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["BatchRequest"];
                };
            };
            responses: {
                /** @description Counted only (`dry_run`) */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Batch"];
                    };
                };
                /** @description Created */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Batch"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{org}/batches/{batch}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a bulk action and its progress.
         * @description Requires the permission `job.read` in the org.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                    /** @description Id */
                    batch: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Batch"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{org}/batches/{batch}/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop a bulk action. Jobs that were already changed stay changed.
         * @description Requires the permission `job.run` in the org.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                    /** @description Id */
                    batch: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Batch"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{org}/channels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the notification channels.
         * @description Requires the permission `alert.read` in the org.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Channels"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        /**
         * Create a channel.
         * @description Requires the permission `alert.manage` in the org.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ChannelRequest"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Channel"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{org}/channels/{channel}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a channel by id or name.
         * @description Requires the permission `alert.read` in the org.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                    /** @description Id or name */
                    channel: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Channel"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /**
         * Remove a channel.
         * @description Requires the permission `alert.manage` in the org.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                    /** @description Id or name */
                    channel: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Removed */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        /**
         * Change fields of a channel. A named field is replaced as a whole; null removes it.
         * @description Requires the permission `alert.manage` in the org.
         */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                    /** @description Id or name */
                    channel: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ChannelRequest"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Channel"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/v1/orgs/{org}/channels/{channel}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Send a test notification to a channel.
         * @description Requires the permission `alert.manage` in the org.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                    /** @description Id or name */
                    channel: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ChannelTested"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{org}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Stream or list the organization's events. With a WebSocket upgrade: frames of `LiveEvent`. With the header
         *     `Accept: text/event-stream`: the same as server-sent events. Otherwise: a list. `cursor` replays the events after
         *     it; a `resync` event reports that some were missed.
         * @description Requires the permission `event.read` in the org.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Only events after this one: the `cursor` of an event. */
                    cursor?: number;
                    /** @description Only events whose name starts with one of these prefixes, separated by commas, as in `job.,job_run.`. */
                    types?: string;
                    /** @description Page size of a list, 1 to 1,000. */
                    limit?: number;
                };
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Frames of `LiveEvent` */
                101: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["EventPage"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        /**
         * Send an event. The event and the jobs of all triggers that it fires are written in one transaction.
         * @description Requires the permission `trigger.fire` in the org.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["EventRequest"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["EventMade"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{org}/hooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the webhooks through which other systems send events.
         * @description Requires the permission `alert.read` in the org.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Hooks"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        /**
         * Create a webhook. Its secret is shown once.
         * @description Requires the permission `alert.manage` in the org.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["HookRequest"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["HookMade"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{org}/hooks/{hook}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a webhook.
         * @description Requires the permission `alert.manage` in the org.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                    /** @description Id */
                    hook: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Removed */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{org}/hosts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the organization's hosts by name.
         * @description Requires the permission `host.read` in the org.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Only hosts in these states, separated by commas. */
                    status?: string;
                    /** @description A label selector, as in `env=prod,zone in (a,b),!gpu`. */
                    labels?: string;
                    /** @description Only names that match; `*` matches any characters. */
                    name?: string;
                    /** @description The start of the page: `next` of the previous page. */
                    cursor?: string;
                    /** @description Page size, 1 to 1,000. */
                    limit?: number;
                };
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Page_Host"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{org}/hosts/{host}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a host by id or name.
         * @description Requires the permission `host.read` in the org.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                    /** @description Id or name */
                    host: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["HostDetail"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /**
         * Remove a host. Fails if jobs are queued for it or running on it, unless the request cancels them.
         * @description Requires the permission `host.manage` in the org.
         */
        delete: {
            parameters: {
                query?: {
                    /**
                     * @description Cancel the host's queued and running jobs and remove its servers; otherwise a host with such jobs or servers is
                     *     not removed.
                     */
                    cancel_jobs?: boolean;
                };
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                    /** @description Id or name */
                    host: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Removed */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        /**
         * Change a host. Operators may change `always_on`; all other fields need an admin.
         * @description Requires the permission `host.operate` in the org.
         */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                    /** @description Id or name */
                    host: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["HostPatch"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["HostDetail"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/v1/orgs/{org}/hosts/{host}/mark-degraded": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Mark a host as degraded.
         * @description Requires the permission `host.operate` in the org.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                    /** @description Id or name */
                    host: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["HostMarkRequest"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["HostDetail"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{org}/hosts/{host}/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the load of a host over time.
         * @description Requires the permission `host.read` in the org.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Start; one hour before `before` if absent. Metrics are stored for eight days. */
                    after?: string;
                    /** @description End; now if absent. */
                    before?: string;
                };
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                    /** @description Id or name */
                    host: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SeriesSet"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{org}/hosts/{host}/pause": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Pause a host: it starts no new jobs.
         * @description Requires the permission `host.operate` in the org.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                    /** @description Id or name */
                    host: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["HostMarkRequest"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["HostDetail"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{org}/hosts/{host}/resume": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Resume a paused host.
         * @description Requires the permission `host.operate` in the org.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                    /** @description Id or name */
                    host: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["HostDetail"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{org}/hosts/{host}/revoke": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Revoke a host's keys. Its connection is closed and none of its keys is accepted again.
         * @description Requires the permission `host.manage` in the org.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                    /** @description Id or name */
                    host: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["HostDetail"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{org}/hosts/{host}/rotate-key": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Request a new key from a host. A linked host replaces its key immediately, an absent one when it returns.
         * @description Requires the permission `host.manage` in the org.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                    /** @description Id or name */
                    host: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["HostDetail"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{org}/hosts/{host}/schedules": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the schedules of a host, with recent results, the time at which each becomes stale, and the catch-up.
         * @description Requires the permission `trigger.read` in the org.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                    /** @description Id or name */
                    host: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["HostSchedules"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{org}/hosts/{host}/share": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Share a host with another organization. It then also runs that organization's jobs, with fair shares.
         * @description Requires the permission `installation` in the org.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                    /** @description Id or name */
                    host: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["HostShareRequest"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["HostDetail"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{org}/hosts/{host}/timeline": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the timeline of a host: outages, runs, fires of schedules, alerts.
         * @description Requires the permission `host.read` in the org.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Start; one day ago if absent. */
                    from?: string;
                    /** @description End; now if absent. */
                    until?: string;
                };
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                    /** @description Id or name */
                    host: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Timeline"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{org}/hosts/{host}/unmark": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Remove the mark "degraded" from a host.
         * @description Requires the permission `host.operate` in the org.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                    /** @description Id or name */
                    host: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["HostDetail"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{org}/hosts/{host}/unshare": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop sharing a host with another organization. Running jobs are completed.
         * @description Requires the permission `installation` in the org.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                    /** @description Id or name */
                    host: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["HostShareRequest"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["HostDetail"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{org}/invitations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the organization's open invitations.
         * @description Requires the permission `member.manage` in the org.
         */
        get: {
            parameters: {
                query?: {
                    /** @description The start of the page: `next` of the previous page. */
                    cursor?: string;
                    /** @description Page size, 1 to 1,000. */
                    limit?: number;
                };
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Page_Invitation"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        /**
         * Invite a person. The link is shown once.
         * @description Requires the permission `member.manage` in the org.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["InvitationRequest"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["InvitationCreated"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{org}/invitations/{invitation}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an open invitation.
         * @description Requires the permission `member.manage` in the org.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                    /** @description Id */
                    invitation: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Removed */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{org}/jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the organization's jobs that match a filter, newest first.
         * @description Requires the permission `job.read` in the org.
         */
        get: {
            parameters: {
                query?: {
                    /** @description A filter, as in `status:failed host:web-* after:-24h`. */
                    filter?: string;
                    /** @description Only these statuses, separated by commas. */
                    status?: string;
                    /** @description Only jobs created by this source. */
                    source?: string;
                    /** @description Only jobs created after this time. */
                    created_after?: string;
                    /** @description Only jobs created before this time. */
                    created_before?: string;
                    /** @description The start of the page: `next` of the previous page. */
                    cursor?: string;
                    /** @description The number of rows to skip, at most 10,000; prefer `cursor`. */
                    offset?: number;
                    /** @description Page size, 1 to 1,000. */
                    limit?: number;
                };
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["JobPage"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        /**
         * Create a job. An array or NDJSON creates several and returns one result per row. With an `Idempotency-Key`, a
         *     repeated request creates no second job.
         * @description Requires the permission `job.run` in the org.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["JobRequest"];
                };
            };
            responses: {
                /** @description Results of several jobs, or one job that already existed */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["BulkMade"];
                    };
                };
                /** @description Created */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["JobMade"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{org}/jobs/definitions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the definitions that the organization may use.
         * @description Requires the permission `definition.read` in the org.
         */
        get: {
            parameters: {
                query?: {
                    /** @description The start of the page: `next` of the previous page. */
                    cursor?: string;
                    /** @description Page size, 1 to 1,000. */
                    limit?: number;
                };
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DefinitionPage"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{org}/jobs/definitions/{definition}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a definition that the organization may use, by key.
         * @description Requires the permission `definition.read` in the org.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                    /** @description Key */
                    definition: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Definition"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{org}/jobs/series": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get job counts and durations of the organization over time.
         * @description Requires the permission `job.read` in the org.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Start; one hour before `before` if absent. Metrics are stored for eight days. */
                    after?: string;
                    /** @description End; now if absent. */
                    before?: string;
                };
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SeriesSet"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{org}/jobs/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Count jobs by status, with the age of the oldest queued job.
         * @description Requires the permission `job.read` in the org.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["JobSummary"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{org}/jobs/triggers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the organization's triggers.
         * @description Requires the permission `trigger.read` in the org.
         */
        get: {
            parameters: {
                query?: {
                    /** @description The start of the page: `next` of the previous page. */
                    cursor?: string;
                    /** @description Page size, 1 to 1,000. */
                    limit?: number;
                };
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Page_Trigger"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        /**
         * Create a trigger: a schedule or an event rule.
         * @description Requires the permission `trigger.manage` in the org.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["TriggerRequest"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Trigger"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{org}/jobs/triggers/import": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Import a crontab. Each line that can be parsed becomes a definition and a trigger.
         * @description Requires the permission `trigger.manage` in the org.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ImportRequest"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Imported"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{org}/jobs/triggers/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Preview the next times of a schedule before it is created.
         * @description Requires the permission `trigger.read` in the org.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PreviewRequest"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Preview"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{org}/jobs/triggers/{trigger}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a trigger by id or label.
         * @description Requires the permission `trigger.read` in the org.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                    /** @description Id or label */
                    trigger: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Trigger"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /**
         * Remove a trigger. Its history is kept.
         * @description Requires the permission `trigger.manage` in the org.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                    /** @description Id or label */
                    trigger: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Removed */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        /**
         * Change fields of a trigger. A named field is replaced as a whole; null removes it.
         * @description Requires the permission `trigger.manage` in the org.
         */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                    /** @description Id or label */
                    trigger: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["TriggerRequest"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Trigger"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/v1/orgs/{org}/jobs/triggers/{trigger}/backfill": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create jobs for past times of a schedule that have none.
         * @description Requires the permission `trigger.fire` in the org.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                    /** @description Id or label */
                    trigger: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["BackfillRequest"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Backfilled"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{org}/jobs/triggers/{trigger}/fire": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Fire a trigger now.
         * @description Requires the permission `trigger.fire` in the org.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                    /** @description Id or label */
                    trigger: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["TriggerFireRequest"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TriggerFired"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{org}/jobs/triggers/{trigger}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the fires of a trigger, newest first.
         * @description Requires the permission `trigger.read` in the org.
         */
        get: {
            parameters: {
                query?: {
                    /** @description The start of the page: `next` of the previous page. */
                    cursor?: string;
                    /** @description Page size, 1 to 1,000. */
                    limit?: number;
                };
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                    /** @description Id or label */
                    trigger: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Page_Fire"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{org}/jobs/triggers/{trigger}/next": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the next times of a trigger.
         * @description Requires the permission `trigger.read` in the org.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Only times after this one; now if absent. */
                    after?: string;
                    /** @description The number of times, 1 to 100; 10 if absent. */
                    count?: number;
                };
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                    /** @description Id or label */
                    trigger: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Preview"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{org}/jobs/triggers/{trigger}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Test a trigger: show the jobs that it would create now or for this event. Creates nothing.
         * @description Requires the permission `trigger.read` in the org.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                    /** @description Id or label */
                    trigger: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["TriggerFireRequest"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WouldMake"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{org}/jobs/{job}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a job by id or unique prefix of its id.
         * @description Requires the permission `job.read` in the org.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                    /** @description Id or unique prefix of it */
                    job: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["JobDetail"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{org}/jobs/{job}/attempts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the runs of a job in order.
         * @description Requires the permission `job.read` in the org.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                    /** @description Id or unique prefix of it */
                    job: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Runs"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{org}/jobs/{job}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Cancel a job. A queued job never starts; a running job is stopped.
         * @description Requires the permission `job.cancel` in the org.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                    /** @description Id or unique prefix of it */
                    job: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CancelRequest"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["JobDetail"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{org}/jobs/{job}/logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the log lines of a run.
         * @description Requires the permission `job.read` in the org.
         */
        get: {
            parameters: {
                query?: {
                    /** @description The number of the run; the last run if absent. */
                    attempt?: number;
                    /** @description Only lines after this one. */
                    after?: number;
                    /** @description Only the last lines, this many. */
                    tail?: number;
                    /** @description The number of lines, 1 to 10,000. */
                    limit?: number;
                    /** @description Wait for the first line, at most this many seconds (less than 30). */
                    wait?: number;
                };
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                    /** @description Id or unique prefix of it */
                    job: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["LogPage"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{org}/jobs/{job}/move": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Move a queued job to another target, or change its priority.
         * @description Requires the permission `job.run` in the org.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                    /** @description Id or unique prefix of it */
                    job: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["MoveRequest"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["JobDetail"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{org}/jobs/{job}/retry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Put a finished job back into its queue, with its history.
         * @description Requires the permission `job.retry` in the org.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                    /** @description Id or unique prefix of it */
                    job: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["RetryRequest"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["JobDetail"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{org}/jobs/{job}/why": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Explain why a job is waiting, or how it ended.
         * @description Requires the permission `job.read` in the org.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                    /** @description Id or unique prefix of it */
                    job: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Why"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{org}/join-tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the organization's join tokens.
         * @description Requires the permission `host.invite` in the org.
         */
        get: {
            parameters: {
                query?: {
                    /** @description The start of the page: `next` of the previous page. */
                    cursor?: string;
                    /** @description Page size, 1 to 1,000. */
                    limit?: number;
                };
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Page_JoinToken"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        /**
         * Create a join token. Its secret is shown once.
         * @description Requires the permission `host.invite` in the org.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["JoinTokenRequest"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["JoinTokenCreated"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{org}/join-tokens/{join_token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke a join token. Hosts that joined with it stay.
         * @description Requires the permission `host.invite` in the org.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                    /** @description Id */
                    join_token: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Revoked */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{org}/limits": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the limits that jobs share by a key.
         * @description Requires the permission `job.read` in the org.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Limits"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{org}/limits/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set the limit of a key. Without numbers, the limit is removed.
         * @description Requires the permission `limit.manage` in the org.
         */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                    /** @description The key */
                    key: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["LimitRequest"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Limits"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{org}/maintenance": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List maintenance windows and mutes.
         * @description Requires the permission `alert.read` in the org.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["MuteWindows"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        /**
         * Create a maintenance window or a mute. Alerts raised within it are recorded; notifications are sent only if they
         *     outlast it.
         * @description Requires the permission `alert.operate` in the org.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["MuteWindowRequest"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["MuteWindow"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{org}/maintenance/{window}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a maintenance window or a mute.
         * @description Requires the permission `alert.operate` in the org.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                    /** @description Id */
                    window: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Removed */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{org}/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the organization's members by email address.
         * @description Requires the permission `member.read` in the org.
         */
        get: {
            parameters: {
                query?: {
                    /** @description The start of the page: `next` of the previous page. */
                    cursor?: string;
                    /** @description Page size, 1 to 1,000. */
                    limit?: number;
                };
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Page_Member"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{org}/members/{user}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a member from the organization. Their live connections are closed.
         * @description Requires the permission `member.manage` in the org.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                    /** @description Id */
                    user: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Removed */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        /**
         * Change a member's role. Their live connections are closed.
         * @description Requires the permission `member.manage` in the org.
         */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                    /** @description Id */
                    user: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["MemberPatch"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Member"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/v1/orgs/{org}/notices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List sent and pending notifications, newest first.
         * @description Requires the permission `alert.read` in the org.
         */
        get: {
            parameters: {
                query?: {
                    /** @description The start of the page: `next` of the previous page. */
                    cursor?: string;
                    /** @description Page size, 1 to 1,000. */
                    limit?: number;
                };
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Page_Notice"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{org}/pauses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the active pauses.
         * @description Requires the permission `job.read` in the org.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Pauses"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        /**
         * Pause the organization, a definition, a queue or a key, or end such a pause.
         * @description Requires the permission `queue.pause` in the org.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PauseRequest"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Pauses"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{org}/pings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the pings.
         * @description Requires the permission `alert.read` in the org.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Pings"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        /**
         * Create a ping for an external program.
         * @description Requires the permission `alert.manage` in the org.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PingRequest"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PingMade"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{org}/pings/{ping}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a ping.
         * @description Requires the permission `alert.manage` in the org.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                    /** @description Id */
                    ping: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Removed */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{org}/pings/{ping}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the received signals of a ping, newest first.
         * @description Requires the permission `alert.read` in the org.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                    /** @description Id */
                    ping: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PingHistory"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{org}/primary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make this hub the primary of the organization's hosts.
         * @description Hosts with another primary hub move here when they receive the promotion, at the latest at their next connection.
         *     Jobs that are queued at the former primary hub stay there.
         *
         *     Requires the permission `installation` in the org.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Promoted"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{org}/secrets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the names of the organization's secrets.
         * @description Requires the permission `secret.read` in the org.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Secrets"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{org}/secrets/{secret}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set a secret. Its value is only given to runs whose definition names it.
         * @description Requires the secret in the URL.
         */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                    /** @description Name */
                    secret: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SecretRequest"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Secret"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        post?: never;
        /**
         * Remove a secret. Jobs that need it wait until it is set again.
         * @description Requires the secret in the URL.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                    /** @description Name */
                    secret: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Removed */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{org}/servers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the organization's servers.
         * @description Requires the permission `server.read` in the org.
         */
        get: {
            parameters: {
                query?: {
                    /** @description The start of the page: `next` of the previous page. */
                    cursor?: string;
                    /** @description Page size, 1 to 1,000. */
                    limit?: number;
                };
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Page_Server"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        /**
         * Create a server. It is not started.
         * @description Requires the permission `server.manage` in the org.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ServerRequest"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Server"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{org}/servers/{server}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a server by id or name.
         * @description Requires the permission `server.read` in the org.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                    /** @description Id or name */
                    server: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Server"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /**
         * Remove a server.
         * @description Requires the permission `server.manage` in the org.
         */
        delete: {
            parameters: {
                query?: {
                    /** @description Cancel the server's jobs and stop it; otherwise a running server, or one with jobs, is not removed. */
                    cancel_jobs?: boolean;
                };
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                    /** @description Id or name */
                    server: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Removed */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        /**
         * Change fields of a server. A named field is replaced as a whole; null removes it. With another `host` the server is
         *     stopped on its old host and, if it was running, started on the new one.
         * @description Requires the permission `server.manage` in the org.
         */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                    /** @description Id or name */
                    server: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ServerRequest"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Server"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/v1/orgs/{org}/servers/{server}/console": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get lines of a server's output from a position, forwards or backwards, optionally waiting for new lines.
         * @description Requires the permission `server.read` in the org.
         */
        get: {
            parameters: {
                query?: {
                    /** @description The number of the run; the newest if absent. With `after`, lines of the next run follow when this run has ended. */
                    run?: number;
                    /** @description Only lines after this one. */
                    after?: number;
                    /** @description Only lines before this one. */
                    before?: number;
                    /** @description Without `after`: only the last lines, this many. */
                    tail?: number;
                    /** @description The number of lines. */
                    limit?: number;
                    /** @description Wait for the first line, at most this many seconds (less than 30). */
                    wait?: number;
                };
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                    /** @description Id or name */
                    server: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ConsolePage"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{org}/servers/{server}/input": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Write a line to a server's standard input. Its host must be online.
         * @description Requires the permission `server.operate` in the org.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                    /** @description Id or name */
                    server: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ServerInput"];
                };
            };
            responses: {
                /** @description Written */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{org}/servers/{server}/kill": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Kill a server immediately, without a job. It stays stopped. Its host must be online.
         * @description Requires the permission `server.operate` in the org.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                    /** @description Id or name */
                    server: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Killed */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{org}/servers/{server}/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the resource use of a server over time.
         * @description Requires the permission `server.read` in the org.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Start; one hour before `before` if absent. Metrics are stored for eight days. */
                    after?: string;
                    /** @description End; now if absent. */
                    before?: string;
                };
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                    /** @description Id or name */
                    server: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SeriesSet"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{org}/servers/{server}/restart": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restart a server. Creates a job that succeeds when the server has ended and is ready again.
         * @description Requires the permission `server.operate` in the org.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                    /** @description Id or name */
                    server: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ServerAct"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ServerActed"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{org}/servers/{server}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the runs of a server, newest first.
         * @description Requires the permission `server.read` in the org.
         */
        get: {
            parameters: {
                query?: {
                    /** @description The start of the page: `next` of the previous page. */
                    cursor?: string;
                    /** @description Page size, 1 to 1,000. */
                    limit?: number;
                };
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                    /** @description Id or name */
                    server: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Page_ServerRun"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{org}/servers/{server}/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a server. Creates a job that succeeds when the server is ready.
         * @description Requires the permission `server.operate` in the org.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                    /** @description Id or name */
                    server: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ServerAct"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ServerActed"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{org}/servers/{server}/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop a server. Creates a job that succeeds when all its processes have ended.
         * @description Requires the permission `server.operate` in the org.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                    /** @description Id or name */
                    server: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ServerAct"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ServerActed"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{org}/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a summary of the organization: hosts by status, runner versions, database.
         * @description Requires the permission `org.read` in the org.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Status"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{org}/sync": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the replication status by host and priority; for admins with the parked rows, environments masked.
         * @description Requires the permission `host.read` in the org.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SyncStatus"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{org}/sync/digest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get checksums of a host's rows by table, or of this machine's own. Equal checksums mean equal rows.
         * @description Requires the permission `host.read` in the org.
         */
        get: {
            parameters: {
                query?: {
                    /** @description The host, by name or id; this machine's own rows if absent. */
                    host?: string | null;
                };
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TableDigest"][];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{org}/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the caller's tokens in the organization; for admins, all its tokens.
         * @description Requires the permission `token.own` in the org.
         */
        get: {
            parameters: {
                query?: {
                    /** @description The start of the page: `next` of the previous page. */
                    cursor?: string;
                    /** @description Page size, 1 to 1,000. */
                    limit?: number;
                };
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Page_Token"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        /**
         * Create a token. Its secret is shown once.
         * @description Requires the permission `token.own` in the org.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["TokenRequest"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TokenCreated"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{org}/tokens/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke a token. Its live connections are closed.
         * @description Requires the permission `token.own` in the org.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                    /** @description Id */
                    token: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Revoked */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{org}/views": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the caller's saved views, and those shared with the organization. `all`, for admins: the views of all members.
         * @description Requires the permission `org.read` in the org.
         */
        get: {
            parameters: {
                query?: {
                    /** @description The views of all members, also private ones; for admins. */
                    all?: boolean;
                };
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Views"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        /**
         * Save a view.
         * @description Requires the permission `view.own` in the org.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ViewRequest"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["View"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{org}/views/{view}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a view.
         * @description Requires the permission `view.own` in the org.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                    /** @description Id */
                    view: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Removed */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        /**
         * Change a view.
         * @description Requires the permission `view.own` in the org.
         */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                    /** @description Id */
                    view: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ViewPatch"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["View"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/v1/orgs/{org}/worker/jobs/claim": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Claim jobs, optionally waiting for the first one.
         * @description Requires the permission `worker.claim` in the org.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ClaimRequest"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ClaimAnswer"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{org}/worker/jobs/{job}/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report that a run succeeded.
         * @description Requires the permission `worker.claim` in the org.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                    /** @description Id */
                    job: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CompleteRequest"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ReportAnswer"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{org}/worker/jobs/{job}/fail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report that a run failed.
         * @description Requires the permission `worker.claim` in the org.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                    /** @description Id */
                    job: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["FailRequest"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ReportAnswer"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/orgs/{org}/worker/jobs/{job}/heartbeat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report that a run continues. The response says whether to stop it.
         * @description Requires the permission `worker.claim` in the org.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                    /** @description Id */
                    job: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["WorkerBeat"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WorkerBeatAnswer"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/pauses": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the active pauses.
         * @description Requires the permission `job.read` in the org.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Pauses"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        /**
         * Pause the organization, a definition, a queue or a key, or end such a pause.
         * @description Requires the permission `queue.pause` in the org.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PauseRequest"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Pauses"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/pings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the pings.
         * @description Requires the permission `alert.read` in the org.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Pings"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        /**
         * Create a ping for an external program.
         * @description Requires the permission `alert.manage` in the org.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PingRequest"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PingMade"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/pings/{ping}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a ping.
         * @description Requires the permission `alert.manage` in the org.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Id */
                    ping: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Removed */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/pings/{ping}/history": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the received signals of a ping, newest first.
         * @description Requires the permission `alert.read` in the org.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Id */
                    ping: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["PingHistory"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/primary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Make this hub the primary of the organization's hosts.
         * @description Hosts with another primary hub move here when they receive the promotion, at the latest at their next connection.
         *     Jobs that are queued at the former primary hub stay there.
         *
         *     Requires the permission `installation` in the org.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Promoted"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runner/leave": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Leave the organization: the runner's host is removed.
         * @description For runners.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Left */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/runner/self": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the runner's own host.
         * @description For runners.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["HostDetail"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secrets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the names of the organization's secrets.
         * @description Requires the permission `secret.read` in the org.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Secrets"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/secrets/{secret}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        /**
         * Set a secret. Its value is only given to runs whose definition names it.
         * @description Requires the secret in the URL.
         */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Name */
                    secret: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SecretRequest"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Secret"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        post?: never;
        /**
         * Remove a secret. Jobs that need it wait until it is set again.
         * @description Requires the secret in the URL.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Name */
                    secret: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Removed */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/servers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the organization's servers.
         * @description Requires the permission `server.read` in the org.
         */
        get: {
            parameters: {
                query?: {
                    /** @description The start of the page: `next` of the previous page. */
                    cursor?: string;
                    /** @description Page size, 1 to 1,000. */
                    limit?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Page_Server"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        /**
         * Create a server. It is not started.
         * @description Requires the permission `server.manage` in the org.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ServerRequest"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Server"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/servers/{server}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a server by id or name.
         * @description Requires the permission `server.read` in the org.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Id or name */
                    server: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Server"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        /**
         * Remove a server.
         * @description Requires the permission `server.manage` in the org.
         */
        delete: {
            parameters: {
                query?: {
                    /** @description Cancel the server's jobs and stop it; otherwise a running server, or one with jobs, is not removed. */
                    cancel_jobs?: boolean;
                };
                header?: never;
                path: {
                    /** @description Id or name */
                    server: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Removed */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        /**
         * Change fields of a server. A named field is replaced as a whole; null removes it. With another `host` the server is
         *     stopped on its old host and, if it was running, started on the new one.
         * @description Requires the permission `server.manage` in the org.
         */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Id or name */
                    server: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ServerRequest"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Server"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/v1/servers/{server}/console": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get lines of a server's output from a position, forwards or backwards, optionally waiting for new lines.
         * @description Requires the permission `server.read` in the org.
         */
        get: {
            parameters: {
                query?: {
                    /** @description The number of the run; the newest if absent. With `after`, lines of the next run follow when this run has ended. */
                    run?: number;
                    /** @description Only lines after this one. */
                    after?: number;
                    /** @description Only lines before this one. */
                    before?: number;
                    /** @description Without `after`: only the last lines, this many. */
                    tail?: number;
                    /** @description The number of lines. */
                    limit?: number;
                    /** @description Wait for the first line, at most this many seconds (less than 30). */
                    wait?: number;
                };
                header?: never;
                path: {
                    /** @description Id or name */
                    server: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ConsolePage"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/servers/{server}/input": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Write a line to a server's standard input. Its host must be online.
         * @description Requires the permission `server.operate` in the org.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Id or name */
                    server: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ServerInput"];
                };
            };
            responses: {
                /** @description Written */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/servers/{server}/kill": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Kill a server immediately, without a job. It stays stopped. Its host must be online.
         * @description Requires the permission `server.operate` in the org.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Id or name */
                    server: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Killed */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/servers/{server}/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the resource use of a server over time.
         * @description Requires the permission `server.read` in the org.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Start; one hour before `before` if absent. Metrics are stored for eight days. */
                    after?: string;
                    /** @description End; now if absent. */
                    before?: string;
                };
                header?: never;
                path: {
                    /** @description Id or name */
                    server: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SeriesSet"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/servers/{server}/restart": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Restart a server. Creates a job that succeeds when the server has ended and is ready again.
         * @description Requires the permission `server.operate` in the org.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Id or name */
                    server: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ServerAct"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ServerActed"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/servers/{server}/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the runs of a server, newest first.
         * @description Requires the permission `server.read` in the org.
         */
        get: {
            parameters: {
                query?: {
                    /** @description The start of the page: `next` of the previous page. */
                    cursor?: string;
                    /** @description Page size, 1 to 1,000. */
                    limit?: number;
                };
                header?: never;
                path: {
                    /** @description Id or name */
                    server: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Page_ServerRun"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/servers/{server}/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a server. Creates a job that succeeds when the server is ready.
         * @description Requires the permission `server.operate` in the org.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Id or name */
                    server: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ServerAct"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ServerActed"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/servers/{server}/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Stop a server. Creates a job that succeeds when all its processes have ended.
         * @description Requires the permission `server.operate` in the org.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Id or name */
                    server: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ServerAct"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ServerActed"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sign-in/device": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Start a device-code login.
         * @description Public.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["DeviceStartRequest"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DeviceStarted"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sign-in/device/answer": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Confirm or reject a device-code login, with the role of its token.
         * @description Requires a browser session.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["DeviceAnswer"];
                };
            };
            responses: {
                /** @description Stored */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sign-in/device/poll": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Poll a device-code login. Returns a token once it was confirmed.
         * @description Public.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["DevicePollRequest"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TokenCreated"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sign-in/device/{user_code}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the device-code login that the user is about to confirm.
         * @description Requires a browser session.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Code shown by the device */
                    user_code: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DeviceView"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sign-in/invitation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Accept an invitation and sign in.
         * @description Public.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["InvitationAcceptRequest"];
                };
            };
            responses: {
                /** @description Signed in; the session is a cookie */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sign-in/invitation/view": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Get an invitation.
         * @description Public.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["LinkLoginRequest"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["InvitationView"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sign-in/link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in with a one-time link.
         * @description Public.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["LinkLoginRequest"];
                };
            };
            responses: {
                /** @description Signed in; the session is a cookie */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sign-in/links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Create a one-time sign-in link for the caller; on the local socket for the owner of this hub.
         * @description Requires the permission `installation` (super admins).
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SignInLink"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sign-in/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign in with a password.
         * @description Public.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["LoginRequest"];
                };
            };
            responses: {
                /** @description Signed in; the session is a cookie */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sign-out": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Sign out.
         * @description Requires a signed-in user.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Signed out */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/status": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a summary of the organization: hosts by status, runner versions, database.
         * @description Requires the permission `org.read` in the org.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Status"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sync": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the replication status by host and priority; for admins with the parked rows, environments masked.
         * @description Requires the permission `host.read` in the org.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["SyncStatus"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/sync/digest": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get checksums of a host's rows by table, or of this machine's own. Equal checksums mean equal rows.
         * @description Requires the permission `host.read` in the org.
         */
        get: {
            parameters: {
                query?: {
                    /** @description The host, by name or id; this machine's own rows if absent. */
                    host?: string | null;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TableDigest"][];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the caller's tokens in the organization; for admins, all its tokens.
         * @description Requires the permission `token.own` in the org.
         */
        get: {
            parameters: {
                query?: {
                    /** @description The start of the page: `next` of the previous page. */
                    cursor?: string;
                    /** @description Page size, 1 to 1,000. */
                    limit?: number;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Page_Token"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        /**
         * Create a token. Its secret is shown once.
         * @description Requires the permission `token.own` in the org.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["TokenRequest"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["TokenCreated"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/tokens/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke a token. Its live connections are closed.
         * @description Requires the permission `token.own` in the org.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Id */
                    token: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Revoked */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/views": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List the caller's saved views, and those shared with the organization. `all`, for admins: the views of all members.
         * @description Requires the permission `org.read` in the org.
         */
        get: {
            parameters: {
                query?: {
                    /** @description The views of all members, also private ones; for admins. */
                    all?: boolean;
                };
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Views"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        /**
         * Save a view.
         * @description Requires the permission `view.own` in the org.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ViewRequest"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["View"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/views/{view}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Remove a view.
         * @description Requires the permission `view.own` in the org.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Id */
                    view: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Removed */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        options?: never;
        head?: never;
        /**
         * Change a view.
         * @description Requires the permission `view.own` in the org.
         */
        patch: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Id */
                    view: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ViewPatch"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["View"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        trace?: never;
    };
    "/api/v1/worker/jobs/claim": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Claim jobs, optionally waiting for the first one.
         * @description Requires the permission `worker.claim` in the org.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ClaimRequest"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ClaimAnswer"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/worker/jobs/{job}/complete": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report that a run succeeded.
         * @description Requires the permission `worker.claim` in the org.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Id */
                    job: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["CompleteRequest"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ReportAnswer"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/worker/jobs/{job}/fail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report that a run failed.
         * @description Requires the permission `worker.claim` in the org.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Id */
                    job: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["FailRequest"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["ReportAnswer"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/worker/jobs/{job}/heartbeat": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Report that a run continues. The response says whether to stop it.
         * @description Requires the permission `worker.claim` in the org.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Id */
                    job: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["WorkerBeat"];
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["WorkerBeatAnswer"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/docs/errors/{code}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get the page of an error code, with its meaning and remedies.
         * @description Public.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Error code, such as `not_found` */
                    code: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description A page in Markdown */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "text/markdown": string;
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check that the process is alive.
         * @description Public.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Alive */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "text/plain": string;
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/in/{hook}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Receive a signed event from another system.
         * @description Public.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Id */
                    hook: string;
                };
                cookie?: never;
            };
            requestBody: {
                content: {
                    "application/json": Record<string, never>;
                };
            };
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["EventMade"];
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/j/program/{sha256}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Download the `hostler` binary, which is hub, runner and CLI. Needs no credential.
         * @description Public.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The checksum of the binary, from the install script */
                    sha256: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description The binary */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/octet-stream": string;
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/j/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a shell script that installs Hostler and joins the machine as a host.
         * @description Public.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description A join token */
                    token: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description A shell script */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "text/plain": string;
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get metrics for Prometheus.
         * @description Requires the permission `installation.read` (super admins).
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OpenMetrics text */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "text/plain": string;
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get this OpenAPI document.
         * @description Public.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description OpenAPI 3.1 */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": string;
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ping/{secret}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Report success.
         * @description Requires the secret in the URL.
         */
        get: {
            parameters: {
                query?: {
                    /** @description An id of the run, to tell simultaneous runs apart. */
                    rid?: string;
                };
                header?: never;
                path: {
                    /** @description The secret at the end of the ping's URL */
                    secret: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "text/plain": string;
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        /**
         * Report success, and store the body.
         * @description Requires the secret in the URL.
         */
        post: {
            parameters: {
                query?: {
                    /** @description An id of the run, to tell simultaneous runs apart. */
                    rid?: string;
                };
                header?: never;
                path: {
                    /** @description The secret at the end of the ping's URL */
                    secret: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "text/plain": string;
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/ping/{secret}/{word}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Report a start, a failure, an exit code or a log message.
         * @description Requires the secret in the URL.
         */
        get: {
            parameters: {
                query?: {
                    /** @description An id of the run, to tell simultaneous runs apart. */
                    rid?: string;
                };
                header?: never;
                path: {
                    /** @description The secret at the end of the ping's URL */
                    secret: string;
                    /** @description start, fail, log or an exit code */
                    word: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "text/plain": string;
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        /**
         * Report a start, a failure, an exit code or a log message, and store the body.
         * @description Requires the secret in the URL.
         */
        post: {
            parameters: {
                query?: {
                    /** @description An id of the run, to tell simultaneous runs apart. */
                    rid?: string;
                };
                header?: never;
                path: {
                    /** @description The secret at the end of the ping's URL */
                    secret: string;
                    /** @description start, fail, log or an exit code */
                    word: string;
                };
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "text/plain": string;
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Check that the hub accepts requests: it is not stopping, its writers run, and its database is available and accepts
         *     writes.
         * @description Public.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path?: never;
                cookie?: never;
            };
            requestBody?: never;
            responses: {
                /** @description Ready */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "text/plain": string;
                    };
                };
                /** @description Error */
                default: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/problem+json": components["schemas"]["Problem"];
                    };
                };
            };
        };
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description Acknowledges an alert. */
        AckRequest: {
            /** @description A note for other people. */
            note?: string;
            /**
             * Format: date-time
             * @description Send a reminder at this time if the problem still exists.
             */
            until?: string | null;
        };
        /** @description An alert: a problem that exists or existed. */
        Alert: {
            id: string;
            /** @example host_offline */
            kind: string;
            /** @example warning */
            severity: string;
            /**
             * @description `pending`, `open`, `acked` or `resolved`.
             * @example open
             */
            status: string;
            /**
             * @description The kind of object it is about: host, definition, trigger, worker, queue, ping, server or hub.
             * @example host
             */
            subject_kind: string;
            subject_id: string;
            subject_name: string;
            /** @description The host on which the problem occurs. */
            host_id?: string | null;
            /** @description The problem in one sentence. */
            text: string;
            /**
             * Format: date-time
             * @description Start of the problem.
             */
            since: string;
            /**
             * Format: date-time
             * @description When the alert was opened: the problem had lasted for the rule's `for_seconds`.
             */
            raised_at?: string | null;
            /**
             * Format: date-time
             * @description When the first notification was sent; null if none was sent or a maintenance window or snooze suppresses it.
             */
            notified_at?: string | null;
            /**
             * @description Whether the alert is opened and resolved repeatedly. Such an alert stays open longer, so it sends fewer
             *     notifications.
             */
            is_flapping: boolean;
            /**
             * Format: date-time
             * @description When it was acknowledged.
             */
            acked_at?: string | null;
            /** @description The user who acknowledged it. */
            acked_by?: string | null;
            /** @description The note given with the acknowledgement. */
            note?: string | null;
            /**
             * Format: date-time
             * @description No notifications before this time.
             */
            snoozed_until?: string | null;
            /**
             * Format: date-time
             * @description When it was resolved.
             */
            resolved_at?: string | null;
            /** @description Why it was resolved. */
            resolved_reason?: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             */
            updated_at: string;
        };
        /** @description The rule for one kind of alert. */
        AlertRule: {
            /** @example queue_age */
            kind: string;
            /** @description Whether alerts of this kind are raised. */
            is_enabled: boolean;
            /** @example warning */
            severity: string;
            /**
             * Format: int32
             * @description How long the problem must exist before the alert is opened.
             */
            for_seconds: number;
            /**
             * Format: int32
             * @description How long the problem must be gone before the alert is resolved.
             */
            clear_seconds: number;
            /**
             * Format: int32
             * @description The interval of reminders; null sends none.
             */
            repeat_seconds?: number | null;
            /**
             * Format: int32
             * @description The threshold, for kinds that have one: the age at which a queue, a last success or a heartbeat is a problem.
             */
            threshold_seconds?: number | null;
            /** @description Whether the rule has its default settings. */
            is_default: boolean;
        };
        /** @description Changes a rule. Absent fields are set to their default. */
        AlertRuleRequest: {
            /** @description Whether alerts of this kind are raised. */
            is_enabled?: boolean | null;
            severity?: string | null;
            /**
             * Format: int32
             * @description How long the problem must exist before the alert is opened.
             */
            for_seconds?: number | null;
            /**
             * Format: int32
             * @description How long the problem must be gone before the alert is resolved.
             */
            clear_seconds?: number | null;
            /**
             * Format: int32
             * @description The interval of reminders; 0 sends none.
             */
            repeat_seconds?: number | null;
            /**
             * Format: int32
             * @description The threshold, for kinds that have one.
             */
            threshold_seconds?: number | null;
        };
        /** @description The rules of all kinds. */
        AlertRules: {
            /** @description One rule per kind. */
            items: components["schemas"]["AlertRule"][];
        };
        /** @description An entry of the audit log. */
        AuditEntry: {
            id: string;
            /**
             * Format: int64
             * @description The position in the org's hash chain; null until the entry is sealed.
             */
            number?: number | null;
            /** Format: date-time */
            at: string;
            /** @description The kind of actor, as in `user` or `token`. */
            actor_kind: string;
            /** @description The id of the actor. */
            actor_id?: string | null;
            /** @description The name of the actor at that time. */
            actor: string;
            /** @description The client's address. */
            address?: string | null;
            /** @description The action, as in `host.renamed`. */
            action: string;
            /** @description The kind of object that was changed. */
            subject_kind: string;
            /** @description The id of the object. */
            subject_id?: string | null;
            /** @description The name of the object at that time. */
            subject?: string | null;
            /** @description The changed fields with their old and new values. */
            diff: {
                [key: string]: unknown;
            };
            /** @description The id of the request, as in the hub's log. */
            request_id?: string | null;
        };
        /** @description The result of verifying the hash chain. */
        AuditVerdict: {
            /** @description Whether all sealed entries are unaltered. */
            is_intact: boolean;
            /** @description The first problem found. */
            problem?: string | null;
            /**
             * Format: int64
             * @description The number of sealed entries.
             */
            sealed: number;
            /**
             * Format: int64
             * @description The number of entries that are not sealed yet.
             */
            unsealed: number;
        };
        /** @description A period of a schedule for which to create jobs. */
        BackfillRequest: {
            /**
             * Format: date-time
             * @description Start of the period.
             */
            from: string;
            /**
             * Format: date-time
             * @description End of the period.
             */
            until: string;
            /** @description Only return the times. */
            dry_run?: boolean;
        };
        /** @description The result of a backfill. */
        Backfilled: {
            /** @description The times that get a job. */
            times: string[];
            /**
             * Format: int64
             * @description The number of times that already had a job.
             */
            done_before: number;
            /** @description The created jobs. */
            jobs: string[];
        };
        /** @description The delays between attempts. */
        BackoffSchema: {
            /**
             * Format: int64
             * @description The maximum of the first delay.
             */
            initial_ms: number;
            /**
             * Format: int64
             * @description The maximum of all delays.
             */
            cap_ms: number;
            /**
             * Format: double
             * @description The growth of the maximum from one delay to the next.
             */
            factor: number;
        };
        /** @description A bulk action. */
        Batch: {
            /** @description Not usable for a preview, which is not stored. */
            id: string;
            /**
             * @description The action on each job.
             * @example retry
             */
            action: string;
            /** @description The filter that selects the jobs. */
            filter: string;
            /**
             * @description `preview`, `running`, `done` or `stopped`.
             * @example running
             */
            status: string;
            preview?: components["schemas"]["BatchPreview"] | null;
            /**
             * Format: int64
             * @description Jobs examined so far.
             */
            examined: number;
            /**
             * Format: int64
             * @description Matching jobs so far.
             */
            matched: number;
            /**
             * Format: int64
             * @description Jobs changed successfully.
             */
            done: number;
            /**
             * Format: int64
             * @description Jobs that could not be changed.
             */
            failed: number;
            /** @description The first failures. */
            failures: components["schemas"]["BatchFailure"][];
            created_by: string;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description When a part of the jobs was last processed.
             */
            updated_at: string;
            /** Format: date-time */
            finished_at?: string | null;
        };
        /** @description A job that could not be changed. */
        BatchFailure: {
            job_id: string;
            /** @description The stable error code. */
            code: string;
            /** @description The reason. */
            detail: string;
        };
        /** @description The number of matching jobs. */
        BatchPreview: {
            /**
             * Format: int64
             * @description Matching jobs among the examined ones.
             */
            count: number;
            /** @description Whether all jobs were examined; if not, more may match. */
            is_complete: boolean;
        };
        /** @description Starts a bulk action. */
        BatchRequest: {
            /**
             * @description The action on each job: `cancel`, `retry` or `move`.
             * @example retry
             */
            action: string;
            /**
             * @description Selects the jobs, as in `status:dead_letter after:-24h`. Jobs created later are not changed; jobs to which the
             *     action does not apply are skipped.
             */
            filter: string;
            /** @description The reason, recorded with each job; for `cancel`. */
            reason?: string;
            target?: components["schemas"]["JobTarget"] | null;
            /**
             * Format: int32
             * @description The new priority; for `move`.
             */
            priority?: number | null;
            /** @description Only count the matching jobs. */
            dry_run?: boolean;
        };
        /** @description A battery. */
        Battery: {
            /**
             * Format: double
             * @description Charge level.
             */
            percent: number;
            /** @description Whether it is charging, or full and plugged in. */
            is_charging: boolean;
        };
        /** @description The response to a bulk request: one result per row, in order. */
        BulkMade: {
            /**
             * Format: int64
             * @description The number of created jobs.
             */
            created: number;
            /**
             * Format: int64
             * @description The number of rejected rows.
             */
            refused: number;
            /** @description One per row. */
            results: components["schemas"]["JobMade"][];
        };
        /** @description Cancels a job. */
        CancelRequest: {
            /** @description The reason, recorded in the audit log. */
            reason?: string;
            /**
             * @description Cancel even if the job's holder is unreachable and cannot confirm. Results that it reports later are only
             *     recorded.
             */
            force?: boolean;
        };
        /** @description The catch-up of missed times after a host has returned. */
        CatchUp: {
            /**
             * Format: date-time
             * @description When the missed times are evaluated: some time after the host has returned.
             */
            at: string;
            /**
             * Format: int32
             * @description The number of jobs created since the host has returned.
             */
            jobs: number;
        };
        /** @description A notification channel. */
        Channel: {
            id: string;
            name: string;
            /** @description The settings, as `{"kind": "webhook", …}`; secret parts are masked as `•••`. */
            config: Record<string, never>;
            /** @description Only these kinds of alerts; all if empty. */
            kinds: string[];
            /** @description Only alerts of at least this severity. */
            min_severity?: string | null;
            /** @description Hours in which only critical alerts are sent. */
            quiet_hours?: Record<string, never> | null;
            /**
             * Format: int32
             * @description The most notifications per day; null for no limit.
             */
            per_day?: number | null;
            /** @description The template of the text; null for the default text. */
            template?: string | null;
            /** @description Whether notifications are sent. */
            is_enabled: boolean;
            /**
             * Format: date-time
             * @description When a notification was last delivered.
             */
            last_ok_at?: string | null;
            /** @description The last error. */
            last_error?: string | null;
            /**
             * Format: date-time
             * @description The time of the last error.
             */
            last_error_at?: string | null;
            created_by: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        /** @description A channel to create, or the fields to change. */
        ChannelRequest: {
            name?: string | null;
            /** @description The settings, as `{"kind": "discord", "url": "https://…"}`. The value `•••` keeps the stored secret. */
            config?: Record<string, never> | null;
            /** @description Only these kinds of alerts; all if empty. */
            kinds?: string[] | null;
            /** @description Only alerts of at least this severity. */
            min_severity?: string | null;
            /**
             * @description Hours in which only critical alerts are sent, as `{"from": "22:00", "until": "07:00", "timezone":
             *     "Europe/Berlin"}`.
             */
            quiet_hours?: Record<string, never> | null;
            /**
             * Format: int32
             * @description The most notifications per day; null for no limit.
             */
            per_day?: number | null;
            /** @description The template of the text, as in `{{ title }}: {{ text }}`. */
            template?: string | null;
            /** @description Whether notifications are sent. */
            is_enabled?: boolean | null;
        };
        /** @description The result of a test notification. */
        ChannelTested: {
            /** @description Whether it was delivered. */
            is_delivered: boolean;
            /**
             * Format: int64
             * @description The duration of the delivery.
             */
            took_ms: number;
            /** @description The response of the receiver, or the error. */
            text: string;
        };
        /** @description All channels. */
        Channels: {
            /** @description Sorted by name. */
            items: components["schemas"]["Channel"][];
        };
        /** @description The response to a claim. */
        ClaimAnswer: {
            /**
             * Format: int64
             * @description The worker's session.
             */
            epoch: number;
            /** @description Empty if no job was available in time. */
            jobs: components["schemas"]["WorkerJob"][];
            /**
             * Format: int64
             * @description Without a heartbeat for this long, the worker's jobs are given to other workers.
             */
            lease_seconds: number;
        };
        /** @description Claims jobs. */
        ClaimRequest: {
            /** @description The name of the worker, different for every start of the program, as in `hostname:pid:uuid`. */
            worker_id: string;
            hostname?: string;
            version?: string;
            /** @description The queues that it serves, among those of its token; all of them if empty. */
            queues?: string[];
            /**
             * Format: int32
             * @description The most jobs to claim; 1 if absent.
             */
            max?: number | null;
            /**
             * Format: int64
             * @description Seconds to wait for the first job, less than 30.
             */
            wait_s?: number | null;
            /** @description A repeated request with the same id returns the same jobs, for a retry after a lost response. */
            request_id?: string | null;
            /** @description Additional information, shown with the worker. */
            metadata?: unknown;
        };
        /** @description Reports a successful run. */
        CompleteRequest: {
            worker_id: string;
            /**
             * Format: int32
             * @description The number of the run.
             */
            fence: number;
            /** @description The result value, at most 64 KiB. */
            output?: unknown;
            /** @description The last part of standard output. */
            stdout_tail?: string | null;
        };
        /** @description Lines of a server's output. */
        ConsolePage: {
            /**
             * Format: int32
             * @description The number of the run.
             */
            run: number;
            /** @description In order. */
            lines: components["schemas"]["LogLine"][];
            /**
             * Format: int64
             * @description The number of the last line; pass as `after` for the following lines.
             */
            last: number;
            /** @description Whether the run has ended and these are its last lines. */
            is_complete: boolean;
            /**
             * Format: int32
             * @description The next run; null if there is none.
             */
            next_run?: number | null;
        };
        /** @description A definition. */
        Definition: {
            id: string;
            /** @description The name used by people and in jobs. */
            key: string;
            /**
             * Format: int32
             * @description Incremented by every change.
             */
            version: number;
            /** @description The purpose. */
            description: string;
            /** @description The command: literal arguments, `{{ slots }}`, and groups (lists) that are omitted if a value is absent. */
            argv: unknown[];
            /** @description The JSON Schema of payloads. */
            arg_schema: unknown;
            /**
             * Format: int32
             * @description The longest duration of a run.
             */
            timeout_seconds: number;
            /** Format: int32 */
            max_attempts: number;
            backoff: components["schemas"]["BackoffSchema"];
            /** @description Exit codes that end the job without a retry. */
            no_retry_exit_codes: number[];
            /** @description The handling of jobs whose host is lost: `retry` or `hold`; null means the default for its target. */
            on_lost?: string | null;
            /** @description Only runners that serve this queue take the jobs. */
            queue: string;
            /** @description Only hosts with these labels run the jobs; null for all hosts. */
            selector?: string | null;
            /**
             * Format: int32
             * @description The limit of running jobs; null for no limit.
             */
            max_running?: number | null;
            /**
             * Format: int32
             * @description The limit of starts per minute; null for no limit.
             */
            jobs_per_minute?: number | null;
            /**
             * Format: int32
             * @description The limit of running jobs on one host; null for no limit.
             */
            max_running_per_host?: number | null;
            /**
             * Format: int32
             * @description The limit of starts per minute on one host; null for no limit.
             */
            jobs_per_minute_per_host?: number | null;
            /** @description Names of the org's secrets that are set in the environment of the process. */
            secrets: string[];
            /** @description Names of the runner's environment variables that the process inherits. */
            env_allow: string[];
            /** @description Names of environment variables that users of a server made from it may set; all others need a super admin. */
            env_settable: string[];
            /** @description The user of the host that the process runs as; absent for the runner's setting. */
            user?: string | null;
            /** @description Slugs of the orgs that may use it; null for all. */
            orgs?: string[] | null;
            /** @description Whether jobs can be created from it. */
            is_active: boolean;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        /** @description A changed field. */
        DefinitionChange: {
            field: string;
            /** @description The old value. */
            old: unknown;
            /** @description The new value. */
            new: unknown;
        };
        /** @description The versions of a definition, newest first. */
        DefinitionHistory: {
            items: components["schemas"]["DefinitionVersion"][];
        };
        /** @description A page of definitions, sorted by key. */
        DefinitionPage: {
            items: components["schemas"]["Definition"][];
            /** @description Pass as `cursor` for the next page; absent on the last page. */
            next?: string | null;
        };
        /** @description The result of creating or changing a definition. */
        DefinitionPut: {
            /** @description The definition after the change; with `dry_run` as it would be. */
            definition: components["schemas"]["Definition"];
            changes: components["schemas"]["DefinitionChange"][];
            /** @description Whether it was created. */
            is_new: boolean;
        };
        /** @description A definition to create, or the fields to change. Absent fields keep their value or get their default. */
        DefinitionRequest: components["schemas"]["Definition"] & {
            /** @description Only validate, and return what would change. */
            dry_run?: boolean;
        };
        /** @description A version of a definition. */
        DefinitionVersion: {
            /** Format: int32 */
            version: number;
            created_by: string;
            /** Format: date-time */
            created_at: string;
            /** @description The differences from the previous version. */
            changes: components["schemas"]["DefinitionChange"][];
        };
        /** @description The user's decision on a device-code login. */
        DeviceAnswer: {
            /** @description The typed code. */
            user_code: string;
            /** @description Whether to allow the login. */
            approve: boolean;
            /**
             * @description The role of the token; `role` of the login if absent.
             * @example operator
             */
            role?: string | null;
        };
        /** @description Polls a device-code login. */
        DevicePollRequest: {
            /** @description The secret of the device. */
            device_secret: string;
        };
        /** @description Starts a device-code login. */
        DeviceStartRequest: {
            /** @description The client, as in `hostler on laptop-kim`; shown to the user who confirms. */
            client?: string;
            /**
             * @description The role that the client asks for. The user who confirms decides.
             * @example operator
             */
            role?: string | null;
        };
        /** @description A started device-code login. */
        DeviceStarted: {
            /** @description The secret of the device, for polling. */
            device_secret: string;
            /** @description The code for the user to type. */
            user_code: string;
            /** @description The page on which to type the code. */
            url: string;
            /**
             * Format: int32
             * @description The polling interval.
             */
            poll_seconds: number;
            /** Format: date-time */
            expires_at: string;
        };
        /** @description A device-code login, shown to the user before confirmation. */
        DeviceView: {
            /** @description The typed code. */
            user_code: string;
            /** @description The client that requests the login. */
            client: string;
            /** @description The client's address. */
            address: string;
            /**
             * @description The role that the token gets if the confirmation names none; never `super_admin`.
             * @example operator
             */
            role: string;
            /** @description The roles that the caller can give. */
            roles: string[];
            /** Format: date-time */
            expires_at: string;
        };
        /** @description Metrics of a file system. */
        DiskMetrics: {
            /** @description The mount point. */
            mount: string;
            /** Format: int64 */
            used_bytes: number;
            /** Format: int64 */
            total_bytes: number;
        };
        /** @description The result of an event. */
        EventMade: {
            /** @description The id of the event: the `source_ref` of its jobs. */
            id: string;
            /**
             * Format: int64
             * @description The number of matching triggers.
             */
            triggers: number;
            /** @description The created jobs. */
            jobs: string[];
            /** @description Existing jobs with the same dedupe key. */
            deduplicated: string[];
            /** @description Why other jobs were not created. */
            refused: string[];
        };
        /** @description A page of events, in order. */
        EventPage: {
            items: components["schemas"]["LiveEvent"][];
            /**
             * Format: int64
             * @description Pass as `cursor` for later events; absent if this page is empty.
             */
            next?: number | null;
        };
        /** @description An event sent by a program. */
        EventRequest: {
            /** @description As in `folder.changed`. */
            name: string;
            /** @description The fields of the event. */
            data?: Record<string, never>;
            /** @description Groups related jobs; passed to the jobs of the event. */
            correlation_id?: string | null;
        };
        /** @description Reports a failed run. */
        FailRequest: {
            worker_id: string;
            /**
             * Format: int32
             * @description The number of the run.
             */
            fence: number;
            /** @description The error. */
            error: string;
            /**
             * Format: int32
             * @description An exit code. The definition may list it as one that is not retried.
             */
            exit_code?: number | null;
            /**
             * Format: int32
             * @description The delay before the retry.
             */
            retry_after_seconds?: number | null;
            /** @description Whether the run was ended by a cancel request. */
            canceled?: boolean;
            /** @description The last part of standard error. */
            stderr_tail?: string | null;
        };
        /** @description An invalid field of a request. */
        Fault: {
            /** @description A JSON pointer into the request; empty for the whole request. */
            pointer: string;
            /** @description The problem. */
            detail: string;
        };
        /** @description The outcome of one time of a schedule on one host. */
        Fire: {
            /**
             * Format: date-time
             * @description The time of the schedule.
             */
            nominal_at: string;
            /** @example fired */
            status: string;
            /** @description The reason, in one sentence. */
            reason: string;
            /** @description The name of the host. */
            host?: string | null;
            /** @description The job that was created for it. */
            job_id?: string | null;
            /**
             * @description The status of that job.
             * @example succeeded
             */
            job_status?: string | null;
            /**
             * Format: int32
             * @description The number of times covered: older times share one entry.
             */
            stands_for: number;
            /**
             * Format: date-time
             * @description When it was decided.
             */
            at: string;
        };
        /** @description A webhook endpoint. */
        Hook: {
            id: string;
            name: string;
            /** @description The URL to which the other system posts. */
            url: string;
            /**
             * @description How the sender signs messages: `standard` or `github`.
             * @example standard
             */
            scheme: string;
            /** @description The name of the events that it creates. */
            event_name: string;
            /**
             * Format: date-time
             * @description When a message was last accepted.
             */
            last_ok_at?: string | null;
            /** @description Why a message was last rejected. */
            last_error?: string | null;
            /**
             * Format: date-time
             * @description The time of the last error.
             */
            last_error_at?: string | null;
            created_by: string;
            /** Format: date-time */
            created_at: string;
        };
        /** @description The new webhook endpoint with its secret, which is shown only once. */
        HookMade: {
            hook: components["schemas"]["Hook"];
            /** @description The secret with which the sender must sign messages. */
            secret: string;
        };
        /** @description A webhook endpoint to create. */
        HookRequest: {
            name: string;
            /** @description The name of the events that it creates, as in `shop.order_paid`. */
            event_name: string;
            /** @description How the sender signs messages; `standard` if absent. */
            scheme?: string | null;
            /** @description The secret for signatures; generated if absent. */
            secret?: string | null;
        };
        /** @description All webhook endpoints. */
        Hooks: {
            /** @description Sorted by name. */
            items: components["schemas"]["Hook"][];
        };
        /** @description A host. */
        Host: {
            id: string;
            /** @description Unique in its org. */
            name: string;
            /** @example online */
            status: string;
            /** @description The reason for the state, in one sentence. */
            status_reason: string;
            /**
             * Format: date-time
             * @description When the last heartbeat arrived.
             */
            last_heartbeat_at?: string | null;
            runner_version?: string | null;
            /**
             * Format: int32
             * @description The version of its current key.
             */
            key_version: number;
            /**
             * Format: int32
             * @description The key version that the host was asked to rotate to.
             */
            key_version_wanted?: number | null;
            /** @description Whether it has not replaced its key yet. A linked host does so immediately, an absent one when it returns. */
            rotation_due?: boolean;
            last_metrics?: components["schemas"]["HostMetrics"] | null;
            labels: {
                [key: string]: string;
            };
            /** @description The queues that it may serve. It serves those of them that its runner offers. */
            queues?: string[];
            /** @description Whether the host should always be online. If not, it counts as asleep instead of offline. */
            always_on: boolean;
            /** @description Limits of its jobs. */
            limits: components["schemas"]["HostLimits"];
            /** @description The address of the host's primary hub, if it is not this one. This hub then is a mirror for the host. */
            primary_hub?: string | null;
            /**
             * Format: date-time
             * @description When it joined.
             */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        /** @description A host with its session, marks, servers and runs. */
        HostDetail: components["schemas"]["Host"] & {
            /** @description Operating system and hardware. */
            machine: components["schemas"]["Machine"];
            session?: components["schemas"]["HostSession"] | null;
            pause?: components["schemas"]["HostMark"] | null;
            degraded_mark?: components["schemas"]["HostMark"] | null;
            /**
             * Format: int32
             * @description The host's own threshold for counting as offline; null for the org's.
             */
            offline_after_seconds?: number | null;
            /**
             * Format: int32
             * @description The host's own delay of offline alerts; null for the org's.
             */
            alert_after_seconds?: number | null;
            /** @description The queues that its runner offers to serve. */
            queues_offered?: string[];
            /** @description The other orgs whose jobs it runs. */
            shared_with?: components["schemas"]["HostShare"][];
            /** @description Its servers. */
            servers?: components["schemas"]["Server"][];
            /** @description The running runs, longest first; at most 100. */
            running?: components["schemas"]["HostRun"][];
            /** @description The last 20 finished runs, newest first. */
            last_runs?: components["schemas"]["HostRun"][];
            /** @description Data of the host that the hub rejected, newest first. */
            rejections?: components["schemas"]["HostRejection"][];
        };
        /** @description Limits of the jobs on a host. */
        HostLimits: {
            /**
             * Format: int32
             * @description The limit of running jobs; null for no limit.
             */
            max_running?: number | null;
            /**
             * Format: int32
             * @description The limit of starts per minute; null for no limit.
             */
            jobs_per_minute?: number | null;
        };
        /** @description A pause, or a mark as degraded. */
        HostMark: {
            /** @description The reason. */
            note: string;
            /**
             * Format: date-time
             * @description When it expires; null if it does not.
             */
            until?: string | null;
        };
        /** @description Pauses a host or marks it as degraded. */
        HostMarkRequest: {
            /** @description The reason, shown with the host. */
            note?: string;
            /**
             * Format: date-time
             * @description When it expires; null if it does not.
             */
            until?: string | null;
        };
        /** @description Metrics of a machine at one point in time. */
        HostMetrics: {
            /**
             * Format: double
             * @description CPU usage over all cores.
             */
            cpu_percent: number;
            /** Format: int64 */
            memory_used_bytes: number;
            /** Format: int64 */
            memory_total_bytes: number;
            /** @description The file systems with data, fullest first. */
            disks: components["schemas"]["DiskMetrics"][];
            /**
             * Format: double
             * @description The load average of the last minute; absent if the system has none.
             */
            load_1?: number | null;
            /** Format: int64 */
            uptime_seconds: number;
            battery?: components["schemas"]["Battery"] | null;
            /** @description Metrics of the servers on the machine. */
            servers?: components["schemas"]["ServerMetrics"][];
            /**
             * Format: int64
             * @description Results that wait for delivery to the hub.
             */
            outbox?: number | null;
        };
        /** @description Changes to a host. Absent fields keep their value. */
        HostPatch: {
            /** @description The new name. */
            name?: string | null;
            /** @description Labels to set; `null` removes a label. */
            labels?: {
                [key: string]: string | null;
            } | null;
            /** @description The queues that it may serve; an empty list for only the jobs that are bound to it. */
            queues?: string[] | null;
            /** @description Whether the host should always be online. */
            always_on?: boolean | null;
            /**
             * Format: int32
             * @description The limit of running jobs; `null` for no limit.
             */
            max_running?: number | null;
            /**
             * Format: int32
             * @description The limit of starts per minute; `null` for no limit.
             */
            jobs_per_minute?: number | null;
            /**
             * Format: int32
             * @description Seconds without a heartbeat until the host counts as offline; `null` for the org's setting.
             */
            offline_after_seconds?: number | null;
            /**
             * Format: int32
             * @description Seconds offline until an alert is raised; `null` for the org's setting.
             */
            alert_after_seconds?: number | null;
            /** @description Only validate, and return what would change. */
            dry_run?: boolean;
        };
        /** @description Data of a host that the hub rejected for one reason. */
        HostRejection: {
            /** @example foreign_row */
            reason: string;
            /** @description Whether only a faulty or hostile runner sends such data. */
            is_misbehavior: boolean;
            /** Format: int64 */
            count: number;
            /** @description The last case. */
            detail: string;
            /** Format: date-time */
            first_at: string;
            /** Format: date-time */
            last_at: string;
        };
        /** @description A run on a host. For a run of another org on a shared host only the org and the times are set. */
        HostRun: {
            /** @description The slug of the org, if it is another org. */
            org?: string | null;
            job_id?: string | null;
            definition_key?: string | null;
            /**
             * Format: int32
             * @description The number of the run within its job, from 1.
             */
            no: number;
            /** @example succeeded */
            status: string;
            /** Format: date-time */
            started_at: string;
            /** Format: date-time */
            finished_at?: string | null;
            /** Format: int64 */
            duration_ms?: number | null;
            /** Format: int32 */
            exit_code?: number | null;
            /** @description The error, if it failed. */
            error_text?: string | null;
        };
        /** @description A schedule and its history on one host. */
        HostSchedule: {
            id: string;
            label: string;
            /** @description Whether it creates jobs. */
            is_enabled: boolean;
            /** @description The schedule in words. */
            description: string;
            /** @description The time zone of the schedule. */
            timezone: string;
            definition_key: string;
            /**
             * Format: date-time
             * @description The next time it fires.
             */
            next_fire_at?: string | null;
            /**
             * Format: date-time
             * @description The last success on this host.
             */
            succeeded_at?: string | null;
            /**
             * Format: date-time
             * @description When the schedule becomes stale unless it succeeds before; only on hosts that are not always on, after a first
             *     success.
             */
            stale_at?: string | null;
            /** @description The last 30 days in the schedule's time zone, oldest first. */
            days: components["schemas"]["ScheduleDay"][];
        };
        /** @description The schedules of a host, and its catch-up. */
        HostSchedules: {
            /** @description The schedules whose jobs run only on this host, sorted by label. */
            items: components["schemas"]["HostSchedule"][];
            catch_up?: components["schemas"]["CatchUp"] | null;
        };
        /** @description A session of a runner with its hub. */
        HostSession: {
            /**
             * Format: int64
             * @description The number of the session; a new session has a higher one.
             */
            epoch: number;
            /** Format: date-time */
            connected_at: string;
            /** Format: date-time */
            closed_at?: string | null;
            /** @description The reason that the runner gave when it disconnected. */
            goodbye?: string | null;
            /** @description The address from which it connected. */
            address?: string | null;
            /**
             * Format: int64
             * @description The host's clock minus the hub's.
             */
            clock_skew_ms?: number | null;
        };
        /** @description An org with which a host is shared. */
        HostShare: {
            /** @description The slug of the org. */
            org: string;
            /** Format: date-time */
            created_at: string;
        };
        /** @description Shares a host with another org, or ends the sharing. */
        HostShareRequest: {
            /** @description The slug or id of the other org. */
            org: string;
        };
        /** @description Public information about a hub. */
        HubInfo: {
            version: string;
            public_key: string;
            /** @description The key's fingerprint, for comparison by people. */
            fingerprint: string;
            /** @description The lowest and the highest supported version of the runner protocol. */
            link_versions: number[];
            /**
             * Format: date-time
             * @description The hub's time.
             */
            time: string;
        };
        /** @description The loops of a hub process. */
        HubLoops: {
            /** @description The id of the process. */
            hub_id: string;
            loops: components["schemas"]["Loop"][];
        };
        /** @description A crontab to import. */
        ImportRequest: {
            /** @description The text of the crontab. */
            crontab: string;
            /** @description The host that the crontab is from; the jobs run there. */
            host?: string | null;
            /**
             * @description The time zone of lines without `CRON_TZ`; the org's if absent.
             * @example Europe/Berlin
             */
            timezone?: string | null;
            /** @description Whether it is a system crontab such as `/etc/crontab`, with a user name before each command. */
            is_system?: boolean;
            /** @description Only return what would be imported. */
            dry_run?: boolean;
        };
        /** @description The result of importing a crontab. */
        Imported: {
            /** @description The lines with a job, a variable or an error. */
            lines: components["schemas"]["ImportedLine"][];
            /** @description The number of imported lines. */
            taken: number;
        };
        /** @description The result of importing one line. */
        ImportedLine: {
            /** @description The line number, starting at 1. */
            line: number;
            /**
             * @description `ready`, `needs_shell`, `not_understood` or `variable`.
             * @example ready
             */
            verdict: string;
            /** @description The command, or the variable. */
            text: string;
            /** @description Why the line is not imported, or what differs from cron. */
            note?: string | null;
            /** @description The label of the trigger. */
            label?: string | null;
            /** @description The schedule in words. */
            when?: string | null;
            /** @description The key of the definition. */
            definition_key?: string | null;
        };
        /** @description An invitation, without its secret. */
        Invitation: {
            id: string;
            /** @description The address of the invited person. */
            email: string;
            /**
             * @description The role of the new member.
             * @example viewer
             */
            role: string;
            /** Format: date-time */
            expires_at: string;
            /** Format: date-time */
            created_at: string;
        };
        /** @description Accepts an invitation. */
        InvitationAcceptRequest: {
            /** @description The secret at the end of the link. */
            secret: string;
            /** @description The name of the new user. */
            name: string;
            /** @description The password of the new user, at least 12 characters. An existing user enters the current password. */
            password: string;
        };
        /** @description The new invitation with its link, which is shown only once. */
        InvitationCreated: components["schemas"]["Invitation"] & {
            /** @description The link for the invited person; it cannot be shown again. */
            url: string;
        };
        /** @description Invites a person. */
        InvitationRequest: {
            /** @description The address of the person. */
            email: string;
            /**
             * @description The role of the new member.
             * @example viewer
             */
            role: string;
        };
        /** @description An invitation, before it is accepted. */
        InvitationView: {
            /** @description The address of the invited person. */
            email: string;
            /** @description The name of the org. */
            org: string;
            /** @description The role of the new member. */
            role: string;
            /** @description Whether a user with this address already has a password. */
            is_known: boolean;
            /** Format: date-time */
            expires_at: string;
        };
        /** @description A job. */
        Job: {
            id: string;
            org_id: string;
            definition_key: string;
            /**
             * Format: int32
             * @description The version of the definition.
             */
            definition_version: number;
            /**
             * @description The source of the job: `manual`, `event`, `schedule` or `system`.
             * @example manual
             */
            source: string;
            /** @description The id of the event, trigger or request that created it. */
            source_ref?: string | null;
            /** @example queued */
            status: string;
            /**
             * @description Why it waits; null if it does not wait.
             * @example host_offline
             */
            wait_reason?: string | null;
            /**
             * @description Why it ended, in addition to its status.
             * @example expired
             */
            end_reason?: string | null;
            /**
             * Format: int32
             * @description Lower numbers run first.
             */
            priority: number;
            /** @description The payload; secret values are masked as `•••`. */
            payload: unknown;
            /** @description While a job with the same key is queued or running, no second one is created. */
            dedupe_key?: string | null;
            /** @description Jobs with the same key share a limit. */
            limit_key?: string | null;
            /** @description Groups related jobs. */
            correlation_id?: string | null;
            /** @description Where the job may run. */
            target: components["schemas"]["JobTarget"];
            /**
             * Format: date-time
             * @description The earliest start.
             */
            scheduled_for: string;
            /**
             * Format: date-time
             * @description The latest start; the job expires if it has not started by then.
             */
            expires_at?: string | null;
            /**
             * Format: date-time
             * @description When it was created.
             */
            queued_at: string;
            /**
             * Format: date-time
             * @description The start of its first run.
             */
            started_at?: string | null;
            /** Format: date-time */
            finished_at?: string | null;
            /**
             * Format: int32
             * @description The number of runs, including a running one.
             */
            attempt_count: number;
            /**
             * Format: int32
             * @description The number of attempts after which a failed job becomes a dead letter.
             */
            max_attempts: number;
            /**
             * Format: date-time
             * @description When the run is taken from its holder unless the holder renews its lease.
             */
            lease_expires_at?: string | null;
            /** @description The host of the current or the last run. */
            host?: string | null;
            /** @description The holder of the current run: runner and process. */
            worker?: string | null;
            /** @description The current or the last run. */
            run_id?: string | null;
            /**
             * Format: int32
             * @description The exit code of the last run.
             */
            exit_code?: number | null;
            /** @description The error of the last run. */
            last_error?: string | null;
            created_by: string;
            /** @description Whether a cancel of the current run was requested. */
            is_canceling: boolean;
            /** @description Whether the host created the job in its own queue. Such a job can only be changed on the host. */
            is_hosts_own?: boolean;
        };
        /** @description A job, with the reason why it waits or ended. */
        JobDetail: components["schemas"]["Job"] & {
            /** @description Why it waits, or how it ended. */
            why: components["schemas"]["Why"];
        };
        /** @description The result of one row of a bulk request. */
        JobMade: {
            /** @description The id of the new job, or of the job with the same dedupe key. */
            id?: string | null;
            /** @description Whether a job with the same dedupe key already existed. */
            deduplicated?: boolean;
            error?: components["schemas"]["Problem"] | null;
        };
        /** @description A page of jobs. */
        JobPage: {
            /** @description Newest first. */
            items: components["schemas"]["Job"][];
            /** @description Pass as `cursor` for older jobs; absent on the last page. */
            next?: string | null;
            /**
             * Format: int32
             * @description The number of jobs examined for this page. A search stops after a limited number; continue with `next`.
             */
            searched: number;
        };
        /** @description A job to create. */
        JobRequest: {
            /** @description The definition to run. */
            definition_key: string;
            /** @description The payload. */
            payload?: unknown;
            target?: components["schemas"]["JobTarget"] | null;
            /** @description Short for `target` with a host. */
            host?: string | null;
            /**
             * Format: int32
             * @description Lower numbers run first; 100 if absent.
             */
            priority?: number | null;
            /**
             * Format: date-time
             * @description The earliest start; now if absent.
             */
            scheduled_for?: string | null;
            /**
             * Format: date-time
             * @description The latest start; the job expires if it has not started by then.
             */
            expires_at?: string | null;
            /** @description While a job with the same key is queued or running, no second one is created. */
            dedupe_key?: string | null;
            /**
             * Format: int32
             * @description Also create no second job within this many seconds.
             */
            dedupe_window_seconds?: number | null;
            /** @description Jobs with the same key share a limit. */
            limit_key?: string | null;
            /** @description Groups related jobs. */
            correlation_id?: string | null;
            /**
             * Format: int32
             * @description The number of attempts; the definition's if absent.
             */
            max_attempts?: number | null;
            /**
             * Format: int32
             * @description The longest duration of a run; the definition's if absent.
             */
            timeout_seconds?: number | null;
        };
        /** @description Counts of an org's jobs. */
        JobSummary: {
            /** @description Jobs by status. */
            counts: {
                [key: string]: number;
            };
            /**
             * Format: int64
             * @description Running jobs.
             */
            running: number;
            /**
             * Format: int64
             * @description Queued jobs.
             */
            queued: number;
            /**
             * Format: int64
             * @description How long the oldest claimable job has waited.
             */
            oldest_queued_age_seconds?: number | null;
        };
        /** @description Where a job may run: a host, a queue or a selector. */
        JobTarget: {
            /** @description This host, by name or id. */
            host?: string | null;
            /** @description Any host that serves this queue. */
            queue?: string | null;
            /** @description Any host whose labels match. */
            selector?: string | null;
        };
        /** @description A joined host. */
        JoinAccepted: {
            host_id: string;
            /** @description The name of the host; see `name_was_taken`. */
            name: string;
            /** @description Whether the preferred name was taken and another one is used. */
            name_was_taken: boolean;
            /** @description The slug of the org. */
            org: string;
            /** Format: int32 */
            key_version: number;
            /** @description Whether the host should always be online. */
            always_on: boolean;
            /**
             * @description The hub's signature over the nonce and, if requested, the TLS connection: proves that the response is from the
             *     hub named in the token.
             */
            proof: string;
            /**
             * Format: date-time
             * @description The hub's time.
             */
            time: string;
        };
        /** @description Joins a machine as a host. */
        JoinRequest: {
            token: string;
            /** @description The public key of the machine's new key pair. */
            public_key: string;
            /** @description The preferred name. */
            name: string;
            /** @description Whether the host should always be online; the token's setting takes precedence. */
            always_on?: boolean | null;
            /** @description Operating system and hardware. */
            machine: components["schemas"]["Machine"];
            runner_version: string;
            /** @description The machine's nonce, for the hub's signature. */
            nonce: string;
            /** @description The machine's host id at other hubs, if it has joined any. */
            host_id?: string | null;
            /** @description Whether the hub's proof must sign the TLS connection: the machine has recognized the hub's own key in it. */
            is_bound?: boolean;
        };
        /** @description A join token, without its secret. */
        JoinToken: {
            id: string;
            /** @description The first characters of the secret. */
            hint: string;
            /** @description Labels of the hosts that join with it. */
            labels: {
                [key: string]: string;
            };
            /** @description The queues that these hosts may serve. */
            queues?: string[];
            /** @description Whether these hosts should always be online; null leaves it to the joining machine. */
            always_on?: boolean | null;
            /**
             * Format: int32
             * @description The number of hosts that may join with it.
             */
            uses: number;
            /**
             * Format: int32
             * @description The number of hosts that have joined with it.
             */
            used: number;
            /** Format: date-time */
            expires_at: string;
            /** Format: date-time */
            revoked_at?: string | null;
            /** Format: date-time */
            created_at: string;
        };
        /** @description The new join token with its secret, which is shown only once. */
        JoinTokenCreated: components["schemas"]["JoinToken"] & {
            /** @description The secret; it cannot be shown again. */
            secret: string;
            /** @description The command to run on a machine where Hostler is installed. */
            command: string;
            /**
             * @description The command for a machine without Hostler: it downloads the program from this hub, joins and installs a service.
             *     Only for machines with the hub's platform; null if the hub does not offer the download.
             */
            install?: string | null;
        };
        /** @description A join token to create. */
        JoinTokenRequest: {
            /**
             * Format: int32
             * @description The number of hosts that may join with it; 1 if absent.
             */
            uses?: number | null;
            /**
             * Format: int32
             * @description The lifetime; 15 minutes if absent.
             */
            ttl_seconds?: number | null;
            /** @description Labels of the hosts that join with it. */
            labels?: {
                [key: string]: string;
            };
            /** @description The queues that these hosts may serve; the default queue if absent. */
            queues?: string[];
            /** @description Whether these hosts should always be online; if absent, the joining machine decides. */
            always_on?: boolean | null;
        };
        /** @description A limit shared by the jobs of an org with the same limit key. */
        Limit: {
            key: string;
            /**
             * Format: int32
             * @description The limit of running jobs; null for no limit.
             */
            max_running?: number | null;
            /**
             * Format: int32
             * @description The limit of starts per minute; null for no limit.
             */
            jobs_per_minute?: number | null;
            /**
             * Format: int32
             * @description Running jobs.
             */
            running: number;
        };
        /** @description Sets a limit. */
        LimitRequest: {
            /**
             * Format: int32
             * @description The limit of running jobs; null for no limit.
             */
            max_running?: number | null;
            /**
             * Format: int32
             * @description The limit of starts per minute; null for no limit.
             */
            jobs_per_minute?: number | null;
        };
        /** @description The limits of an org. */
        Limits: {
            /** @description Sorted by key. */
            items: components["schemas"]["Limit"][];
        };
        /** @description Signs in with a one-time link. */
        LinkLoginRequest: {
            /** @description The secret at the end of the link. */
            secret: string;
        };
        /** @description An event on `/api/v1/events`. */
        LiveEvent: {
            /** @description As in `host.online`. */
            type: string;
            /** Format: date-time */
            at: string;
            /** @description The host it is about. */
            host_id?: string | null;
            /**
             * Format: int64
             * @description Pass as `cursor` to receive all events after this one; absent for events that are not stored.
             */
            cursor?: number | null;
            /** @description The fields that changed. */
            data: {
                [key: string]: unknown;
            };
        };
        /** @description A line of output. */
        LogLine: {
            /**
             * Format: int64
             * @description The number of the line within its run, from 1.
             */
            no: number;
            /**
             * Format: date-time
             * @description When the runner read the line.
             */
            at: string;
            /** @example out */
            stream: string;
            /** @description The text without the line break. */
            text: string;
            /** @description Whether the line was too long and was cut. */
            is_cut?: boolean;
        };
        /** @description Lines of a run's output. */
        LogPage: {
            /**
             * Format: int32
             * @description The number of the run.
             */
            attempt: number;
            /** @description In order. */
            lines: components["schemas"]["LogLine"][];
            /**
             * Format: int64
             * @description Pass as `after` for the following lines.
             */
            last: number;
            /** @description Whether the output is complete. */
            is_complete: boolean;
        };
        /** @description Signs in with a password. */
        LoginRequest: {
            /** @description The user's email address. */
            email: string;
            password: string;
        };
        /** @description A background loop of the hub. */
        Loop: {
            name: string;
            /** @description `waiting`, `running`, `backing_off` or `stopped`. */
            state: string;
            /**
             * Format: int64
             * @description The number of passes since the start.
             */
            passes: number;
            /**
             * Format: int64
             * @description The number of failed passes.
             */
            errors: number;
            /**
             * Format: int64
             * @description The number of passes that panicked.
             */
            panics: number;
            /**
             * Format: date-time
             * @description The end of the last pass.
             */
            last_at?: string | null;
            /**
             * Format: int64
             * @description The duration of the last pass.
             */
            last_ms?: number | null;
            /** @description The last error; null after a successful pass. */
            last_error?: string | null;
            /**
             * Format: date-time
             * @description When the next pass is due.
             */
            next_at?: string | null;
        };
        /** @description Operating system and hardware of a machine, sent once per session. */
        Machine: {
            /** @description The operating system, as in `linux`. */
            os: string;
            /** @description As in `Debian GNU/Linux 12`. */
            os_version: string;
            /** @description The CPU architecture, as in `x86_64`. */
            arch: string;
            /** Format: int32 */
            cores: number;
            /**
             * @description The source of the definitions that it runs: `hub`, or `local` for only those in its own `catalogue.d`.
             * @example hub
             */
            trust?: string;
        };
        /** @description The caller. */
        Me: {
            /** @description `user`, `token` or `local`. */
            kind: string;
            /** @description The user; null for the owner of the hub's Unix socket. */
            user_id?: string | null;
            name: string;
            email?: string | null;
            /** @description Whether the user manages the installation. */
            is_super_admin: boolean;
            /** @description The org used by requests that name none. */
            org_id?: string | null;
            /** @description The orgs of the user, with the role in each. */
            orgs: components["schemas"]["Membership"][];
        };
        /** @description A member of an org. */
        Member: {
            user_id: string;
            email: string;
            name: string;
            /**
             * @description The role in this org.
             * @example operator
             */
            role: string;
            /** @description Whether a super admin confirmed that the e-mail address belongs to the user. */
            is_email_verified?: boolean;
            /**
             * Format: date-time
             * @description When the user became a member.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When the role was last changed.
             */
            updated_at: string;
        };
        /** @description A new role for a member. */
        MemberPatch: {
            /** @example operator */
            role: string;
        };
        /** @description An org and the caller's role in it. */
        Membership: {
            org_id: string;
            /** @description The name in URLs and commands. */
            slug: string;
            /** @description The name for people. */
            name: string;
            timezone: string;
            /** @example admin */
            role: string;
        };
        /** @description Moves a queued job. */
        MoveRequest: {
            target?: components["schemas"]["JobTarget"] | null;
            /**
             * Format: int32
             * @description The new priority.
             */
            priority?: number | null;
        };
        /** @description A maintenance window: alerts are recorded, but no notifications are sent. */
        MuteWindow: {
            id: string;
            /** @description The purpose of the window. */
            label: string;
            /** @description Only this host; null for all hosts. */
            host?: string | null;
            /** @description Only hosts with these labels. */
            selector?: string | null;
            /** @description Only these kinds of alerts; all if empty. */
            kinds: string[];
            /** @description Only this subject, as in `definition:sync`. */
            subject?: string | null;
            /**
             * Format: date-time
             * @description The start; for a recurring window the earliest occurrence.
             */
            starts_at: string;
            /**
             * Format: date-time
             * @description The end; for a recurring window no occurrence applies after it.
             */
            ends_at?: string | null;
            /** @description The start times of a recurring window, as a cron expression. */
            cron_expr?: string | null;
            /** @description The time zone of `cron_expr`. */
            timezone?: string | null;
            /**
             * Format: int32
             * @description The duration of each occurrence.
             */
            duration_seconds?: number | null;
            /** @description Whether it applies now. */
            is_active: boolean;
            created_by: string;
            /** Format: date-time */
            created_at: string;
        };
        /**
         * @description A maintenance window to create. One-time: `starts_at` (default: now) and `ends_at`. Recurring: `cron_expr` and
         *     `duration_seconds`.
         */
        MuteWindowRequest: {
            /** @description The purpose of the window. */
            label: string;
            /** @description Only this host, by name or id. */
            host?: string | null;
            /** @description Only hosts with these labels. */
            selector?: string | null;
            /** @description Only these kinds of alerts; all if empty. */
            kinds?: string[];
            /** @description Only this subject, as in `definition:sync`. */
            subject?: string | null;
            /**
             * Format: date-time
             * @description The start; now if absent.
             */
            starts_at?: string | null;
            /**
             * Format: date-time
             * @description The end.
             */
            ends_at?: string | null;
            /** @description The start times of a recurring window, as a cron expression. */
            cron_expr?: string | null;
            /** @description The time zone of `cron_expr`; the org's if absent. */
            timezone?: string | null;
            /**
             * Format: int32
             * @description The duration of each occurrence.
             */
            duration_seconds?: number | null;
        };
        /** @description All maintenance windows. */
        MuteWindows: {
            items: components["schemas"]["MuteWindow"][];
        };
        /** @description A notification sent to one channel. */
        Notice: {
            id: string;
            /** @description The name of the channel. */
            channel: string;
            /** @description The kind of the alerts. */
            kind: string;
            /** @description The reason: `raised`, `reminder` or `resolved`. */
            state: string;
            /** @description The title, in one line. */
            title: string;
            text: string;
            /**
             * Format: int32
             * @description The number of alerts in this notification.
             */
            count: number;
            /** @description `due`, `sent`, `failed` or `dropped`. */
            status: string;
            /**
             * Format: int32
             * @description The number of delivery attempts.
             */
            tries: number;
            /** @description The last error, or what the notification waits for. */
            last_error?: string | null;
            /**
             * Format: date-time
             * @description When it is sent or retried.
             */
            due_at: string;
            /**
             * Format: date-time
             * @description When it was delivered.
             */
            sent_at?: string | null;
            /** Format: date-time */
            created_at: string;
        };
        /** @description An organization. */
        Org: {
            id: string;
            /** @description The name in URLs and commands. */
            slug: string;
            /** @description The name for people. */
            name: string;
            /** @description An IANA time zone. */
            timezone: string;
            /**
             * Format: int32
             * @description Seconds without a heartbeat until a host counts as offline.
             */
            offline_after_seconds: number;
            /**
             * Format: int32
             * @description Seconds offline until an alert is raised.
             */
            alert_after_seconds: number;
            /**
             * Format: int32
             * @description The limit of running jobs; null for no limit.
             */
            max_running?: number | null;
            /**
             * Format: int32
             * @description The limit of starts per minute; null for no limit.
             */
            jobs_per_minute?: number | null;
            /**
             * Format: int32
             * @description How long succeeded jobs are kept; null for the hub's setting.
             */
            keep_succeeded_seconds?: number | null;
            /**
             * Format: int32
             * @description How long failed jobs are kept; null for the hub's setting.
             */
            keep_failed_seconds?: number | null;
            /**
             * Format: int32
             * @description How long dead letters are kept; null for the hub's setting.
             */
            keep_dead_letter_seconds?: number | null;
            /**
             * Format: int32
             * @description How long canceled and expired jobs are kept; null for the hub's setting.
             */
            keep_canceled_seconds?: number | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        /** @description Statistics of one org's jobs. */
        OrgJobs: {
            /** @description The slug of the org. */
            org: string;
            /** @description Jobs by status. */
            counts: {
                [key: string]: number;
            };
            /**
             * Format: int64
             * @description How long the oldest claimable job has waited.
             */
            oldest_queued_age_seconds?: number | null;
            /**
             * Format: int64
             * @description The median waiting time of recent jobs, as measured by this hub.
             */
            wait_p50_ms?: number | null;
            /**
             * Format: int64
             * @description The 95th percentile of the waiting time of recent jobs.
             */
            wait_p95_ms?: number | null;
            /**
             * Format: double
             * @description Jobs created per minute on this hub, averaged over five minutes.
             */
            created_per_minute: number;
            /**
             * Format: double
             * @description The fraction of failed runs among those that ended on this hub within five minutes.
             */
            failed_part?: number | null;
        };
        /** @description Changes to an organization. Absent fields keep their value. */
        OrgPatch: {
            /** @description The name for people. */
            name?: string | null;
            /** @description An IANA time zone. */
            timezone?: string | null;
            /**
             * Format: int32
             * @description Seconds without a heartbeat until a host counts as offline.
             */
            offline_after_seconds?: number | null;
            /**
             * Format: int32
             * @description Seconds offline until an alert is raised.
             */
            alert_after_seconds?: number | null;
            /**
             * Format: int32
             * @description The limit of running jobs; null for no limit.
             */
            max_running?: number | null;
            /**
             * Format: int32
             * @description The limit of starts per minute; null for no limit.
             */
            jobs_per_minute?: number | null;
            /**
             * Format: int32
             * @description How long succeeded jobs are kept; null for the hub's setting.
             */
            keep_succeeded_seconds?: number | null;
            /**
             * Format: int32
             * @description How long failed jobs are kept; null for the hub's setting.
             */
            keep_failed_seconds?: number | null;
            /**
             * Format: int32
             * @description How long dead letters are kept; null for the hub's setting.
             */
            keep_dead_letter_seconds?: number | null;
            /**
             * Format: int32
             * @description How long canceled and expired jobs are kept; null for the hub's setting.
             */
            keep_canceled_seconds?: number | null;
        };
        /** @description Confirms the removal of an organization with all its data. */
        OrgRemoval: {
            /** @description The slug, as a confirmation. */
            confirm: string;
        };
        /** @description An organization to create. */
        OrgRequest: {
            /** @description The name in URLs and commands. */
            slug: string;
            /** @description The name for people; the slug if absent. */
            name?: string | null;
            /** @description An IANA time zone; UTC if absent. */
            timezone?: string | null;
        };
        /** @description One page of a list. */
        Page_Alert: {
            items: {
                id: string;
                /** @example host_offline */
                kind: string;
                /** @example warning */
                severity: string;
                /**
                 * @description `pending`, `open`, `acked` or `resolved`.
                 * @example open
                 */
                status: string;
                /**
                 * @description The kind of object it is about: host, definition, trigger, worker, queue, ping, server or hub.
                 * @example host
                 */
                subject_kind: string;
                subject_id: string;
                subject_name: string;
                /** @description The host on which the problem occurs. */
                host_id?: string | null;
                /** @description The problem in one sentence. */
                text: string;
                /**
                 * Format: date-time
                 * @description Start of the problem.
                 */
                since: string;
                /**
                 * Format: date-time
                 * @description When the alert was opened: the problem had lasted for the rule's `for_seconds`.
                 */
                raised_at?: string | null;
                /**
                 * Format: date-time
                 * @description When the first notification was sent; null if none was sent or a maintenance window or snooze suppresses it.
                 */
                notified_at?: string | null;
                /**
                 * @description Whether the alert is opened and resolved repeatedly. Such an alert stays open longer, so it sends fewer
                 *     notifications.
                 */
                is_flapping: boolean;
                /**
                 * Format: date-time
                 * @description When it was acknowledged.
                 */
                acked_at?: string | null;
                /** @description The user who acknowledged it. */
                acked_by?: string | null;
                /** @description The note given with the acknowledgement. */
                note?: string | null;
                /**
                 * Format: date-time
                 * @description No notifications before this time.
                 */
                snoozed_until?: string | null;
                /**
                 * Format: date-time
                 * @description When it was resolved.
                 */
                resolved_at?: string | null;
                /** @description Why it was resolved. */
                resolved_reason?: string | null;
                /**
                 * Format: date-time
                 * @description When it was created.
                 */
                created_at: string;
                /**
                 * Format: date-time
                 * @description When it was last changed.
                 */
                updated_at: string;
            }[];
            /** @description Pass as `cursor` for the next page; absent on the last page. */
            next?: string | null;
        };
        /** @description One page of a list. */
        Page_AuditEntry: {
            items: {
                id: string;
                /**
                 * Format: int64
                 * @description The position in the org's hash chain; null until the entry is sealed.
                 */
                number?: number | null;
                /** Format: date-time */
                at: string;
                /** @description The kind of actor, as in `user` or `token`. */
                actor_kind: string;
                /** @description The id of the actor. */
                actor_id?: string | null;
                /** @description The name of the actor at that time. */
                actor: string;
                /** @description The client's address. */
                address?: string | null;
                /** @description The action, as in `host.renamed`. */
                action: string;
                /** @description The kind of object that was changed. */
                subject_kind: string;
                /** @description The id of the object. */
                subject_id?: string | null;
                /** @description The name of the object at that time. */
                subject?: string | null;
                /** @description The changed fields with their old and new values. */
                diff: {
                    [key: string]: unknown;
                };
                /** @description The id of the request, as in the hub's log. */
                request_id?: string | null;
            }[];
            /** @description Pass as `cursor` for the next page; absent on the last page. */
            next?: string | null;
        };
        /** @description One page of a list. */
        Page_Batch: {
            items: {
                /** @description Not usable for a preview, which is not stored. */
                id: string;
                /**
                 * @description The action on each job.
                 * @example retry
                 */
                action: string;
                /** @description The filter that selects the jobs. */
                filter: string;
                /**
                 * @description `preview`, `running`, `done` or `stopped`.
                 * @example running
                 */
                status: string;
                preview?: components["schemas"]["BatchPreview"] | null;
                /**
                 * Format: int64
                 * @description Jobs examined so far.
                 */
                examined: number;
                /**
                 * Format: int64
                 * @description Matching jobs so far.
                 */
                matched: number;
                /**
                 * Format: int64
                 * @description Jobs changed successfully.
                 */
                done: number;
                /**
                 * Format: int64
                 * @description Jobs that could not be changed.
                 */
                failed: number;
                /** @description The first failures. */
                failures: components["schemas"]["BatchFailure"][];
                created_by: string;
                /** Format: date-time */
                created_at: string;
                /**
                 * Format: date-time
                 * @description When a part of the jobs was last processed.
                 */
                updated_at: string;
                /** Format: date-time */
                finished_at?: string | null;
            }[];
            /** @description Pass as `cursor` for the next page; absent on the last page. */
            next?: string | null;
        };
        /** @description One page of a list. */
        Page_Fire: {
            items: {
                /**
                 * Format: date-time
                 * @description The time of the schedule.
                 */
                nominal_at: string;
                /** @example fired */
                status: string;
                /** @description The reason, in one sentence. */
                reason: string;
                /** @description The name of the host. */
                host?: string | null;
                /** @description The job that was created for it. */
                job_id?: string | null;
                /**
                 * @description The status of that job.
                 * @example succeeded
                 */
                job_status?: string | null;
                /**
                 * Format: int32
                 * @description The number of times covered: older times share one entry.
                 */
                stands_for: number;
                /**
                 * Format: date-time
                 * @description When it was decided.
                 */
                at: string;
            }[];
            /** @description Pass as `cursor` for the next page; absent on the last page. */
            next?: string | null;
        };
        /** @description One page of a list. */
        Page_Host: {
            items: {
                id: string;
                /** @description Unique in its org. */
                name: string;
                /** @example online */
                status: string;
                /** @description The reason for the state, in one sentence. */
                status_reason: string;
                /**
                 * Format: date-time
                 * @description When the last heartbeat arrived.
                 */
                last_heartbeat_at?: string | null;
                runner_version?: string | null;
                /**
                 * Format: int32
                 * @description The version of its current key.
                 */
                key_version: number;
                /**
                 * Format: int32
                 * @description The key version that the host was asked to rotate to.
                 */
                key_version_wanted?: number | null;
                /** @description Whether it has not replaced its key yet. A linked host does so immediately, an absent one when it returns. */
                rotation_due?: boolean;
                last_metrics?: components["schemas"]["HostMetrics"] | null;
                labels: {
                    [key: string]: string;
                };
                /** @description The queues that it may serve. It serves those of them that its runner offers. */
                queues?: string[];
                /** @description Whether the host should always be online. If not, it counts as asleep instead of offline. */
                always_on: boolean;
                /** @description Limits of its jobs. */
                limits: components["schemas"]["HostLimits"];
                /** @description The address of the host's primary hub, if it is not this one. This hub then is a mirror for the host. */
                primary_hub?: string | null;
                /**
                 * Format: date-time
                 * @description When it joined.
                 */
                created_at: string;
                /** Format: date-time */
                updated_at: string;
            }[];
            /** @description Pass as `cursor` for the next page; absent on the last page. */
            next?: string | null;
        };
        /** @description One page of a list. */
        Page_Invitation: {
            items: {
                id: string;
                /** @description The address of the invited person. */
                email: string;
                /**
                 * @description The role of the new member.
                 * @example viewer
                 */
                role: string;
                /** Format: date-time */
                expires_at: string;
                /** Format: date-time */
                created_at: string;
            }[];
            /** @description Pass as `cursor` for the next page; absent on the last page. */
            next?: string | null;
        };
        /** @description One page of a list. */
        Page_JoinToken: {
            items: {
                id: string;
                /** @description The first characters of the secret. */
                hint: string;
                /** @description Labels of the hosts that join with it. */
                labels: {
                    [key: string]: string;
                };
                /** @description The queues that these hosts may serve. */
                queues?: string[];
                /** @description Whether these hosts should always be online; null leaves it to the joining machine. */
                always_on?: boolean | null;
                /**
                 * Format: int32
                 * @description The number of hosts that may join with it.
                 */
                uses: number;
                /**
                 * Format: int32
                 * @description The number of hosts that have joined with it.
                 */
                used: number;
                /** Format: date-time */
                expires_at: string;
                /** Format: date-time */
                revoked_at?: string | null;
                /** Format: date-time */
                created_at: string;
            }[];
            /** @description Pass as `cursor` for the next page; absent on the last page. */
            next?: string | null;
        };
        /** @description One page of a list. */
        Page_Member: {
            items: {
                user_id: string;
                email: string;
                name: string;
                /**
                 * @description The role in this org.
                 * @example operator
                 */
                role: string;
                /** @description Whether a super admin confirmed that the e-mail address belongs to the user. */
                is_email_verified?: boolean;
                /**
                 * Format: date-time
                 * @description When the user became a member.
                 */
                created_at: string;
                /**
                 * Format: date-time
                 * @description When the role was last changed.
                 */
                updated_at: string;
            }[];
            /** @description Pass as `cursor` for the next page; absent on the last page. */
            next?: string | null;
        };
        /** @description One page of a list. */
        Page_Notice: {
            items: {
                id: string;
                /** @description The name of the channel. */
                channel: string;
                /** @description The kind of the alerts. */
                kind: string;
                /** @description The reason: `raised`, `reminder` or `resolved`. */
                state: string;
                /** @description The title, in one line. */
                title: string;
                text: string;
                /**
                 * Format: int32
                 * @description The number of alerts in this notification.
                 */
                count: number;
                /** @description `due`, `sent`, `failed` or `dropped`. */
                status: string;
                /**
                 * Format: int32
                 * @description The number of delivery attempts.
                 */
                tries: number;
                /** @description The last error, or what the notification waits for. */
                last_error?: string | null;
                /**
                 * Format: date-time
                 * @description When it is sent or retried.
                 */
                due_at: string;
                /**
                 * Format: date-time
                 * @description When it was delivered.
                 */
                sent_at?: string | null;
                /** Format: date-time */
                created_at: string;
            }[];
            /** @description Pass as `cursor` for the next page; absent on the last page. */
            next?: string | null;
        };
        /** @description One page of a list. */
        Page_Org: {
            items: {
                id: string;
                /** @description The name in URLs and commands. */
                slug: string;
                /** @description The name for people. */
                name: string;
                /** @description An IANA time zone. */
                timezone: string;
                /**
                 * Format: int32
                 * @description Seconds without a heartbeat until a host counts as offline.
                 */
                offline_after_seconds: number;
                /**
                 * Format: int32
                 * @description Seconds offline until an alert is raised.
                 */
                alert_after_seconds: number;
                /**
                 * Format: int32
                 * @description The limit of running jobs; null for no limit.
                 */
                max_running?: number | null;
                /**
                 * Format: int32
                 * @description The limit of starts per minute; null for no limit.
                 */
                jobs_per_minute?: number | null;
                /**
                 * Format: int32
                 * @description How long succeeded jobs are kept; null for the hub's setting.
                 */
                keep_succeeded_seconds?: number | null;
                /**
                 * Format: int32
                 * @description How long failed jobs are kept; null for the hub's setting.
                 */
                keep_failed_seconds?: number | null;
                /**
                 * Format: int32
                 * @description How long dead letters are kept; null for the hub's setting.
                 */
                keep_dead_letter_seconds?: number | null;
                /**
                 * Format: int32
                 * @description How long canceled and expired jobs are kept; null for the hub's setting.
                 */
                keep_canceled_seconds?: number | null;
                /** Format: date-time */
                created_at: string;
                /** Format: date-time */
                updated_at: string;
            }[];
            /** @description Pass as `cursor` for the next page; absent on the last page. */
            next?: string | null;
        };
        /** @description One page of a list. */
        Page_OrgJobs: {
            items: {
                /** @description The slug of the org. */
                org: string;
                /** @description Jobs by status. */
                counts: {
                    [key: string]: number;
                };
                /**
                 * Format: int64
                 * @description How long the oldest claimable job has waited.
                 */
                oldest_queued_age_seconds?: number | null;
                /**
                 * Format: int64
                 * @description The median waiting time of recent jobs, as measured by this hub.
                 */
                wait_p50_ms?: number | null;
                /**
                 * Format: int64
                 * @description The 95th percentile of the waiting time of recent jobs.
                 */
                wait_p95_ms?: number | null;
                /**
                 * Format: double
                 * @description Jobs created per minute on this hub, averaged over five minutes.
                 */
                created_per_minute: number;
                /**
                 * Format: double
                 * @description The fraction of failed runs among those that ended on this hub within five minutes.
                 */
                failed_part?: number | null;
            }[];
            /** @description Pass as `cursor` for the next page; absent on the last page. */
            next?: string | null;
        };
        /** @description One page of a list. */
        Page_Server: {
            items: {
                id: string;
                name: string;
                host_id: string;
                /** @description The name of the host. */
                host: string;
                /** @description The state of the host. */
                host_status: string;
                /**
                 * @description The state that the host has reported last.
                 * @example running
                 */
                state: string;
                /** @description The reason for the state, in one sentence. */
                state_reason: string;
                /**
                 * Format: date-time
                 * @description When the state changed.
                 */
                state_at: string;
                /** @description Whether the host is unreachable, so the state may be outdated. */
                is_stale: boolean;
                /**
                 * @description The desired state: `up` or `down`.
                 * @example up
                 */
                desired_state: string;
                /**
                 * Format: int32
                 * @description The number of its newest run.
                 */
                run: number;
                /**
                 * Format: int32
                 * @description The process id; null if it does not run.
                 */
                pid?: number | null;
                /**
                 * Format: date-time
                 * @description When the process started.
                 */
                started_at?: string | null;
                /**
                 * Format: int32
                 * @description Automatic restarts since the last requested start.
                 */
                restarts: number;
                /**
                 * Format: double
                 * @description CPU usage in percent of one core; null if not measured.
                 */
                cpu_percent?: number | null;
                /**
                 * Format: int64
                 * @description Memory usage; null if not measured.
                 */
                memory_bytes?: number | null;
                /** @description The queued or running operation on the server. */
                job_id?: string | null;
                /** @description The settings. */
                spec: Record<string, never>;
                /**
                 * Format: int32
                 * @description Incremented by every change of the settings.
                 */
                version: number;
                /** @description The host to which it moves once the current host has stopped it. */
                moves_to?: string | null;
                /** @description Whether the host created it. Such a server can only be changed on the host. */
                is_hosts_own: boolean;
                /** @description Only on a host: whether a hub owns it. Such a server can only be changed on the hub. */
                is_hubs: boolean;
                created_by: string;
                /** Format: date-time */
                created_at: string;
                /**
                 * Format: date-time
                 * @description When it was last changed or reported.
                 */
                updated_at: string;
            }[];
            /** @description Pass as `cursor` for the next page; absent on the last page. */
            next?: string | null;
        };
        /** @description One page of a list. */
        Page_ServerRun: {
            items: {
                /**
                 * Format: int32
                 * @description The number of the run within its server, from 1.
                 */
                no: number;
                id: string;
                /** @description The name of the host; null if the host was removed. */
                host?: string | null;
                /**
                 * @description `running` until it ends.
                 * @example running
                 */
                status: string;
                /** Format: date-time */
                started_at: string;
                /**
                 * Format: date-time
                 * @description When the readiness check succeeded.
                 */
                ready_at?: string | null;
                /** Format: date-time */
                finished_at?: string | null;
                /** Format: int32 */
                pid?: number | null;
                /** Format: int32 */
                exit_code?: number | null;
                /**
                 * Format: int32
                 * @description The signal that ended the process.
                 */
                signal?: number | null;
                /** @description Whether the kernel killed the process because memory ran out. */
                is_oom: boolean;
                /** @description The error, if it failed. */
                error?: string | null;
            }[];
            /** @description Pass as `cursor` for the next page; absent on the last page. */
            next?: string | null;
        };
        /** @description One page of a list. */
        Page_Token: {
            items: {
                id: string;
                /** @description The purpose of the token. */
                name: string;
                /** @description The first characters of the secret. */
                hint: string;
                /** @description The user who created the token and for whom it acts. */
                user_id: string;
                /**
                 * @description The highest role of its requests.
                 * @example operator
                 */
                role: string;
                /**
                 * @description `api` for all permissions of its role, `read` or `worker`.
                 * @example api
                 */
                scope: string;
                /** @description The only queues that a worker token may claim from; empty for other scopes. */
                queues?: string[];
                /** @description Keys of the only definitions whose jobs a worker token may claim; null for all. */
                definitions?: string[] | null;
                /** @description Whether a device login created it. A new password revokes it. */
                is_login?: boolean;
                /** @description Whether it can create further tokens. */
                may_create_tokens?: boolean;
                /** @description The token that created this one and with which it is revoked; null if a user created it. */
                parent_id?: string | null;
                /** @description The creator, as in the audit log; empty for tokens of older versions. */
                created_by?: string;
                /**
                 * Format: date-time
                 * @description Null if it does not expire.
                 */
                expires_at?: string | null;
                /** Format: date-time */
                revoked_at?: string | null;
                /**
                 * Format: date-time
                 * @description When it was last used, rounded to the minute.
                 */
                last_used_at?: string | null;
                /** Format: date-time */
                created_at: string;
            }[];
            /** @description Pass as `cursor` for the next page; absent on the last page. */
            next?: string | null;
        };
        /** @description One page of a list. */
        Page_Trigger: {
            items: {
                id: string;
                /** @description The name for people. */
                label: string;
                /** @description Whether it creates jobs. */
                is_enabled: boolean;
                /**
                 * @description `schedule` or `event`.
                 * @example schedule
                 */
                trigger_type: string;
                /** @description The name of the event. */
                event_name?: string | null;
                /** @description Conditions on the event's fields. */
                match: Record<string, never>;
                /**
                 * @description A cron expression with five fields, or a nickname such as `@daily`.
                 * @example 0 2 * * *
                 */
                cron_expr?: string | null;
                /**
                 * @description The time zone of the schedule.
                 * @example Europe/Berlin
                 */
                timezone?: string | null;
                /** @description The schedule in words. */
                description: string;
                /** @description The definition of its jobs. */
                definition_key: string;
                /** @description The payload of its jobs, with slots such as `{{ event.folder }}`. */
                payload_template: unknown;
                /** @description A template for the dedupe key of its jobs. */
                dedupe_key?: string | null;
                /**
                 * Format: int32
                 * @description For this long no second job with the same dedupe key is created.
                 */
                dedupe_window_seconds?: number | null;
                target?: components["schemas"]["TriggerTarget"] | null;
                /**
                 * @description Where it fires: `hub` or `host`.
                 * @example hub
                 */
                place: string;
                /**
                 * @description The policy for times that passed while no hub or host could fire them: `skip`, `once` or `all`.
                 * @example once
                 */
                missed: string;
                /**
                 * Format: int32
                 * @description The most jobs that `all` creates.
                 */
                missed_max: number;
                /**
                 * Format: int32
                 * @description Times missed longer ago than this are not caught up.
                 */
                missed_window_seconds: number;
                /**
                 * @description The policy for a fire while an earlier job is queued or running: `allow`, `forbid`, `replace` or `queue_one`.
                 * @example forbid
                 */
                overlap: string;
                /**
                 * Format: int32
                 * @description Each job starts up to this many seconds after its time; the delay is spread evenly.
                 */
                jitter: number;
                /**
                 * Format: date-time
                 * @description No fires before this time.
                 */
                starts_at?: string | null;
                /**
                 * Format: date-time
                 * @description No fires after this time.
                 */
                ends_at?: string | null;
                /**
                 * Format: date-time
                 * @description No fires before this time; set by a pause.
                 */
                paused_until?: string | null;
                /**
                 * Format: int32
                 * @description The priority of its jobs; lower numbers run first.
                 */
                priority: number;
                /** @description Whether a host created it. Such a trigger can only be changed on the host. */
                is_hosts_own: boolean;
                created_by: string;
                /** Format: date-time */
                created_at: string;
                /** Format: date-time */
                updated_at: string;
                /**
                 * Format: date-time
                 * @description The next time it fires.
                 */
                next_fire_at?: string | null;
                last_fire?: components["schemas"]["Fire"] | null;
                /** @description A remark about where it fires. */
                note?: string | null;
            }[];
            /** @description Pass as `cursor` for the next page; absent on the last page. */
            next?: string | null;
        };
        /** @description One page of a list. */
        Page_User: {
            items: {
                id: string;
                email: string;
                name: string;
                /** @description Whether the user manages the installation. */
                is_super_admin: boolean;
                /** @description Whether the user cannot sign in. */
                is_disabled: boolean;
                /**
                 * Format: date-time
                 * @description When a super admin confirmed that the address belongs to the user; null if it is unverified.
                 */
                email_verified_at?: string | null;
                /** Format: date-time */
                created_at: string;
                /** Format: date-time */
                updated_at: string;
            }[];
            /** @description Pass as `cursor` for the next page; absent on the last page. */
            next?: string | null;
        };
        /** @description Changes the caller's password. */
        PasswordRequest: {
            /** @description The current password, if one is set. */
            old?: string | null;
            /** @description The new password, at least 12 characters. */
            new: string;
        };
        /** @description A pause: its jobs stay queued. */
        Pause: {
            /** @description `org`, `definition`, `queue` or `key`. */
            kind: string;
            /** @description The name of the definition, queue or key; empty for the org. */
            subject: string;
            /** @description The reason. */
            note: string;
            /**
             * Format: date-time
             * @description When it expires; null if it does not.
             */
            until?: string | null;
            created_by: string;
            /** Format: date-time */
            created_at: string;
        };
        /** @description Pauses an org, definition, queue or key, or ends its pause. */
        PauseRequest: {
            /** @description `org`, `definition`, `queue` or `key`. */
            kind: string;
            /** @description The name of the definition, queue or key; empty for the org. */
            subject?: string;
            /** @description The reason. */
            note?: string;
            /**
             * Format: date-time
             * @description When it expires; null if it does not.
             */
            until?: string | null;
            /** @description End the pause. */
            resume?: boolean;
        };
        /** @description The active pauses of an org. */
        Pauses: {
            items: components["schemas"]["Pause"][];
        };
        /** @description A monitored external program. */
        Ping: {
            id: string;
            label: string;
            /** @description When a success is expected, as a cron expression. */
            cron_expr?: string | null;
            /** @description The time zone of `cron_expr`. */
            timezone?: string | null;
            /**
             * Format: int32
             * @description The longest time between two successes, instead of `cron_expr`.
             */
            period_seconds?: number | null;
            /**
             * Format: int32
             * @description How late a success may be, and how long a run may take after its start.
             */
            grace_seconds: number;
            /**
             * @description `new`, `up`, `started`, `late` or `down`.
             * @example up
             */
            status: string;
            /**
             * Format: date-time
             * @description When the next success is expected.
             */
            expected_at?: string | null;
            /** Format: date-time */
            succeeded_at?: string | null;
            /**
             * Format: date-time
             * @description When the last report arrived.
             */
            reported_at?: string | null;
            created_by: string;
            /** Format: date-time */
            created_at: string;
        };
        /** @description The reports of an external program, newest first. */
        PingHistory: {
            items: components["schemas"]["PingReport"][];
        };
        /** @description The new ping with its URL, which is shown only once. */
        PingMade: {
            ping: components["schemas"]["Ping"];
            /** @description The URL for reports; `/start`, `/fail`, `/log` or an exit code may be appended. */
            url: string;
        };
        /** @description A report of an external program. */
        PingReport: {
            /** Format: date-time */
            at: string;
            /**
             * @description `start`, `success`, `fail` or `log`.
             * @example success
             */
            word: string;
            /** @description The run id given by the program. */
            rid?: string | null;
            /**
             * Format: int32
             * @description The exit code given by the program.
             */
            exit_code?: number | null;
            /** @description The client's address. */
            address: string;
            /** @description The body of the request, truncated. */
            body: string;
        };
        /** @description A ping to create. */
        PingRequest: {
            /** @description The name for people. */
            label: string;
            /** @description When a success is expected, as a cron expression. */
            cron_expr?: string | null;
            /** @description The time zone of `cron_expr`; the org's if absent. */
            timezone?: string | null;
            /**
             * Format: int32
             * @description The longest time between two successes, instead of `cron_expr`.
             */
            period_seconds?: number | null;
            /**
             * Format: int32
             * @description How late a success may be, and how long a run may take after its start; one hour if absent.
             */
            grace_seconds?: number | null;
        };
        /** @description All pings of an org. */
        Pings: {
            items: components["schemas"]["Ping"][];
        };
        /** @description The next times of a schedule. */
        Preview: {
            /** @description The schedule in words. */
            description: string;
            /** @description The time zone of the schedule. */
            timezone: string;
            times: components["schemas"]["PreviewTime"][];
            /** @description Clock changes in this period that affect the schedule. */
            clock_changes: components["schemas"]["PreviewChange"][];
        };
        /** @description A clock change and its effect on the schedule. */
        PreviewChange: {
            /** Format: date-time */
            at: string;
            /** @description The effect, in words. */
            text: string;
        };
        /** @description A schedule to preview; it need not exist. */
        PreviewRequest: {
            /** @description A cron expression or nickname. */
            cron_expr: string;
            /** @description The time zone of the schedule; the org's if absent. */
            timezone?: string | null;
            /**
             * Format: date-time
             * @description Only times after this one; now if absent.
             */
            after?: string | null;
            /**
             * Format: int32
             * @description The number of times, 1 to 100; 10 if absent.
             */
            count?: number | null;
        };
        /** @description A time of a schedule. */
        PreviewTime: {
            /** Format: date-time */
            at: string;
            /**
             * @description The local time in the schedule's time zone.
             * @example 2026-11-16T02:00:00-05:00[America/New_York]
             */
            local: string;
        };
        /** @description An error response as in RFC 9457. */
        Problem: {
            /** @description The documentation page of the code, relative to the hub. */
            type: string;
            /** @description A short description; the same for every error of this code. */
            title: string;
            /**
             * Format: int32
             * @description The HTTP status.
             */
            status: number;
            /** @description The stable code, as in `not_found`. */
            code: string;
            /** @description The description of this error, in one sentence. */
            detail: string;
            /** @description A suggested action. */
            hint?: string | null;
            /** @description The id of the request in the hub's log. */
            request_id?: string | null;
            /**
             * Format: int64
             * @description The delay before a retry, in milliseconds.
             */
            retry_after_ms?: number | null;
            /** @description The invalid fields. */
            errors?: components["schemas"]["Fault"][];
        };
        /** @description The result of the promotion of this hub to primary hub of an org's hosts. */
        Promoted: {
            /**
             * Format: int64
             * @description The number of the promotion; hosts follow the highest number that they have received.
             */
            number: number;
            /** @description Hosts that have not received the promotion yet. */
            moving: string[];
        };
        /** @description The response to a report. */
        ReportAnswer: {
            /** @description The status of the job. */
            status: string;
        };
        /** @description Resolves an alert by hand. */
        ResolveRequest: {
            /** @description The reason. */
            note?: string;
        };
        /** @description Retries a finished job. */
        RetryRequest: {
            /** @description A new payload; the old one if absent. */
            payload?: unknown;
        };
        /** @description A run of a job. */
        Run: {
            id: string;
            /**
             * Format: int32
             * @description The number of the run within its job, from 1: the job's fence.
             */
            no: number;
            /** @example succeeded */
            status: string;
            /** @description The holder of the run: runner and process. */
            worker_id: string;
            /** @description The name of the host. */
            host?: string | null;
            /** Format: int32 */
            pid?: number | null;
            /** Format: date-time */
            started_at: string;
            /** Format: date-time */
            finished_at?: string | null;
            /** Format: int64 */
            duration_ms?: number | null;
            /** Format: int32 */
            exit_code?: number | null;
            /**
             * Format: int32
             * @description The signal that ended the process.
             */
            signal?: number | null;
            /** @description The error, if it failed. */
            error_text?: string | null;
            /** @description The last part of standard output. */
            stdout_tail?: string | null;
            /** @description The last part of standard error. */
            stderr_tail?: string | null;
            /** @description The result value that the program reported. */
            output?: unknown;
            /** @description The address of its output. */
            log_url: string;
        };
        /** @description All runs of a job. */
        Runs: {
            /** @description In order, including a running one. */
            items: components["schemas"]["Run"][];
        };
        /** @description One day of a schedule. */
        ScheduleDay: {
            /** @example 2026-11-16 */
            date: string;
            /**
             * @description The worst outcome of the day: `idle`, `done`, `open`, `missed` or `failed`.
             * @example done
             */
            state: string;
            /**
             * Format: int32
             * @description The number of the schedule's times on this day.
             */
            times: number;
        };
        /** @description A secret, without its value. */
        Secret: {
            /** @description The name of the environment variable that contains it. */
            name: string;
            /** @description The user who last set the value. */
            created_by: string;
            /**
             * Format: date-time
             * @description When it was first set.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was last set.
             */
            updated_at: string;
        };
        /** @description A secret to set. */
        SecretRequest: {
            /** @description The value, 1 to 32,768 bytes. It is passed only to runs whose definition names the secret. */
            value: string;
        };
        /** @description The secrets of an org. */
        Secrets: {
            /** @description Sorted by name. */
            items: components["schemas"]["Secret"][];
        };
        /** @description The values of one metric. */
        Series: {
            /**
             * @description For hosts `cpu`, `memory`, `disk`, `load`; for servers `cpu`, `memory`; for jobs `enqueued`, `succeeded`,
             *     `failed`, `dead_letter`, `canceled`, `wait_p50`, `wait_p95`, `run_p50`, `run_p95`.
             * @example cpu
             */
            name: string;
            /**
             * @description `ratio`, `bytes`, `count` or `seconds`. The CPU usage of a server is a ratio of one core.
             * @example ratio
             */
            unit: string;
            /** @description One value per step; null without a measurement. */
            values: (number | null)[];
        };
        /** @description Metrics over a time range, in steps of equal length. */
        SeriesSet: {
            /**
             * Format: date-time
             * @description Start of the first step.
             */
            after: string;
            /**
             * Format: date-time
             * @description End of the last step.
             */
            before: string;
            /**
             * Format: int64
             * @description The length of a step in seconds.
             * @example 60
             */
            step_s: number;
            series: components["schemas"]["Series"][];
        };
        /** @description A long-lived process on one host. */
        Server: {
            id: string;
            name: string;
            host_id: string;
            /** @description The name of the host. */
            host: string;
            /** @description The state of the host. */
            host_status: string;
            /**
             * @description The state that the host has reported last.
             * @example running
             */
            state: string;
            /** @description The reason for the state, in one sentence. */
            state_reason: string;
            /**
             * Format: date-time
             * @description When the state changed.
             */
            state_at: string;
            /** @description Whether the host is unreachable, so the state may be outdated. */
            is_stale: boolean;
            /**
             * @description The desired state: `up` or `down`.
             * @example up
             */
            desired_state: string;
            /**
             * Format: int32
             * @description The number of its newest run.
             */
            run: number;
            /**
             * Format: int32
             * @description The process id; null if it does not run.
             */
            pid?: number | null;
            /**
             * Format: date-time
             * @description When the process started.
             */
            started_at?: string | null;
            /**
             * Format: int32
             * @description Automatic restarts since the last requested start.
             */
            restarts: number;
            /**
             * Format: double
             * @description CPU usage in percent of one core; null if not measured.
             */
            cpu_percent?: number | null;
            /**
             * Format: int64
             * @description Memory usage; null if not measured.
             */
            memory_bytes?: number | null;
            /** @description The queued or running operation on the server. */
            job_id?: string | null;
            /** @description The settings. */
            spec: Record<string, never>;
            /**
             * Format: int32
             * @description Incremented by every change of the settings.
             */
            version: number;
            /** @description The host to which it moves once the current host has stopped it. */
            moves_to?: string | null;
            /** @description Whether the host created it. Such a server can only be changed on the host. */
            is_hosts_own: boolean;
            /** @description Only on a host: whether a hub owns it. Such a server can only be changed on the hub. */
            is_hubs: boolean;
            created_by: string;
            /** Format: date-time */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was last changed or reported.
             */
            updated_at: string;
        };
        /** @description An operation on a server. */
        ServerAct: {
            /** @description The reason, stored as the correlation id of the job. */
            reason?: string | null;
        };
        /** @description The job of an operation. */
        ServerActed: components["schemas"]["JobMade"] & {
            /** @description Queued jobs of the server that this operation replaces. */
            superseded: string[];
        };
        /** @description A line for a server's standard input. */
        ServerInput: {
            /** @description The line, without a line break. */
            line: string;
        };
        /** @description Metrics of a server, including all its processes. */
        ServerMetrics: {
            id: string;
            /**
             * Format: double
             * @description In percent of one core: 150 is one and a half cores.
             */
            cpu_percent: number;
            /**
             * Format: int64
             * @description Resident memory, including shared memory.
             */
            memory_bytes: number;
            /**
             * Format: int32
             * @description The number of processes.
             */
            processes: number;
        };
        /** @description A server to create, or the fields to change. Absent fields get their default or keep their value. */
        ServerRequest: Record<string, never> & {
            name?: string | null;
            /**
             * @description The host, by name or id. A change moves the server: it is stopped on the old host and, if it was running,
             *     started on the new one.
             */
            host?: string | null;
        };
        /** @description A run of a server. */
        ServerRun: {
            /**
             * Format: int32
             * @description The number of the run within its server, from 1.
             */
            no: number;
            id: string;
            /** @description The name of the host; null if the host was removed. */
            host?: string | null;
            /**
             * @description `running` until it ends.
             * @example running
             */
            status: string;
            /** Format: date-time */
            started_at: string;
            /**
             * Format: date-time
             * @description When the readiness check succeeded.
             */
            ready_at?: string | null;
            /** Format: date-time */
            finished_at?: string | null;
            /** Format: int32 */
            pid?: number | null;
            /** Format: int32 */
            exit_code?: number | null;
            /**
             * Format: int32
             * @description The signal that ended the process.
             */
            signal?: number | null;
            /** @description Whether the kernel killed the process because memory ran out. */
            is_oom: boolean;
            /** @description The error, if it failed. */
            error?: string | null;
        };
        /** @description A one-time sign-in link, created by the owner of the hub's Unix socket. */
        SignInLink: {
            /** @description The link; it cannot be shown again. */
            url: string;
            /** Format: date-time */
            expires_at: string;
        };
        /** @description Snoozes an alert: no notifications until a given time. */
        SnoozeRequest: {
            /**
             * Format: date-time
             * @description No notifications before this time.
             */
            until: string;
        };
        /** @description The status of an org. */
        Status: {
            hub_version: string;
            /** @description `sqlite` or `postgres`. */
            database: string;
            /**
             * Format: date-time
             * @description Since when at least one hub has been running without a break.
             */
            watching_since: string;
            /** @description The slug of the org. */
            org: string;
            /** @description The number of hosts by state, without states that have none. */
            hosts: {
                [key: string]: number;
            };
            /** @description The number of hosts by runner version. */
            runner_versions: {
                [key: string]: number;
            };
        };
        /** @description Replication of this machine's rows with one priority to a hub. */
        SyncOwnPriorityStatus: {
            /** @description The hub; null if no hub has confirmed any row. */
            hub_id?: string | null;
            /** @description The priority: `control` or `bulk`. */
            priority: string;
            /**
             * Format: int64
             * @description The sequence number of the last change.
             */
            head: number;
            /**
             * Format: int64
             * @description Rows that the hub has not confirmed.
             */
            waiting: number;
            /**
             * Format: int64
             * @description Seconds since the last confirmation, if rows are waiting.
             */
            waiting_seconds: number;
            /**
             * Format: date-time
             * @description The last confirmation by the hub.
             */
            confirmed_at?: string | null;
        };
        /** @description A parked row: received, but not stored in its table. */
        SyncParked: {
            /** @description The name of the host. */
            host: string;
            table: string;
            /** @description The id of the row. */
            id: string;
            /** @description Why the row is parked. */
            error: string;
            /** @description The content of the row, with the values of environments masked. */
            body: unknown;
            /**
             * Format: date-time
             * @description When it was parked.
             */
            at: string;
        };
        /** @description Replication of one host's rows with one priority to this hub. */
        SyncPriorityStatus: {
            host_id: string;
            /** @description The name of the host. */
            host: string;
            /** @description The priority: `control` or `bulk`. */
            priority: string;
            /**
             * Format: int64
             * @description Changes that the host has reported and this hub has not stored yet.
             */
            behind: number;
            /**
             * Format: int64
             * @description How long this hub has been behind.
             */
            behind_seconds: number;
            /** @description Whether a full resend is in progress. */
            is_resetting: boolean;
            /**
             * Format: int64
             * @description Parked rows of the host.
             */
            parked: number;
            /** @description The reason of the last parked row. */
            last_error?: string | null;
            /**
             * Format: date-time
             * @description When rows were last stored.
             */
            updated_at: string;
        };
        /** @description A row of this machine that a hub has rejected. */
        SyncRefused: {
            hub_id: string;
            table: string;
            id: string;
            /** @example ownership_violation */
            error: string;
            /**
             * Format: date-time
             * @description When the hub last rejected it.
             */
            at: string;
        };
        /** @description The progress of replication. */
        SyncStatus: {
            /** @description The rows of hosts on this hub, by host and priority. */
            hosts: components["schemas"]["SyncPriorityStatus"][];
            /** @description This machine's own rows, by hub and priority; only in standalone mode. */
            own: components["schemas"]["SyncOwnPriorityStatus"][];
            /** @description Parked rows, newest first; at most 100, and none if the caller is no admin. */
            parked: components["schemas"]["SyncParked"][];
            /**
             * @description Rows of this machine that hubs have rejected in the last week, newest first; at most 100, only for admins and in
             *     standalone mode.
             */
            refused?: components["schemas"]["SyncRefused"][];
        };
        /** @description The checksum of a table. Two sides with equal counts and sums have the same rows. */
        TableDigest: {
            table: string;
            /**
             * Format: int64
             * @description The number of rows.
             */
            rows: number;
            /** @description The checksum, in hexadecimal. */
            sum: string;
        };
        /** @description The history of a host, newest first. */
        Timeline: {
            host: string;
            /**
             * Format: date-time
             * @description Start of the period.
             */
            from: string;
            /**
             * Format: date-time
             * @description End of the period.
             */
            until: string;
            items: components["schemas"]["TimelineItem"][];
            /** @description Whether older items were omitted. */
            has_more: boolean;
        };
        /** @description An item in a host's history. */
        TimelineItem: {
            /**
             * Format: date-time
             * @description Start of the item.
             */
            at: string;
            /**
             * Format: date-time
             * @description End of the item; null if it is a point in time or continues.
             */
            until?: string | null;
            /**
             * @description `outage`, `run`, `slot` or `alert`.
             * @example slot
             */
            kind: string;
            /**
             * @description The kind of outage, the status of the run or fire, or the kind of alert, depending on `kind`.
             * @example caught_up
             */
            word: string;
            /** @description A description in one sentence. */
            text: string;
            /** @description The job it belongs to. */
            job_id?: string | null;
            /** @description The trigger it belongs to. */
            trigger_id?: string | null;
            /** @description The alert it belongs to. */
            alert_id?: string | null;
        };
        /** @description An API token, without its secret. */
        Token: {
            id: string;
            /** @description The purpose of the token. */
            name: string;
            /** @description The first characters of the secret. */
            hint: string;
            /** @description The user who created the token and for whom it acts. */
            user_id: string;
            /**
             * @description The highest role of its requests.
             * @example operator
             */
            role: string;
            /**
             * @description `api` for all permissions of its role, `read` or `worker`.
             * @example api
             */
            scope: string;
            /** @description The only queues that a worker token may claim from; empty for other scopes. */
            queues?: string[];
            /** @description Keys of the only definitions whose jobs a worker token may claim; null for all. */
            definitions?: string[] | null;
            /** @description Whether a device login created it. A new password revokes it. */
            is_login?: boolean;
            /** @description Whether it can create further tokens. */
            may_create_tokens?: boolean;
            /** @description The token that created this one and with which it is revoked; null if a user created it. */
            parent_id?: string | null;
            /** @description The creator, as in the audit log; empty for tokens of older versions. */
            created_by?: string;
            /**
             * Format: date-time
             * @description Null if it does not expire.
             */
            expires_at?: string | null;
            /** Format: date-time */
            revoked_at?: string | null;
            /**
             * Format: date-time
             * @description When it was last used, rounded to the minute.
             */
            last_used_at?: string | null;
            /** Format: date-time */
            created_at: string;
        };
        /** @description The new API token with its secret, which is shown only once. */
        TokenCreated: components["schemas"]["Token"] & {
            /** @description The secret; it cannot be shown again. */
            secret: string;
        };
        /** @description An API token to create. */
        TokenRequest: {
            /** @description The purpose of the token. */
            name: string;
            /** @description The highest role of its requests; the caller's own role if absent. */
            role?: string | null;
            /** @description `api` (default), `read` or `worker`. Only admins create worker tokens. */
            scope?: string | null;
            /** @description The only queues that a worker token may claim from; required for the scope `worker`. */
            queues?: string[];
            /** @description Keys of the only definitions whose jobs a worker token may claim; all if absent. */
            definitions?: string[] | null;
            /**
             * Format: int32
             * @description The lifetime; 90 days if absent, 0 for no expiry.
             */
            ttl_seconds?: number | null;
            /**
             * @description Whether the token can create further tokens, which are revoked with it. Only users, and tokens with this right,
             *     can give it.
             */
            may_create_tokens?: boolean;
        };
        /** @description A schedule or an event rule. */
        Trigger: {
            id: string;
            /** @description The name for people. */
            label: string;
            /** @description Whether it creates jobs. */
            is_enabled: boolean;
            /**
             * @description `schedule` or `event`.
             * @example schedule
             */
            trigger_type: string;
            /** @description The name of the event. */
            event_name?: string | null;
            /** @description Conditions on the event's fields. */
            match: Record<string, never>;
            /**
             * @description A cron expression with five fields, or a nickname such as `@daily`.
             * @example 0 2 * * *
             */
            cron_expr?: string | null;
            /**
             * @description The time zone of the schedule.
             * @example Europe/Berlin
             */
            timezone?: string | null;
            /** @description The schedule in words. */
            description: string;
            /** @description The definition of its jobs. */
            definition_key: string;
            /** @description The payload of its jobs, with slots such as `{{ event.folder }}`. */
            payload_template: unknown;
            /** @description A template for the dedupe key of its jobs. */
            dedupe_key?: string | null;
            /**
             * Format: int32
             * @description For this long no second job with the same dedupe key is created.
             */
            dedupe_window_seconds?: number | null;
            target?: components["schemas"]["TriggerTarget"] | null;
            /**
             * @description Where it fires: `hub` or `host`.
             * @example hub
             */
            place: string;
            /**
             * @description The policy for times that passed while no hub or host could fire them: `skip`, `once` or `all`.
             * @example once
             */
            missed: string;
            /**
             * Format: int32
             * @description The most jobs that `all` creates.
             */
            missed_max: number;
            /**
             * Format: int32
             * @description Times missed longer ago than this are not caught up.
             */
            missed_window_seconds: number;
            /**
             * @description The policy for a fire while an earlier job is queued or running: `allow`, `forbid`, `replace` or `queue_one`.
             * @example forbid
             */
            overlap: string;
            /**
             * Format: int32
             * @description Each job starts up to this many seconds after its time; the delay is spread evenly.
             */
            jitter: number;
            /**
             * Format: date-time
             * @description No fires before this time.
             */
            starts_at?: string | null;
            /**
             * Format: date-time
             * @description No fires after this time.
             */
            ends_at?: string | null;
            /**
             * Format: date-time
             * @description No fires before this time; set by a pause.
             */
            paused_until?: string | null;
            /**
             * Format: int32
             * @description The priority of its jobs; lower numbers run first.
             */
            priority: number;
            /** @description Whether a host created it. Such a trigger can only be changed on the host. */
            is_hosts_own: boolean;
            created_by: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
            /**
             * Format: date-time
             * @description The next time it fires.
             */
            next_fire_at?: string | null;
            last_fire?: components["schemas"]["Fire"] | null;
            /** @description A remark about where it fires. */
            note?: string | null;
        };
        /** @description An event with which to test or fire a trigger. */
        TriggerFireRequest: {
            /** @description For an event rule: the data of the event; the last matching event if absent. */
            event?: unknown;
        };
        /** @description Jobs created by firing a trigger. */
        TriggerFired: {
            /** @description The ids of the jobs. */
            jobs: string[];
            /** @description Why other jobs were not created. */
            refused: string[];
        };
        /** @description A trigger to create, or the fields to change. Absent fields get their default or keep their value. */
        TriggerRequest: {
            /** @description The name for people. */
            label?: string | null;
            /** @description Whether it creates jobs; true by default. */
            is_enabled?: boolean | null;
            /**
             * @description `event` or `schedule`; derived from the other fields if absent.
             * @example schedule
             */
            trigger_type?: string | null;
            /** @description The name of the event. */
            event_name?: string | null;
            /** @description Conditions on the event's fields. */
            match?: Record<string, never> | null;
            /** @description A cron expression with five fields, or six with seconds first; or a nickname such as `@daily` or `@every 15m`. */
            cron_expr?: string | null;
            /** @description The time zone of the schedule; the org's by default. */
            timezone?: string | null;
            /** @description The definition of its jobs. */
            definition_key?: string | null;
            /** @description The payload of its jobs, with slots such as `{{ event.folder }}`. */
            payload_template?: unknown;
            /** @description A template for the dedupe key of its jobs. */
            dedupe_key?: string | null;
            /**
             * Format: int32
             * @description For this long no second job with the same dedupe key is created; 300 by default for event rules.
             */
            dedupe_window_seconds?: number | null;
            target?: components["schemas"]["TriggerTarget"] | null;
            /**
             * @description `hub` (default) or `host`: fires on the host itself, also while the hub is unreachable.
             * @example hub
             */
            place?: string | null;
            /**
             * @description The policy for missed times: `skip`, `once` (default) or `all`.
             * @example once
             */
            missed?: string | null;
            /**
             * Format: int32
             * @description The most jobs that `all` creates; 10 by default.
             */
            missed_max?: number | null;
            /**
             * Format: int32
             * @description Times missed longer ago than this are not caught up; one week by default.
             */
            missed_window_seconds?: number | null;
            /**
             * @description The policy for overlapping jobs: `allow`, `forbid` (default), `replace` or `queue_one`.
             * @example forbid
             */
            overlap?: string | null;
            /**
             * Format: int32
             * @description Each job starts up to this many seconds after its time; 0 by default.
             */
            jitter?: number | null;
            /**
             * Format: date-time
             * @description No fires before this time.
             */
            starts_at?: string | null;
            /**
             * Format: date-time
             * @description No fires after this time.
             */
            ends_at?: string | null;
            /**
             * Format: date-time
             * @description No fires before this time; a pause.
             */
            paused_until?: string | null;
            /**
             * Format: int32
             * @description The priority of its jobs; 100 by default.
             */
            priority?: number | null;
        };
        /** @description Where the jobs of a trigger run: a host, a queue or a selector. */
        TriggerTarget: {
            /** @description This host, by name or id. */
            host?: string | null;
            /** @description Any host that serves this queue. */
            queue?: string | null;
            /** @description Hosts whose labels match. */
            selector?: string | null;
            /**
             * @description With a selector: `each` matching host, or `any` one of them (default).
             * @example each
             */
            spread?: string | null;
        };
        /** @description A user, as shown to super admins. */
        User: {
            id: string;
            email: string;
            name: string;
            /** @description Whether the user manages the installation. */
            is_super_admin: boolean;
            /** @description Whether the user cannot sign in. */
            is_disabled: boolean;
            /**
             * Format: date-time
             * @description When a super admin confirmed that the address belongs to the user; null if it is unverified.
             */
            email_verified_at?: string | null;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        /** @description Changes to a user by a super admin. */
        UserPatch: {
            /** @description Whether the user manages the installation. */
            is_super_admin?: boolean | null;
            /** @description Whether the user cannot sign in. */
            is_disabled?: boolean | null;
            /** @description Whether the e-mail address is confirmed to belong to the user. */
            is_email_verified?: boolean | null;
        };
        /** @description A saved view. */
        View: {
            id: string;
            /**
             * @description `jobs`, `hosts`, `servers`, `triggers`, `alerts` or `events`.
             * @example jobs
             */
            page: string;
            name: string;
            /**
             * @description The part after the `?` of the page's URL.
             * @example q=status%3Adead_letter
             */
            query: string;
            /**
             * @description `private` or `org`.
             * @example private
             */
            visibility: string;
            /** @description Whether it belongs to the caller. */
            is_mine: boolean;
            /** @description The creator. */
            created_by: string;
            /** Format: date-time */
            created_at: string;
            /** Format: date-time */
            updated_at: string;
        };
        /** @description Changes to a view. Absent fields keep their value. */
        ViewPatch: {
            name?: string | null;
            /** @description The part after the `?` of the page's URL. */
            query?: string | null;
            /**
             * @description `private` or `org`.
             * @example org
             */
            visibility?: string | null;
        };
        /** @description A view to save. */
        ViewRequest: {
            /**
             * @description `jobs`, `hosts`, `servers`, `triggers`, `alerts` or `events`.
             * @example jobs
             */
            page: string;
            name: string;
            /** @description The part after the `?` of the page's URL. */
            query: string;
            /**
             * @description `private` (default) or `org`.
             * @example private
             */
            visibility?: string | null;
        };
        /** @description The views that the caller can see. */
        Views: {
            /** @description Sorted by page and name. */
            items: components["schemas"]["View"][];
        };
        /** @description Why a job waits, or how it ended. */
        Why: {
            status: string;
            /** @description The reason as a stable word. */
            reason?: string | null;
            /** @description The reason in one sentence. */
            text: string;
            /** @description Suggested actions. */
            hints?: string[];
        };
        /** @description A worker. */
        Worker: {
            /** @description The name of the worker or of the host. */
            worker_id: string;
            hostname: string;
            version: string;
            /** @description The queues that it serves. */
            queues: string[];
            /** @description The slug of the org. */
            org: string;
            /**
             * Format: date-time
             * @description When it last sent a request.
             */
            last_seen_at?: string | null;
            /**
             * Format: int64
             * @description The number of its running jobs.
             */
            running_count: number;
            /** @description Whether it has sent no heartbeat for too long. */
            stale: boolean;
            /** @description The additional information that it sent. */
            metadata: unknown;
        };
        /** @description A heartbeat of a run. */
        WorkerBeat: {
            worker_id: string;
            /**
             * Format: int32
             * @description The number of the run.
             */
            fence: number;
            /**
             * Format: int32
             * @description The progress, 0 to 100.
             */
            percent?: number | null;
            /** @description The current step, for people. */
            message?: string | null;
        };
        /** @description The response to a heartbeat. */
        WorkerBeatAnswer: {
            /** @description Whether the worker must end the run because the job was canceled. */
            cancel: boolean;
            /**
             * Format: date-time
             * @description When the lease expires without another heartbeat.
             */
            lease_expires_at: string;
        };
        /** @description A claimed job. */
        WorkerJob: {
            id: string;
            run_id: string;
            /**
             * Format: int32
             * @description The number of the run; include it in every report.
             */
            fence: number;
            /** @description The definition to run. */
            definition_key: string;
            /** @description The payload, including its secret values. */
            payload: unknown;
            /** @description The secrets that the definition names. */
            secrets?: {
                [key: string]: string;
            };
            /**
             * Format: int64
             * @description The longest duration of the run.
             */
            timeout_seconds: number;
            /** @description Groups related jobs. */
            correlation_id?: string | null;
        };
        /** @description All workers. */
        Workers: {
            items: components["schemas"]["Worker"][];
        };
        /** @description The jobs that a trigger would create. */
        WouldMake: {
            /** @description The definition of the jobs. */
            definition_key: string;
            /** @description One per target. */
            jobs: components["schemas"]["WouldMakeJob"][];
            /**
             * Format: int64
             * @description For an event rule: the number of stored events that match it.
             */
            would_have_fired?: number | null;
            /**
             * Format: int64
             * @description For an event rule: the number of stored events with its event name.
             */
            events_examined?: number | null;
        };
        /** @description A job that a trigger would create. */
        WouldMakeJob: {
            /** @description Where the job would run. */
            target: string;
            /** @description The payload of the job. */
            payload?: unknown;
            /** @description Why the job would not be created. */
            refused?: string | null;
            /** @description The dedupe key of the job. */
            dedupe_key?: string | null;
            /** @description The job that holds this dedupe key now. */
            held_by?: string | null;
        };
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
