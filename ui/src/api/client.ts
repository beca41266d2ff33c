import createClient from "openapi-fetch";
import { basePath } from "../app/base";
import { text } from "../messages";
import type { Problem } from "./model";
import type { paths } from "./schema";

/** An error of the hub, or a network error in the same form. */
export class ApiError extends Error {
  override readonly name = "ApiError";

  constructor(readonly problem: Problem) {
    super(sentence(problem.detail).replaceAll("`", '"'));
  }

  get code(): string {
    return this.problem.code;
  }

  get isSignedOut(): boolean {
    return this.problem.status === 401 && this.code !== "login_failed";
  }

  /** The hub did not answer: the request failed, or a proxy answered with 502 or above. */
  get isUnreachable(): boolean {
    return this.code === UNREACHABLE || (this.code === UNREADABLE && this.problem.status >= 502);
  }
}

const UNREACHABLE = "hub_unreachable";
const UNREADABLE = "unreadable_answer";

/** Adds the capital letter and full stop that texts of the hub lack. */
export function sentence(words: string): string {
  const start = words.charAt(0).toUpperCase() + words.slice(1);
  return /[.!?]$/.test(start) ? start : `${start}.`;
}

export const client = createClient<paths>({
  baseUrl: basePath,
  credentials: "same-origin",
  headers: { accept: "application/json" },
});

export interface ApiResult<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/** Returns the body of a successful response; throws an `ApiError` otherwise. */
export async function unwrap<T>(call: Promise<ApiResult<T>>): Promise<T> {
  let result: ApiResult<T>;
  try {
    result = await call;
  } catch (cause) {
    if (cause instanceof DOMException && cause.name === "AbortError") throw cause;
    // An HTML page instead of JSON comes from a proxy, not from the hub.
    throw new ApiError(cause instanceof SyntaxError ? unreadable(200) : unreachable());
  }
  if (!result.response.ok) throw new ApiError(problemOf(result.response, result.error));
  return result.data as T;
}

function problemOf(response: Response, body: unknown): Problem {
  if (typeof body === "object" && body !== null && "code" in body && "detail" in body) return body as Problem;
  return unreadable(response.status, response.headers.get("x-request-id"));
}

function unreachable(): Problem {
  const detail = text.errors.unreachable;
  return {
    type: "about:blank",
    title: detail,
    status: 0,
    code: UNREACHABLE,
    detail,
    hint: text.errors.unreachableHint,
  };
}

/** The response has no problem body, for example an error page of a proxy. */
function unreadable(status: number, requestId: string | null = null): Problem {
  const detail = text.errors.unreadable(status);
  return { type: "about:blank", title: detail, status, code: UNREADABLE, detail, request_id: requestId };
}

/** Removes undefined fields from a query. */
export function definedOnly<Query extends object>(
  query: Query,
): { [Key in keyof Query]: Exclude<Query[Key], undefined> } {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined)) as never;
}
