import { type Env, type SettingName, sandboxTokenOf, settingsWith } from './settings.ts';

/** What production refuses, and what it only warns about. */

const outside = settingsWith('isOutside');

/** A random secret of 32 hexadecimal digits has 14 different ones on average, and fewer than 8 once in a billion. */
const leastDistinct = 8;

/** All problems at once, each with the name of its variable. */
export function productionProblems(env: Env): string[] {
  const problems = settingsWith('isRequired')
    .filter((name) => env[name] === undefined)
    .map((name) => `${name}: is required in production`);
  for (const name of ['PUBLIC_URL', ...outside] as const) {
    if (isPlain(env, name) && !isLoopback(env, name)) problems.push(`${name}: must be https in production`);
  }
  for (const name of settingsWith('sandbox')) {
    if (env[name] === sandboxTokenOf(name))
      problems.push(`${name}: is the token of the sandbox, which everybody knows`);
  }
  if (env.SECRET !== undefined && isWeak(env.SECRET)) {
    problems.push('SECRET: is easy to guess; make a random one with: openssl rand -hex 32');
  }
  return problems;
}

export function productionWarnings(env: Env): string[] {
  return outside
    .filter((name) => isPlain(env, name) && isLoopback(env, name))
    .map((name) => `${name}: is plain http; that is safe only because it stays on this machine`);
}

const urlIn = (env: Env, name: SettingName): URL | null => {
  const value = env[name];
  return typeof value === 'string' ? new URL(value) : null;
};
const isPlain = (env: Env, name: SettingName) => urlIn(env, name)?.protocol === 'http:';
const isLoopback = (env: Env, name: SettingName) =>
  /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(urlIn(env, name)?.hostname ?? '');

/** True for few different characters, or a short text that is repeated. */
function isWeak(secret: string): boolean {
  return new Set(secret).size < leastDistinct || /^(.{1,16})\1+$/.test(secret);
}
