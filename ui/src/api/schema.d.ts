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
         * The audit log of the installation, newest first.
         * @description Access: installation: installation.read.
         */
        get: {
            parameters: {
                query?: {
                    /** @description The name of an actor. */
                    actor?: string;
                    /** @description An action, or its beginning with a `*`, as in `host.*`. */
                    action?: string;
                    /** @description Not before this time. */
                    since?: string;
                    /** @description Where the page starts: `next` of the page before. */
                    cursor?: string;
                    /** @description How many rows, 1 to 1,000. */
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
                /** @description What went wrong */
                default: {
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
         * Checks every chain of the audit log.
         * @description Access: installation: installation.read.
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
                /** @description What went wrong */
                default: {
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
         * All definitions, by key.
         * @description Access: installation: installation.read.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Where the page starts: `next` of the page before. */
                    cursor?: string;
                    /** @description How many rows, 1 to 1,000. */
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
                /** @description What went wrong */
                default: {
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
         * Makes a definition, or the next version of the one with this key.
         * @description Access: installation: installation.
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
                /** @description Changed, or as it was */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DefinitionPut"];
                    };
                };
                /** @description New */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["DefinitionPut"];
                    };
                };
                /** @description What went wrong */
                default: {
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
         * One definition, by key or id.
         * @description Access: installation: installation.read.
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
                /** @description What went wrong */
                default: {
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
         * Changes fields of a definition.
         * @description Access: installation: installation.
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
                /** @description What went wrong */
                default: {
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
         * The versions of a definition, newest first.
         * @description Access: installation: installation.read.
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
                /** @description What went wrong */
                default: {
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
         * How the jobs of every org do, by slug.
         * @description Access: installation: installation.read.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Where the page starts: `next` of the page before. */
                    cursor?: string;
                    /** @description How many rows, 1 to 1,000. */
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
                /** @description What went wrong */
                default: {
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
         * How the loops of this hub process are.
         * @description Access: installation: installation.read.
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
                /** @description What went wrong */
                default: {
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
         * All orgs, by slug.
         * @description Access: installation: installation.read.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Where the page starts: `next` of the page before. */
                    cursor?: string;
                    /** @description How many rows, 1 to 1,000. */
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
                /** @description What went wrong */
                default: {
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
         * Makes an org.
         * @description Access: installation: installation.
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
                /** @description What went wrong */
                default: {
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
         * Removes an org with all that is in it; asks for its name.
         * @description Access: installation: installation.
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
                /** @description What went wrong */
                default: {
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
         * All people, by address.
         * @description Access: installation: installation.read.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Where the page starts: `next` of the page before. */
                    cursor?: string;
                    /** @description How many rows, 1 to 1,000. */
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
                /** @description What went wrong */
                default: {
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
         * Removes a person with their tokens and sessions.
         * @description Access: installation: installation.
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
                /** @description What went wrong */
                default: {
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
         * Changes what a person may do in the installation.
         * @description Access: installation: installation.
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
                /** @description What went wrong */
                default: {
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
         * Everybody who runs jobs, in all orgs.
         * @description Access: installation: installation.read.
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
                /** @description What went wrong */
                default: {
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
         * What makes an alert, one rule for each kind.
         * @description Access: org: alert.read.
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
                /** @description What went wrong */
                default: {
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
         * Changes a rule: what is absent becomes as it comes.
         * @description Access: org: alert.manage.
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
                /** @description What went wrong */
                default: {
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
         * The alerts of the org, newest first.
         * @description Access: org: alert.read.
         */
        get: {
            parameters: {
                query?: {
                    /** @description `open` (with those that are acked; the default) or `all`. */
                    status?: string;
                    /** @description Where the page starts. */
                    cursor?: string;
                    /** @description How many rows, 1 to 1,000. */
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
                /** @description What went wrong */
                default: {
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
         * One alert.
         * @description Access: org: alert.read.
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
                /** @description What went wrong */
                default: {
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
         * Somebody knows of it.
         * @description Access: org: alert.operate.
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
                /** @description What went wrong */
                default: {
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
         * A person says that it is over.
         * @description Access: org: alert.operate.
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
                /** @description What went wrong */
                default: {
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
         * Nobody is told of it for a while.
         * @description Access: org: alert.operate.
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
                /** @description What went wrong */
                default: {
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
         * The audit log of the org, newest first.
         * @description Access: org: audit.read.
         */
        get: {
            parameters: {
                query?: {
                    /** @description The name of an actor. */
                    actor?: string;
                    /** @description An action, or its beginning with a `*`, as in `host.*`. */
                    action?: string;
                    /** @description Not before this time. */
                    since?: string;
                    /** @description Where the page starts: `next` of the page before. */
                    cursor?: string;
                    /** @description How many rows, 1 to 1,000. */
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
                /** @description What went wrong */
                default: {
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
         * Checks that no sealed line of the org's log was altered or removed.
         * @description Access: org: audit.read.
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
                /** @description What went wrong */
                default: {
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
         * The bulk actions of the org, newest first.
         * @description Access: org: job.read.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Where the page starts: `next` of the page before. */
                    cursor?: string;
                    /** @description How many rows, 1 to 1,000. */
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
                /** @description What went wrong */
                default: {
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
         * Asks for a bulk action on the jobs that fit a filter: cancel, retry or move. It is worked off in the background; with
         *     `dry_run` it is only said how many fit.
         * @description Access: org: job.run.
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
                /** @description Only looked at */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Batch"];
                    };
                };
                /** @description Under way */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Batch"];
                    };
                };
                /** @description What went wrong */
                default: {
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
         * A bulk action, and how far it has come.
         * @description Access: org: job.read.
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
                /** @description What went wrong */
                default: {
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
         * Stops a bulk action: what was done stays done.
         * @description Access: org: job.run.
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
                /** @description What went wrong */
                default: {
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
         * Where alerts are told.
         * @description Access: org: alert.read.
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
                /** @description What went wrong */
                default: {
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
         * Makes a channel.
         * @description Access: org: alert.manage.
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
                /** @description What went wrong */
                default: {
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
         * A channel, by id or name.
         * @description Access: org: alert.read.
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
                /** @description What went wrong */
                default: {
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
         * Removes a channel.
         * @description Access: org: alert.manage.
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
                /** @description What went wrong */
                default: {
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
         * Changes fields of a channel: what is named is replaced as a whole, and null takes it away.
         * @description Access: org: alert.manage.
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
                /** @description What went wrong */
                default: {
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
         * Tells a channel something now, to see whether it arrives.
         * @description Access: org: alert.manage.
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
                /** @description What went wrong */
                default: {
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
         * Events of the org. With an upgrade a WebSocket of `LiveEvent` frames, with `Accept: text/event-stream` the same as
         *     server-sent events, else a list. `cursor` replays what came after it; `resync` says that some were missed.
         * @description Access: org: event.read.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Everything after this: the `cursor` of an event. */
                    cursor?: number;
                    /** @description Only events whose name begins with one of these, separated by commas, as in `job.,job_run.`. */
                    types?: string;
                    /** @description How many rows of a list, 1 to 1,000. */
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
                /** @description What went wrong */
                default: {
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
         * Tells an event. It, the triggers it sets off and their jobs are written together.
         * @description Access: org: trigger.fire.
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
                /** @description What went wrong */
                default: {
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
    "/api/v1/home": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Makes this hub the home of the org's hosts.
         * @description Hosts that get their work from another hub move here as soon as they hear of it, at the latest when they next link. What
         *     waits at the former home stays there.
         *
         *     Access: org: installation.
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
                /** @description What went wrong */
                default: {
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
         * Addresses at which other systems tell events.
         * @description Access: org: alert.read.
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
                /** @description What went wrong */
                default: {
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
         * Makes such an address; its secret is shown once.
         * @description Access: org: alert.manage.
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
                /** @description What went wrong */
                default: {
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
         * Removes one.
         * @description Access: org: alert.manage.
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
                /** @description What went wrong */
                default: {
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
         * The hosts of the org, by name.
         * @description Access: org: host.read.
         */
        get: {
            parameters: {
                query?: {
                    /** @description States, separated by commas. */
                    status?: string;
                    /** @description A selector over labels, as in `env=prod,zone in (a,b),!gpu`. */
                    labels?: string;
                    /** @description A part of the name, with `*` for any letters. */
                    name?: string;
                    /** @description Where the page starts: `next` of the page before. */
                    cursor?: string;
                    /** @description How many rows, 1 to 1,000. */
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
                /** @description What went wrong */
                default: {
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
         * A host, by id or name.
         * @description Access: org: host.read.
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
                /** @description What went wrong */
                default: {
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
         * Removes a host. One that jobs wait for, or that runs some, stays, unless they are to be canceled with it.
         * @description Access: org: host.manage.
         */
        delete: {
            parameters: {
                query?: {
                    /** @description Cancel the jobs that wait for it or run on it; without this such a host stays. */
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
                /** @description What went wrong */
                default: {
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
         * Changes a host. Operators may switch `always_on`; the rest is for admins.
         * @description Access: org: host.operate.
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
                /** @description What went wrong */
                default: {
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
    "/api/v1/hosts/{host}/clear": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Takes the mark "degraded" back.
         * @description Access: org: host.operate.
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
                /** @description What went wrong */
                default: {
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
    "/api/v1/hosts/{host}/degrade": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Marks a host degraded by hand.
         * @description Access: org: host.operate.
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
                /** @description What went wrong */
                default: {
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
         * How busy a host was.
         * @description Access: org: host.read.
         */
        get: {
            parameters: {
                query?: {
                    /** @description From when; an hour before `before` if absent. Numbers are kept for eight days. */
                    after?: string;
                    /** @description Until when; now if absent. */
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
                /** @description What went wrong */
                default: {
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
         * Pauses a host: it takes no new work.
         * @description Access: org: host.operate.
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
                /** @description What went wrong */
                default: {
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
         * Ends a pause.
         * @description Access: org: host.operate.
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
                /** @description What went wrong */
                default: {
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
         * Revokes a host's keys: its socket closes and none of its keys is accepted again.
         * @description Access: org: host.manage.
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
                /** @description What went wrong */
                default: {
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
         * Asks a host for a new key at its next hello.
         * @description Access: org: host.manage.
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
                /** @description What went wrong */
                default: {
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
         * The schedules of a host: their last days there, when they are called stale, and what is made up for.
         * @description Access: org: trigger.read.
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
                /** @description What went wrong */
                default: {
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
         * Puts a host into the pool of another org: it takes that org's jobs too, in fair turns.
         * @description Access: org: installation.
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
                /** @description What went wrong */
                default: {
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
         * What happened on a host: gaps, runs, times of schedules and what became of them, alerts.
         * @description Access: org: host.read.
         */
        get: {
            parameters: {
                query?: {
                    /** @description From then; a day ago if absent. */
                    from?: string;
                    /** @description Until then; now if absent. */
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
                /** @description What went wrong */
                default: {
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
         * Takes a host out of the pool of another org. What runs there goes on to its end.
         * @description Access: org: installation.
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
                /** @description What went wrong */
                default: {
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
         * Who this hub is: version, key, clock.
         * @description Access: public.
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
                /** @description What went wrong */
                default: {
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
         * The open invitations of the org.
         * @description Access: org: member.manage.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Where the page starts: `next` of the page before. */
                    cursor?: string;
                    /** @description How many rows, 1 to 1,000. */
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
                /** @description What went wrong */
                default: {
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
         * Invites a person; the link is shown once.
         * @description Access: org: member.manage.
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
                /** @description What went wrong */
                default: {
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
         * Takes an invitation back.
         * @description Access: org: member.manage.
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
                /** @description What went wrong */
                default: {
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
         * The jobs of the org that fit, newest first.
         * @description Access: org: job.read.
         */
        get: {
            parameters: {
                query?: {
                    /** @description A filter, as in `status:failed host:web-* after:-24h`. */
                    filter?: string;
                    /** @description States, separated by commas. */
                    status?: string;
                    /** @description What made them. */
                    source?: string;
                    /** @description Made after this time. */
                    created_after?: string;
                    /** @description Made before this time. */
                    created_before?: string;
                    /** @description Where the page starts: `next` of the page before. */
                    cursor?: string;
                    /** @description How many rows to pass over, at most 10,000; cursors are better. */
                    offset?: number;
                    /** @description How many rows, 1 to 1,000. */
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
                /** @description What went wrong */
                default: {
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
         * Makes a job. An array makes many, and so does NDJSON; then there is one result for each row. `Idempotency-Key`
         *     makes a repetition harmless.
         * @description Access: org: job.run.
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
                /** @description Many, or one that was there already */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["BulkMade"];
                    };
                };
                /** @description Made */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["JobMade"];
                    };
                };
                /** @description What went wrong */
                default: {
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
         * The definitions that the org may use.
         * @description Access: org: definition.read.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Where the page starts: `next` of the page before. */
                    cursor?: string;
                    /** @description How many rows, 1 to 1,000. */
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
                /** @description What went wrong */
                default: {
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
         * One definition that the org may use, by key.
         * @description Access: org: definition.read.
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
                /** @description What went wrong */
                default: {
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
         * What the org's jobs did, as its hubs saw it.
         * @description Access: org: job.read.
         */
        get: {
            parameters: {
                query?: {
                    /** @description From when; an hour before `before` if absent. Numbers are kept for eight days. */
                    after?: string;
                    /** @description Until when; now if absent. */
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
                /** @description What went wrong */
                default: {
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
         * Counts by status, the age of the oldest that waits, and how many run.
         * @description Access: org: job.read.
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
                /** @description What went wrong */
                default: {
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
         * The triggers of the org.
         * @description Access: org: trigger.read.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Where the page starts: `next` of the page before. */
                    cursor?: string;
                    /** @description How many rows, 1 to 1,000. */
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
                /** @description What went wrong */
                default: {
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
         * Makes a trigger: a schedule or an event rule.
         * @description Access: org: trigger.manage.
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
                /** @description What went wrong */
                default: {
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
         * Takes a crontab over: a definition and a trigger of each line that is understood.
         * @description Access: org: trigger.manage.
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
                /** @description What went wrong */
                default: {
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
         * The next times of a schedule that need not exist, by the scheduler's own code.
         * @description Access: org: trigger.read.
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
                /** @description What went wrong */
                default: {
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
         * A trigger, by id or label.
         * @description Access: org: trigger.read.
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
                /** @description What went wrong */
                default: {
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
         * Removes a trigger. What it did stays known.
         * @description Access: org: trigger.manage.
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
                /** @description What went wrong */
                default: {
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
         * Changes fields of a trigger: what is named is replaced as a whole, and null takes it away.
         * @description Access: org: trigger.manage.
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
                /** @description What went wrong */
                default: {
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
         * Makes jobs for past times of a schedule that have none.
         * @description Access: org: trigger.fire.
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
                /** @description What went wrong */
                default: {
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
         * Makes the jobs of a trigger now.
         * @description Access: org: trigger.fire.
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
                    "application/json": components["schemas"]["OccasionRequest"];
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
                /** @description What went wrong */
                default: {
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
         * What became of a trigger's times, newest first.
         * @description Access: org: trigger.read.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Where the page starts: `next` of the page before. */
                    cursor?: string;
                    /** @description How many rows, 1 to 1,000. */
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
                /** @description What went wrong */
                default: {
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
         * The next times of a trigger.
         * @description Access: org: trigger.read.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Times after this; now if absent. */
                    after?: string;
                    /** @description How many, 1 to 100; 10 if absent. */
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
                /** @description What went wrong */
                default: {
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
         * What a trigger would do now, or with this event. Nothing is made.
         * @description Access: org: trigger.read.
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
                    "application/json": components["schemas"]["OccasionRequest"];
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
                /** @description What went wrong */
                default: {
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
         * A job, by id or the beginning of one.
         * @description Access: org: job.read.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Id, or the beginning of one */
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
                /** @description What went wrong */
                default: {
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
         * The runs of a job, in order.
         * @description Access: org: job.read.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Id, or the beginning of one */
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
                /** @description What went wrong */
                default: {
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
         * Cancels a job: what waits never begins, what runs is ended.
         * @description Access: org: job.cancel.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Id, or the beginning of one */
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
                /** @description What went wrong */
                default: {
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
         * Lines of a run's output.
         * @description Access: org: job.read.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Which run, by its number; the last one if absent. */
                    attempt?: number;
                    /** @description Lines after this one. */
                    after?: number;
                    /** @description The last so many lines. */
                    tail?: number;
                    /** @description How many lines, 1 to 10,000. */
                    limit?: number;
                    /** @description Wait for the first of them, at most this many seconds (30 at most). */
                    wait?: number;
                };
                header?: never;
                path: {
                    /** @description Id, or the beginning of one */
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
                /** @description What went wrong */
                default: {
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
         * Sends a queued job elsewhere, or changes its priority.
         * @description Access: org: job.run.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Id, or the beginning of one */
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
                /** @description What went wrong */
                default: {
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
         * Puts a finished job back, with its history.
         * @description Access: org: job.retry.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Id, or the beginning of one */
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
                /** @description What went wrong */
                default: {
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
         * Why a job waits, or how it ended.
         * @description Access: org: job.read.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Id, or the beginning of one */
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
                /** @description What went wrong */
                default: {
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
         * Makes a host of a machine that holds a join token.
         * @description Access: public.
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
                /** @description What went wrong */
                default: {
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
         * The join tokens of the org.
         * @description Access: org: host.invite.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Where the page starts: `next` of the page before. */
                    cursor?: string;
                    /** @description How many rows, 1 to 1,000. */
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
                /** @description What went wrong */
                default: {
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
         * Makes a join token; its secret is shown once.
         * @description Access: org: host.invite.
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
                /** @description What went wrong */
                default: {
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
         * Revokes a join token; hosts that joined with it stay.
         * @description Access: org: host.invite.
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
                /** @description What went wrong */
                default: {
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
         * The limits that jobs share by a key.
         * @description Access: org: job.read.
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
                /** @description What went wrong */
                default: {
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
         * Sets the limit of a key; without numbers it is removed.
         * @description Access: org: limit.manage.
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
                /** @description What went wrong */
                default: {
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
         * The runner link: a WebSocket on which the runner proves its key.
         * @description Access: link.
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
                /** @description What went wrong */
                default: {
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
         * Maintenance windows and mutes.
         * @description Access: org: alert.read.
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
                        "application/json": components["schemas"]["QuietWindows"];
                    };
                };
                /** @description What went wrong */
                default: {
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
         * Makes a maintenance window or a mute: alerts within are noted, and told only if they outlast it.
         * @description Access: org: alert.operate.
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
                    "application/json": components["schemas"]["QuietRequest"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["QuietWindow"];
                    };
                };
                /** @description What went wrong */
                default: {
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
         * Removes a window.
         * @description Access: org: alert.operate.
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
                /** @description What went wrong */
                default: {
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
         * Who the caller is.
         * @description Access: signed in.
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
                /** @description What went wrong */
                default: {
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
         * Sets one's password; one's other sessions end.
         * @description Access: a person in a browser.
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
                /** @description What went wrong */
                default: {
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
         * The members of the org, by address.
         * @description Access: org: member.read.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Where the page starts: `next` of the page before. */
                    cursor?: string;
                    /** @description How many rows, 1 to 1,000. */
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
                /** @description What went wrong */
                default: {
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
         * Takes a person out of the org; their live sockets close.
         * @description Access: org: member.manage.
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
                /** @description What went wrong */
                default: {
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
         * Changes a member's role; their live sockets close.
         * @description Access: org: member.manage.
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
                /** @description What went wrong */
                default: {
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
         * What was told, or is to be, newest first.
         * @description Access: org: alert.read.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Where the page starts: `next` of the page before. */
                    cursor?: string;
                    /** @description How many rows, 1 to 1,000. */
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
                /** @description What went wrong */
                default: {
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
         * The org.
         * @description Access: org: org.read.
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
                /** @description What went wrong */
                default: {
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
         * Changes the org's settings.
         * @description Access: org: org.manage.
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
                /** @description What went wrong */
                default: {
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
         * The org.
         * @description Access: org: org.read.
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
                /** @description What went wrong */
                default: {
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
         * Changes the org's settings.
         * @description Access: org: org.manage.
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
                /** @description What went wrong */
                default: {
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
         * What makes an alert, one rule for each kind.
         * @description Access: org: alert.read.
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
                /** @description What went wrong */
                default: {
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
         * Changes a rule: what is absent becomes as it comes.
         * @description Access: org: alert.manage.
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
                /** @description What went wrong */
                default: {
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
         * The alerts of the org, newest first.
         * @description Access: org: alert.read.
         */
        get: {
            parameters: {
                query?: {
                    /** @description `open` (with those that are acked; the default) or `all`. */
                    status?: string;
                    /** @description Where the page starts. */
                    cursor?: string;
                    /** @description How many rows, 1 to 1,000. */
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
                /** @description What went wrong */
                default: {
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
         * One alert.
         * @description Access: org: alert.read.
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
                /** @description What went wrong */
                default: {
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
         * Somebody knows of it.
         * @description Access: org: alert.operate.
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
                /** @description What went wrong */
                default: {
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
         * A person says that it is over.
         * @description Access: org: alert.operate.
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
                /** @description What went wrong */
                default: {
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
         * Nobody is told of it for a while.
         * @description Access: org: alert.operate.
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
                /** @description What went wrong */
                default: {
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
         * The audit log of the org, newest first.
         * @description Access: org: audit.read.
         */
        get: {
            parameters: {
                query?: {
                    /** @description The name of an actor. */
                    actor?: string;
                    /** @description An action, or its beginning with a `*`, as in `host.*`. */
                    action?: string;
                    /** @description Not before this time. */
                    since?: string;
                    /** @description Where the page starts: `next` of the page before. */
                    cursor?: string;
                    /** @description How many rows, 1 to 1,000. */
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
                /** @description What went wrong */
                default: {
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
         * Checks that no sealed line of the org's log was altered or removed.
         * @description Access: org: audit.read.
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
                /** @description What went wrong */
                default: {
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
         * The bulk actions of the org, newest first.
         * @description Access: org: job.read.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Where the page starts: `next` of the page before. */
                    cursor?: string;
                    /** @description How many rows, 1 to 1,000. */
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
                /** @description What went wrong */
                default: {
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
         * Asks for a bulk action on the jobs that fit a filter: cancel, retry or move. It is worked off in the background; with
         *     `dry_run` it is only said how many fit.
         * @description Access: org: job.run.
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
                /** @description Only looked at */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Batch"];
                    };
                };
                /** @description Under way */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["Batch"];
                    };
                };
                /** @description What went wrong */
                default: {
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
         * A bulk action, and how far it has come.
         * @description Access: org: job.read.
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
                /** @description What went wrong */
                default: {
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
         * Stops a bulk action: what was done stays done.
         * @description Access: org: job.run.
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
                /** @description What went wrong */
                default: {
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
         * Where alerts are told.
         * @description Access: org: alert.read.
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
                /** @description What went wrong */
                default: {
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
         * Makes a channel.
         * @description Access: org: alert.manage.
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
                /** @description What went wrong */
                default: {
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
         * A channel, by id or name.
         * @description Access: org: alert.read.
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
                /** @description What went wrong */
                default: {
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
         * Removes a channel.
         * @description Access: org: alert.manage.
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
                /** @description What went wrong */
                default: {
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
         * Changes fields of a channel: what is named is replaced as a whole, and null takes it away.
         * @description Access: org: alert.manage.
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
                /** @description What went wrong */
                default: {
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
         * Tells a channel something now, to see whether it arrives.
         * @description Access: org: alert.manage.
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
                /** @description What went wrong */
                default: {
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
         * Events of the org. With an upgrade a WebSocket of `LiveEvent` frames, with `Accept: text/event-stream` the same as
         *     server-sent events, else a list. `cursor` replays what came after it; `resync` says that some were missed.
         * @description Access: org: event.read.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Everything after this: the `cursor` of an event. */
                    cursor?: number;
                    /** @description Only events whose name begins with one of these, separated by commas, as in `job.,job_run.`. */
                    types?: string;
                    /** @description How many rows of a list, 1 to 1,000. */
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
                /** @description What went wrong */
                default: {
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
         * Tells an event. It, the triggers it sets off and their jobs are written together.
         * @description Access: org: trigger.fire.
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
                /** @description What went wrong */
                default: {
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
    "/api/v1/orgs/{org}/home": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Makes this hub the home of the org's hosts.
         * @description Hosts that get their work from another hub move here as soon as they hear of it, at the latest when they next link. What
         *     waits at the former home stays there.
         *
         *     Access: org: installation.
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
                /** @description What went wrong */
                default: {
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
         * Addresses at which other systems tell events.
         * @description Access: org: alert.read.
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
                /** @description What went wrong */
                default: {
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
         * Makes such an address; its secret is shown once.
         * @description Access: org: alert.manage.
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
                /** @description What went wrong */
                default: {
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
         * Removes one.
         * @description Access: org: alert.manage.
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
                /** @description What went wrong */
                default: {
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
         * The hosts of the org, by name.
         * @description Access: org: host.read.
         */
        get: {
            parameters: {
                query?: {
                    /** @description States, separated by commas. */
                    status?: string;
                    /** @description A selector over labels, as in `env=prod,zone in (a,b),!gpu`. */
                    labels?: string;
                    /** @description A part of the name, with `*` for any letters. */
                    name?: string;
                    /** @description Where the page starts: `next` of the page before. */
                    cursor?: string;
                    /** @description How many rows, 1 to 1,000. */
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
                /** @description What went wrong */
                default: {
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
         * A host, by id or name.
         * @description Access: org: host.read.
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
                /** @description What went wrong */
                default: {
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
         * Removes a host. One that jobs wait for, or that runs some, stays, unless they are to be canceled with it.
         * @description Access: org: host.manage.
         */
        delete: {
            parameters: {
                query?: {
                    /** @description Cancel the jobs that wait for it or run on it; without this such a host stays. */
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
                /** @description What went wrong */
                default: {
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
         * Changes a host. Operators may switch `always_on`; the rest is for admins.
         * @description Access: org: host.operate.
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
                /** @description What went wrong */
                default: {
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
    "/api/v1/orgs/{org}/hosts/{host}/clear": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Takes the mark "degraded" back.
         * @description Access: org: host.operate.
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
                /** @description What went wrong */
                default: {
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
    "/api/v1/orgs/{org}/hosts/{host}/degrade": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Marks a host degraded by hand.
         * @description Access: org: host.operate.
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
                /** @description What went wrong */
                default: {
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
         * How busy a host was.
         * @description Access: org: host.read.
         */
        get: {
            parameters: {
                query?: {
                    /** @description From when; an hour before `before` if absent. Numbers are kept for eight days. */
                    after?: string;
                    /** @description Until when; now if absent. */
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
                /** @description What went wrong */
                default: {
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
         * Pauses a host: it takes no new work.
         * @description Access: org: host.operate.
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
                /** @description What went wrong */
                default: {
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
         * Ends a pause.
         * @description Access: org: host.operate.
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
                /** @description What went wrong */
                default: {
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
         * Revokes a host's keys: its socket closes and none of its keys is accepted again.
         * @description Access: org: host.manage.
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
                /** @description What went wrong */
                default: {
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
         * Asks a host for a new key at its next hello.
         * @description Access: org: host.manage.
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
                /** @description What went wrong */
                default: {
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
         * The schedules of a host: their last days there, when they are called stale, and what is made up for.
         * @description Access: org: trigger.read.
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
                /** @description What went wrong */
                default: {
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
         * Puts a host into the pool of another org: it takes that org's jobs too, in fair turns.
         * @description Access: org: installation.
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
                /** @description What went wrong */
                default: {
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
         * What happened on a host: gaps, runs, times of schedules and what became of them, alerts.
         * @description Access: org: host.read.
         */
        get: {
            parameters: {
                query?: {
                    /** @description From then; a day ago if absent. */
                    from?: string;
                    /** @description Until then; now if absent. */
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
                /** @description What went wrong */
                default: {
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
         * Takes a host out of the pool of another org. What runs there goes on to its end.
         * @description Access: org: installation.
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
                /** @description What went wrong */
                default: {
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
         * The open invitations of the org.
         * @description Access: org: member.manage.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Where the page starts: `next` of the page before. */
                    cursor?: string;
                    /** @description How many rows, 1 to 1,000. */
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
                /** @description What went wrong */
                default: {
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
         * Invites a person; the link is shown once.
         * @description Access: org: member.manage.
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
                /** @description What went wrong */
                default: {
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
         * Takes an invitation back.
         * @description Access: org: member.manage.
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
                /** @description What went wrong */
                default: {
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
         * The jobs of the org that fit, newest first.
         * @description Access: org: job.read.
         */
        get: {
            parameters: {
                query?: {
                    /** @description A filter, as in `status:failed host:web-* after:-24h`. */
                    filter?: string;
                    /** @description States, separated by commas. */
                    status?: string;
                    /** @description What made them. */
                    source?: string;
                    /** @description Made after this time. */
                    created_after?: string;
                    /** @description Made before this time. */
                    created_before?: string;
                    /** @description Where the page starts: `next` of the page before. */
                    cursor?: string;
                    /** @description How many rows to pass over, at most 10,000; cursors are better. */
                    offset?: number;
                    /** @description How many rows, 1 to 1,000. */
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
                /** @description What went wrong */
                default: {
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
         * Makes a job. An array makes many, and so does NDJSON; then there is one result for each row. `Idempotency-Key`
         *     makes a repetition harmless.
         * @description Access: org: job.run.
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
                /** @description Many, or one that was there already */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["BulkMade"];
                    };
                };
                /** @description Made */
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["JobMade"];
                    };
                };
                /** @description What went wrong */
                default: {
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
         * The definitions that the org may use.
         * @description Access: org: definition.read.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Where the page starts: `next` of the page before. */
                    cursor?: string;
                    /** @description How many rows, 1 to 1,000. */
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
                /** @description What went wrong */
                default: {
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
         * One definition that the org may use, by key.
         * @description Access: org: definition.read.
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
                /** @description What went wrong */
                default: {
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
         * What the org's jobs did, as its hubs saw it.
         * @description Access: org: job.read.
         */
        get: {
            parameters: {
                query?: {
                    /** @description From when; an hour before `before` if absent. Numbers are kept for eight days. */
                    after?: string;
                    /** @description Until when; now if absent. */
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
                /** @description What went wrong */
                default: {
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
         * Counts by status, the age of the oldest that waits, and how many run.
         * @description Access: org: job.read.
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
                /** @description What went wrong */
                default: {
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
         * The triggers of the org.
         * @description Access: org: trigger.read.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Where the page starts: `next` of the page before. */
                    cursor?: string;
                    /** @description How many rows, 1 to 1,000. */
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
                /** @description What went wrong */
                default: {
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
         * Makes a trigger: a schedule or an event rule.
         * @description Access: org: trigger.manage.
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
                /** @description What went wrong */
                default: {
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
         * Takes a crontab over: a definition and a trigger of each line that is understood.
         * @description Access: org: trigger.manage.
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
                /** @description What went wrong */
                default: {
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
         * The next times of a schedule that need not exist, by the scheduler's own code.
         * @description Access: org: trigger.read.
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
                /** @description What went wrong */
                default: {
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
         * A trigger, by id or label.
         * @description Access: org: trigger.read.
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
                /** @description What went wrong */
                default: {
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
         * Removes a trigger. What it did stays known.
         * @description Access: org: trigger.manage.
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
                /** @description What went wrong */
                default: {
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
         * Changes fields of a trigger: what is named is replaced as a whole, and null takes it away.
         * @description Access: org: trigger.manage.
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
                /** @description What went wrong */
                default: {
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
         * Makes jobs for past times of a schedule that have none.
         * @description Access: org: trigger.fire.
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
                /** @description What went wrong */
                default: {
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
         * Makes the jobs of a trigger now.
         * @description Access: org: trigger.fire.
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
                    "application/json": components["schemas"]["OccasionRequest"];
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
                /** @description What went wrong */
                default: {
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
         * What became of a trigger's times, newest first.
         * @description Access: org: trigger.read.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Where the page starts: `next` of the page before. */
                    cursor?: string;
                    /** @description How many rows, 1 to 1,000. */
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
                /** @description What went wrong */
                default: {
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
         * The next times of a trigger.
         * @description Access: org: trigger.read.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Times after this; now if absent. */
                    after?: string;
                    /** @description How many, 1 to 100; 10 if absent. */
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
                /** @description What went wrong */
                default: {
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
         * What a trigger would do now, or with this event. Nothing is made.
         * @description Access: org: trigger.read.
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
                    "application/json": components["schemas"]["OccasionRequest"];
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
                /** @description What went wrong */
                default: {
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
         * A job, by id or the beginning of one.
         * @description Access: org: job.read.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                    /** @description Id, or the beginning of one */
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
                /** @description What went wrong */
                default: {
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
         * The runs of a job, in order.
         * @description Access: org: job.read.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                    /** @description Id, or the beginning of one */
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
                /** @description What went wrong */
                default: {
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
         * Cancels a job: what waits never begins, what runs is ended.
         * @description Access: org: job.cancel.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                    /** @description Id, or the beginning of one */
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
                /** @description What went wrong */
                default: {
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
         * Lines of a run's output.
         * @description Access: org: job.read.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Which run, by its number; the last one if absent. */
                    attempt?: number;
                    /** @description Lines after this one. */
                    after?: number;
                    /** @description The last so many lines. */
                    tail?: number;
                    /** @description How many lines, 1 to 10,000. */
                    limit?: number;
                    /** @description Wait for the first of them, at most this many seconds (30 at most). */
                    wait?: number;
                };
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                    /** @description Id, or the beginning of one */
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
                /** @description What went wrong */
                default: {
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
         * Sends a queued job elsewhere, or changes its priority.
         * @description Access: org: job.run.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                    /** @description Id, or the beginning of one */
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
                /** @description What went wrong */
                default: {
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
         * Puts a finished job back, with its history.
         * @description Access: org: job.retry.
         */
        post: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                    /** @description Id, or the beginning of one */
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
                /** @description What went wrong */
                default: {
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
         * Why a job waits, or how it ended.
         * @description Access: org: job.read.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                    /** @description Id, or the beginning of one */
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
                /** @description What went wrong */
                default: {
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
         * The join tokens of the org.
         * @description Access: org: host.invite.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Where the page starts: `next` of the page before. */
                    cursor?: string;
                    /** @description How many rows, 1 to 1,000. */
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
                /** @description What went wrong */
                default: {
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
         * Makes a join token; its secret is shown once.
         * @description Access: org: host.invite.
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
                /** @description What went wrong */
                default: {
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
         * Revokes a join token; hosts that joined with it stay.
         * @description Access: org: host.invite.
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
                /** @description What went wrong */
                default: {
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
         * The limits that jobs share by a key.
         * @description Access: org: job.read.
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
                /** @description What went wrong */
                default: {
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
         * Sets the limit of a key; without numbers it is removed.
         * @description Access: org: limit.manage.
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
                /** @description What went wrong */
                default: {
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
         * Maintenance windows and mutes.
         * @description Access: org: alert.read.
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
                        "application/json": components["schemas"]["QuietWindows"];
                    };
                };
                /** @description What went wrong */
                default: {
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
         * Makes a maintenance window or a mute: alerts within are noted, and told only if they outlast it.
         * @description Access: org: alert.operate.
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
                    "application/json": components["schemas"]["QuietRequest"];
                };
            };
            responses: {
                201: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/json": components["schemas"]["QuietWindow"];
                    };
                };
                /** @description What went wrong */
                default: {
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
         * Removes a window.
         * @description Access: org: alert.operate.
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
                /** @description What went wrong */
                default: {
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
         * The members of the org, by address.
         * @description Access: org: member.read.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Where the page starts: `next` of the page before. */
                    cursor?: string;
                    /** @description How many rows, 1 to 1,000. */
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
                /** @description What went wrong */
                default: {
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
         * Takes a person out of the org; their live sockets close.
         * @description Access: org: member.manage.
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
                /** @description What went wrong */
                default: {
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
         * Changes a member's role; their live sockets close.
         * @description Access: org: member.manage.
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
                /** @description What went wrong */
                default: {
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
         * What was told, or is to be, newest first.
         * @description Access: org: alert.read.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Where the page starts: `next` of the page before. */
                    cursor?: string;
                    /** @description How many rows, 1 to 1,000. */
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
                /** @description What went wrong */
                default: {
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
         * The pauses in force.
         * @description Access: org: job.read.
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
                /** @description What went wrong */
                default: {
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
         * Pauses the org, a definition, a queue or a key, or ends a pause.
         * @description Access: org: queue.pause.
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
                /** @description What went wrong */
                default: {
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
         * Programs elsewhere that are watched.
         * @description Access: org: alert.read.
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
                /** @description What went wrong */
                default: {
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
         * Watches a program elsewhere.
         * @description Access: org: alert.manage.
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
                /** @description What went wrong */
                default: {
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
         * Watches it no longer.
         * @description Access: org: alert.manage.
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
                /** @description What went wrong */
                default: {
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
         * What it said, newest first.
         * @description Access: org: alert.read.
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
                /** @description What went wrong */
                default: {
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
    "/api/v1/orgs/{org}/secrets": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The names of the org's secrets.
         * @description Access: org: secret.read.
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
                /** @description What went wrong */
                default: {
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
         * Sets a secret; nothing gives its value out again but a run whose definition names it.
         * @description Access: org: secret.manage.
         */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                    /** @description Its name */
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
                /** @description What went wrong */
                default: {
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
         * Removes a secret; jobs that need it wait until it is set again.
         * @description Access: org: secret.manage.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                    /** @description Its name */
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
                /** @description What went wrong */
                default: {
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
         * The servers of the org.
         * @description Access: org: server.read.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Where the page starts: `next` of the page before. */
                    cursor?: string;
                    /** @description How many rows, 1 to 1,000. */
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
                /** @description What went wrong */
                default: {
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
         * Makes a server. It is not started.
         * @description Access: org: server.manage.
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
                /** @description What went wrong */
                default: {
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
         * A server, by id or name.
         * @description Access: org: server.read.
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
                /** @description What went wrong */
                default: {
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
         * Removes a server.
         * @description Access: org: server.manage.
         */
        delete: {
            parameters: {
                query?: {
                    /** @description Jobs that wait for it are canceled, and it is stopped if it runs. Without it such a server stays. */
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
                /** @description What went wrong */
                default: {
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
         * Changes fields of a server: what is named is replaced as a whole, and null takes it away. With another `host` it is
         *     stopped where it is and, if it ran, started there.
         * @description Access: org: server.manage.
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
                /** @description What went wrong */
                default: {
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
         * Lines of a server's output, from any place on, forwards or backwards; waits for more if asked.
         * @description Access: org: server.read.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Of this run; the newest if absent. With `after` of a run that is over, lines of the next one follow. */
                    run?: number;
                    /** @description Only lines after this one. */
                    after?: number;
                    /** @description Only lines before this one: what was there earlier. */
                    before?: number;
                    /** @description Without `after`: the last so many. */
                    tail?: number;
                    /** @description How many at most. */
                    limit?: number;
                    /** @description Seconds to wait for the first of them, at most 30. */
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
                /** @description What went wrong */
                default: {
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
         * Writes a line to a server's input. Its host must be there.
         * @description Access: org: server.operate.
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
                /** @description What went wrong */
                default: {
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
         * Kills a server at once, past all jobs. It stays down. Its host must be there.
         * @description Access: org: server.operate.
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
                /** @description What went wrong */
                default: {
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
         * What a server used.
         * @description Access: org: server.read.
         */
        get: {
            parameters: {
                query?: {
                    /** @description From when; an hour before `before` if absent. Numbers are kept for eight days. */
                    after?: string;
                    /** @description Until when; now if absent. */
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
                /** @description What went wrong */
                default: {
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
         * Restarts a server: makes the job that succeeds when it has ended and is ready again.
         * @description Access: org: server.operate.
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
                /** @description What went wrong */
                default: {
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
         * The runs of a server, newest first.
         * @description Access: org: server.read.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Where the page starts: `next` of the page before. */
                    cursor?: string;
                    /** @description How many rows, 1 to 1,000. */
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
                /** @description What went wrong */
                default: {
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
         * Starts a server: makes the job that succeeds when it is ready.
         * @description Access: org: server.operate.
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
                /** @description What went wrong */
                default: {
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
         * Stops a server: makes the job that succeeds when nothing of it runs.
         * @description Access: org: server.operate.
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
                /** @description What went wrong */
                default: {
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
         * One glance at the org.
         * @description Access: org: org.read.
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
                /** @description What went wrong */
                default: {
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
         * How far the sync is: by host and lane, and what was put aside.
         * @description Access: org: host.read.
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
                /** @description What went wrong */
                default: {
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
         * The rows of a host, or this machine's own, summed up by table: equal sums are equal rows.
         * @description Access: org: host.read.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The org's slug or id */
                    org: string;
                    /** @description The host; this machine's own rows if absent. */
                    host: string | null;
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
                /** @description What went wrong */
                default: {
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
         * One's tokens in the org; for admins, all of the org.
         * @description Access: org: token.own.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Where the page starts: `next` of the page before. */
                    cursor?: string;
                    /** @description How many rows, 1 to 1,000. */
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
                /** @description What went wrong */
                default: {
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
         * Makes a token; its secret is shown once.
         * @description Access: org: token.own.
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
                /** @description What went wrong */
                default: {
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
         * Revokes a token; its live sockets close.
         * @description Access: org: token.own.
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
                /** @description What went wrong */
                default: {
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
         * One's saved views, and those for everybody of the org.
         * @description Access: org: org.read.
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
                        "application/json": components["schemas"]["Views"];
                    };
                };
                /** @description What went wrong */
                default: {
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
         * Keeps a view.
         * @description Access: org: view.own.
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
                /** @description What went wrong */
                default: {
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
         * Removes a view.
         * @description Access: org: view.own.
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
                /** @description What went wrong */
                default: {
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
         * Changes a view.
         * @description Access: org: view.own.
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
                /** @description What went wrong */
                default: {
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
         * Claims jobs; waits for the first one if asked to.
         * @description Access: org: worker.claim.
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
                /** @description What went wrong */
                default: {
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
         * A run ended well.
         * @description Access: org: worker.claim.
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
                /** @description What went wrong */
                default: {
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
         * A run ended badly.
         * @description Access: org: worker.claim.
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
                /** @description What went wrong */
                default: {
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
         * Says that a run goes on; the answer says whether to stop.
         * @description Access: org: worker.claim.
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
                /** @description What went wrong */
                default: {
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
         * The pauses in force.
         * @description Access: org: job.read.
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
                /** @description What went wrong */
                default: {
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
         * Pauses the org, a definition, a queue or a key, or ends a pause.
         * @description Access: org: queue.pause.
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
                /** @description What went wrong */
                default: {
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
         * Programs elsewhere that are watched.
         * @description Access: org: alert.read.
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
                /** @description What went wrong */
                default: {
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
         * Watches a program elsewhere.
         * @description Access: org: alert.manage.
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
                /** @description What went wrong */
                default: {
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
         * Watches it no longer.
         * @description Access: org: alert.manage.
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
                /** @description What went wrong */
                default: {
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
         * What it said, newest first.
         * @description Access: org: alert.read.
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
                /** @description What went wrong */
                default: {
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
         * The runner leaves: its host is removed.
         * @description Access: runner.
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
                /** @description What went wrong */
                default: {
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
         * The runner's own host.
         * @description Access: runner.
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
                /** @description What went wrong */
                default: {
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
         * The names of the org's secrets.
         * @description Access: org: secret.read.
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
                /** @description What went wrong */
                default: {
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
         * Sets a secret; nothing gives its value out again but a run whose definition names it.
         * @description Access: org: secret.manage.
         */
        put: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Its name */
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
                /** @description What went wrong */
                default: {
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
         * Removes a secret; jobs that need it wait until it is set again.
         * @description Access: org: secret.manage.
         */
        delete: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description Its name */
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
                /** @description What went wrong */
                default: {
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
         * The servers of the org.
         * @description Access: org: server.read.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Where the page starts: `next` of the page before. */
                    cursor?: string;
                    /** @description How many rows, 1 to 1,000. */
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
                /** @description What went wrong */
                default: {
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
         * Makes a server. It is not started.
         * @description Access: org: server.manage.
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
                /** @description What went wrong */
                default: {
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
         * A server, by id or name.
         * @description Access: org: server.read.
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
                /** @description What went wrong */
                default: {
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
         * Removes a server.
         * @description Access: org: server.manage.
         */
        delete: {
            parameters: {
                query?: {
                    /** @description Jobs that wait for it are canceled, and it is stopped if it runs. Without it such a server stays. */
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
                /** @description What went wrong */
                default: {
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
         * Changes fields of a server: what is named is replaced as a whole, and null takes it away. With another `host` it is
         *     stopped where it is and, if it ran, started there.
         * @description Access: org: server.manage.
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
                /** @description What went wrong */
                default: {
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
         * Lines of a server's output, from any place on, forwards or backwards; waits for more if asked.
         * @description Access: org: server.read.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Of this run; the newest if absent. With `after` of a run that is over, lines of the next one follow. */
                    run?: number;
                    /** @description Only lines after this one. */
                    after?: number;
                    /** @description Only lines before this one: what was there earlier. */
                    before?: number;
                    /** @description Without `after`: the last so many. */
                    tail?: number;
                    /** @description How many at most. */
                    limit?: number;
                    /** @description Seconds to wait for the first of them, at most 30. */
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
                /** @description What went wrong */
                default: {
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
         * Writes a line to a server's input. Its host must be there.
         * @description Access: org: server.operate.
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
                /** @description What went wrong */
                default: {
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
         * Kills a server at once, past all jobs. It stays down. Its host must be there.
         * @description Access: org: server.operate.
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
                /** @description What went wrong */
                default: {
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
         * What a server used.
         * @description Access: org: server.read.
         */
        get: {
            parameters: {
                query?: {
                    /** @description From when; an hour before `before` if absent. Numbers are kept for eight days. */
                    after?: string;
                    /** @description Until when; now if absent. */
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
                /** @description What went wrong */
                default: {
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
         * Restarts a server: makes the job that succeeds when it has ended and is ready again.
         * @description Access: org: server.operate.
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
                /** @description What went wrong */
                default: {
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
         * The runs of a server, newest first.
         * @description Access: org: server.read.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Where the page starts: `next` of the page before. */
                    cursor?: string;
                    /** @description How many rows, 1 to 1,000. */
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
                /** @description What went wrong */
                default: {
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
         * Starts a server: makes the job that succeeds when it is ready.
         * @description Access: org: server.operate.
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
                /** @description What went wrong */
                default: {
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
         * Stops a server: makes the job that succeeds when nothing of it runs.
         * @description Access: org: server.operate.
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
                /** @description What went wrong */
                default: {
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
         * Begins a device-code login.
         * @description Access: public.
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
                /** @description What went wrong */
                default: {
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
         * Confirms or refuses a device-code login.
         * @description Access: a person in a browser.
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
                /** @description Noted */
                204: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content?: never;
                };
                /** @description What went wrong */
                default: {
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
         * Asks whether a device-code login was confirmed; answers with a token once it was.
         * @description Access: public.
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
                /** @description What went wrong */
                default: {
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
         * Shows a person what they are about to confirm.
         * @description Access: a person in a browser.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description What the device shows */
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
                /** @description What went wrong */
                default: {
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
         * Takes up an invitation and signs in.
         * @description Access: public.
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
                /** @description What went wrong */
                default: {
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
         * Shows what an invitation is for.
         * @description Access: public.
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
                /** @description What went wrong */
                default: {
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
         * Signs in with a one-time link.
         * @description Access: public.
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
                /** @description What went wrong */
                default: {
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
         * Makes a one-time sign-in link for the owner of this hub.
         * @description Access: installation: installation.
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
                /** @description What went wrong */
                default: {
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
         * Signs in with a password.
         * @description Access: public.
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
                /** @description What went wrong */
                default: {
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
         * Ends the session.
         * @description Access: signed in.
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
                /** @description What went wrong */
                default: {
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
         * One glance at the org.
         * @description Access: org: org.read.
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
                /** @description What went wrong */
                default: {
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
         * How far the sync is: by host and lane, and what was put aside.
         * @description Access: org: host.read.
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
                /** @description What went wrong */
                default: {
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
         * The rows of a host, or this machine's own, summed up by table: equal sums are equal rows.
         * @description Access: org: host.read.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description The host; this machine's own rows if absent. */
                    host: string | null;
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
                /** @description What went wrong */
                default: {
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
         * One's tokens in the org; for admins, all of the org.
         * @description Access: org: token.own.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Where the page starts: `next` of the page before. */
                    cursor?: string;
                    /** @description How many rows, 1 to 1,000. */
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
                /** @description What went wrong */
                default: {
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
         * Makes a token; its secret is shown once.
         * @description Access: org: token.own.
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
                /** @description What went wrong */
                default: {
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
         * Revokes a token; its live sockets close.
         * @description Access: org: token.own.
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
                /** @description What went wrong */
                default: {
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
         * One's saved views, and those for everybody of the org.
         * @description Access: org: org.read.
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
                        "application/json": components["schemas"]["Views"];
                    };
                };
                /** @description What went wrong */
                default: {
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
         * Keeps a view.
         * @description Access: org: view.own.
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
                /** @description What went wrong */
                default: {
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
         * Removes a view.
         * @description Access: org: view.own.
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
                /** @description What went wrong */
                default: {
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
         * Changes a view.
         * @description Access: org: view.own.
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
                /** @description What went wrong */
                default: {
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
         * Claims jobs; waits for the first one if asked to.
         * @description Access: org: worker.claim.
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
                /** @description What went wrong */
                default: {
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
         * A run ended well.
         * @description Access: org: worker.claim.
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
                /** @description What went wrong */
                default: {
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
         * A run ended badly.
         * @description Access: org: worker.claim.
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
                /** @description What went wrong */
                default: {
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
         * Says that a run goes on; the answer says whether to stop.
         * @description Access: org: worker.claim.
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
                /** @description What went wrong */
                default: {
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
         * What an error code means and what to do.
         * @description Access: public.
         */
        get: {
            parameters: {
                query?: never;
                header?: never;
                path: {
                    /** @description As in `not_found` */
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
                /** @description What went wrong */
                default: {
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
         * Whether the process is alive.
         * @description Access: public.
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
                /** @description What went wrong */
                default: {
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
         * Another system tells an event, signed.
         * @description Access: public.
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
                /** @description What went wrong */
                default: {
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
    "/j/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * A shell script that makes the machine it runs on a host.
         * @description Access: public.
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
                /** @description What went wrong */
                default: {
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
    "/j/{token}/hostler": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * The hub's own program, which is runner and command line too.
         * @description Access: public.
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
                /** @description The program */
                200: {
                    headers: {
                        [name: string]: unknown;
                    };
                    content: {
                        "application/octet-stream": string;
                    };
                };
                /** @description What went wrong */
                default: {
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
         * Numbers for Prometheus.
         * @description Access: installation: installation.read.
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
                /** @description What went wrong */
                default: {
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
         * This document.
         * @description Access: public.
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
                /** @description What went wrong */
                default: {
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
         * A program says that it has succeeded.
         * @description Access: public.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Which run of it: keeps two runs at once apart in its history. */
                    rid?: string;
                };
                header?: never;
                path: {
                    /** @description From its address */
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
                /** @description What went wrong */
                default: {
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
         * The same with something to keep.
         * @description Access: public.
         */
        post: {
            parameters: {
                query?: {
                    /** @description Which run of it: keeps two runs at once apart in its history. */
                    rid?: string;
                };
                header?: never;
                path: {
                    /** @description From its address */
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
                /** @description What went wrong */
                default: {
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
         * A program says that it has begun or failed, its exit code, or something to keep.
         * @description Access: public.
         */
        get: {
            parameters: {
                query?: {
                    /** @description Which run of it: keeps two runs at once apart in its history. */
                    rid?: string;
                };
                header?: never;
                path: {
                    /** @description From its address */
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
                /** @description What went wrong */
                default: {
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
         * The same with something to keep.
         * @description Access: public.
         */
        post: {
            parameters: {
                query?: {
                    /** @description Which run of it: keeps two runs at once apart in its history. */
                    rid?: string;
                };
                header?: never;
                path: {
                    /** @description From its address */
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
                /** @description What went wrong */
                default: {
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
         * Whether the hub can take requests: it is not stopping, and its database answers.
         * @description Access: public.
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
                /** @description What went wrong */
                default: {
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
        /** @description Somebody knows of it. */
        AckRequest: {
            /** @description What they say. */
            note?: string;
            /**
             * Format: date-time
             * @description Ask again then, if it still lasts.
             */
            until?: string | null;
        };
        /** @description Something that is or was wrong. */
        Alert: {
            /** @description Its id. */
            id: string;
            /**
             * @description What kind.
             * @example host_offline
             */
            kind: string;
            /**
             * @description How bad.
             * @example warning
             */
            severity: string;
            /**
             * @description Where it is in its life.
             * @example open
             */
            status: string;
            /**
             * @description What it is about: host, definition, trigger, worker, queue or ping.
             * @example host
             */
            subject_kind: string;
            /** @description The id of that. */
            subject_id: string;
            /** @description Its name. */
            subject_name: string;
            /** @description The host it happens on. */
            host_id?: string | null;
            /** @description What is wrong, in a sentence. */
            text: string;
            /**
             * Format: date-time
             * @description Since when.
             */
            since: string;
            /**
             * Format: date-time
             * @description When it had lasted long enough to be an alert.
             */
            raised_at?: string | null;
            /**
             * Format: date-time
             * @description When people were told; absent while a window or a snooze holds it back.
             */
            told_at?: string | null;
            /** @description Whether it comes and goes: it is told less often then. */
            is_flapping: boolean;
            /**
             * Format: date-time
             * @description When somebody said that they know.
             */
            acked_at?: string | null;
            /** @description Who. */
            acked_by?: string | null;
            /** @description What they said. */
            note?: string | null;
            /**
             * Format: date-time
             * @description Nobody is told before.
             */
            snoozed_until?: string | null;
            /**
             * Format: date-time
             * @description When it was over.
             */
            resolved_at?: string | null;
            /** @description Why. */
            resolved_reason?: string | null;
            /**
             * Format: date-time
             * @description When it was noted.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last changed.
             */
            updated_at: string;
        };
        /** @description What makes an alert of a kind. */
        AlertRule: {
            /**
             * @description Of which kind.
             * @example queue_age
             */
            kind: string;
            /** @description Whether there are such alerts. */
            is_enabled: boolean;
            /**
             * @description How bad they are.
             * @example warning
             */
            severity: string;
            /**
             * Format: int32
             * @description How long it must be wrong before anybody is told.
             */
            for_seconds: number;
            /**
             * Format: int32
             * @description How long it must be right again before it is over.
             */
            clear_seconds: number;
            /**
             * Format: int32
             * @description How often people are reminded; never if absent.
             */
            repeat_seconds?: number | null;
            /**
             * Format: int32
             * @description From when on it is wrong, for kinds with such a threshold.
             */
            threshold_seconds?: number | null;
            /** @description Whether it is as it comes. */
            is_default: boolean;
        };
        /** @description Changes a rule: what is absent becomes as it comes. */
        AlertRuleRequest: {
            /** @description Whether there are such alerts. */
            is_enabled?: boolean | null;
            /** @description How bad they are. */
            severity?: string | null;
            /**
             * Format: int32
             * @description How long it must be wrong.
             */
            for_seconds?: number | null;
            /**
             * Format: int32
             * @description How long it must be right again.
             */
            clear_seconds?: number | null;
            /**
             * Format: int32
             * @description How often people are reminded; 0 = never.
             */
            repeat_seconds?: number | null;
            /**
             * Format: int32
             * @description From when on it is wrong.
             */
            threshold_seconds?: number | null;
        };
        /** @description All rules. */
        AlertRules: {
            /** @description One for each kind. */
            items: components["schemas"]["AlertRule"][];
        };
        /** @description One line of the audit log. */
        AuditEntry: {
            /** @description Its id. */
            id: string;
            /**
             * Format: int64
             * @description Its number in the chain, once sealed.
             */
            number?: number | null;
            /**
             * Format: date-time
             * @description When.
             */
            at: string;
            /** @description Who: the kind of actor. */
            actor_kind: string;
            /** @description Who: the id. */
            actor_id?: string | null;
            /** @description Who: the name at that time. */
            actor: string;
            /** @description From where. */
            address?: string | null;
            /** @description What, as in `host.renamed`. */
            action: string;
            /** @description To what: the kind. */
            subject_kind: string;
            /** @description To what: the id. */
            subject_id?: string | null;
            /** @description To what: the name at that time. */
            subject?: string | null;
            /** @description From what to what. */
            diff: {
                [key: string]: unknown;
            };
            /** @description The request, as in the hub's log. */
            request_id?: string | null;
        };
        /** @description What a check of the chain found. */
        AuditVerdict: {
            /** @description Whether every sealed row is as it was sealed. */
            is_intact: boolean;
            /** @description The first thing wrong. */
            problem?: string | null;
            /**
             * Format: int64
             * @description How many rows are sealed.
             */
            sealed: number;
            /**
             * Format: int64
             * @description How many rows wait to be sealed.
             */
            unsealed: number;
        };
        /** @description Times to make up for. */
        BackfillRequest: {
            /**
             * Format: date-time
             * @description From this time on.
             */
            from: string;
            /**
             * Format: date-time
             * @description Up to this one.
             */
            until: string;
            /** @description Only say which times. */
            dry_run?: boolean;
        };
        /** @description What a backfill comes to. */
        Backfilled: {
            /** @description The times that get a job. */
            times: string[];
            /**
             * Format: int64
             * @description Times that have one already.
             */
            done_before: number;
            /** @description The jobs. */
            jobs: string[];
        };
        /** @description How long to wait between tries. */
        BackoffSchema: {
            /**
             * Format: int64
             * @description The ceiling of the first wait.
             */
            initial_ms: number;
            /**
             * Format: int64
             * @description The ceiling of all waits.
             */
            cap_ms: number;
            /**
             * Format: double
             * @description How fast they grow.
             */
            factor: number;
        };
        /** @description A bulk action. */
        Batch: {
            /** @description Its id; that of a preview means nothing. */
            id: string;
            /**
             * @description What is done to each job.
             * @example retry
             */
            action: string;
            /** @description Which jobs. */
            filter: string;
            /**
             * @description How far it has come: `preview`, `running`, `done` or `stopped`.
             * @example running
             */
            status: string;
            preview?: components["schemas"]["BatchPreview"] | null;
            /**
             * Format: int64
             * @description Jobs looked at so far.
             */
            looked_at: number;
            /**
             * Format: int64
             * @description Jobs that fit so far.
             */
            matched: number;
            /**
             * Format: int64
             * @description Jobs to which it was done.
             */
            done: number;
            /**
             * Format: int64
             * @description Jobs to which it could not be done.
             */
            failed: number;
            /** @description The first of them. */
            failures: components["schemas"]["BatchFailure"][];
            /** @description Who asked. */
            created_by: string;
            /**
             * Format: date-time
             * @description When.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it last got on.
             */
            updated_at: string;
            /**
             * Format: date-time
             * @description When it ended.
             */
            finished_at?: string | null;
        };
        /** @description A job to which it could not be done. */
        BatchFailure: {
            /** @description The job. */
            job_id: string;
            /** @description The stable code of the reason. */
            code: string;
            /** @description The reason. */
            detail: string;
        };
        /** @description How many jobs fit. */
        BatchPreview: {
            /**
             * Format: int64
             * @description How many.
             */
            count: number;
            /** @description Whether all jobs were looked at; else there may be more. */
            is_complete: boolean;
        };
        /** @description Asks for a bulk action. */
        BatchRequest: {
            /**
             * @description What to do to each job: `cancel`, `retry` or `move`.
             * @example retry
             */
            action: string;
            /**
             * @description Which jobs, in the language of lists, as in `status:dead_letter after:-24h`. Those made later are left alone, and
             *     so are those to which the action cannot be done.
             */
            filter: string;
            /** @description Why, for the record; of a cancel. */
            reason?: string;
            target?: components["schemas"]["JobTarget"] | null;
            /**
             * Format: int32
             * @description The new priority; of a move.
             */
            priority?: number | null;
            /** @description Only say how many jobs fit. */
            dry_run?: boolean;
        };
        /** @description A battery. */
        Battery: {
            /**
             * Format: double
             * @description How full it is.
             */
            percent: number;
            /** @description Whether it is being charged or full on the mains. */
            is_charging: boolean;
        };
        /** @description The answer to a bulk request: one result per row, in order. */
        BulkMade: {
            /**
             * Format: int64
             * @description How many jobs were made.
             */
            created: number;
            /**
             * Format: int64
             * @description How many rows were refused.
             */
            refused: number;
            /** @description One for each row. */
            results: components["schemas"]["JobMade"][];
        };
        /** @description Cancels a job. */
        CancelRequest: {
            /** @description Why, for the record. */
            reason?: string;
            /** @description Also if its holder is away and cannot confirm: what it reports later is kept as evidence only. */
            force?: boolean;
        };
        /** @description How a host that came back makes up for what it missed. */
        CatchUp: {
            /**
             * Format: date-time
             * @description When that is looked at: it is left alone for a while after it has come back.
             */
            at: string;
            /**
             * Format: int32
             * @description The jobs it came to since the host is back.
             */
            jobs: number;
        };
        /** @description A channel. */
        Channel: {
            /** @description Its id. */
            id: string;
            /** @description Its name. */
            name: string;
            /** @description Where and how it is reached, as `{"kind": "webhook", …}`; secret parts are shown as `•••`. */
            config: Record<string, never>;
            /** @description Only these kinds of alerts; all if empty. */
            kinds: string[];
            /** @description Only what is at least this bad. */
            min_severity?: string | null;
            /** @description Hours in which only what is critical is told. */
            quiet_hours?: Record<string, never> | null;
            /**
             * Format: int32
             * @description How many notices it gets in a day at most.
             */
            per_day?: number | null;
            /** @description The words of a notice. */
            template?: string | null;
            /** @description Whether it is told anything. */
            is_enabled: boolean;
            /**
             * Format: date-time
             * @description When something last arrived.
             */
            last_ok_at?: string | null;
            /** @description What last went wrong. */
            last_error?: string | null;
            /**
             * Format: date-time
             * @description When.
             */
            last_error_at?: string | null;
            /** @description Who made it. */
            created_by: string;
            /**
             * Format: date-time
             * @description When.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             */
            updated_at: string;
        };
        /** @description A channel to make, or the fields of one to change. */
        ChannelRequest: {
            /** @description Its name. */
            name?: string | null;
            /** @description Where and how it is reached, as `{"kind": "discord", "url": "https://…"}`. A `•••` keeps what was there. */
            config?: Record<string, never> | null;
            /** @description Only these kinds of alerts. */
            kinds?: string[] | null;
            /** @description Only what is at least this bad. */
            min_severity?: string | null;
            /** @description Hours in which only what is critical is told, as `{"from": "22:00", "until": "07:00", "timezone": "Europe/Berlin"}`. */
            quiet_hours?: Record<string, never> | null;
            /**
             * Format: int32
             * @description How many notices it gets in a day at most.
             */
            per_day?: number | null;
            /** @description The words of a notice, as in `{{ title }}: {{ text }}`. */
            template?: string | null;
            /** @description Whether it is told anything. */
            is_enabled?: boolean | null;
        };
        /** @description How a test went. */
        ChannelTested: {
            /** @description Whether it arrived. */
            is_delivered: boolean;
            /**
             * Format: int64
             * @description How long it took.
             */
            took_ms: number;
            /** @description What the other side said, or what went wrong. */
            text: string;
        };
        /** @description All channels. */
        Channels: {
            /** @description By name. */
            items: components["schemas"]["Channel"][];
        };
        /** @description Jobs for a worker. */
        ClaimAnswer: {
            /**
             * Format: int64
             * @description The worker's session.
             */
            epoch: number;
            /** @description The jobs; none if none came in time. */
            jobs: components["schemas"]["WorkerJob"][];
            /**
             * Format: int64
             * @description How long the worker may be silent before its jobs are given to others.
             */
            lease_seconds: number;
        };
        /** @description Asks for jobs. */
        ClaimRequest: {
            /** @description Who asks: a name that is new with every start of the program, as in `hostname:pid:uuid`. */
            worker_id: string;
            /** @description On which machine. */
            hostname?: string;
            /** @description Of which version. */
            version?: string;
            /** @description Which queues it serves; `default` if none. */
            queues?: string[];
            /**
             * Format: int32
             * @description How many jobs at most; 1 if absent.
             */
            max?: number | null;
            /**
             * Format: int64
             * @description How long to wait for the first one, in seconds; 30 at most.
             */
            wait_s?: number | null;
            /** @description The same id gives the same jobs: for a request whose answer was lost. */
            request_id?: string | null;
            /** @description Anything else worth knowing. */
            metadata?: unknown;
        };
        /** @description How a run ended well. */
        CompleteRequest: {
            /** @description Who. */
            worker_id: string;
            /**
             * Format: int32
             * @description Which run.
             */
            fence: number;
            /** @description The value it leaves, at most 64 KiB. */
            output?: unknown;
            /** @description The end of its output. */
            stdout_tail?: string | null;
        };
        /** @description Lines of a server's output. */
        ConsolePage: {
            /**
             * Format: int32
             * @description Of which run.
             */
            run: number;
            /** @description They. */
            lines: components["schemas"]["LogLine"][];
            /**
             * Format: int64
             * @description The number of the last of them: where to go on.
             */
            last: number;
            /** @description Whether the run is over and these are its last lines. */
            is_complete: boolean;
            /**
             * Format: int32
             * @description The run after it, if there is one.
             */
            next_run?: number | null;
        };
        /** @description A definition. */
        Definition: {
            /** @description Its id. */
            id: string;
            /** @description The name that people and jobs use. */
            key: string;
            /**
             * Format: int32
             * @description Grows with every change.
             */
            version: number;
            /** @description What it is for. */
            description: string;
            /** @description The command: literal arguments, `{{ slots }}`, and groups that are left out when their value is absent. */
            argv: unknown[];
            /** @description What payloads it takes. */
            arg_schema: unknown;
            /**
             * Format: int32
             * @description How long one run may take.
             */
            timeout_seconds: number;
            /**
             * Format: int32
             * @description How often a job is tried.
             */
            max_attempts: number;
            /** @description How long it waits between tries. */
            backoff: components["schemas"]["BackoffSchema"];
            /** @description Exits after which another try would be in vain. */
            no_retry_exit_codes: number[];
            /** @description `retry` or `hold`; what its target says if absent. */
            on_lost?: string | null;
            /** @description Which runners take it: those that serve this queue. */
            queue: string;
            /** @description Which hosts may run it. */
            selector?: string | null;
            /**
             * Format: int32
             * @description How many run at once.
             */
            max_running?: number | null;
            /**
             * Format: int32
             * @description How many start in a minute.
             */
            jobs_per_minute?: number | null;
            /**
             * Format: int32
             * @description How many run at once on one host.
             */
            max_running_per_host?: number | null;
            /**
             * Format: int32
             * @description How many start in a minute on one host.
             */
            jobs_per_minute_per_host?: number | null;
            /** @description Names of the org's secrets that the process gets. */
            secrets: string[];
            /** @description Names of the runner's environment that the process may see. */
            env_allow: string[];
            /** @description Slugs of the orgs that may use it; none = all. */
            orgs?: string[] | null;
            /** @description Whether jobs can be made from it. */
            is_active: boolean;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             */
            updated_at: string;
        };
        /** @description One field that changed. */
        DefinitionChange: {
            /** @description Which field. */
            field: string;
            /** @description What it was. */
            old: unknown;
            /** @description What it is. */
            new: unknown;
        };
        /** @description The versions of a definition, newest first. */
        DefinitionHistory: {
            /** @description The versions. */
            items: components["schemas"]["DefinitionVersion"][];
        };
        /** @description One page of definitions, by key. */
        DefinitionPage: {
            /** @description The definitions. */
            items: components["schemas"]["Definition"][];
            /** @description Pass as `cursor` for those after these. */
            next?: string | null;
        };
        /** @description What came of it. */
        DefinitionPut: {
            /** @description The definition as it is now, or would be. */
            definition: components["schemas"]["Definition"];
            /** @description What changed. */
            changes: components["schemas"]["DefinitionChange"][];
            /** @description Whether it is new. */
            is_new: boolean;
        };
        /** @description A definition to make, or changes to one: the fields of a definition; absent ones keep their value or default. */
        DefinitionRequest: components["schemas"]["Definition"] & {
            /** @description Only look: check it and say what would change. */
            dry_run?: boolean;
        };
        /** @description A version of a definition. */
        DefinitionVersion: {
            /**
             * Format: int32
             * @description Its number.
             */
            version: number;
            /** @description Who made it. */
            created_by: string;
            /**
             * Format: date-time
             * @description When.
             */
            created_at: string;
            /** @description What changed against the version before. */
            changes: components["schemas"]["DefinitionChange"][];
        };
        /** @description A person's answer. */
        DeviceAnswer: {
            /** @description What the person typed. */
            user_code: string;
            /** @description Whether they agree. */
            approve: boolean;
        };
        /** @description Asks whether the person has confirmed. */
        DevicePollRequest: {
            /** @description The part only the device knows. */
            device_secret: string;
        };
        /** @description Begins a device-code login. */
        DeviceStartRequest: {
            /** @description What asks, as in `hostler on laptop-kim`; shown to the person who confirms. */
            client?: string;
        };
        /** @description A device-code login has begun. */
        DeviceStarted: {
            /** @description The part only the device knows. */
            device_secret: string;
            /** @description What the person types. */
            user_code: string;
            /** @description Where they type it. */
            url: string;
            /**
             * Format: int32
             * @description How often to ask.
             */
            poll_seconds: number;
            /**
             * Format: date-time
             * @description When it ends.
             */
            expires_at: string;
        };
        /** @description Shows a person what they are about to confirm. */
        DeviceView: {
            /** @description What was typed. */
            user_code: string;
            /** @description What asks. */
            client: string;
            /** @description From where it asked. */
            address: string;
            /**
             * Format: date-time
             * @description When it ends.
             */
            expires_at: string;
        };
        /** @description One file system. */
        DiskMetrics: {
            /** @description Where it is mounted. */
            mount: string;
            /**
             * Format: int64
             * @description Bytes in use.
             */
            used_bytes: number;
            /**
             * Format: int64
             * @description Bytes there are.
             */
            total_bytes: number;
        };
        /** @description What came of an event. */
        EventMade: {
            /** @description Its id: the `source_ref` of its jobs. */
            id: string;
            /**
             * Format: int64
             * @description How many triggers it fits.
             */
            triggers: number;
            /** @description Jobs that were made. */
            jobs: string[];
            /** @description Jobs that stand for it already. */
            deduplicated: string[];
            /** @description Why others were not made. */
            refused: string[];
        };
        /** @description Events, in order. */
        EventPage: {
            /** @description The events. */
            items: components["schemas"]["LiveEvent"][];
            /**
             * Format: int64
             * @description Pass as `cursor` for what comes after; absent if there was none.
             */
            next?: number | null;
        };
        /** @description Something that happened, told by a program. */
        EventRequest: {
            /** @description Its name, as in `folder.changed`. */
            name: string;
            /** @description What it says: an object. */
            data?: Record<string, never>;
            /** @description What it belongs to; the jobs carry it. */
            correlation_id?: string | null;
        };
        /** @description How a run ended badly. */
        FailRequest: {
            /** @description Who. */
            worker_id: string;
            /**
             * Format: int32
             * @description Which run.
             */
            fence: number;
            /** @description What went wrong. */
            error: string;
            /**
             * Format: int32
             * @description An exit code, as a process would have; the definition may say not to repeat it.
             */
            exit_code?: number | null;
            /**
             * Format: int32
             * @description How long to leave it alone.
             */
            retry_after_seconds?: number | null;
            /** @description Whether it was ended because somebody asked. */
            canceled?: boolean;
            /** @description The end of its error output. */
            stderr_tail?: string | null;
        };
        /** @description One thing that is wrong in what was sent. */
        Fault: {
            /** @description Where, as a JSON pointer; empty for the whole. */
            pointer: string;
            /** @description What. */
            detail: string;
        };
        /** @description What became of one time of a schedule, on one host. */
        Fire: {
            /**
             * Format: date-time
             * @description Which time.
             */
            nominal_at: string;
            /**
             * @description What became of it.
             * @example fired
             */
            status: string;
            /** @description Why, in a sentence. */
            reason: string;
            /** @description On which host. */
            host?: string | null;
            /** @description The job that stands for it. */
            job_id?: string | null;
            /**
             * @description How that ended.
             * @example succeeded
             */
            job_status?: string | null;
            /**
             * Format: int32
             * @description How many times the row stands for: old ones share one.
             */
            stands_for: number;
            /**
             * Format: date-time
             * @description When it was decided.
             */
            at: string;
        };
        /** @description Such an address. */
        Hook: {
            /** @description Its id. */
            id: string;
            /** @description Its name. */
            name: string;
            /** @description The address. */
            url: string;
            /**
             * @description How messages are signed.
             * @example standard
             */
            scheme: string;
            /** @description The name of the events that it makes. */
            event_name: string;
            /**
             * Format: date-time
             * @description When a message was last taken.
             */
            last_ok_at?: string | null;
            /** @description Why one was last refused. */
            last_error?: string | null;
            /**
             * Format: date-time
             * @description When.
             */
            last_error_at?: string | null;
            /** @description Who made it. */
            created_by: string;
            /**
             * Format: date-time
             * @description When.
             */
            created_at: string;
        };
        /** @description A new one, with its secret. The secret is shown once. */
        HookMade: {
            /** @description It. */
            hook: components["schemas"]["Hook"];
            /** @description What messages are signed with. */
            secret: string;
        };
        /** @description One to make. */
        HookRequest: {
            /** @description Its name. */
            name: string;
            /** @description The name of the events that it makes, as in `shop.order_paid`. */
            event_name: string;
            /** @description How messages are signed; `standard` if absent. */
            scheme?: string | null;
            /** @description The secret they are signed with; made if absent. */
            secret?: string | null;
        };
        /** @description All of them. */
        Hooks: {
            /** @description By name. */
            items: components["schemas"]["Hook"][];
        };
        /** @description A host. */
        Host: {
            /** @description Its id. */
            id: string;
            /** @description Its name, unique in its org. */
            name: string;
            /**
             * @description Its state.
             * @example online
             */
            status: string;
            /** @description Why it is in that state, for people. */
            status_reason: string;
            /**
             * Format: date-time
             * @description When its runner was last heard.
             */
            last_heartbeat_at?: string | null;
            /** @description Its runner's version. */
            runner_version?: string | null;
            /**
             * Format: int32
             * @description The version of its key in force.
             */
            key_version: number;
            last_metrics?: components["schemas"]["HostMetrics"] | null;
            /** @description Its labels. */
            labels: {
                [key: string]: string;
            };
            /** @description Whether silence is a fault. */
            always_on: boolean;
            /** @description What it takes on at once. */
            limits: components["schemas"]["HostLimits"];
            /** @description Where its work comes from, if not from this hub: this one is a mirror to it. */
            home?: string | null;
            /**
             * Format: date-time
             * @description When it joined.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             */
            updated_at: string;
        };
        /** @description A host with all that is known of it. */
        HostDetail: components["schemas"]["Host"] & {
            /** @description What machine it is. */
            machine: components["schemas"]["Machine"];
            session?: components["schemas"]["HostSession"] | null;
            pause?: components["schemas"]["HostMark"] | null;
            degrade?: components["schemas"]["HostMark"] | null;
            /**
             * Format: int32
             * @description Its own threshold, if it differs from the org's.
             */
            offline_after_seconds?: number | null;
            /**
             * Format: int32
             * @description Its own threshold for alerts, if it differs from the org's.
             */
            alert_after_seconds?: number | null;
            /**
             * Format: int32
             * @description The key version it is asked to rotate to at its next hello.
             */
            key_version_wanted?: number | null;
            /** @description The other orgs whose jobs it takes too, by slug. */
            shared_with?: components["schemas"]["HostShare"][];
            /** @description Its servers. */
            servers?: components["schemas"]["Server"][];
            /** @description What runs now, longest first; the first 100. */
            running?: components["schemas"]["HostRun"][];
            /** @description The last 20 runs that ended, newest first. */
            last_runs?: components["schemas"]["HostRun"][];
        };
        /** @description What a host takes on. */
        HostLimits: {
            /**
             * Format: int32
             * @description Jobs running at once; none = no limit.
             */
            max_running?: number | null;
            /**
             * Format: int32
             * @description Jobs started per minute; none = no limit.
             */
            jobs_per_minute?: number | null;
        };
        /** @description A note by a person. */
        HostMark: {
            /** @description Why. */
            note: string;
            /**
             * Format: date-time
             * @description When it ends by itself.
             */
            until?: string | null;
        };
        /** @description Pauses a host or marks it degraded. */
        HostMarkRequest: {
            /** @description Why; shown wherever the host is shown. */
            note?: string;
            /**
             * Format: date-time
             * @description When it ends by itself.
             */
            until?: string | null;
        };
        /** @description One reading of a machine. */
        HostMetrics: {
            /**
             * Format: double
             * @description Busy share of all cores.
             */
            cpu_percent: number;
            /**
             * Format: int64
             * @description Memory in use.
             */
            memory_used_bytes: number;
            /**
             * Format: int64
             * @description Memory there is.
             */
            memory_total_bytes: number;
            /** @description The file systems that hold data, fullest first. */
            disks: components["schemas"]["DiskMetrics"][];
            /**
             * Format: double
             * @description Load average of the last minute, where the system has one.
             */
            load_1?: number | null;
            /**
             * Format: int64
             * @description How long the machine has been up.
             */
            uptime_seconds: number;
            battery?: components["schemas"]["Battery"] | null;
            /** @description What the servers on it use. */
            servers?: components["schemas"]["ServerMetrics"][];
            /**
             * Format: int64
             * @description Results that wait on the host for its hub.
             */
            outbox?: number | null;
        };
        /** @description Changes to a host; absent fields stay as they are. */
        HostPatch: {
            /** @description A new name. */
            name?: string | null;
            /** @description Labels to set; `null` removes one. */
            labels?: {
                [key: string]: string | null;
            } | null;
            /** @description Whether silence is a fault. */
            always_on?: boolean | null;
            /**
             * Format: int32
             * @description Jobs running at once; `null` = no limit.
             */
            max_running?: number | null;
            /**
             * Format: int32
             * @description Jobs started per minute; `null` = no limit.
             */
            jobs_per_minute?: number | null;
            /**
             * Format: int32
             * @description Seconds of silence until it is offline; `null` = the org's.
             */
            offline_after_seconds?: number | null;
            /**
             * Format: int32
             * @description Seconds until somebody is told; `null` = the org's.
             */
            alert_after_seconds?: number | null;
            /** @description Only say what would change. */
            dry_run?: boolean;
        };
        /** @description A run, as its host shows it. Of another org's run on a shared host only the org and the times are shown. */
        HostRun: {
            /** @description The org whose job it is, where that is another one. */
            org?: string | null;
            /** @description The job. */
            job_id?: string | null;
            /** @description What it runs. */
            definition_key?: string | null;
            /**
             * Format: int32
             * @description Its number among the job's runs.
             */
            no: number;
            /**
             * @description How it stands.
             * @example succeeded
             */
            status: string;
            /**
             * Format: date-time
             * @description When it began.
             */
            started_at: string;
            /**
             * Format: date-time
             * @description When it ended.
             */
            finished_at?: string | null;
            /**
             * Format: int64
             * @description How long it took.
             */
            duration_ms?: number | null;
            /**
             * Format: int32
             * @description How its process ended.
             */
            exit_code?: number | null;
            /** @description What went wrong. */
            error_text?: string | null;
        };
        /** @description A schedule, as it went on one host. */
        HostSchedule: {
            /** @description Its id. */
            id: string;
            /** @description What people call it. */
            label: string;
            /** @description Whether it makes jobs. */
            is_enabled: boolean;
            /** @description When, in words. */
            description: string;
            /** @description The zone its hours are in. */
            timezone: string;
            /** @description What it runs. */
            definition_key: string;
            /**
             * Format: date-time
             * @description When it fires next.
             */
            next_fire_at?: string | null;
            /**
             * Format: date-time
             * @description When it last succeeded on this host.
             */
            succeeded_at?: string | null;
            /**
             * Format: date-time
             * @description When it is called stale, unless it succeeds before; only on hosts that come and go, after a first success.
             */
            stale_at?: string | null;
            /** @description The last 30 days, the oldest first, on its own clocks. */
            days: components["schemas"]["ScheduleDay"][];
        };
        /** @description The schedules of a host, and what it makes up for. */
        HostSchedules: {
            /** @description Those whose jobs go to this host and to no other in its stead, by label. */
            items: components["schemas"]["HostSchedule"][];
            catch_up?: components["schemas"]["CatchUp"] | null;
        };
        /** @description A session of a runner with its hub. */
        HostSession: {
            /**
             * Format: int64
             * @description Its number.
             */
            epoch: number;
            /**
             * Format: date-time
             * @description When it began.
             */
            connected_at: string;
            /**
             * Format: date-time
             * @description When it ended.
             */
            closed_at?: string | null;
            /** @description What the runner said when it left. */
            goodbye?: string | null;
            /** @description From where it connected. */
            address?: string | null;
            /**
             * Format: int64
             * @description The host's clock minus the hub's.
             */
            clock_skew_ms?: number | null;
        };
        /** @description An org that a host is shared with. */
        HostShare: {
            /** @description Its slug. */
            org: string;
            /**
             * Format: date-time
             * @description Since when.
             */
            created_at: string;
        };
        /** @description Puts a host into the pool of another org, or takes it out. */
        HostShareRequest: {
            /** @description The other org: slug or id. */
            org: string;
        };
        /** @description What everybody may know of a hub. */
        HubInfo: {
            /** @description The program's version. */
            version: string;
            /** @description The hub's public key. */
            public_key: string;
            /** @description How people compare it. */
            fingerprint: string;
            /** @description The versions of the runner link it speaks, least and most. */
            link_versions: number[];
            /**
             * Format: date-time
             * @description Its clock.
             */
            time: string;
        };
        /** @description The hub's processes and loops. */
        HubLoops: {
            /** @description This process. */
            hub_id: string;
            /** @description Its loops. */
            loops: components["schemas"]["Loop"][];
        };
        /** @description A crontab to take over. */
        ImportRequest: {
            /** @description Its text. */
            crontab: string;
            /** @description The machine it is from: its jobs run there. */
            host?: string | null;
            /**
             * @description The zone of lines without `CRON_TZ`; the org's if absent.
             * @example Europe/Berlin
             */
            timezone?: string | null;
            /** @description It is the machine's own, as `/etc/crontab`: a user stands before each command. */
            is_system?: boolean;
            /** @description Only look. */
            dry_run?: boolean;
        };
        /** @description What becomes of a crontab. */
        Imported: {
            /** @description Lines that say something. */
            lines: components["schemas"]["ImportedLine"][];
            /** @description How many were taken over. */
            taken: number;
        };
        /** @description What becomes of a line of a crontab. */
        ImportedLine: {
            /** @description Which, counted from 1. */
            line: number;
            /**
             * @description `ready`, `needs_shell`, `not_understood` or `variable`.
             * @example ready
             */
            verdict: string;
            /** @description What it runs, or the variable. */
            text: string;
            /** @description Why it is not taken over, or what is different here. */
            note?: string | null;
            /** @description What people call it. */
            label?: string | null;
            /** @description When, in words. */
            when?: string | null;
            /** @description The definition that is made of it. */
            definition_key?: string | null;
        };
        /** @description An invitation, without its secret. */
        Invitation: {
            /** @description Its id. */
            id: string;
            /** @description For whom. */
            email: string;
            /**
             * @description The role it gives.
             * @example viewer
             */
            role: string;
            /**
             * Format: date-time
             * @description When it ends.
             */
            expires_at: string;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
        };
        /** @description Takes up an invitation. */
        InvitationAcceptRequest: {
            /** @description The secret at the end of the link. */
            secret: string;
            /** @description The person's name. */
            name: string;
            /** @description A password, for a new person; at least 12 characters. Somebody already known gives their own. */
            password: string;
        };
        /** @description An invitation with its link, shown once. */
        InvitationCreated: components["schemas"]["Invitation"] & {
            /** @description The link to send to the person: never shown again. */
            url: string;
        };
        /** @description Invites a person. */
        InvitationRequest: {
            /** @description For whom. */
            email: string;
            /**
             * @description The role it gives.
             * @example viewer
             */
            role: string;
        };
        /** @description What an invitation is for, before it is taken up. */
        InvitationView: {
            /** @description For whom. */
            email: string;
            /** @description Into which org. */
            org: string;
            /** @description With which role. */
            role: string;
            /** @description Whether the person already has a password here. */
            is_known: boolean;
            /**
             * Format: date-time
             * @description When it ends.
             */
            expires_at: string;
        };
        /** @description A job. */
        Job: {
            /** @description Its id. */
            id: string;
            /** @description Whose it is. */
            org_id: string;
            /** @description What it runs. */
            definition_key: string;
            /**
             * Format: int32
             * @description In which version.
             */
            definition_version: number;
            /**
             * @description What made it.
             * @example manual
             */
            source: string;
            /** @description Which event, trigger or request. */
            source_ref?: string | null;
            /**
             * @description Where it is in its life.
             * @example queued
             */
            status: string;
            /**
             * @description Why it waits, in one word.
             * @example host_offline
             */
            wait_reason?: string | null;
            /**
             * @description Why it is over, beyond its status.
             * @example expired
             */
            end_reason?: string | null;
            /**
             * Format: int32
             * @description Lower runs first.
             */
            priority: number;
            /** @description What it runs with; secret values are shown as `•••`. */
            payload: unknown;
            /** @description The key it shares with jobs that are the same. */
            dedupe_key?: string | null;
            /** @description The key it shares a limit by. */
            limit_key?: string | null;
            /** @description What it belongs to. */
            correlation_id?: string | null;
            /** @description Where it is to run. */
            target: components["schemas"]["JobTarget"];
            /**
             * Format: date-time
             * @description From when on it may run.
             */
            scheduled_for: string;
            /**
             * Format: date-time
             * @description After this it is not begun any more.
             */
            expires_at?: string | null;
            /**
             * Format: date-time
             * @description When it was made.
             */
            queued_at: string;
            /**
             * Format: date-time
             * @description When its first run began.
             */
            started_at?: string | null;
            /**
             * Format: date-time
             * @description When it ended.
             */
            finished_at?: string | null;
            /**
             * Format: int32
             * @description How many runs it has had, with the one under way.
             */
            attempt_count: number;
            /**
             * Format: int32
             * @description How many of them may count before it is given up.
             */
            max_attempts: number;
            /**
             * Format: date-time
             * @description When its run is taken from its holder unless that is heard from.
             */
            lease_expires_at?: string | null;
            /** @description The host that has it, or had it last. */
            host?: string | null;
            /** @description The run under way: runner and process. */
            worker?: string | null;
            /** @description The run under way or the last one. */
            run_id?: string | null;
            /**
             * Format: int32
             * @description The exit code of the last run.
             */
            exit_code?: number | null;
            /** @description What went wrong in the last run. */
            last_error?: string | null;
            /** @description Who made it. */
            created_by: string;
            /** @description Whether somebody asked to cancel the run under way. */
            is_canceling: boolean;
            /** @description Whether its host made it for itself: it is only shown here, and changed there. */
            is_hosts_own?: boolean;
        };
        /** @description A job with everything about it. */
        JobDetail: components["schemas"]["Job"] & {
            /** @description Why it waits, or how it ended. */
            why: components["schemas"]["Why"];
        };
        /** @description What became of one row of a bulk request. */
        JobMade: {
            /** @description The job: the new one, or the one that holds the key. */
            id?: string | null;
            /** @description Whether another job with the same key was there first. */
            deduplicated?: boolean;
            error?: components["schemas"]["Problem"] | null;
        };
        /** @description One page of jobs. */
        JobPage: {
            /** @description The jobs, newest first. */
            items: components["schemas"]["Job"][];
            /** @description Pass as `cursor` for older ones; absent if there are none. */
            next?: string | null;
            /**
             * Format: int32
             * @description How many jobs were looked at for this page. A search stops after a bounded number; `next` goes on.
             */
            searched: number;
        };
        /** @description A job to make. */
        JobRequest: {
            /** @description What to run. */
            definition_key: string;
            /** @description With what. */
            payload?: unknown;
            target?: components["schemas"]["JobTarget"] | null;
            /** @description On this host: short for `target`. */
            host?: string | null;
            /**
             * Format: int32
             * @description Lower runs first; 100 if absent.
             */
            priority?: number | null;
            /**
             * Format: date-time
             * @description From when on it may run; at once if absent.
             */
            scheduled_for?: string | null;
            /**
             * Format: date-time
             * @description After this it is not begun any more.
             */
            expires_at?: string | null;
            /** @description While a job with this key is queued or running, another is not made. */
            dedupe_key?: string | null;
            /**
             * Format: int32
             * @description And not within this many seconds either.
             */
            dedupe_window_seconds?: number | null;
            /** @description The key it shares a limit by. */
            limit_key?: string | null;
            /** @description What it belongs to. */
            correlation_id?: string | null;
            /**
             * Format: int32
             * @description How many runs may count; its definition's number if absent.
             */
            max_attempts?: number | null;
            /**
             * Format: int32
             * @description How long a run may take; its definition's time if absent.
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
             * @description How many run.
             */
            running: number;
            /**
             * Format: int64
             * @description How many wait.
             */
            queued: number;
            /**
             * Format: int64
             * @description For how long the oldest claimable job has been waiting.
             */
            oldest_queued_age_seconds?: number | null;
        };
        /** @description Where a job is to run. */
        JobTarget: {
            /** @description On this host, by name or id. */
            host?: string | null;
            /** @description On any host that serves this queue. */
            queue?: string | null;
            /** @description On any host whose labels match. */
            selector?: string | null;
        };
        /** @description A machine is now a host. */
        JoinAccepted: {
            /** @description Its id. */
            host_id: string;
            /** @description Its name; `name_was_taken` if it is not the one it asked for. */
            name: string;
            /** @description Whether the wish had to be changed. */
            name_was_taken: boolean;
            /** @description The slug of its org. */
            org: string;
            /**
             * Format: int32
             * @description The version of its key.
             */
            key_version: number;
            /** @description Whether silence is a fault. */
            always_on: boolean;
            /** @description The hub's signature over the nonce: this answer is from the hub named in the token. */
            proof: string;
            /**
             * Format: date-time
             * @description The hub's clock.
             */
            time: string;
        };
        /** @description Asks to make a machine a host. */
        JoinRequest: {
            /** @description The join token. */
            token: string;
            /** @description The public half of the key the machine made. */
            public_key: string;
            /** @description The name it would like. */
            name: string;
            /** @description Whether silence is a fault; the token's word wins. */
            always_on?: boolean | null;
            /** @description What machine it is. */
            machine: components["schemas"]["Machine"];
            /** @description The runner's version. */
            runner_version: string;
            /** @description Its nonce, for the hub's proof. */
            nonce: string;
            /** @description Who the machine is to others already, if it is. */
            host_id?: string | null;
        };
        /** @description A join token, without its secret. */
        JoinToken: {
            /** @description Its id. */
            id: string;
            /** @description How it begins. */
            hint: string;
            /** @description Labels for the hosts that join with it. */
            labels: {
                [key: string]: string;
            };
            /** @description Whether silence of these hosts is a fault. */
            always_on?: boolean | null;
            /**
             * Format: int32
             * @description How many hosts may join with it.
             */
            uses: number;
            /**
             * Format: int32
             * @description How many have.
             */
            used: number;
            /**
             * Format: date-time
             * @description When it ends.
             */
            expires_at: string;
            /**
             * Format: date-time
             * @description When it was revoked.
             */
            revoked_at?: string | null;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
        };
        /** @description A join token with its secret, shown once. */
        JoinTokenCreated: components["schemas"]["JoinToken"] & {
            /** @description The secret: never shown again. */
            secret: string;
            /** @description What to type on a machine that has Hostler. */
            command: string;
            /**
             * @description What to type on one that has not: it fetches the hub's own program, joins and keeps it running. For machines of
             *     the hub's own platform; none if the hub does not hand it out.
             */
            install?: string | null;
        };
        /** @description Asks for a join token. */
        JoinTokenRequest: {
            /**
             * Format: int32
             * @description For how many hosts; 1 unless said.
             */
            uses?: number | null;
            /**
             * Format: int32
             * @description For how long; 15 minutes unless said.
             */
            ttl_seconds?: number | null;
            /** @description Labels for the hosts that join with it. */
            labels?: {
                [key: string]: string;
            };
            /** @description Whether silence of these hosts is a fault; the joining machine decides if absent. */
            always_on?: boolean | null;
        };
        /** @description A limit that jobs of an org share by a key they name. */
        Limit: {
            /** @description The key. */
            key: string;
            /**
             * Format: int32
             * @description How many may run at once; none = any number.
             */
            max_running?: number | null;
            /**
             * Format: int32
             * @description How many may begin in any minute; none = any number.
             */
            jobs_per_minute?: number | null;
            /**
             * Format: int32
             * @description How many run.
             */
            running: number;
        };
        /** @description Sets a limit. */
        LimitRequest: {
            /**
             * Format: int32
             * @description How many may run at once.
             */
            max_running?: number | null;
            /**
             * Format: int32
             * @description How many may begin in any minute.
             */
            jobs_per_minute?: number | null;
        };
        /** @description The limits of an org. */
        Limits: {
            /** @description By key. */
            items: components["schemas"]["Limit"][];
        };
        /** @description Signs in with a one-time link. */
        LinkLoginRequest: {
            /** @description The secret at the end of the link. */
            secret: string;
        };
        /** @description One live event on `/api/v1/events`. */
        LiveEvent: {
            /** @description Its name, as in `host.online`. */
            type: string;
            /**
             * Format: date-time
             * @description When.
             */
            at: string;
            /** @description The host it is about. */
            host_id?: string | null;
            /**
             * Format: int64
             * @description Pass as `cursor` to hear everything after this event; absent on events that are not kept.
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
             * @description Its number in its run, from 1.
             */
            no: number;
            /**
             * Format: date-time
             * @description When it was read.
             */
            at: string;
            /**
             * @description From where.
             * @example out
             */
            stream: string;
            /** @description Its text, without the line break. */
            text: string;
            /** @description Whether it was longer than a line may be. */
            is_cut?: boolean;
        };
        /** @description Lines of a run's output. */
        LogPage: {
            /**
             * Format: int32
             * @description Which run.
             */
            attempt: number;
            /** @description The lines, in order. */
            lines: components["schemas"]["LogLine"][];
            /**
             * Format: int64
             * @description Pass as `after` for what comes next.
             */
            last: number;
            /** @description Whether nothing more will come. */
            is_complete: boolean;
        };
        /** @description Signs in with a password. */
        LoginRequest: {
            /** @description The address. */
            email: string;
            /** @description The password. */
            password: string;
        };
        /** @description How one loop of the hub is. */
        Loop: {
            /** @description Its name. */
            name: string;
            /** @description `waiting`, `running`, `backing_off` or `stopped`. */
            state: string;
            /**
             * Format: int64
             * @description Passes so far.
             */
            passes: number;
            /**
             * Format: int64
             * @description How many of them failed.
             */
            errors: number;
            /**
             * Format: int64
             * @description How many of them panicked.
             */
            panics: number;
            /**
             * Format: date-time
             * @description When the last one ended.
             */
            last_at?: string | null;
            /**
             * Format: int64
             * @description How long it took.
             */
            last_ms?: number | null;
            /** @description The last error, until a pass succeeds. */
            last_error?: string | null;
            /**
             * Format: date-time
             * @description When the next one is due.
             */
            next_at?: string | null;
        };
        /** @description What a machine is, told once per session. */
        Machine: {
            /** @description The operating system, as in `linux`. */
            os: string;
            /** @description Its version, as in `Debian GNU/Linux 12`. */
            os_version: string;
            /** @description The processor's architecture, as in `x86_64`. */
            arch: string;
            /**
             * Format: int32
             * @description Cores.
             */
            cores: number;
            /**
             * @description Whose definitions it runs: `hub`, or `local` for only those in its own `catalogue.d`.
             * @example hub
             */
            trust?: string;
        };
        /** @description Who the caller is. */
        Me: {
            /** @description `user`, `token` or `local`. */
            kind: string;
            /** @description The person, unless the caller is the owner of the hub's socket. */
            user_id?: string | null;
            /** @description Their name. */
            name: string;
            /** @description Their address. */
            email?: string | null;
            /** @description Whether they manage the installation. */
            is_super_admin: boolean;
            /** @description The org that `/api/v1/…` without an org is about. */
            org_id?: string | null;
            /** @description All orgs they are in, with their role. */
            orgs: components["schemas"]["Membership"][];
        };
        /** @description A member of an org. */
        Member: {
            /** @description The person. */
            user_id: string;
            /** @description Their address. */
            email: string;
            /** @description Their name. */
            name: string;
            /**
             * @description Their role here.
             * @example operator
             */
            role: string;
            /**
             * Format: date-time
             * @description Since when.
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
            /**
             * @description The role.
             * @example operator
             */
            role: string;
        };
        /** @description An org and one's role in it. */
        Membership: {
            /** @description The org. */
            org_id: string;
            /** @description Its name in addresses and commands. */
            slug: string;
            /** @description Its name for people. */
            name: string;
            /** @description Its time zone. */
            timezone: string;
            /**
             * @description One's role.
             * @example admin
             */
            role: string;
        };
        /** @description Sends a queued job elsewhere. */
        MoveRequest: {
            target?: components["schemas"]["JobTarget"] | null;
            /**
             * Format: int32
             * @description A new priority.
             */
            priority?: number | null;
        };
        /** @description One telling, to one channel. */
        Notice: {
            /** @description Its id. */
            id: string;
            /** @description To which channel. */
            channel: string;
            /** @description Of which kind of alert. */
            kind: string;
            /** @description What it says of them: `raised`, `reminder` or `resolved`. */
            state: string;
            /** @description One line. */
            title: string;
            /** @description The whole text. */
            text: string;
            /**
             * Format: int32
             * @description How many alerts it tells of.
             */
            count: number;
            /** @description `due`, `sent`, `failed` or `dropped`. */
            status: string;
            /**
             * Format: int32
             * @description How often it was tried.
             */
            tries: number;
            /** @description What went wrong, or what it waits for. */
            last_error?: string | null;
            /**
             * Format: date-time
             * @description When it is sent, or tried again.
             */
            due_at: string;
            /**
             * Format: date-time
             * @description When it arrived.
             */
            sent_at?: string | null;
            /**
             * Format: date-time
             * @description When it was written.
             */
            created_at: string;
        };
        /** @description An occasion to try a trigger with, or to fire it by hand. */
        OccasionRequest: {
            /** @description For an event rule: what the event says. For its last fitting event if absent. */
            event?: unknown;
        };
        /** @description An org. */
        Org: {
            /** @description Its id. */
            id: string;
            /** @description Its name in addresses and commands. */
            slug: string;
            /** @description Its name for people. */
            name: string;
            /** @description Its IANA time zone. */
            timezone: string;
            /**
             * Format: int32
             * @description Seconds of silence until a host is offline.
             */
            offline_after_seconds: number;
            /**
             * Format: int32
             * @description Seconds until somebody is told.
             */
            alert_after_seconds: number;
            /**
             * Format: int32
             * @description Jobs running at once; none = no limit.
             */
            max_running?: number | null;
            /**
             * Format: int32
             * @description Jobs begun in any minute; none = no limit.
             */
            jobs_per_minute?: number | null;
            /**
             * Format: int32
             * @description Seconds that jobs which succeeded are kept; none = as long as the hub keeps them.
             */
            keep_succeeded_seconds?: number | null;
            /**
             * Format: int32
             * @description Seconds that jobs which failed without another try are kept; none = as long as the hub keeps them.
             */
            keep_failed_seconds?: number | null;
            /**
             * Format: int32
             * @description Seconds that jobs which were given up after their last try are kept; none = as long as the hub keeps them.
             */
            keep_dead_letter_seconds?: number | null;
            /**
             * Format: int32
             * @description Seconds that jobs which were canceled or expired are kept; none = as long as the hub keeps them.
             */
            keep_canceled_seconds?: number | null;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             */
            updated_at: string;
        };
        /** @description How the jobs of one org do. */
        OrgJobs: {
            /** @description The org's slug. */
            org: string;
            /** @description Jobs by status. */
            counts: {
                [key: string]: number;
            };
            /**
             * Format: int64
             * @description For how long the oldest claimable job has been waiting.
             */
            oldest_queued_age_seconds?: number | null;
            /**
             * Format: int64
             * @description How long half of its last jobs waited at most, as this hub saw it.
             */
            wait_p50_ms?: number | null;
            /**
             * Format: int64
             * @description How long nineteen of twenty of them waited at most.
             */
            wait_p95_ms?: number | null;
            /**
             * Format: double
             * @description Jobs made per minute at this hub, over five minutes.
             */
            created_per_minute: number;
            /**
             * Format: double
             * @description Which part of the runs that ended at this hub within five minutes did so badly.
             */
            failed_part?: number | null;
        };
        /** @description Changes to an org; absent fields stay as they are. */
        OrgPatch: {
            /** @description Its name for people. */
            name?: string | null;
            /** @description Its IANA time zone. */
            timezone?: string | null;
            /**
             * Format: int32
             * @description Seconds of silence until a host is offline.
             */
            offline_after_seconds?: number | null;
            /**
             * Format: int32
             * @description Seconds until somebody is told.
             */
            alert_after_seconds?: number | null;
            /**
             * Format: int32
             * @description Jobs running at once; null = no limit.
             */
            max_running?: number | null;
            /**
             * Format: int32
             * @description Jobs begun in any minute; null = no limit.
             */
            jobs_per_minute?: number | null;
            /**
             * Format: int32
             * @description Seconds that jobs which succeeded are kept; null = as long as the hub keeps them.
             */
            keep_succeeded_seconds?: number | null;
            /**
             * Format: int32
             * @description Seconds that jobs which failed without another try are kept; null = as long as the hub keeps them.
             */
            keep_failed_seconds?: number | null;
            /**
             * Format: int32
             * @description Seconds that jobs which were given up after their last try are kept; null = as long as the hub keeps them.
             */
            keep_dead_letter_seconds?: number | null;
            /**
             * Format: int32
             * @description Seconds that jobs which were canceled or expired are kept; null = as long as the hub keeps them.
             */
            keep_canceled_seconds?: number | null;
        };
        /** @description Confirms the removal of an org with all that is in it. */
        OrgRemoval: {
            /** @description The slug, typed out. */
            confirm: string;
        };
        /** @description Asks for an org. */
        OrgRequest: {
            /** @description Its name in addresses and commands. */
            slug: string;
            /** @description Its name for people; the slug unless said. */
            name?: string | null;
            /** @description Its IANA time zone; UTC unless said. */
            timezone?: string | null;
        };
        /** @description One page of a list. */
        Page_Alert: {
            /** @description The rows. */
            items: {
                /** @description Its id. */
                id: string;
                /**
                 * @description What kind.
                 * @example host_offline
                 */
                kind: string;
                /**
                 * @description How bad.
                 * @example warning
                 */
                severity: string;
                /**
                 * @description Where it is in its life.
                 * @example open
                 */
                status: string;
                /**
                 * @description What it is about: host, definition, trigger, worker, queue or ping.
                 * @example host
                 */
                subject_kind: string;
                /** @description The id of that. */
                subject_id: string;
                /** @description Its name. */
                subject_name: string;
                /** @description The host it happens on. */
                host_id?: string | null;
                /** @description What is wrong, in a sentence. */
                text: string;
                /**
                 * Format: date-time
                 * @description Since when.
                 */
                since: string;
                /**
                 * Format: date-time
                 * @description When it had lasted long enough to be an alert.
                 */
                raised_at?: string | null;
                /**
                 * Format: date-time
                 * @description When people were told; absent while a window or a snooze holds it back.
                 */
                told_at?: string | null;
                /** @description Whether it comes and goes: it is told less often then. */
                is_flapping: boolean;
                /**
                 * Format: date-time
                 * @description When somebody said that they know.
                 */
                acked_at?: string | null;
                /** @description Who. */
                acked_by?: string | null;
                /** @description What they said. */
                note?: string | null;
                /**
                 * Format: date-time
                 * @description Nobody is told before.
                 */
                snoozed_until?: string | null;
                /**
                 * Format: date-time
                 * @description When it was over.
                 */
                resolved_at?: string | null;
                /** @description Why. */
                resolved_reason?: string | null;
                /**
                 * Format: date-time
                 * @description When it was noted.
                 */
                created_at: string;
                /**
                 * Format: date-time
                 * @description When it last changed.
                 */
                updated_at: string;
            }[];
            /** @description Pass as `cursor` for the rows after these; absent on the last page. */
            next?: string | null;
        };
        /** @description One page of a list. */
        Page_AuditEntry: {
            /** @description The rows. */
            items: {
                /** @description Its id. */
                id: string;
                /**
                 * Format: int64
                 * @description Its number in the chain, once sealed.
                 */
                number?: number | null;
                /**
                 * Format: date-time
                 * @description When.
                 */
                at: string;
                /** @description Who: the kind of actor. */
                actor_kind: string;
                /** @description Who: the id. */
                actor_id?: string | null;
                /** @description Who: the name at that time. */
                actor: string;
                /** @description From where. */
                address?: string | null;
                /** @description What, as in `host.renamed`. */
                action: string;
                /** @description To what: the kind. */
                subject_kind: string;
                /** @description To what: the id. */
                subject_id?: string | null;
                /** @description To what: the name at that time. */
                subject?: string | null;
                /** @description From what to what. */
                diff: {
                    [key: string]: unknown;
                };
                /** @description The request, as in the hub's log. */
                request_id?: string | null;
            }[];
            /** @description Pass as `cursor` for the rows after these; absent on the last page. */
            next?: string | null;
        };
        /** @description One page of a list. */
        Page_Batch: {
            /** @description The rows. */
            items: {
                /** @description Its id; that of a preview means nothing. */
                id: string;
                /**
                 * @description What is done to each job.
                 * @example retry
                 */
                action: string;
                /** @description Which jobs. */
                filter: string;
                /**
                 * @description How far it has come: `preview`, `running`, `done` or `stopped`.
                 * @example running
                 */
                status: string;
                preview?: components["schemas"]["BatchPreview"] | null;
                /**
                 * Format: int64
                 * @description Jobs looked at so far.
                 */
                looked_at: number;
                /**
                 * Format: int64
                 * @description Jobs that fit so far.
                 */
                matched: number;
                /**
                 * Format: int64
                 * @description Jobs to which it was done.
                 */
                done: number;
                /**
                 * Format: int64
                 * @description Jobs to which it could not be done.
                 */
                failed: number;
                /** @description The first of them. */
                failures: components["schemas"]["BatchFailure"][];
                /** @description Who asked. */
                created_by: string;
                /**
                 * Format: date-time
                 * @description When.
                 */
                created_at: string;
                /**
                 * Format: date-time
                 * @description When it last got on.
                 */
                updated_at: string;
                /**
                 * Format: date-time
                 * @description When it ended.
                 */
                finished_at?: string | null;
            }[];
            /** @description Pass as `cursor` for the rows after these; absent on the last page. */
            next?: string | null;
        };
        /** @description One page of a list. */
        Page_Fire: {
            /** @description The rows. */
            items: {
                /**
                 * Format: date-time
                 * @description Which time.
                 */
                nominal_at: string;
                /**
                 * @description What became of it.
                 * @example fired
                 */
                status: string;
                /** @description Why, in a sentence. */
                reason: string;
                /** @description On which host. */
                host?: string | null;
                /** @description The job that stands for it. */
                job_id?: string | null;
                /**
                 * @description How that ended.
                 * @example succeeded
                 */
                job_status?: string | null;
                /**
                 * Format: int32
                 * @description How many times the row stands for: old ones share one.
                 */
                stands_for: number;
                /**
                 * Format: date-time
                 * @description When it was decided.
                 */
                at: string;
            }[];
            /** @description Pass as `cursor` for the rows after these; absent on the last page. */
            next?: string | null;
        };
        /** @description One page of a list. */
        Page_Host: {
            /** @description The rows. */
            items: {
                /** @description Its id. */
                id: string;
                /** @description Its name, unique in its org. */
                name: string;
                /**
                 * @description Its state.
                 * @example online
                 */
                status: string;
                /** @description Why it is in that state, for people. */
                status_reason: string;
                /**
                 * Format: date-time
                 * @description When its runner was last heard.
                 */
                last_heartbeat_at?: string | null;
                /** @description Its runner's version. */
                runner_version?: string | null;
                /**
                 * Format: int32
                 * @description The version of its key in force.
                 */
                key_version: number;
                last_metrics?: components["schemas"]["HostMetrics"] | null;
                /** @description Its labels. */
                labels: {
                    [key: string]: string;
                };
                /** @description Whether silence is a fault. */
                always_on: boolean;
                /** @description What it takes on at once. */
                limits: components["schemas"]["HostLimits"];
                /** @description Where its work comes from, if not from this hub: this one is a mirror to it. */
                home?: string | null;
                /**
                 * Format: date-time
                 * @description When it joined.
                 */
                created_at: string;
                /**
                 * Format: date-time
                 * @description When it was last changed.
                 */
                updated_at: string;
            }[];
            /** @description Pass as `cursor` for the rows after these; absent on the last page. */
            next?: string | null;
        };
        /** @description One page of a list. */
        Page_Invitation: {
            /** @description The rows. */
            items: {
                /** @description Its id. */
                id: string;
                /** @description For whom. */
                email: string;
                /**
                 * @description The role it gives.
                 * @example viewer
                 */
                role: string;
                /**
                 * Format: date-time
                 * @description When it ends.
                 */
                expires_at: string;
                /**
                 * Format: date-time
                 * @description When it was made.
                 */
                created_at: string;
            }[];
            /** @description Pass as `cursor` for the rows after these; absent on the last page. */
            next?: string | null;
        };
        /** @description One page of a list. */
        Page_JoinToken: {
            /** @description The rows. */
            items: {
                /** @description Its id. */
                id: string;
                /** @description How it begins. */
                hint: string;
                /** @description Labels for the hosts that join with it. */
                labels: {
                    [key: string]: string;
                };
                /** @description Whether silence of these hosts is a fault. */
                always_on?: boolean | null;
                /**
                 * Format: int32
                 * @description How many hosts may join with it.
                 */
                uses: number;
                /**
                 * Format: int32
                 * @description How many have.
                 */
                used: number;
                /**
                 * Format: date-time
                 * @description When it ends.
                 */
                expires_at: string;
                /**
                 * Format: date-time
                 * @description When it was revoked.
                 */
                revoked_at?: string | null;
                /**
                 * Format: date-time
                 * @description When it was made.
                 */
                created_at: string;
            }[];
            /** @description Pass as `cursor` for the rows after these; absent on the last page. */
            next?: string | null;
        };
        /** @description One page of a list. */
        Page_Member: {
            /** @description The rows. */
            items: {
                /** @description The person. */
                user_id: string;
                /** @description Their address. */
                email: string;
                /** @description Their name. */
                name: string;
                /**
                 * @description Their role here.
                 * @example operator
                 */
                role: string;
                /**
                 * Format: date-time
                 * @description Since when.
                 */
                created_at: string;
                /**
                 * Format: date-time
                 * @description When the role was last changed.
                 */
                updated_at: string;
            }[];
            /** @description Pass as `cursor` for the rows after these; absent on the last page. */
            next?: string | null;
        };
        /** @description One page of a list. */
        Page_Notice: {
            /** @description The rows. */
            items: {
                /** @description Its id. */
                id: string;
                /** @description To which channel. */
                channel: string;
                /** @description Of which kind of alert. */
                kind: string;
                /** @description What it says of them: `raised`, `reminder` or `resolved`. */
                state: string;
                /** @description One line. */
                title: string;
                /** @description The whole text. */
                text: string;
                /**
                 * Format: int32
                 * @description How many alerts it tells of.
                 */
                count: number;
                /** @description `due`, `sent`, `failed` or `dropped`. */
                status: string;
                /**
                 * Format: int32
                 * @description How often it was tried.
                 */
                tries: number;
                /** @description What went wrong, or what it waits for. */
                last_error?: string | null;
                /**
                 * Format: date-time
                 * @description When it is sent, or tried again.
                 */
                due_at: string;
                /**
                 * Format: date-time
                 * @description When it arrived.
                 */
                sent_at?: string | null;
                /**
                 * Format: date-time
                 * @description When it was written.
                 */
                created_at: string;
            }[];
            /** @description Pass as `cursor` for the rows after these; absent on the last page. */
            next?: string | null;
        };
        /** @description One page of a list. */
        Page_Org: {
            /** @description The rows. */
            items: {
                /** @description Its id. */
                id: string;
                /** @description Its name in addresses and commands. */
                slug: string;
                /** @description Its name for people. */
                name: string;
                /** @description Its IANA time zone. */
                timezone: string;
                /**
                 * Format: int32
                 * @description Seconds of silence until a host is offline.
                 */
                offline_after_seconds: number;
                /**
                 * Format: int32
                 * @description Seconds until somebody is told.
                 */
                alert_after_seconds: number;
                /**
                 * Format: int32
                 * @description Jobs running at once; none = no limit.
                 */
                max_running?: number | null;
                /**
                 * Format: int32
                 * @description Jobs begun in any minute; none = no limit.
                 */
                jobs_per_minute?: number | null;
                /**
                 * Format: int32
                 * @description Seconds that jobs which succeeded are kept; none = as long as the hub keeps them.
                 */
                keep_succeeded_seconds?: number | null;
                /**
                 * Format: int32
                 * @description Seconds that jobs which failed without another try are kept; none = as long as the hub keeps them.
                 */
                keep_failed_seconds?: number | null;
                /**
                 * Format: int32
                 * @description Seconds that jobs which were given up after their last try are kept; none = as long as the hub keeps them.
                 */
                keep_dead_letter_seconds?: number | null;
                /**
                 * Format: int32
                 * @description Seconds that jobs which were canceled or expired are kept; none = as long as the hub keeps them.
                 */
                keep_canceled_seconds?: number | null;
                /**
                 * Format: date-time
                 * @description When it was made.
                 */
                created_at: string;
                /**
                 * Format: date-time
                 * @description When it was last changed.
                 */
                updated_at: string;
            }[];
            /** @description Pass as `cursor` for the rows after these; absent on the last page. */
            next?: string | null;
        };
        /** @description One page of a list. */
        Page_OrgJobs: {
            /** @description The rows. */
            items: {
                /** @description The org's slug. */
                org: string;
                /** @description Jobs by status. */
                counts: {
                    [key: string]: number;
                };
                /**
                 * Format: int64
                 * @description For how long the oldest claimable job has been waiting.
                 */
                oldest_queued_age_seconds?: number | null;
                /**
                 * Format: int64
                 * @description How long half of its last jobs waited at most, as this hub saw it.
                 */
                wait_p50_ms?: number | null;
                /**
                 * Format: int64
                 * @description How long nineteen of twenty of them waited at most.
                 */
                wait_p95_ms?: number | null;
                /**
                 * Format: double
                 * @description Jobs made per minute at this hub, over five minutes.
                 */
                created_per_minute: number;
                /**
                 * Format: double
                 * @description Which part of the runs that ended at this hub within five minutes did so badly.
                 */
                failed_part?: number | null;
            }[];
            /** @description Pass as `cursor` for the rows after these; absent on the last page. */
            next?: string | null;
        };
        /** @description One page of a list. */
        Page_Server: {
            /** @description The rows. */
            items: {
                /** @description Its id. */
                id: string;
                /** @description What people call it. */
                name: string;
                /** @description Its host. */
                host_id: string;
                /** @description The name of its host. */
                host: string;
                /** @description How its host is. */
                host_status: string;
                /**
                 * @description What people see of it, as its host said last.
                 * @example running
                 */
                state: string;
                /** @description Why. */
                state_reason: string;
                /**
                 * Format: date-time
                 * @description Since when.
                 */
                state_at: string;
                /** @description Whether its host is away: then nobody knows whether that still holds. */
                is_stale: boolean;
                /**
                 * @description Whether it is to run.
                 * @example up
                 */
                wish: string;
                /**
                 * Format: int32
                 * @description The number of its newest run.
                 */
                run: number;
                /**
                 * Format: int32
                 * @description Its process, if it runs.
                 */
                pid?: number | null;
                /**
                 * Format: date-time
                 * @description Since when it runs.
                 */
                started_at?: string | null;
                /**
                 * Format: int32
                 * @description How often it was started again by itself since somebody asked for it.
                 */
                restarts: number;
                /**
                 * Format: double
                 * @description What it uses of one core, in percent, if it runs and that was measured.
                 */
                cpu_percent?: number | null;
                /**
                 * Format: int64
                 * @description What it uses of the memory.
                 */
                memory_bytes?: number | null;
                /** @description The job that waits for it or works on it. */
                job_id?: string | null;
                /** @description As its owner wants it. */
                spec: Record<string, never>;
                /**
                 * Format: int32
                 * @description Counts its changes.
                 */
                version: number;
                /** @description Where it goes once its host has let go of it. */
                moves_to?: string | null;
                /** @description Whether its host made it for itself: it is changed there. */
                is_hosts_own: boolean;
                /** @description Whether a hub owns it: it is changed there. Only on a host. */
                is_hubs: boolean;
                /** @description Who made it. */
                created_by: string;
                /**
                 * Format: date-time
                 * @description When.
                 */
                created_at: string;
                /**
                 * Format: date-time
                 * @description When it was last changed, or was last heard of.
                 */
                updated_at: string;
            }[];
            /** @description Pass as `cursor` for the rows after these; absent on the last page. */
            next?: string | null;
        };
        /** @description One page of a list. */
        Page_ServerRun: {
            /** @description The rows. */
            items: {
                /**
                 * Format: int32
                 * @description Its number.
                 */
                no: number;
                /** @description Its id. */
                id: string;
                /** @description The host it was on; none if that is gone. */
                host?: string | null;
                /**
                 * @description How it ended, or that it runs.
                 * @example running
                 */
                status: string;
                /**
                 * Format: date-time
                 * @description When it began.
                 */
                started_at: string;
                /**
                 * Format: date-time
                 * @description When it was ready.
                 */
                ready_at?: string | null;
                /**
                 * Format: date-time
                 * @description When it ended.
                 */
                finished_at?: string | null;
                /**
                 * Format: int32
                 * @description Its process.
                 */
                pid?: number | null;
                /**
                 * Format: int32
                 * @description What it exited with.
                 */
                exit_code?: number | null;
                /**
                 * Format: int32
                 * @description What ended it.
                 */
                signal?: number | null;
                /** @description Whether the system ended it for want of memory. */
                is_oom: boolean;
                /** @description What went wrong. */
                error?: string | null;
            }[];
            /** @description Pass as `cursor` for the rows after these; absent on the last page. */
            next?: string | null;
        };
        /** @description One page of a list. */
        Page_Token: {
            /** @description The rows. */
            items: {
                /** @description Its id. */
                id: string;
                /** @description What it is for. */
                name: string;
                /** @description How it begins. */
                hint: string;
                /** @description Who made it, and on whose behalf it acts. */
                user_id: string;
                /**
                 * @description The most it may do.
                 * @example operator
                 */
                role: string;
                /**
                 * @description What it is limited to.
                 * @example api
                 */
                scope: string;
                /**
                 * Format: date-time
                 * @description When it ends.
                 */
                expires_at?: string | null;
                /**
                 * Format: date-time
                 * @description When it was revoked.
                 */
                revoked_at?: string | null;
                /**
                 * Format: date-time
                 * @description When it was last used, to the minute.
                 */
                last_used_at?: string | null;
                /**
                 * Format: date-time
                 * @description When it was made.
                 */
                created_at: string;
            }[];
            /** @description Pass as `cursor` for the rows after these; absent on the last page. */
            next?: string | null;
        };
        /** @description One page of a list. */
        Page_Trigger: {
            /** @description The rows. */
            items: {
                /** @description Its id. */
                id: string;
                /** @description What people call it. */
                label: string;
                /** @description Whether it makes jobs. */
                is_enabled: boolean;
                /**
                 * @description What sets it off.
                 * @example schedule
                 */
                trigger_type: string;
                /** @description The name of the event. */
                event_name?: string | null;
                /** @description Conditions on the event's fields. */
                match: Record<string, never>;
                /**
                 * @description When, in the five fields of cron or as a nickname.
                 * @example 0 2 * * *
                 */
                cron_expr?: string | null;
                /**
                 * @description The zone its hours are in.
                 * @example Europe/Berlin
                 */
                timezone?: string | null;
                /** @description When, in words. */
                description: string;
                /** @description What it runs. */
                definition_key: string;
                /** @description The payload, with slots such as `{{ event.folder }}`. */
                payload_template: unknown;
                /** @description A template for the key by which its jobs are told apart. */
                dedupe_key?: string | null;
                /**
                 * Format: int32
                 * @description For how long a second job with the same key is not made.
                 */
                dedupe_window_seconds?: number | null;
                target?: components["schemas"]["TriggerTarget"] | null;
                /**
                 * @description Where it fires.
                 * @example hub
                 */
                place: string;
                /**
                 * @description What becomes of times that passed while nobody could act on them.
                 * @example once
                 */
                missed: string;
                /**
                 * Format: int32
                 * @description How many jobs `all` makes at most.
                 */
                missed_max: number;
                /**
                 * Format: int32
                 * @description Times further back are not made up for.
                 */
                missed_window_seconds: number;
                /**
                 * @description What a fire does while an earlier job is queued or running.
                 * @example forbid
                 */
                overlap: string;
                /**
                 * Format: int32
                 * @description Jobs begin up to so many seconds after their time, spread evenly.
                 */
                jitter: number;
                /**
                 * Format: date-time
                 * @description No fires before.
                 */
                starts_at?: string | null;
                /**
                 * Format: date-time
                 * @description No fires after.
                 */
                ends_at?: string | null;
                /**
                 * Format: date-time
                 * @description No fires until then.
                 */
                paused_until?: string | null;
                /**
                 * Format: int32
                 * @description The priority of its jobs; lower runs first.
                 */
                priority: number;
                /** @description Whether a host made it for itself: it is only shown here, and changed there. */
                is_hosts_own: boolean;
                /** @description Who made it. */
                created_by: string;
                /**
                 * Format: date-time
                 * @description When.
                 */
                created_at: string;
                /**
                 * Format: date-time
                 * @description When it was last changed.
                 */
                updated_at: string;
                /**
                 * Format: date-time
                 * @description When it fires next.
                 */
                next_fire_at?: string | null;
                last_fire?: components["schemas"]["Fire"] | null;
                /** @description What is to know about where it fires. */
                note?: string | null;
            }[];
            /** @description Pass as `cursor` for the rows after these; absent on the last page. */
            next?: string | null;
        };
        /** @description One page of a list. */
        Page_User: {
            /** @description The rows. */
            items: {
                /** @description Their id. */
                id: string;
                /** @description Their address. */
                email: string;
                /** @description Their name. */
                name: string;
                /** @description Whether they manage the installation. */
                is_super_admin: boolean;
                /** @description Whether they may sign in. */
                is_disabled: boolean;
                /**
                 * Format: date-time
                 * @description When they came.
                 */
                created_at: string;
                /**
                 * Format: date-time
                 * @description When they were last changed.
                 */
                updated_at: string;
            }[];
            /** @description Pass as `cursor` for the rows after these; absent on the last page. */
            next?: string | null;
        };
        /** @description Sets one's password. */
        PasswordRequest: {
            /** @description The one in force, if there is one. */
            old?: string | null;
            /** @description The new one; at least 12 characters. */
            new: string;
        };
        /** @description A pause: jobs under it stay queued. */
        Pause: {
            /** @description `org`, `definition`, `queue` or `key`. */
            kind: string;
            /** @description Which definition, queue or key; empty for the org. */
            subject: string;
            /** @description Why. */
            note: string;
            /**
             * Format: date-time
             * @description When it ends by itself.
             */
            until?: string | null;
            /** @description Who paused it. */
            created_by: string;
            /**
             * Format: date-time
             * @description Since when.
             */
            created_at: string;
        };
        /** @description Pauses something, or ends its pause. */
        PauseRequest: {
            /** @description `org`, `definition`, `queue` or `key`. */
            kind: string;
            /** @description Which definition, queue or key; empty for the org. */
            subject?: string;
            /** @description Why. */
            note?: string;
            /**
             * Format: date-time
             * @description When it ends by itself.
             */
            until?: string | null;
            /** @description End the pause instead. */
            resume?: boolean;
        };
        /** @description The pauses of an org. */
        Pauses: {
            /** @description Those in force. */
            items: components["schemas"]["Pause"][];
        };
        /** @description A program elsewhere. */
        Ping: {
            /** @description Its id. */
            id: string;
            /** @description What people call it. */
            label: string;
            /** @description When it is expected: by the clock. */
            cron_expr?: string | null;
            /** @description The zone of that. */
            timezone?: string | null;
            /**
             * Format: int32
             * @description Or at least so often.
             */
            period_seconds?: number | null;
            /**
             * Format: int32
             * @description How late it may be, and how long it may take.
             */
            grace_seconds: number;
            /**
             * @description `new`, `up`, `started`, `late` or `down`.
             * @example up
             */
            status: string;
            /**
             * Format: date-time
             * @description When its next success is expected.
             */
            expected_at?: string | null;
            /**
             * Format: date-time
             * @description When it last succeeded.
             */
            succeeded_at?: string | null;
            /**
             * Format: date-time
             * @description When it last said anything.
             */
            said_at?: string | null;
            /** @description Who made it. */
            created_by: string;
            /**
             * Format: date-time
             * @description When.
             */
            created_at: string;
        };
        /** @description What it said, newest first. */
        PingHistory: {
            /** @description Them. */
            items: components["schemas"]["PingSaid"][];
        };
        /** @description A new one, with the address it says so at. The address is shown once. */
        PingMade: {
            /** @description It. */
            ping: components["schemas"]["Ping"];
            /** @description Where it says that it ran; `/start`, `/fail`, `/log` or an exit code may follow. */
            url: string;
        };
        /** @description One to watch. */
        PingRequest: {
            /** @description What people call it. */
            label: string;
            /** @description When it is expected: by the clock. */
            cron_expr?: string | null;
            /** @description The zone of that; the org's if absent. */
            timezone?: string | null;
            /**
             * Format: int32
             * @description Or at least so often.
             */
            period_seconds?: number | null;
            /**
             * Format: int32
             * @description How late it may be, and how long it may take; an hour if absent.
             */
            grace_seconds?: number | null;
        };
        /** @description Something that it said. */
        PingSaid: {
            /**
             * Format: date-time
             * @description When.
             */
            at: string;
            /**
             * @description What.
             * @example success
             */
            word: string;
            /** @description Which run of it. */
            rid?: string | null;
            /**
             * Format: int32
             * @description With which exit code.
             */
            exit_code?: number | null;
            /** @description From where. */
            address: string;
            /** @description What it sent along, cut. */
            body: string;
        };
        /** @description All of them. */
        Pings: {
            /** @description Them. */
            items: components["schemas"]["Ping"][];
        };
        /** @description Times of a schedule. */
        Preview: {
            /** @description When, in words. */
            description: string;
            /** @description The zone. */
            timezone: string;
            /** @description The times. */
            times: components["schemas"]["PreviewTime"][];
            /** @description Clock changes among them, in words. */
            clock_changes: components["schemas"]["PreviewChange"][];
        };
        /** @description A clock change, and what it does to the schedule. */
        PreviewChange: {
            /**
             * Format: date-time
             * @description When.
             */
            at: string;
            /** @description What happens. */
            text: string;
        };
        /** @description Times to show of a schedule that need not exist. */
        PreviewRequest: {
            /** @description When. */
            cron_expr: string;
            /** @description The zone its hours are in; the org's if absent. */
            timezone?: string | null;
            /**
             * Format: date-time
             * @description Times after this; now if absent.
             */
            after?: string | null;
            /**
             * Format: int32
             * @description How many, 1 to 100; 10 if absent.
             */
            count?: number | null;
        };
        /** @description One time. */
        PreviewTime: {
            /**
             * Format: date-time
             * @description When.
             */
            at: string;
            /**
             * @description The same on the zone's clocks.
             * @example 2026-11-16T02:00:00-05:00[America/New_York]
             */
            local: string;
        };
        /** @description An error body as in RFC 9457. */
        Problem: {
            /** @description The page that explains the code, relative to the hub. */
            type: string;
            /** @description What happened, in a few words; the same for every error of this code. */
            title: string;
            /**
             * Format: int32
             * @description The HTTP status.
             */
            status: number;
            /** @description The stable code, as in `not_found`. */
            code: string;
            /** @description What happened here, in a sentence. */
            detail: string;
            /** @description What to do about it. */
            hint?: string | null;
            /** @description Names the request in the hub's log. */
            request_id?: string | null;
            /**
             * Format: int64
             * @description When another try makes sense.
             */
            retry_after_ms?: number | null;
            /** @description What exactly is wrong, each with a JSON pointer into what was sent. */
            errors?: components["schemas"]["Fault"][];
        };
        /** @description This hub was made the home of an org's hosts. */
        Promoted: {
            /**
             * Format: int64
             * @description Which promotion it is: hosts follow the highest they have heard of.
             */
            number: number;
            /** @description Hosts that get their work from another hub until they have heard of it. */
            moving: string[];
        };
        /**
         * @description A window to make. One time: `starts_at` (now if absent) and `ends_at`. Again and again: `cron_expr` and
         *     `duration_seconds`.
         */
        QuietRequest: {
            /** @description What it is for. */
            label: string;
            /** @description Only this host, by name or id. */
            host?: string | null;
            /** @description Only hosts with these labels. */
            selector?: string | null;
            /** @description Only these kinds. */
            kinds?: string[];
            /** @description Only this, as in `definition:sync`. */
            subject?: string | null;
            /**
             * Format: date-time
             * @description When it begins; now if absent.
             */
            starts_at?: string | null;
            /**
             * Format: date-time
             * @description When it ends.
             */
            ends_at?: string | null;
            /** @description When it begins again and again. */
            cron_expr?: string | null;
            /** @description The zone of that; the org's if absent. */
            timezone?: string | null;
            /**
             * Format: int32
             * @description How long each time lasts.
             */
            duration_seconds?: number | null;
        };
        /** @description A time in which alerts are noted but not told. */
        QuietWindow: {
            /** @description Its id. */
            id: string;
            /** @description What it is for. */
            label: string;
            /** @description Only this host. */
            host?: string | null;
            /** @description Only hosts with these labels. */
            selector?: string | null;
            /** @description Only these kinds. */
            kinds: string[];
            /** @description Only this, as in `definition:sync`. */
            subject?: string | null;
            /**
             * Format: date-time
             * @description When it begins.
             */
            starts_at: string;
            /**
             * Format: date-time
             * @description When it ends.
             */
            ends_at?: string | null;
            /** @description When it begins again and again. */
            cron_expr?: string | null;
            /** @description The zone of that. */
            timezone?: string | null;
            /**
             * Format: int32
             * @description How long each time lasts.
             */
            duration_seconds?: number | null;
            /** @description Whether it holds now. */
            is_active: boolean;
            /** @description Who made it. */
            created_by: string;
            /**
             * Format: date-time
             * @description When.
             */
            created_at: string;
        };
        /** @description All windows. */
        QuietWindows: {
            /** @description Them. */
            items: components["schemas"]["QuietWindow"][];
        };
        /** @description What became of a report. */
        ReportAnswer: {
            /** @description The job's status now. */
            status: string;
        };
        /** @description It is over, a person says. */
        ResolveRequest: {
            /** @description Why. */
            note?: string;
        };
        /** @description Puts a finished job back. */
        RetryRequest: {
            /** @description Another payload. */
            payload?: unknown;
        };
        /** @description A run of a job. */
        Run: {
            /** @description Its id. */
            id: string;
            /**
             * Format: int32
             * @description Its number: the job's fence.
             */
            no: number;
            /**
             * @description How it stands.
             * @example succeeded
             */
            status: string;
            /** @description Who ran it: runner and process. */
            worker_id: string;
            /** @description On which host. */
            host?: string | null;
            /**
             * Format: int32
             * @description Its process.
             */
            pid?: number | null;
            /**
             * Format: date-time
             * @description When it began.
             */
            started_at: string;
            /**
             * Format: date-time
             * @description When it ended.
             */
            finished_at?: string | null;
            /**
             * Format: int64
             * @description How long it took.
             */
            duration_ms?: number | null;
            /**
             * Format: int32
             * @description Its exit code.
             */
            exit_code?: number | null;
            /**
             * Format: int32
             * @description The signal that ended it.
             */
            signal?: number | null;
            /** @description What went wrong. */
            error_text?: string | null;
            /** @description The end of its output. */
            stdout_tail?: string | null;
            /** @description The end of its error output. */
            stderr_tail?: string | null;
            /** @description The value it left. */
            output?: unknown;
            /** @description Where its output is. */
            log_url: string;
        };
        /** @description All runs of a job. */
        Runs: {
            /** @description In order, with the one under way. */
            items: components["schemas"]["Run"][];
        };
        /** @description One day of a schedule. */
        ScheduleDay: {
            /**
             * @description Which.
             * @example 2026-11-16
             */
            date: string;
            /**
             * @description How it went: what went worst counts.
             * @example done
             */
            state: string;
            /**
             * Format: int32
             * @description How many times were on it.
             */
            times: number;
        };
        /** @description A secret, without its value. */
        Secret: {
            /** @description The name of the variable that runs get it as. */
            name: string;
            /** @description Who set the value it has. */
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
        /** @description Sets a secret. */
        SecretRequest: {
            /** @description Its value: 1 to 32,768 bytes. Nothing gives it out again but a run whose definition names it. */
            value: string;
        };
        /** @description The secrets of an org. */
        Secrets: {
            /** @description By name. */
            items: components["schemas"]["Secret"][];
        };
        /** @description The values of one name. */
        Series: {
            /**
             * @description Of hosts `cpu`, `memory`, `disk`, `load`; of servers `cpu`, `memory`; of jobs `enqueued`, `succeeded`, `failed`,
             *     `dead_letter`, `canceled`, `wait_p50`, `wait_p95`, `run_p50`, `run_p95`.
             * @example cpu
             */
            name: string;
            /**
             * @description `ratio`, `bytes`, `count` or `seconds`. The processor time of a server is a ratio of one core.
             * @example ratio
             */
            unit: string;
            /** @description One per step; null where nothing was seen. */
            values: (number | null)[];
        };
        /** @description Numbers over a time, in steps of the same length: few enough for a chart. */
        SeriesSet: {
            /**
             * Format: date-time
             * @description Where the first step begins.
             */
            after: string;
            /**
             * Format: date-time
             * @description Where the last one ends.
             */
            before: string;
            /**
             * Format: int64
             * @description How long each is.
             * @example 60
             */
            step_s: number;
            /** @description Them. */
            series: components["schemas"]["Series"][];
        };
        /** @description A long-lived process on one host. */
        Server: {
            /** @description Its id. */
            id: string;
            /** @description What people call it. */
            name: string;
            /** @description Its host. */
            host_id: string;
            /** @description The name of its host. */
            host: string;
            /** @description How its host is. */
            host_status: string;
            /**
             * @description What people see of it, as its host said last.
             * @example running
             */
            state: string;
            /** @description Why. */
            state_reason: string;
            /**
             * Format: date-time
             * @description Since when.
             */
            state_at: string;
            /** @description Whether its host is away: then nobody knows whether that still holds. */
            is_stale: boolean;
            /**
             * @description Whether it is to run.
             * @example up
             */
            wish: string;
            /**
             * Format: int32
             * @description The number of its newest run.
             */
            run: number;
            /**
             * Format: int32
             * @description Its process, if it runs.
             */
            pid?: number | null;
            /**
             * Format: date-time
             * @description Since when it runs.
             */
            started_at?: string | null;
            /**
             * Format: int32
             * @description How often it was started again by itself since somebody asked for it.
             */
            restarts: number;
            /**
             * Format: double
             * @description What it uses of one core, in percent, if it runs and that was measured.
             */
            cpu_percent?: number | null;
            /**
             * Format: int64
             * @description What it uses of the memory.
             */
            memory_bytes?: number | null;
            /** @description The job that waits for it or works on it. */
            job_id?: string | null;
            /** @description As its owner wants it. */
            spec: Record<string, never>;
            /**
             * Format: int32
             * @description Counts its changes.
             */
            version: number;
            /** @description Where it goes once its host has let go of it. */
            moves_to?: string | null;
            /** @description Whether its host made it for itself: it is changed there. */
            is_hosts_own: boolean;
            /** @description Whether a hub owns it: it is changed there. Only on a host. */
            is_hubs: boolean;
            /** @description Who made it. */
            created_by: string;
            /**
             * Format: date-time
             * @description When.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was last changed, or was last heard of.
             */
            updated_at: string;
        };
        /** @description What is asked of a server. */
        ServerAct: {
            /** @description Why, for the audit log. */
            reason?: string | null;
        };
        /** @description The job that does it. */
        ServerActed: components["schemas"]["JobMade"] & {
            /** @description Earlier jobs of the server that it makes pointless. */
            superseded: string[];
        };
        /** @description A line for a server's input. */
        ServerInput: {
            /** @description The line, without its end. */
            line: string;
        };
        /** @description What a server uses, with all its processes. */
        ServerMetrics: {
            /** @description Which. */
            id: string;
            /**
             * Format: double
             * @description Of one core: 150 is one and a half.
             */
            cpu_percent: number;
            /**
             * Format: int64
             * @description Memory that is its own or shared.
             */
            memory_bytes: number;
            /**
             * Format: int32
             * @description Its processes.
             */
            processes: number;
        };
        /** @description A server to make, or the fields of one to change. What is absent has its default, or stays as it is. */
        ServerRequest: Record<string, never> & {
            /** @description What people call it. */
            name?: string | null;
            /** @description Its host, by name or id. Of one that is there: it is stopped there and, if it ran, started here. */
            host?: string | null;
        };
        /** @description One start of a server. */
        ServerRun: {
            /**
             * Format: int32
             * @description Its number.
             */
            no: number;
            /** @description Its id. */
            id: string;
            /** @description The host it was on; none if that is gone. */
            host?: string | null;
            /**
             * @description How it ended, or that it runs.
             * @example running
             */
            status: string;
            /**
             * Format: date-time
             * @description When it began.
             */
            started_at: string;
            /**
             * Format: date-time
             * @description When it was ready.
             */
            ready_at?: string | null;
            /**
             * Format: date-time
             * @description When it ended.
             */
            finished_at?: string | null;
            /**
             * Format: int32
             * @description Its process.
             */
            pid?: number | null;
            /**
             * Format: int32
             * @description What it exited with.
             */
            exit_code?: number | null;
            /**
             * Format: int32
             * @description What ended it.
             */
            signal?: number | null;
            /** @description Whether the system ended it for want of memory. */
            is_oom: boolean;
            /** @description What went wrong. */
            error?: string | null;
        };
        /** @description A one-time sign-in link, made by the owner of the hub's socket. */
        SignInLink: {
            /** @description The link: never shown again. */
            url: string;
            /**
             * Format: date-time
             * @description When it ends.
             */
            expires_at: string;
        };
        /** @description Nobody is told before. */
        SnoozeRequest: {
            /**
             * Format: date-time
             * @description Until when.
             */
            until: string;
        };
        /** @description One glance at an org. */
        Status: {
            /** @description The hub's version. */
            hub_version: string;
            /** @description `sqlite` or `postgres`. */
            database: string;
            /**
             * Format: date-time
             * @description Since when hubs have been listening without a break.
             */
            watching_since: string;
            /** @description The org's slug. */
            org: string;
            /** @description Hosts by state; states without hosts are left out. */
            hosts: {
                [key: string]: number;
            };
            /** @description Runner versions and how many hosts have them. */
            runner_versions: {
                [key: string]: number;
            };
        };
        /** @description How far a host's lane is kept here. */
        SyncLane: {
            /** @description Whose. */
            host_id: string;
            /** @description Its name. */
            host: string;
            /** @description `control` or `bulk`. */
            lane: string;
            /**
             * Format: int64
             * @description Changes that the host has told of and that are not kept here yet.
             */
            behind: number;
            /**
             * Format: int64
             * @description For how long.
             */
            behind_seconds: number;
            /** @description Whether the host is telling everything anew. */
            is_resetting: boolean;
            /**
             * Format: int64
             * @description Rows of the host that were put aside.
             */
            parked: number;
            /** @description Why the last of them was. */
            last_error?: string | null;
            /**
             * Format: date-time
             * @description When something was last taken.
             */
            updated_at: string;
        };
        /** @description How far a hub has this machine's lane. */
        SyncOwnLane: {
            /** @description The hub; none if no hub has confirmed anything. */
            hub_id?: string | null;
            /** @description `control` or `bulk`. */
            lane: string;
            /**
             * Format: int64
             * @description The number of the last change.
             */
            head: number;
            /**
             * Format: int64
             * @description Rows that the hub does not have.
             */
            waiting: number;
            /**
             * Format: int64
             * @description For how long nothing was confirmed, if some wait.
             */
            waiting_seconds: number;
            /**
             * Format: date-time
             * @description When the hub last confirmed something.
             */
            confirmed_at?: string | null;
        };
        /** @description A row that was put aside. */
        SyncParked: {
            /** @description Whose. */
            host: string;
            /** @description Its table. */
            table: string;
            /** @description Which row. */
            id: string;
            /** @description Why. */
            error: string;
            /** @description What it holds. */
            body: unknown;
            /**
             * Format: date-time
             * @description When.
             */
            at: string;
        };
        /** @description How far the sync is. */
        SyncStatus: {
            /** @description What hosts have told this hub, by host and lane. */
            hosts: components["schemas"]["SyncLane"][];
            /** @description What this machine has told its hubs, by hub and lane. Only a runner's own desk has some. */
            own: components["schemas"]["SyncOwnLane"][];
            /** @description Rows that were put aside, newest first; the first hundred. */
            parked: components["schemas"]["SyncParked"][];
        };
        /** @description A table's rows, summed up: two sides with the same number and sum have the same rows. */
        TableDigest: {
            /** @description The table. */
            table: string;
            /**
             * Format: int64
             * @description How many rows.
             */
            rows: number;
            /** @description Their sum, in hexadecimal. */
            sum: string;
        };
        /** @description What happened on a host, newest first. */
        Timeline: {
            /** @description Which host. */
            host: string;
            /**
             * Format: date-time
             * @description From then.
             */
            from: string;
            /**
             * Format: date-time
             * @description Until then.
             */
            until: string;
            /** @description What happened. */
            items: components["schemas"]["TimelineItem"][];
            /** @description Whether older things were left out. */
            has_more: boolean;
        };
        /** @description One thing that happened. */
        TimelineItem: {
            /**
             * Format: date-time
             * @description When it began.
             */
            at: string;
            /**
             * Format: date-time
             * @description When it ended, if it lasted.
             */
            until?: string | null;
            /**
             * @description `gap`, `run`, `slot` or `alert`.
             * @example slot
             */
            kind: string;
            /**
             * @description What it was: the kind of gap, the status of the run or the slot, the kind of alert.
             * @example caught_up
             */
            word: string;
            /** @description A sentence. */
            text: string;
            /** @description The job it belongs to. */
            job_id?: string | null;
            /** @description The trigger it belongs to. */
            trigger_id?: string | null;
            /** @description The alert it is. */
            alert_id?: string | null;
        };
        /** @description An API token, without its secret. */
        Token: {
            /** @description Its id. */
            id: string;
            /** @description What it is for. */
            name: string;
            /** @description How it begins. */
            hint: string;
            /** @description Who made it, and on whose behalf it acts. */
            user_id: string;
            /**
             * @description The most it may do.
             * @example operator
             */
            role: string;
            /**
             * @description What it is limited to.
             * @example api
             */
            scope: string;
            /**
             * Format: date-time
             * @description When it ends.
             */
            expires_at?: string | null;
            /**
             * Format: date-time
             * @description When it was revoked.
             */
            revoked_at?: string | null;
            /**
             * Format: date-time
             * @description When it was last used, to the minute.
             */
            last_used_at?: string | null;
            /**
             * Format: date-time
             * @description When it was made.
             */
            created_at: string;
        };
        /** @description An API token with its secret, shown once. */
        TokenCreated: components["schemas"]["Token"] & {
            /** @description The secret: never shown again. */
            secret: string;
        };
        /** @description Asks for an API token. */
        TokenRequest: {
            /** @description What it is for. */
            name: string;
            /** @description The most it may do; one's own role unless said. */
            role?: string | null;
            /** @description What it is limited to; `api` unless said. */
            scope?: string | null;
            /**
             * Format: int32
             * @description For how long; 90 days unless said, 0 = for ever.
             */
            ttl_seconds?: number | null;
        };
        /** @description A schedule or an event rule. */
        Trigger: {
            /** @description Its id. */
            id: string;
            /** @description What people call it. */
            label: string;
            /** @description Whether it makes jobs. */
            is_enabled: boolean;
            /**
             * @description What sets it off.
             * @example schedule
             */
            trigger_type: string;
            /** @description The name of the event. */
            event_name?: string | null;
            /** @description Conditions on the event's fields. */
            match: Record<string, never>;
            /**
             * @description When, in the five fields of cron or as a nickname.
             * @example 0 2 * * *
             */
            cron_expr?: string | null;
            /**
             * @description The zone its hours are in.
             * @example Europe/Berlin
             */
            timezone?: string | null;
            /** @description When, in words. */
            description: string;
            /** @description What it runs. */
            definition_key: string;
            /** @description The payload, with slots such as `{{ event.folder }}`. */
            payload_template: unknown;
            /** @description A template for the key by which its jobs are told apart. */
            dedupe_key?: string | null;
            /**
             * Format: int32
             * @description For how long a second job with the same key is not made.
             */
            dedupe_window_seconds?: number | null;
            target?: components["schemas"]["TriggerTarget"] | null;
            /**
             * @description Where it fires.
             * @example hub
             */
            place: string;
            /**
             * @description What becomes of times that passed while nobody could act on them.
             * @example once
             */
            missed: string;
            /**
             * Format: int32
             * @description How many jobs `all` makes at most.
             */
            missed_max: number;
            /**
             * Format: int32
             * @description Times further back are not made up for.
             */
            missed_window_seconds: number;
            /**
             * @description What a fire does while an earlier job is queued or running.
             * @example forbid
             */
            overlap: string;
            /**
             * Format: int32
             * @description Jobs begin up to so many seconds after their time, spread evenly.
             */
            jitter: number;
            /**
             * Format: date-time
             * @description No fires before.
             */
            starts_at?: string | null;
            /**
             * Format: date-time
             * @description No fires after.
             */
            ends_at?: string | null;
            /**
             * Format: date-time
             * @description No fires until then.
             */
            paused_until?: string | null;
            /**
             * Format: int32
             * @description The priority of its jobs; lower runs first.
             */
            priority: number;
            /** @description Whether a host made it for itself: it is only shown here, and changed there. */
            is_hosts_own: boolean;
            /** @description Who made it. */
            created_by: string;
            /**
             * Format: date-time
             * @description When.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             */
            updated_at: string;
            /**
             * Format: date-time
             * @description When it fires next.
             */
            next_fire_at?: string | null;
            last_fire?: components["schemas"]["Fire"] | null;
            /** @description What is to know about where it fires. */
            note?: string | null;
        };
        /** @description Jobs that were made at once. */
        TriggerFired: {
            /** @description Their ids. */
            jobs: string[];
            /** @description Why others were not made. */
            refused: string[];
        };
        /** @description A trigger to make, or the fields of one to change. What is absent has its default, or stays as it is. */
        TriggerRequest: {
            /** @description What people call it. */
            label?: string | null;
            /** @description Whether it makes jobs; it does unless said otherwise. */
            is_enabled?: boolean | null;
            /**
             * @description `event` or `schedule`; follows from the other fields.
             * @example schedule
             */
            trigger_type?: string | null;
            /** @description The name of the event. */
            event_name?: string | null;
            /** @description Conditions on the event's fields. */
            match?: Record<string, never> | null;
            /** @description When, in the five fields of cron, with seconds before them if need be, or as `@daily`, `@every 15m`. */
            cron_expr?: string | null;
            /** @description The zone its hours are in; the org's unless said otherwise. */
            timezone?: string | null;
            /** @description What it runs. */
            definition_key?: string | null;
            /** @description The payload, with slots such as `{{ event.folder }}`. */
            payload_template?: unknown;
            /** @description A template for the key by which its jobs are told apart. */
            dedupe_key?: string | null;
            /**
             * Format: int32
             * @description For how long a second job with the same key is not made; 300 for events.
             */
            dedupe_window_seconds?: number | null;
            target?: components["schemas"]["TriggerTarget"] | null;
            /**
             * @description `hub` (the default), or `host`: it fires on its host, also when the hub is away.
             * @example hub
             */
            place?: string | null;
            /**
             * @description `skip`, `once` (the default) or `all`.
             * @example once
             */
            missed?: string | null;
            /**
             * Format: int32
             * @description How many jobs `all` makes at most; 10.
             */
            missed_max?: number | null;
            /**
             * Format: int32
             * @description Times further back are not made up for; a week.
             */
            missed_window_seconds?: number | null;
            /**
             * @description `allow`, `forbid` (the default), `replace` or `queue_one`.
             * @example forbid
             */
            overlap?: string | null;
            /**
             * Format: int32
             * @description Jobs begin up to so many seconds after their time, spread evenly; 0.
             */
            jitter?: number | null;
            /**
             * Format: date-time
             * @description No fires before.
             */
            starts_at?: string | null;
            /**
             * Format: date-time
             * @description No fires after.
             */
            ends_at?: string | null;
            /**
             * Format: date-time
             * @description No fires until then.
             */
            paused_until?: string | null;
            /**
             * Format: int32
             * @description The priority of its jobs; 100.
             */
            priority?: number | null;
        };
        /** @description Where the jobs of a trigger run: one of host, queue and selector. */
        TriggerTarget: {
            /** @description On this host, by name or id. */
            host?: string | null;
            /** @description On any host that serves this queue. */
            queue?: string | null;
            /** @description On hosts whose labels match. */
            selector?: string | null;
            /**
             * @description With a selector: `each` host that matches, or `any` one of them (the default).
             * @example each
             */
            spread?: string | null;
        };
        /** @description A person, as a super admin sees them. */
        User: {
            /** @description Their id. */
            id: string;
            /** @description Their address. */
            email: string;
            /** @description Their name. */
            name: string;
            /** @description Whether they manage the installation. */
            is_super_admin: boolean;
            /** @description Whether they may sign in. */
            is_disabled: boolean;
            /**
             * Format: date-time
             * @description When they came.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When they were last changed.
             */
            updated_at: string;
        };
        /** @description Changes to a person by a super admin. */
        UserPatch: {
            /** @description Whether they manage the installation. */
            is_super_admin?: boolean | null;
            /** @description Whether they may not sign in. */
            is_disabled?: boolean | null;
        };
        /** @description A page as somebody wants to see it again. */
        View: {
            /** @description Its id. */
            id: string;
            /**
             * @description `jobs`, `hosts`, `servers`, `triggers`, `alerts` or `events`.
             * @example jobs
             */
            page: string;
            /** @description What people call it. */
            name: string;
            /**
             * @description What stands after the `?` of the page's address.
             * @example q=status%3Adead_letter
             */
            query: string;
            /**
             * @description `private` or `org`.
             * @example private
             */
            visibility: string;
            /** @description Whether it is the caller's own. */
            is_mine: boolean;
            /** @description Whose it is. */
            created_by: string;
            /**
             * Format: date-time
             * @description Since when.
             */
            created_at: string;
            /**
             * Format: date-time
             * @description When it was last changed.
             */
            updated_at: string;
        };
        /** @description What changes of a view. */
        ViewPatch: {
            /** @description What people call it. */
            name?: string | null;
            /** @description What stands after the `?` of the page's address. */
            query?: string | null;
            /**
             * @description `private` or `org`.
             * @example org
             */
            visibility?: string | null;
        };
        /** @description A view to keep. */
        ViewRequest: {
            /**
             * @description `jobs`, `hosts`, `servers`, `triggers`, `alerts` or `events`.
             * @example jobs
             */
            page: string;
            /** @description What people call it. */
            name: string;
            /** @description What stands after the `?` of the page's address. */
            query: string;
            /**
             * @description `private`, unless said otherwise, or `org`.
             * @example private
             */
            visibility?: string | null;
        };
        /** @description The views somebody has. */
        Views: {
            /** @description By page and name. */
            items: components["schemas"]["View"][];
        };
        /** @description Why a job waits, or how it ended. */
        Why: {
            /** @description The job's status. */
            status: string;
            /** @description In one word. */
            reason?: string | null;
            /** @description In one sentence. */
            text: string;
            /** @description What can be done. */
            hints?: string[];
        };
        /** @description A worker, as people see it. */
        Worker: {
            /** @description Its name: that of its host, or what it calls itself. */
            worker_id: string;
            /** @description Its machine. */
            hostname: string;
            /** @description Its version. */
            version: string;
            /** @description What it serves. */
            queues: string[];
            /** @description The slug of its org. */
            org: string;
            /**
             * Format: date-time
             * @description When it was last heard from.
             */
            last_seen_at?: string | null;
            /**
             * Format: int64
             * @description What it runs.
             */
            running_count: number;
            /** @description Whether it has been silent for too long. */
            stale: boolean;
            /** @description What it says of itself. */
            metadata: unknown;
        };
        /** @description Says that a run goes on. */
        WorkerBeat: {
            /** @description Who. */
            worker_id: string;
            /**
             * Format: int32
             * @description Which run.
             */
            fence: number;
            /**
             * Format: int32
             * @description How far it has come, 0 to 100.
             */
            percent?: number | null;
            /** @description What it is at. */
            message?: string | null;
        };
        /** @description The answer to a sign of life. */
        WorkerBeatAnswer: {
            /** @description Whether the run is to end: somebody canceled the job. */
            cancel: boolean;
            /**
             * Format: date-time
             * @description Until when the lease holds.
             */
            lease_expires_at: string;
        };
        /** @description A job for a worker. */
        WorkerJob: {
            /** @description The job. */
            id: string;
            /** @description The run. */
            run_id: string;
            /**
             * Format: int32
             * @description Its number: name it in every report.
             */
            fence: number;
            /** @description What to run. */
            definition_key: string;
            /** @description With what; values that are shown to nobody else are in it. */
            payload: unknown;
            /** @description The secrets that its definition names. */
            secrets?: {
                [key: string]: string;
            };
            /**
             * Format: int64
             * @description How long it may take.
             */
            timeout_seconds: number;
            /** @description What it belongs to. */
            correlation_id?: string | null;
        };
        /** @description All workers. */
        Workers: {
            /** @description The workers. */
            items: components["schemas"]["Worker"][];
        };
        /** @description What a trigger would do. */
        WouldMake: {
            /** @description What it would run. */
            definition_key: string;
            /** @description One for each place. */
            jobs: components["schemas"]["WouldMakeJob"][];
            /**
             * Format: int64
             * @description For an event rule: how many of the events that are kept it would have fired for.
             */
            would_have_fired?: number | null;
            /**
             * Format: int64
             * @description And how many of that name there are.
             */
            events_looked_at?: number | null;
        };
        /** @description A job that would be made. */
        WouldMakeJob: {
            /** @description Where. */
            target: string;
            /** @description With what. */
            payload?: unknown;
            /** @description Why not, if it would not. */
            refused?: string | null;
            /** @description The key it would have, and the job that holds it. */
            dedupe_key?: string | null;
            /** @description The job that holds that key now. */
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
