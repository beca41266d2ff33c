import { Menu } from "@mantine/core";
import type { ReactNode } from "react";
import { Icon } from "../parts/Icon";
import styles from "./ChoiceMenu.module.css";

export interface Choice<T extends string> {
  value: T;
  label: string;
  note?: string;
}

interface Props<T extends string> {
  /** The button that opens the menu. */
  target: ReactNode;
  title: string;
  choices: Choice<T>[];
  chosen: T;
  onChoose: (value: T) => void;
}

/** One of a few, with the present one ticked. */
export function ChoiceMenu<T extends string>({ target, title, choices, chosen, onChoose }: Props<T>) {
  return (
    <Menu>
      <Menu.Target>{target}</Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{title}</Menu.Label>
        {choices.map(({ value, label, note }) => (
          <Menu.Item
            key={value}
            role="menuitemradio"
            aria-checked={value === chosen}
            leftSection={
              <span className={styles.tick} data-chosen={value === chosen || undefined}>
                <Icon name="check" />
              </span>
            }
            onClick={() => onChoose(value)}
          >
            {label}
            {note && <span className={styles.note}>{note}</span>}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
