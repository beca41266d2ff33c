const count = (n: number, one: string, many: string) => `${n.toLocaleString("en")} ${n === 1 ? one : many}`;
const hosts = (n: number) => count(n, "host", "hosts");
const triggers = (n: number) => count(n, "trigger", "triggers");
const alerts = (n: number) => count(n, "alert", "alerts");

/** Sentences about doing one thing to many. */
export const bulkText = {
  samples: "These",
  more: (n: number) => `and ${n.toLocaleString("en")} more`,
  someFailed: (done: number, failed: number) => `${done} done, ${failed} not:`,
  failure: (name: string, why: string) => `${name}: ${why}`,
  rest: "Try the rest again",
  none: "None of those selected can be changed this way.",
  hosts: {
    acts: {
      pause: {
        ask: "Pause…",
        title: (n: number) => `Pause ${hosts(n)}?`,
        effect: "They take no new work. What runs goes on to its end.",
        submit: "Pause",
        done: (n: number) => `${hosts(n)} paused`,
      },
      resume: {
        ask: "Resume…",
        title: (n: number) => `Resume ${hosts(n)}?`,
        effect: "They take work again.",
        submit: "Resume",
        done: (n: number) => `${hosts(n)} resumed`,
      },
      label: {
        ask: "Label…",
        title: (n: number) => `Label ${hosts(n)}?`,
        effect: "These labels are set; others stay as they are.",
        submit: "Label",
        done: (n: number) => `${hosts(n)} labelled`,
      },
      degrade: {
        ask: "Mark degraded…",
        title: (n: number) => `Mark ${hosts(n)} degraded?`,
        effect: "They are shown as degraded until somebody takes the mark back.",
        submit: "Mark degraded",
        done: (n: number) => `${hosts(n)} marked`,
      },
      clear: {
        ask: "Clear mark…",
        title: (n: number) => `Clear the mark of ${hosts(n)}?`,
        effect: "They are shown as they are measured.",
        submit: "Clear mark",
        done: (n: number) => `Mark of ${hosts(n)} cleared`,
      },
    },
    labels: "Labels",
    labelsHint: "as in env=prod, gpu",
  },
  triggers: {
    acts: {
      pause: {
        ask: "Pause…",
        title: (n: number) => `Pause ${triggers(n)}?`,
        effect:
          "They make no jobs until then. Times in between are treated as their rule for missed times says.",
        submit: "Pause",
        done: (n: number) => `${triggers(n)} paused`,
      },
      resume: {
        ask: "Resume…",
        title: (n: number) => `Resume ${triggers(n)}?`,
        effect: "They make jobs again from their next time on.",
        submit: "Resume",
        done: (n: number) => `${triggers(n)} resumed`,
      },
    },
  },
  alerts: {
    acts: {
      ack: {
        ask: "Ack…",
        title: (n: number) => `Ack ${alerts(n)}?`,
        effect: "Says that somebody knows: nobody is told again.",
        submit: "Ack",
        done: (n: number) => `${alerts(n)} acked`,
      },
      snooze: {
        ask: "Mute…",
        title: (n: number) => `Mute ${alerts(n)}?`,
        effect: "Nobody is told of them for a while.",
        submit: "Mute",
        done: (n: number) => `${alerts(n)} muted`,
      },
      resolve: {
        ask: "Resolve…",
        title: (n: number) => `Resolve ${alerts(n)}?`,
        effect: "Says that they are over. What is still wrong raises new ones.",
        submit: "Resolve",
        done: (n: number) => `${alerts(n)} resolved`,
      },
    },
    for: "For",
  },
};
