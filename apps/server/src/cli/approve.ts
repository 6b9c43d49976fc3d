import { pino } from 'pino';
import { createFeatures } from '../app/features.ts';
import { commandLine } from '../platform/approvals.ts';
import { openPlatform } from '../platform/platform.ts';
import { withDatabase } from './open-network.ts';
import { UsageError } from './run.ts';

/** The action needs every feature, because any of them may have asked. Nothing of them is started. */
export async function approveOnCommandLine(typed: string): Promise<string> {
  if (!/^[1-9]\d{0,14}$/.test(typed)) throw new UsageError(`${typed} is not the id of a request`);
  return withDatabase(process.env, async (_db, config, databaseUrl) => {
    const { platform, close } = openPlatform({ databaseUrl, log: pino({ level: 'silent' }), poolSize: 2 });
    try {
      const { approvals } = createFeatures({ platform, config, publish: () => {} });
      const { kind, subject, worth } = await approvals.approve(Number(typed), commandLine);
      return `Approved: ${kind} of ${subject.kind} ${subject.id}, ${(worth / 100).toFixed(2)} UAH.`;
    } finally {
      await close();
    }
  });
}
