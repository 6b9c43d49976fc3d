import { type Logger, pino } from 'pino';

/** Values that must never reach a log, wherever an object carries them. */
const secrets = [
  'password',
  'new_password',
  'token',
  'access_token',
  'code',
  'otp',
  'signature',
  'cookie',
  'authorization',
];

/** Also for loggers that write elsewhere than to standard output. */
export const redaction = {
  paths: secrets.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
  censor: '[kept out]',
};

export function createLogger(level: string): Logger {
  return pino({ level, base: null, redact: redaction });
}
