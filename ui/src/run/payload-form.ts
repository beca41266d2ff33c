import { useMemo, useState } from "react";
import { ApiError } from "../api/client";
import type { Definition } from "../api/model";
import { readJson, writeJson } from "../parts/json";
import { errorsByField, type Field, type FieldInputs, fieldsOf, fillFields, parseFields } from "./schema";

export interface PayloadForm {
  fields: Field[] | undefined;
  isJson: boolean;
  setJson: (isJson: boolean) => void;
  inputs: FieldInputs;
  setInputs: (inputs: FieldInputs) => void;
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
  initial: unknown,
  error: unknown,
): PayloadForm {
  const fields = useMemo(() => fieldsOf(definition?.arg_schema), [definition]);
  const [wantsJson, setJson] = useState(false);
  const [inputs, setInputs] = useState<FieldInputs>(() => fillFields(fields ?? [], initial));
  const [json, setJsonText] = useState(() => writeJson(initial ?? {}));
  const isJson = wantsJson || fields === undefined;
  const fromFields = parseFields(fields ?? [], inputs);
  const parsed = readJson(json);
  const hubErrors = error instanceof ApiError ? errorsByField(error.problem.errors) : {};
  return {
    fields,
    isJson,
    // Keeps the input when switching between form and JSON.
    setJson: (next) => {
      if (next) setJsonText(writeJson(fromFields.payload));
      else if (fields && parsed.error === undefined) setInputs(fillFields(fields, parsed.value));
      setJson(next);
    },
    inputs,
    setInputs,
    json,
    setJsonText,
    payload: isJson ? parsed.value : fromFields.payload,
    errors: { ...hubErrors, ...fromFields.errors },
    isValid: isJson ? parsed.error === undefined : Object.keys(fromFields.errors).length === 0,
  };
}
