import { text } from "../messages";
import { formText as words } from "../messages/server-form";
import page from "../parts/Page.module.css";
import { AmountFields, type Fields } from "./fields";

const none = text.common.noLimit;

/** Resource limits and log retention of a server. */
export function LimitFields({ fields }: { fields: Fields }) {
  return (
    <>
      <div className={page.pair}>
        <AmountFields
          fields={fields}
          rows={[
            ["memoryMib", words.memory, "/caps/memory_bytes", none],
            ["cpuPercent", words.cpu, "/caps/cpu_percent", none],
            ["processes", words.processes, "/caps/processes", none],
          ]}
        />
      </div>
      <div className={page.pair}>
        <AmountFields
          fields={fields}
          rows={[
            ["logMib", words.logMib, "/log/bytes"],
            ["logDays", words.logDays, "/log/days"],
          ]}
        />
      </div>
    </>
  );
}
