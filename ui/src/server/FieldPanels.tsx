import type { ReactNode } from "react";
import { formText as words } from "../messages/server-form";
import page from "../parts/Page.module.css";
import { Panel } from "../parts/Panel";
import type { Fields } from "./fields";
import { ReadyFields, RestartFields, StopFields } from "./LifecycleFields";
import { LimitFields } from "./LimitFields";
import { ProcessFields } from "./ProcessFields";

interface Props {
  fields: Fields;
  error: unknown;
  /** Name and host fields. */
  children: ReactNode;
}

/** Main settings: process, readiness and restart. */
export function MainPanels({ fields, error, children }: Props) {
  return (
    <>
      <FieldPanel title={words.process}>
        {children}
        <ProcessFields fields={fields} error={error} />
      </FieldPanel>
      <FieldPanel title={words.ready}>
        <ReadyFields fields={fields} />
      </FieldPanel>
      <FieldPanel title={words.restart}>
        <RestartFields fields={fields} />
      </FieldPanel>
    </>
  );
}

/** Settings that rarely need a change: stop steps and limits. */
export function MorePanels({ fields }: { fields: Fields }) {
  return (
    <>
      <FieldPanel title={words.stop}>
        <StopFields fields={fields} />
      </FieldPanel>
      <FieldPanel title={words.limits}>
        <LimitFields fields={fields} />
      </FieldPanel>
    </>
  );
}

function FieldPanel({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Panel title={title}>
      <div className={page.form}>{children}</div>
    </Panel>
  );
}
