/** Texts of the job dialogs, loaded with them. */
export const jobDialogText = {
  retried: (id: string) => `${id} queued again`,
  canceledToast: (id: string) => `${id} canceled`,
  cancelingToast: (id: string) => `${id} is being canceled`,
  movedToast: (id: string) => `${id} moved`,
  cancelTitle: (id: string) => `Cancel ${id}?`,
  cancelQueued: "The job has not started and will not run.",
  cancelRunning: (host: string) =>
    `Sends a stop signal to the process on ${host}, and kills it if it does not exit.`,
  cancelDo: "Cancel job",
  reason: "Reason",
  reasonHint: "optional; recorded with the job",
  force: "Cancel even if the host is offline and cannot confirm",
  retryTitle: (id: string) => `Retry ${id}?`,
  retryEffect: "Queues the job again with a new set of attempts. Its earlier runs are kept.",
  retryDo: "Retry job",
  retryEdit: "Edit payload",
  retryHidden: "Hidden values are shown as •••. Leave them unchanged to keep them.",
  moveTitle: (id: string) => `Move ${id}?`,
  moveEffect: "The job stays queued and waits for the new target.",
  moveDo: "Move job",
};
