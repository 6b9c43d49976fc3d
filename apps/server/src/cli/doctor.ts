import { parseArgs } from 'node:util';
import { type Check, checksOf, printed } from './doctor/check.ts';
import { examineDatabase } from './doctor/database.ts';
import { checkChargePointAddress, checkPublicAddress } from './doctor/public.ts';
import { checkBanks, checkBot, checkSms } from './doctor/services.ts';
import { checkSettings } from './doctor/settings.ts';
import { run } from './run.ts';

const usage = `Usage:
  npm run doctor
Tries the settings of a production server from the machine on which it runs: the database and its roles, the clock, the
bank, SMS, the bot, the public address and the address of charge points. Changes nothing. Says for each fault what to do
and ends with 1 when one was found. In the back office the list of refused charge points shows fpay-doctor afterwards.`;

await run(usage, async () => {
  parseArgs({ options: {} });
  const checks = await examine(process.env);
  console.log(printed(checks));
  return checks.some(({ state }) => state === 'failed') ? 1 : 0;
});

async function examine(environment: NodeJS.ProcessEnv): Promise<Check[]> {
  const { checks, config } = checkSettings(environment);
  const { notTried } = checksOf('all other parts');
  if (config === null) return [...checks, notTried('the settings cannot be read', 'Correct them first.')];
  /** A part whose settings are missing would be tried with those of the demo. */
  const when = async (names: string[], part: string, check: () => Promise<Check[]>): Promise<Check[]> => {
    const missing = names.filter((name) => !environment[name]);
    if (missing.length === 0) return check();
    return [checksOf(part).notTried(`${missing.join(', ')} is missing`, 'Set it first.')];
  };
  const found = await Promise.all([
    examineDatabase(config),
    when(['BANK_URL', 'BANK_TOKEN'], 'bank', () => checkBanks(config)),
    when(['SMS_URL', 'SMS_TOKEN'], 'SMS', () => checkSms(config)),
    checkBot(environment.TELEGRAM_TOKEN ? config : { ...config, telegram: null }),
    when(['PUBLIC_URL'], 'public address', () => checkPublicAddress(config)),
    when(['PUBLIC_URL'], 'charge points', () => checkChargePointAddress(config)),
  ]);
  return [...checks, ...found.flat()];
}
