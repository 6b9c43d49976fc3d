/** What the doctor found out about one part of the setting. */
export interface Check {
  part: string;
  state: 'ok' | 'warning' | 'failed' | 'not tried';
  found: string;
  /** What the operator does about it; every check that is not fine has one. */
  advice?: string;
}

/** Makes the checks of one part. */
export function checksOf(part: string) {
  return {
    ok: (found: string): Check => ({ part, state: 'ok', found }),
    warning: (found: string, advice: string): Check => ({ part, state: 'warning', found, advice }),
    failed: (found: string, advice: string): Check => ({ part, state: 'failed', found, advice }),
    notTried: (found: string, advice: string): Check => ({ part, state: 'not tried', found, advice }),
  };
}

/** How long an answer from outside may take. */
export const answerWithinMs = 10_000;

/** A connection that failed, as an operator would describe it. */
export function reasonOf(error: unknown): string {
  const { cause } = error as { cause?: unknown };
  const deepest = cause instanceof Error ? cause : (error as Error);
  const code = (deepest as NodeJS.ErrnoException).code;
  return [code, deepest.message].filter(Boolean).join(': ');
}

export function printed(checks: readonly Check[]): string {
  const width = Math.max(...checks.map(({ part }) => part.length));
  const lines = checks.map(({ part, state, found, advice }) => {
    const head = `${state === 'failed' ? 'FAILED' : state}`.padEnd(10) + part.padEnd(width + 2);
    return [`${head}${found}`, ...(advice ? [`${' '.repeat(12 + width)}-> ${advice}`] : [])].join('\n');
  });
  const count = (state: Check['state']) => checks.filter((check) => check.state === state).length;
  const bad = count('failed');
  const summary =
    bad > 0
      ? `${bad} failed, ${count('warning')} warnings. Correct what failed and run the command again.`
      : `Everything that is needed works, ${count('warning')} warnings.`;
  return [...lines, '', summary].join('\n');
}
