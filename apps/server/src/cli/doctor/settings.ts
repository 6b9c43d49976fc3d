import { createECDH } from 'node:crypto';
import { ConfigError } from '../../config/command-line.ts';
import { type Config, readConfig } from '../../config/config.ts';
import { remedyOf } from '../../config/settings.ts';
import { type Check, checksOf } from './check.ts';

const { ok, failed } = checksOf('settings');

/** The settings as production reads them. When it refuses some, the other parts are tried with the rest. */
export function checkSettings(environment: NodeJS.ProcessEnv): { checks: Check[]; config: Config | null } {
  const pair = checkPushKeys(environment);
  try {
    const config = readConfig(environment, { mode: 'production', roles: ['api', 'gateway', 'worker'] });
    return { checks: [ok('production accepts all settings'), pair], config };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const problems = error.problems.map((problem) =>
      failed(problem, remedyOf(problem.split(':', 1)[0] ?? '') ?? 'docs/deploy.md explains every variable.'),
    );
    return { checks: [...problems, pair], config: lenient(environment) };
  }
}

/** Without the rules of production, so that the other parts can be tried; the caller skips those that are not set. */
function lenient(environment: NodeJS.ProcessEnv): Config | null {
  if (!environment.SECRET) return null;
  try {
    return readConfig(environment, { mode: 'demo', roles: ['api', 'gateway', 'worker'] });
  } catch {
    return null;
  }
}

/** Subscriptions of browsers are bound to the pair, so a wrong one silently loses all of them. */
function checkPushKeys({ VAPID_PUBLIC_KEY: publicKey, VAPID_PRIVATE_KEY: privateKey }: NodeJS.ProcessEnv): Check {
  const keys = checksOf('web push');
  if (!publicKey && !privateKey) return keys.ok('the key pair is made once and kept in the database');
  if (!publicKey || !privateKey) {
    const missing = publicKey ? 'VAPID_PRIVATE_KEY' : 'VAPID_PUBLIC_KEY';
    return keys.failed(`${missing} is missing`, 'Set both keys or none; one alone is ignored.');
  }
  return publicOf(privateKey) === publicKey
    ? keys.ok('the key pair fits')
    : keys.failed(
        'VAPID_PUBLIC_KEY does not belong to VAPID_PRIVATE_KEY',
        'Set both from the same output of: npx web-push generate-vapid-keys. Or remove both.',
      );
}

function publicOf(privateKey: string): string | null {
  const curve = createECDH('prime256v1');
  try {
    curve.setPrivateKey(Buffer.from(privateKey, 'base64url'));
    return curve.getPublicKey('base64url', 'uncompressed');
  } catch {
    return null;
  }
}
