/** Sentences of the dialogs about jobs: they come with the dialogs. */
export const jobDialogText = {
  retried: (id: string) => `${id} queued again`,
  canceledToast: (id: string) => `${id} canceled`,
  cancelingToast: (id: string) => `${id} is being canceled`,
  movedToast: (id: string) => `${id} moved`,
  cancelTitle: (id: string) => `Cancel ${id}?`,
  cancelQueued: "It has not begun and will not.",
  cancelRunning: (host: string) =>
    `Its process on ${host} gets a signal to end, and is killed if it does not.`,
  cancelDo: "Cancel job",
  reason: "Reason",
  reasonHint: "for the record; may stay empty",
  force: "Also if its host is away and cannot confirm",
  retryTitle: (id: string) => `Retry ${id}?`,
  retryEffect: "It gets a fresh number of attempts. Its earlier runs stay in its history.",
  retryDo: "Retry",
  retryEdit: "Change the payload",
  retryHidden: "Hidden values show as •••. Leave them as they are to keep them.",
  moveTitle: (id: string) => `Move ${id}?`,
  moveEffect: "It waits for the new target instead.",
  moveDo: "Move",
};
