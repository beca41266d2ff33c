const count = (n: number, one: string, many: string) => `${n.toLocaleString("en")} ${n === 1 ? one : many}`;

/** Sentences about taking over a crontab. */
export const importText = {
  title: "Import a crontab",
  effect: "Each line that can be read becomes a schedule. Nothing is made before you have seen it.",
  crontab: "Crontab",
  crontabHint: "as `crontab -l` prints it",
  sample: "0 2 * * * /usr/local/bin/backup --all",
  host: "On host",
  hostHint: "empty = wherever there is room",
  zone: "Time zone of its hours",
  look: "Show what it becomes",
  back: "Change the text",
  submit: (n: number) => `Make ${count(n, "schedule", "schedules")}`,
  done: (n: number) => `${count(n, "schedule", "schedules")} made`,
  preview: "What each line becomes",
  line: "Line",
  text: "Text",
  becomes: "Becomes",
  system: "It is the machine's own (/etc/crontab): a user stands before each command",
  verdicts: {
    ready: "schedule",
    needs_shell: "needs a shell",
    not_understood: "cannot be read",
    variable: "left out",
  },
  nothing: "No line of it becomes a schedule.",
};
