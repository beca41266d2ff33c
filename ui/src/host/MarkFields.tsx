import { NativeSelect, TextInput } from "@mantine/core";
import { useState } from "react";
import { hostText } from "../messages/host";
import { hubNow } from "../time/clock";

const words = hostText.host;

/** Fields for the reason and end of a pause or mark. */
export function useMark() {
  const [note, setNote] = useState("");
  const [seconds, setSeconds] = useState(0);
  return {
    fields: (
      <>
        <TextInput
          label={words.note}
          description={words.noteHint}
          value={note}
          onChange={(event) => setNote(event.currentTarget.value)}
          data-autofocus
        />
        <NativeSelect
          label={words.until}
          value={seconds}
          onChange={(event) => setSeconds(Number(event.currentTarget.value))}
          data={words.untils.map(([value, label]) => ({ value: String(value), label }))}
        />
      </>
    ),
    request: () => ({
      note: note.trim(),
      until: seconds > 0 ? new Date(hubNow() + seconds * 1000).toISOString() : null,
    }),
  };
}
