import { TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { useEffect, useId, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { Icon } from "./Icon";
import styles from "./SuggestInput.module.css";

interface Suggestions {
  from: number;
  to: number;
  values: string[];
}

interface Props {
  label: string;
  placeholder: string;
  value: string;
  onChange: (value: string) => void;
  suggest: (text: string, caret: number) => Suggestions;
  error?: string | undefined;
}

/** Debounce time: long enough to finish a word, short enough to feel live. */
const DEBOUNCE_MS = 350;
const NONE: Suggestions = { from: 0, to: 0, values: [] };

/** Text field with completion: arrow keys select, Tab or Enter accepts, Escape closes the list. */
export function SuggestInput({ label, placeholder, value, onChange, suggest, error }: Props) {
  const [typed, setTyped] = useState(value);
  const [suggestions, setSuggestions] = useState(NONE);
  const [selected, setSelected] = useState(-1);
  const field = useRef<HTMLInputElement>(null);
  const listId = useId();
  const lastSent = useRef(value);
  const debouncedChange = useDebouncedCallback((next: string) => {
    lastSent.current = next;
    onChange(next);
  }, DEBOUNCE_MS);
  // Ignores values that this field sent itself: they return late and would overwrite newer typing.
  useEffect(() => {
    if (value === lastSent.current) return;
    lastSent.current = value;
    setTyped(value);
  }, [value]);

  // Suggestions may load after typing has started, so they are computed again.
  useEffect(() => {
    const input = field.current;
    if (!input || document.activeElement !== input) return;
    setSuggestions(suggest(input.value, input.selectionStart ?? input.value.length));
  }, [suggest]);

  const close = () => {
    setSuggestions(NONE);
    setSelected(-1);
  };
  const setText = (next: string, caret: number) => {
    setTyped(next);
    debouncedChange(next.trim());
    setSuggestions(suggest(next, caret));
    setSelected(-1);
  };
  const accept = (value: string) => {
    const isKey = /[:.]$/.test(value);
    const next = `${typed.slice(0, suggestions.from)}${value}${typed.slice(suggestions.to)}`;
    const caret = suggestions.from + value.length;
    // Flushes the text before moving the caret, so that the next key is typed behind the accepted word.
    flushSync(() => {
      setText(next, caret);
      if (!isKey) close();
    });
    field.current?.focus();
    field.current?.setSelectionRange(caret, caret);
  };
  const onKeyDown = (event: React.KeyboardEvent<HTMLInputElement>) => {
    const { values } = suggestions;
    const value = values[selected];
    if ((event.key === "ArrowDown" || event.key === "ArrowUp") && values.length > 0) {
      event.preventDefault();
      const step = event.key === "ArrowDown" ? 1 : -1;
      setSelected((old) => (old + step + values.length + (old < 0 && step < 0 ? 1 : 0)) % values.length);
    } else if ((event.key === "Enter" || event.key === "Tab") && value) {
      event.preventDefault();
      accept(value);
    } else if (event.key === "Enter") {
      debouncedChange.flush();
      close();
    } else if (event.key === "Escape") {
      if (values.length > 0) close();
      else event.currentTarget.blur();
    }
  };

  const isOpen = suggestions.values.length > 0;
  return (
    <div className={styles.field}>
      <TextInput
        ref={field}
        type="search"
        role="combobox"
        aria-label={label}
        aria-expanded={isOpen}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={isOpen && selected >= 0 ? `${listId}-${selected}` : undefined}
        placeholder={placeholder}
        spellCheck={false}
        autoComplete="off"
        data-filter
        leftSection={<Icon name="search" />}
        rightSection={<kbd>/</kbd>}
        value={typed}
        error={error}
        onFocus={(event) =>
          setSuggestions(suggest(typed, event.currentTarget.selectionStart ?? typed.length))
        }
        onBlur={close}
        onKeyDown={onKeyDown}
        onChange={(event) => {
          const { value: next, selectionStart } = event.currentTarget;
          setText(next, selectionStart ?? next.length);
        }}
      />
      <div id={listId} className={styles.list} role="listbox" aria-label={label} hidden={!isOpen}>
        {suggestions.values.map((value, index) => (
          // biome-ignore lint/a11y/useFocusableInteractive: as above
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
          <div
            key={value}
            id={`${listId}-${index}`}
            role="option"
            className={styles.option}
            aria-selected={index === selected}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => accept(value)}
          >
            {value}
          </div>
        ))}
      </div>
    </div>
  );
}
