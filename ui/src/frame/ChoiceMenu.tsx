import { Menu } from "@mantine/core";
import type { ReactNode } from "react";
import { Icon } from "../parts/Icon";
import styles from "./ChoiceMenu.module.css";

interface Choice<T extends string> {
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
        <Menu.RadioGroup value={chosen} onChange={(value) => onChoose(value as T)}>
          {choices.map(({ value, label, note }) => (
            <Menu.RadioItem key={value} value={value} checkIcon={<Icon name="check" />} closeMenuOnClick>
              {label}
              {note && <span className={styles.note}>{note}</span>}
            </Menu.RadioItem>
          ))}
        </Menu.RadioGroup>
      </Menu.Dropdown>
    </Menu>
  );
}
