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
    "/api/v1/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Live events of the org, as JSON text frames of the schema `LiveEvent`.
         * @description Access: org: event.read.
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
                /** @description Frames of `LiveEvent`; `resync` means some were missed */
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
         * Removes a host.
         * @description Access: org: host.manage.
         */
        delete: {
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
    "/api/v1/orgs/{org}/events": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Live events of the org, as JSON text frames of the schema `LiveEvent`.
         * @description Access: org: event.read.
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
                /** @description Frames of `LiveEvent`; `resync` means some were missed */
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
         * Removes a host.
         * @description Access: org: host.manage.
         */
        delete: {
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
            /** @description What to type on the machine. */
            command: string;
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
            /** @description The fields that changed. */
            data: {
                [key: string]: unknown;
            };
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
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export type operations = Record<string, never>;
