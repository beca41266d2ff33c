import { text } from "../messages";
import { formText as words } from "../messages/server-form";
import page from "../parts/Page.module.css";
import { AmountField, type Fields } from "./fields";

const none = text.common.noLimit;

/** What it may use, and how much of its output is kept. */
export function LimitFields({ fields }: { fields: Fields }) {
  return (
    <>
      <div className={page.pair}>
        <AmountField
          fields={fields}
          name="memoryMb"
          label={words.memory}
          pointer="/caps/memory_bytes"
          hint={none}
        />
        <AmountField
          fields={fields}
          name="cpuPercent"
          label={words.cpu}
          pointer="/caps/cpu_percent"
          hint={none}
        />
        <AmountField
          fields={fields}
          name="processes"
          label={words.processes}
          pointer="/caps/processes"
          hint={none}
        />
      </div>
      <div className={page.pair}>
        <AmountField fields={fields} name="logMb" label={words.logMb} pointer="/log/bytes" />
        <AmountField fields={fields} name="logDays" label={words.logDays} pointer="/log/days" />
      </div>
    </>
  );
}
