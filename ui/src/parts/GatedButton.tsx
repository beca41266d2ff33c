import { Button, type ButtonProps } from "@mantine/core";
import type { MouseEventHandler, ReactNode } from "react";
import { Tip } from "./Tip";

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
    <Tip label={refused}>
      <Button {...rest} type="button" aria-disabled="true" aria-description={refused}>
        {children}
      </Button>
    </Tip>
  );
}
