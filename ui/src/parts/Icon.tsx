/** 16 px line icons: one path per name. */
const PATHS = {
  hosts: "M2.5 3h11v4h-11zM2.5 9h11v4h-11zM5 5h.01M5 11h.01",
  server: "M2.5 3.5h11v9h-11zM5 6.5 6.8 8 5 9.5M8.5 10h2.5",
  people:
    "M6 7.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM1.5 13.5c0-2.5 2-4 4.5-4s4.5 1.5 4.5 4M10.5 2.8a2.5 2.5 0 0 1 0 4.4M12 9.8c1.6.5 2.5 1.8 2.5 3.7",
  key: "M5.5 13a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM7.3 8.7 13 3M10.5 5.5 13 8",
  ticket: "M2 5h12v2.2a1.3 1.3 0 0 0 0 2.6V12H2V9.8a1.3 1.3 0 0 0 0-2.6zM9.5 5v1.5M9.5 8v1M9.5 10.5V12",
  audit: "M3 2.5h7.5L13 5v8.5H3zM5.5 7h5M5.5 10h5M5.5 4.8h2",
  org: "M3 13.5v-11h6v11M9 6.5h4v7M1.5 13.5h13M5 5h2M5 7.5h2M5 10h2",
  hub: "M8 9.5a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3ZM8 6.5V3M8 13V9.5M6.7 8.8l-3 1.7M9.3 8.8l3 1.7M8 3h.01M3.5 10.6h.01M12.5 10.6h.01",
  overview: "M2.5 2.5h4.5v6H2.5zM9 2.5h4.5v3.5H9zM9 8h4.5v5.5H9zM2.5 10.5H7v3H2.5z",
  jobs: "M2.5 4h2M2.5 8h2M2.5 12h2M7 4h6.5M7 8h6.5M7 12h6.5",
  clock: "M8 2.2a5.8 5.8 0 1 0 0 11.6A5.8 5.8 0 0 0 8 2.2ZM8 5v3.2l2.2 1.5",
  bolt: "M9 1.8 3.5 9H8l-1 5.2L12.5 7H8z",
  person: "M8 8a2.8 2.8 0 1 0 0-5.6A2.8 2.8 0 0 0 8 8ZM2.8 13.8c.3-2.6 2.4-4 5.2-4s4.9 1.4 5.2 4",
  gear: "M8 10.2a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4ZM8 1.8v2M8 12.2v2M1.8 8h2M12.2 8h2M3.6 3.6 5 5M11 11l1.4 1.4M3.6 12.4 5 11M11 5l1.4-1.4",
  bell: "M8 2.2a4 4 0 0 0-4 4c0 3.6-1.5 4.6-1.5 4.6h11S12 9.8 12 6.2a4 4 0 0 0-4-4ZM6.6 13.2a1.5 1.5 0 0 0 2.8 0",
  definition: "M5.5 3.5 1.8 8l3.7 4.5M10.5 3.5 14.2 8l-3.7 4.5M9 2.8 7 13.2",
  worker: "M3 5h10v8H3zM6 5V3h4v2M3 9h10",
  sync: "M2.8 7A5.4 5.4 0 0 1 12.6 5M13.2 9a5.4 5.4 0 0 1-9.8 2M12.8 2.2V5.2h-3M3.2 13.8v-3h3",
  down: "M8 3v10M4 9l4 4 4-4",
  up: "M8 13V3M4 7l4-4 4 4",
  play: "M4.5 2.8v10.4L13 8z",
  pause: "M5 3v10M11 3v10",
  dots: "M3.5 8h.01M8 8h.01M12.5 8h.01",
  download: "M8 2.5v7.5M4.5 7 8 10.5 11.5 7M2.8 13.5h10.4",
  edit: "M2.8 13.2l.6-3L10.6 3l2.4 2.4-7.2 7.2zM9 4.6 11.4 7",
  prompt: "M3 4.5 6.5 8 3 11.5M8 12h5",
  window: "M2.5 3h11v10h-11zM2.5 6h11",
  send: "M2 8l12-5-4.5 11L7.5 9z",
  chevron: "M4.5 6.5 8 10l3.5-3.5",
  plus: "M8 3v10M3 8h10",
  copy: "M5.5 5.5v-3h8v8h-3M2.5 5.5h8v8h-8z",
  check: "M3 8.5 6.5 12 13 4.5",
  close: "M4 4l8 8M12 4l-8 8",
  theme: "M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11ZM8 2.5v11M8 5.5l4.6-1M8 8h5.5M8 10.5l4.6 1",
  lock: "M3.5 7.5h9v6h-9zM5.5 7.5V5a2.5 2.5 0 0 1 5 0v2.5",
  unlocked: "M3.5 7.5h9v6h-9zM5.5 7.5V5a2.5 2.5 0 0 1 4.8-1",
  alert: "M8 2.2 14.5 13.5h-13zM8 6.5v3M8 11.5h.01",
  search: "M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9ZM10.3 10.3l3.2 3.2",
  label: "M2.5 2.5H8l5.5 5.5-5 5.5-6-6zM5.2 5.2h.01",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg
      width="16"
      height="16"
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.5"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
