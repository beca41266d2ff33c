import { Button, type ButtonProps } from "@mantine/core";
import type { MouseEventHandler, ReactNode } from "react";
import { Tooltip } from "./Tooltip";

interface Props extends ButtonProps {
  /** Why the button is disabled. It stays focusable and shows this text. */
  refused?: string | undefined;
  onClick?: MouseEventHandler<HTMLButtonElement>;
  type?: "button" | "submit";
  children: ReactNode;
}

export function GatedButton({ refused, onClick, children, ...rest }: Props) {
  if (!refused) {
    return (
      <Button {...rest} onClick={onClick}>
        {children}
      </Button>
    );
  }
  // Natively disabled buttons get no focus, so they could not show the reason.
  return (
    <Tooltip label={refused}>
      <Button {...rest} type="button" aria-disabled="true" aria-description={refused}>
        {children}
      </Button>
    </Tooltip>
  );
}
