import { basePath } from "../app/base";
import { text } from "../messages";
import type { Problem } from "./types";

/** What went wrong, as the hub said it, or as far as the browser can tell. */
export class ApiError extends Error {
  override readonly name = "ApiError";

  constructor(readonly problem: Problem) {
    super(problem.detail);
  }

  get code(): string {
    return this.problem.code;
  }

  get isSignedOut(): boolean {
    return this.problem.status === 401 && this.code !== "login_failed";
  }
}

type Query = Record<string, string | number | undefined>;

interface Options {
  body?: unknown;
  query?: Query;
  signal?: AbortSignal | undefined;
}

type Method = "GET" | "POST" | "PATCH" | "DELETE";

/** Sends one request to `{base}/api/v1/{path}`. `path` holds encoded segments. */
export async function request<T>(method: Method, path: string, options: Options = {}): Promise<T> {
  let response: Response;
  try {
    response = await fetch(`${basePath}/api/v1/${path}${queryText(options.query)}`, {
      method,
      credentials: "same-origin",
      headers: {
        accept: "application/json",
        ...(options.body === undefined ? {} : { "content-type": "application/json" }),
      },
      body: options.body === undefined ? null : JSON.stringify(options.body),
      signal: options.signal ?? null,
    });
  } catch (cause) {
    if (options.signal?.aborted) throw cause;
    throw new ApiError(unreachable());
  }
  if (!response.ok) throw new ApiError(await problemOf(response));
  if (response.status === 204) return undefined as T;
  return (await response.json()) as T;
}

function queryText(query: Query = {}): string {
  const params = new URLSearchParams();
  for (const [key, value] of Object.entries(query)) {
    if (value !== undefined && value !== "") params.set(key, String(value));
  }
  const written = params.toString();
  return written ? `?${written}` : "";
}

function unreachable(): Problem {
  return {
    type: "about:blank",
    title: text.errors.unreachable,
    status: 0,
    code: "hub_unreachable",
    detail: text.errors.unreachable,
    hint: text.errors.unreachableHint,
  };
}

/** A proxy in front of the hub may answer with a page of its own instead of a problem. */
async function problemOf(response: Response): Promise<Problem> {
  const type = response.headers.get("content-type") ?? "";
  if (type.includes("json")) {
    try {
      return (await response.json()) as Problem;
    } catch {
      // Falls through to the words below: the body was cut short.
    }
  }
  const requestId = response.headers.get("x-request-id");
  return {
    type: "about:blank",
    title: response.statusText,
    status: response.status,
    code: "unreadable_answer",
    detail: text.errors.unreadable(response.status),
    ...(requestId ? { request_id: requestId } : {}),
  };
}
