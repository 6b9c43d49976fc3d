/** One of several independent pieces of work of a job. */
export interface StartedPart {
  name: string;
  run(): Promise<unknown>;
}

/**
 * Runs every part, also after one of them failed, and then throws the failures together, so that the job counts as
 * failed.
 */
export async function runParts(parts: readonly StartedPart[]): Promise<void> {
  const failures: Error[] = [];
  for (const { name, run } of parts) {
    try {
      await run();
    } catch (error) {
      failures.push(new Error(`${name}: ${error instanceof Error ? error.message : String(error)}`, { cause: error }));
    }
  }
  if (failures.length > 0) throw new AggregateError(failures, failures.map(({ message }) => message).join('; '));
}
