import { ConfigError } from '../config/command-line.ts';
import { RowRefused } from '../network/writer.ts';
import { Refusal } from '../platform/refusal.ts';

/** A mistake on the command line; it is printed with the usage. */
export class UsageError extends Error {}

/** Runs a command and sets the exit code: 0 done, 1 refused or failed, 2 wrong usage. */
export async function run(usage: string, command: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await command();
  } catch (error) {
    const isMisuse = error instanceof UsageError || isBadOption(error);
    const isExpected =
      isMisuse || error instanceof ConfigError || error instanceof RowRefused || error instanceof Refusal;
    console.error(isExpected ? (error as Error).message : error);
    if (isMisuse) console.error(`\n${usage}`);
    process.exitCode = isMisuse ? 2 : 1;
  }
}

/** `parseArgs` found an unknown option, or one without its value. */
function isBadOption(error: unknown): boolean {
  return error instanceof TypeError && String((error as NodeJS.ErrnoException).code).startsWith('ERR_PARSE_ARGS');
}
