import { useMemo, useState } from "react";
import { ApiError } from "../api/client";
import type { Definition } from "../api/model";
import { readJson, writeJson } from "../parts/json";
import { type Field, faultsByField, fieldsOf, readFields, type Written, writeFields } from "./schema";

export interface PayloadForm {
  fields: Field[] | undefined;
  isJson: boolean;
  setJson: (isJson: boolean) => void;
  written: Written;
  setWritten: (written: Written) => void;
  json: string;
  setJsonText: (json: string) => void;
  /** The payload to send. */
  payload: unknown;
  errors: Record<string, string>;
  isValid: boolean;
}

/** State of a payload form: fields if the schema allows, else JSON. */
export function usePayloadForm(
  definition: Definition | undefined,
  start: unknown,
  fault: unknown,
): PayloadForm {
  const fields = useMemo(() => fieldsOf(definition?.arg_schema), [definition]);
  const [wantsJson, setJson] = useState(false);
  const [written, setWritten] = useState<Written>(() => writeFields(fields ?? [], start));
  const [json, setJsonText] = useState(() => writeJson(start ?? {}));
  const isJson = wantsJson || fields === undefined;
  const read = readFields(fields ?? [], written);
  const parsed = readJson(json);
  const said = fault instanceof ApiError ? faultsByField(fault.problem.errors) : {};
  return {
    fields,
    isJson,
    // Keeps the input when switching between form and JSON.
    setJson: (next) => {
      if (next) setJsonText(writeJson(read.payload));
      else if (fields && parsed.error === undefined) setWritten(writeFields(fields, parsed.value));
      setJson(next);
    },
    written,
    setWritten,
    json,
    setJsonText,
    payload: isJson ? parsed.value : read.payload,
    errors: { ...said, ...read.errors },
    isValid: isJson ? parsed.error === undefined : Object.keys(read.errors).length === 0,
  };
}
