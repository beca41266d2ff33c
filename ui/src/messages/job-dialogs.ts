/** Texts of the job dialogs, loaded with them. */
export const jobDialogText = {
  retried: (id: string) => `${id} queued again`,
  canceledToast: (id: string) => `${id} canceled`,
  cancelingToast: (id: string) => `${id} is being canceled`,
  movedToast: (id: string) => `${id} moved`,
  cancelTitle: (id: string) => `Cancel ${id}?`,
  cancelQueued: "The job has not started and will not run.",
  cancelRunning: (host: string) =>
    `The process on ${host} receives a stop signal and is killed if it does not exit.`,
  cancelDo: "Cancel job",
  reason: "Reason",
  reasonHint: "optional; recorded with the job",
  force: "Cancel even if the host is offline and cannot confirm",
  retryTitle: (id: string) => `Retry ${id}?`,
  retryEffect: "The job is queued again with a new set of attempts. Earlier runs stay in its history.",
  retryDo: "Retry job",
  retryEdit: "Edit payload",
  retryHidden: "Hidden values are shown as •••. Leave them unchanged to keep them.",
  moveTitle: (id: string) => `Move ${id}?`,
  moveEffect: "The job will wait for the new target instead.",
  moveDo: "Move job",
};
