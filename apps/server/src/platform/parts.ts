/** One of several pieces of work that a job does and that do not need each other. */
export interface Part {
  name: string;
  run(): Promise<unknown>;
}

/** Runs every part, also after one of them failed; then throws what failed, so that the job counts as failed. */
export async function runParts(parts: readonly Part[]): Promise<void> {
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
