import "../styles/mantine-forms";
import { Modal } from "@mantine/core";
import type { ReactNode } from "react";
import { text } from "../messages";

interface Props {
  title: string;
  onClose: () => void;
  size?: number;
  children: ReactNode;
}

export function Dialog({ title, onClose, size = 440, children }: Props) {
  return (
    <Modal
      opened
      onClose={onClose}
      title={title}
      size={size}
      closeButtonProps={{ "aria-label": text.common.close }}
    >
      {children}
    </Modal>
  );
}
