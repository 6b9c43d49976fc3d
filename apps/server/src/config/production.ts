/** What production refuses, and what it only warns about. */
export interface ProductionSettings {
  PUBLIC_URL?: string | undefined;
  SECRET?: string | undefined;
  BANK_URL?: string | undefined;
  BANK_TOKEN?: string | undefined;
  SMS_URL?: string | undefined;
  SMS_TOKEN?: string | undefined;
  TELEGRAM_API_URL?: string | undefined;
  TELEGRAM_TOKEN?: string | undefined;
  DATABASE_URL?: string | undefined;
  SELLER_NAME?: string | undefined;
  SELLER_EDRPOU?: string | undefined;
}

/** The tokens of the sandbox. They are public, so production refuses them. */
export const sandboxTokens = {
  BANK_TOKEN: 'sandbox-merchant-token',
  SMS_TOKEN: 'sandbox-sms-token',
  TELEGRAM_TOKEN: '7000000001:sandbox-bot-token-0123456789abcdefghi',
} as const;

const required = [
  'DATABASE_URL',
  'PUBLIC_URL',
  'SECRET',
  'BANK_URL',
  'BANK_TOKEN',
  'SMS_URL',
  'SMS_TOKEN',
  'SELLER_NAME',
  'SELLER_EDRPOU',
] as const;

/** Tokens and messages are sent to these addresses. */
const outside = ['BANK_URL', 'SMS_URL', 'TELEGRAM_API_URL'] as const;

/** A random secret of 32 hexadecimal digits has 14 different ones on average, and fewer than 8 once in a billion. */
const leastDistinct = 8;

/** All problems at once, each with the name of its variable. */
export function productionProblems(settings: ProductionSettings): string[] {
  const problems = required
    .filter((name) => settings[name] === undefined)
    .map((name) => `${name}: is required in production`);
  for (const name of ['PUBLIC_URL', ...outside] as const) {
    if (isPlain(settings[name]) && !isLoopback(settings[name])) problems.push(`${name}: must be https in production`);
  }
  for (const [name, token] of Object.entries(sandboxTokens)) {
    if (settings[name as keyof typeof sandboxTokens] === token) {
      problems.push(`${name}: is the token of the sandbox, which everybody knows`);
    }
  }
  if (settings.SECRET !== undefined && isWeak(settings.SECRET)) {
    problems.push('SECRET: is easy to guess; make a random one with: openssl rand -hex 32');
  }
  return problems;
}

export function productionWarnings(settings: ProductionSettings): string[] {
  return outside
    .filter((name) => isPlain(settings[name]) && isLoopback(settings[name]))
    .map((name) => `${name}: is plain http; that is safe only because it stays on this machine`);
}

function isPlain(url: string | undefined): boolean {
  return url !== undefined && new URL(url).protocol === 'http:';
}

function isLoopback(url: string | undefined): boolean {
  return url !== undefined && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(new URL(url).hostname);
}

/** True for few different characters, or a short text that is repeated. */
function isWeak(secret: string): boolean {
  return new Set(secret).size < leastDistinct || /^(.{1,16})\1+$/.test(secret);
}
