const count = (n: number, one: string, many: string) => `${n.toLocaleString("en")} ${n === 1 ? one : many}`;

export const importText = {
  title: "Import a crontab",
  effect: "Each valid line becomes a schedule. You can review the schedules before you create them.",
  crontab: "Crontab",
  crontabHint: "Paste the output of crontab -l.",
  sample: "0 2 * * * /usr/local/bin/backup --all",
  host: "Host",
  hostHint: "empty: any matching host",
  zone: "Time zone",
  previewDo: "Preview schedules",
  back: "Edit crontab",
  submit: (n: number) => `Create ${count(n, "schedule", "schedules")}`,
  done: (n: number) => `${count(n, "schedule", "schedules")} created`,
  preview: "Preview",
  line: "Line",
  text: "Text",
  result: "Result",
  system: "System crontab (/etc/crontab): each line names a user before the command",
  verdicts: {
    ready: "schedule",
    needs_shell: "needs a shell",
    not_understood: "not recognized",
    variable: "skipped",
  },
  noLines: "No line can be imported.",
};
