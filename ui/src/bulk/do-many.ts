export interface Subject {
  id: string;
  name: string;
}

export interface Failure {
  subject: Subject;
  why: string;
}

/** Does one thing to each, one after another, so that many do not knock at once. What fails stops no other. */
export async function doMany(
  subjects: Subject[],
  act: (id: string) => Promise<unknown>,
): Promise<{ done: number; failures: Failure[] }> {
  const failures: Failure[] = [];
  for (const subject of subjects) {
    try {
      await act(subject.id);
    } catch (error) {
      failures.push({ subject, why: error instanceof Error ? error.message : String(error) });
    }
  }
  return { done: subjects.length - failures.length, failures };
}
