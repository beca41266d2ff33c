const count = (n: number, one: string, many: string) => `${n.toLocaleString("en")} ${n === 1 ? one : many}`;

/** Texts of the crontab import. */
export const importText = {
  title: "Import a crontab",
  effect: "Each line that can be read becomes a schedule. You see a preview before anything is created.",
  crontab: "Crontab",
  crontabHint: "the output of `crontab -l`",
  sample: "0 2 * * * /usr/local/bin/backup --all",
  host: "Host",
  hostHint: "empty: any matching host",
  zone: "Time zone",
  look: "Preview schedules",
  back: "Back to the text",
  submit: (n: number) => `Create ${count(n, "schedule", "schedules")}`,
  done: (n: number) => `${count(n, "schedule", "schedules")} created`,
  preview: "Preview",
  line: "Line",
  text: "Text",
  becomes: "Result",
  system: "System crontab (/etc/crontab): each line names a user before the command",
  verdicts: {
    ready: "schedule",
    needs_shell: "needs a shell",
    not_understood: "cannot be read",
    variable: "skipped",
  },
  nothing: "No line can become a schedule.",
};
