import { ConfigError } from '../config.ts';
import { RowRefused } from '../network/writer.ts';

/** What a person did wrong on the command line; shown with how it is done right. */
export class UsageError extends Error {}

/** Runs a command and sets how the program ends: 0 done, 1 refused or failed, 2 called wrongly. */
export async function run(usage: string, command: () => Promise<number>): Promise<void> {
  try {
    process.exitCode = await command();
  } catch (error) {
    const isMisuse = error instanceof UsageError || isBadOption(error);
    const isExpected = isMisuse || error instanceof ConfigError || error instanceof RowRefused;
    console.error(isExpected ? (error as Error).message : error);
    if (isMisuse) console.error(`\n${usage}`);
    process.exitCode = isMisuse ? 2 : 1;
  }
}

/** From `parseArgs`: an option it does not know, or one without its value. */
function isBadOption(error: unknown): boolean {
  return error instanceof TypeError && String((error as NodeJS.ErrnoException).code).startsWith('ERR_PARSE_ARGS');
}
