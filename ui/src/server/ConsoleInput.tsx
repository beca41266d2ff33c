import "../styles/mantine-forms";
import { TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import type { Server } from "../api/model";
import { refusal } from "../app/roles";
import { useSession } from "../app/session";
import { serverText } from "../messages/server";
import { GatedButton } from "../parts/GatedButton";
import { Icon } from "../parts/Icon";
import { useServerApi } from "../servers/useServers";
import { addToHistory, nextHistoryIndex } from "./input-history";
import styles from "./ServerPage.module.css";

const words = serverText.console;

/** Console input of a server. The arrow keys recall earlier lines. */
export function ConsoleInput({ server }: { server: Server }) {
  const { role } = useSession();
  const api = useServerApi();
  const [line, setLine] = useState("");
  const [history, setHistory] = useState<string[]>([]);
  const [at, setAt] = useState(0);
  const refused = refusal(role, "operator") ?? inputRefusal(server);
  const send = useMutation({
    mutationFn: (text: string) => api.input(server.id, text),
    onSuccess: (_, text) => {
      const lines = addToHistory(history, text);
      setHistory(lines);
      setAt(lines.length);
      setLine("");
    },
  });
  const recall = (step: 1 | -1) => {
    const next = nextHistoryIndex(at, step, history.length);
    setAt(next);
    setLine(history[next] ?? "");
  };
  return (
    <form
      className={styles.input}
      onSubmit={(event) => {
        event.preventDefault();
        if (!refused && !send.isPending) send.mutate(line);
      }}
    >
      <TextInput
        aria-label={words.input}
        placeholder={refused ?? words.inputHint}
        leftSection={<Icon name="prompt" />}
        readOnly={refused !== undefined}
        aria-description={refused}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        value={line}
        error={send.error?.message}
        onChange={(event) => setLine(event.currentTarget.value)}
        onKeyDown={(event) => {
          const step = ({ ArrowUp: -1, ArrowDown: 1 } as const)[event.key as "ArrowUp" | "ArrowDown"];
          if (!step || history.length === 0) return;
          event.preventDefault();
          recall(step);
        }}
      />
      <GatedButton type="submit" variant="default" refused={refused} loading={send.isPending}>
        {words.send}
      </GatedButton>
    </form>
  );
}

/** Why the server does not accept console input now. */
function inputRefusal({ spec, pid, state }: Server): string | undefined {
  if (!spec.console) return words.off;
  return typeof pid === "number" || state === "starting" ? undefined : words.notRunning;
}
