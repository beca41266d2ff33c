export interface Subject {
  id: string;
  name: string;
}

export interface Failure {
  subject: Subject;
  why: string;
}

/** Applies an action to each subject in sequence, to limit the load. A failure does not stop the others. */
export async function runBulkAction(
  subjects: Subject[],
  action: (id: string) => Promise<unknown>,
): Promise<{ done: number; failures: Failure[] }> {
  const failures: Failure[] = [];
  for (const subject of subjects) {
    try {
      await action(subject.id);
    } catch (error) {
      failures.push({ subject, why: error instanceof Error ? error.message : String(error) });
    }
  }
  return { done: subjects.length - failures.length, failures };
}
