import { TextInput } from "@mantine/core";
import { useDebouncedCallback } from "@mantine/hooks";
import { useEffect, useId, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { Icon } from "./Icon";
import styles from "./SuggestInput.module.css";

interface Suggestions {
  from: number;
  to: number;
  words: string[];
}

interface Props {
  label: string;
  placeholder: string;
  value: string;
  onChange: (value: string) => void;
  suggest: (written: string, caret: number) => Suggestions;
  error?: string | undefined;
}

/** Debounce time: long enough to finish a word, short enough to feel live. */
const SETTLE_MS = 350;
const NONE: Suggestions = { from: 0, to: 0, words: [] };

/** Text field with completion: arrow keys select, Tab or Enter accepts, Escape closes the list. */
export function SuggestInput({ label, placeholder, value, onChange, suggest, error }: Props) {
  const [typed, setTyped] = useState(value);
  const [offered, setOffered] = useState(NONE);
  const [chosen, setChosen] = useState(-1);
  const field = useRef<HTMLInputElement>(null);
  const listId = useId();
  const told = useRef(value);
  const settle = useDebouncedCallback((next: string) => {
    told.current = next;
    onChange(next);
  }, SETTLE_MS);
  // Ignores values that this field sent itself: they return late and would overwrite newer typing.
  useEffect(() => {
    if (value === told.current) return;
    told.current = value;
    setTyped(value);
  }, [value]);

  // Suggestions may load after typing has started, so they are computed again.
  useEffect(() => {
    const input = field.current;
    if (!input || document.activeElement !== input) return;
    setOffered(suggest(input.value, input.selectionStart ?? input.value.length));
  }, [suggest]);

  const close = () => {
    setOffered(NONE);
    setChosen(-1);
  };
  const write = (next: string, caret: number) => {
    setTyped(next);
    settle(next.trim());
    setOffered(suggest(next, caret));
    setChosen(-1);
  };
  const take = (word: string) => {
    const isKey = /[:.]$/.test(word);
    const next = `${typed.slice(0, offered.from)}${word}${typed.slice(offered.to)}`;
    const caret = offered.from + word.length;
    // Flushes the text before moving the caret, so that the next key is typed behind the accepted word.
    flushSync(() => {
      write(next, caret);
      if (!isKey) close();
    });
    field.current?.focus();
    field.current?.setSelectionRange(caret, caret);
  };
  const onKeyDown = (event: React.KeyboardEvent<HTMLInputElement>) => {
    const { words } = offered;
    const word = words[chosen];
    if ((event.key === "ArrowDown" || event.key === "ArrowUp") && words.length > 0) {
      event.preventDefault();
      const step = event.key === "ArrowDown" ? 1 : -1;
      setChosen((old) => (old + step + words.length + (old < 0 && step < 0 ? 1 : 0)) % words.length);
    } else if ((event.key === "Enter" || event.key === "Tab") && word) {
      event.preventDefault();
      take(word);
    } else if (event.key === "Enter") {
      settle.flush();
      close();
    } else if (event.key === "Escape") {
      if (words.length > 0) close();
      else event.currentTarget.blur();
    }
  };

  const isOpen = offered.words.length > 0;
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
        aria-activedescendant={isOpen && chosen >= 0 ? `${listId}-${chosen}` : undefined}
        placeholder={placeholder}
        spellCheck={false}
        autoComplete="off"
        data-filter
        leftSection={<Icon name="search" />}
        rightSection={<kbd>/</kbd>}
        value={typed}
        error={error}
        onFocus={(event) => setOffered(suggest(typed, event.currentTarget.selectionStart ?? typed.length))}
        onBlur={close}
        onKeyDown={onKeyDown}
        onChange={(event) => {
          const { value: next, selectionStart } = event.currentTarget;
          write(next, selectionStart ?? next.length);
        }}
      />
      <div id={listId} className={styles.list} role="listbox" aria-label={label} hidden={!isOpen}>
        {offered.words.map((word, place) => (
          // biome-ignore lint/a11y/useFocusableInteractive: as above
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
          <div
            key={word}
            id={`${listId}-${place}`}
            role="option"
            className={styles.option}
            aria-selected={place === chosen}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => take(word)}
          >
            {word}
          </div>
        ))}
      </div>
    </div>
  );
}
