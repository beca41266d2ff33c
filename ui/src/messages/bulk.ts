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
  rest: "Retry failed",
  none: "None of the selected items can be changed this way.",
  hosts: {
    acts: {
      pause: {
        ask: "Pause…",
        title: (n: number) => `Pause ${hosts(n)}?`,
        effect: "They start no new jobs. Running jobs finish.",
        submit: (n: number) => `Pause ${hosts(n)}`,
        done: (n: number) => `${hosts(n)} paused`,
      },
      resume: {
        ask: "Resume…",
        title: (n: number) => `Resume ${hosts(n)}?`,
        effect: "They start jobs again.",
        submit: (n: number) => `Resume ${hosts(n)}`,
        done: (n: number) => `${hosts(n)} resumed`,
      },
      label: {
        ask: "Label…",
        title: (n: number) => `Label ${hosts(n)}?`,
        effect: "Sets these labels. Other labels are kept.",
        submit: (n: number) => `Label ${hosts(n)}`,
        done: (n: number) => `${hosts(n)} labeled`,
      },
      degrade: {
        ask: "Mark degraded…",
        title: (n: number) => `Mark ${hosts(n)} degraded?`,
        effect: "They are shown as degraded until the mark is cleared.",
        submit: (n: number) => `Mark ${hosts(n)} degraded`,
        done: (n: number) => `${hosts(n)} marked degraded`,
      },
      clear: {
        ask: "Clear mark…",
        title: (n: number) => `Clear the degraded mark of ${hosts(n)}?`,
        effect: "Their status follows their metrics again.",
        submit: (n: number) => `Clear mark of ${hosts(n)}`,
        done: (n: number) => `Degraded mark of ${hosts(n)} cleared`,
      },
    },
    labels: "Labels",
    labelsHint: "for example env=prod, gpu",
  },
  triggers: {
    acts: {
      pause: {
        ask: "Pause…",
        title: (n: number) => `Pause ${triggers(n)}?`,
        effect:
          "They create no jobs until then. Runs missed meanwhile follow each schedule's missed-run policy.",
        submit: (n: number) => `Pause ${triggers(n)}`,
        done: (n: number) => `${triggers(n)} paused`,
      },
      resume: {
        ask: "Resume…",
        title: (n: number) => `Resume ${triggers(n)}?`,
        effect: "They create jobs again from their next run.",
        submit: (n: number) => `Resume ${triggers(n)}`,
        done: (n: number) => `${triggers(n)} resumed`,
      },
    },
  },
  alerts: {
    acts: {
      ack: {
        ask: "Acknowledge…",
        title: (n: number) => `Acknowledge ${alerts(n)}?`,
        effect: "Stops reminders. The alerts resolve by themselves when the problems are gone.",
        submit: (n: number) => `Acknowledge ${alerts(n)}`,
        done: (n: number) => `${alerts(n)} acknowledged`,
      },
      snooze: {
        ask: "Mute…",
        title: (n: number) => `Mute ${alerts(n)}?`,
        effect: "No notifications are sent for them during this time.",
        submit: (n: number) => `Mute ${alerts(n)}`,
        done: (n: number) => `${alerts(n)} muted`,
      },
      resolve: {
        ask: "Resolve…",
        title: (n: number) => `Resolve ${alerts(n)}?`,
        effect: "Closes the alerts. Problems that persist open new alerts at the next check.",
        submit: (n: number) => `Resolve ${alerts(n)}`,
        done: (n: number) => `${alerts(n)} resolved`,
      },
    },
    for: "For",
  },
};
