import { Button } from "@mantine/core";
import { useState } from "react";
import { text } from "../messages";
import { copyText } from "./copy";
import { Icon } from "./Icon";
import { shortcut } from "./shortcut";

interface Props {
  value: string;
  label?: string;
  variant?: "default" | "filled" | "subtle";
}

const FEEDBACK_MS = 2000;

export function CopyButton({ value, label = text.common.copy, variant = "default" }: Props) {
  const [feedback, setFeedback] = useState<string>();

  const copy = async (button: HTMLElement) => {
    setFeedback((await copyText(value, button)) ? text.common.copied : text.common.copyFailed(shortcut("C")));
    setTimeout(() => setFeedback(undefined), FEEDBACK_MS);
  };

  return (
    <Button
      variant={variant}
      onClick={(event) => void copy(event.currentTarget)}
      leftSection={<Icon name={feedback === text.common.copied ? "check" : "copy"} />}
    >
      <span aria-live="polite">{feedback ?? label}</span>
    </Button>
  );
}
