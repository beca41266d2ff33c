const count = (n: number, one: string, many: string) => `${n.toLocaleString("en")} ${n === 1 ? one : many}`;
const hosts = (n: number) => count(n, "host", "hosts");
const triggers = (n: number) => count(n, "trigger", "triggers");
const alerts = (n: number) => count(n, "alert", "alerts");

/** Texts of bulk actions on hosts, triggers and alerts. */
export const bulkText = {
  samples: "Selected items",
  more: (n: number) => `and ${n.toLocaleString("en")} more`,
  someFailed: (done: number, failed: number) => `${done} succeeded, ${failed} failed:`,
  failure: (name: string, why: string) => `${name}: ${why}`,
  retryFailed: (failed: string) => `Retry ${failed}`,
  none: "This action applies to none of the selected items.",
  hosts: {
    failed: (n: number) => count(n, "failed host", "failed hosts"),
    actions: {
      pause: {
        button: "Pause…",
        title: (n: number) => `Pause ${hosts(n)}?`,
        effect: "Paused hosts start no new jobs. Running jobs finish.",
        submit: (n: number) => `Pause ${hosts(n)}`,
        done: (n: number) => `${hosts(n)} paused`,
      },
      resume: {
        button: "Resume…",
        title: (n: number) => `Resume ${hosts(n)}?`,
        effect: "The hosts start jobs again.",
        submit: (n: number) => `Resume ${hosts(n)}`,
        done: (n: number) => `${hosts(n)} resumed`,
      },
      label: {
        button: "Label…",
        title: (n: number) => `Label ${hosts(n)}?`,
        effect: "Sets these labels. Other labels are kept.",
        submit: (n: number) => `Label ${hosts(n)}`,
        done: (n: number) => `${hosts(n)} labeled`,
      },
      markDegraded: {
        button: "Mark degraded…",
        title: (n: number) => `Mark ${hosts(n)} degraded?`,
        effect: "The hosts are shown as degraded until you remove the mark.",
        submit: (n: number) => `Mark ${hosts(n)} degraded`,
        done: (n: number) => `${hosts(n)} marked degraded`,
      },
      unmark: {
        button: "Remove mark…",
        title: (n: number) => `Remove the degraded mark of ${hosts(n)}?`,
        effect: "The status of the hosts depends on their metrics again.",
        submit: (n: number) => `Remove mark of ${hosts(n)}`,
        done: (n: number) => `Degraded mark of ${hosts(n)} removed`,
      },
    },
    labels: "Labels",
    labelsHint: "for example env=prod, gpu",
  },
  triggers: {
    failed: (n: number) => count(n, "failed trigger", "failed triggers"),
    actions: {
      pause: {
        button: "Pause…",
        title: (n: number) => `Pause ${triggers(n)}?`,
        effect: "Paused triggers create no jobs. Each schedule handles its missed runs as configured.",
        submit: (n: number) => `Pause ${triggers(n)}`,
        done: (n: number) => `${triggers(n)} paused`,
      },
      resume: {
        button: "Resume…",
        title: (n: number) => `Resume ${triggers(n)}?`,
        effect: "The triggers create jobs again from their next run.",
        submit: (n: number) => `Resume ${triggers(n)}`,
        done: (n: number) => `${triggers(n)} resumed`,
      },
    },
  },
  alerts: {
    failed: (n: number) => count(n, "failed alert", "failed alerts"),
    actions: {
      ack: {
        button: "Acknowledge…",
        title: (n: number) => `Acknowledge ${alerts(n)}?`,
        effect: "Stops reminders. The alerts resolve by themselves when the problems are gone.",
        submit: (n: number) => `Acknowledge ${alerts(n)}`,
        done: (n: number) => `${alerts(n)} acknowledged`,
      },
      snooze: {
        button: "Snooze…",
        title: (n: number) => `Snooze ${alerts(n)}?`,
        effect: "Stops notifications for these alerts during this time.",
        submit: (n: number) => `Snooze ${alerts(n)}`,
        done: (n: number) => `${alerts(n)} snoozed`,
      },
      resolve: {
        button: "Resolve…",
        title: (n: number) => `Resolve ${alerts(n)}?`,
        effect: "Closes the alerts. Problems that persist open new alerts at the next check.",
        submit: (n: number) => `Resolve ${alerts(n)}`,
        done: (n: number) => `${alerts(n)} resolved`,
      },
    },
    for: "Snooze for",
  },
};
