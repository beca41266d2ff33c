import { basePath } from "../app/base";
import { answer, type Said } from "./client";

/** The body of an answer of a route that the description of the API does not hold. */
export function answerOf<T>(method: string, path: string, body?: unknown): Promise<T> {
  const call = async (): Promise<Said<T>> => {
    const response = await fetch(`${basePath}/api/v1${path}`, {
      method,
      credentials: "same-origin",
      headers: { accept: "application/json", "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const written = await response.text();
    const data = written === "" ? undefined : JSON.parse(written);
    return response.ok ? { data, response } : { error: data, response };
  };
  return answer(call());
}
