import { Button, type ButtonProps, Tooltip } from "@mantine/core";
import type { MouseEventHandler, ReactNode } from "react";

interface Props extends ButtonProps {
  /** Why it cannot be used now. The button stays visible and reachable, and says so. */
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
  // Really disabled buttons get no focus, and so could not explain themselves.
  return (
    <Tooltip label={refused}>
      <Button {...rest} type="button" aria-disabled="true" aria-description={refused}>
        {children}
      </Button>
    </Tooltip>
  );
}
