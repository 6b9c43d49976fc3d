import { type Logger, pino } from 'pino';

/** Values that must never be written to a log, in whichever object they occur. */
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

/** Also used by loggers that do not write to standard output. */
export const redaction = {
  paths: secrets.flatMap((name) => [name, `*.${name}`, `*.*.${name}`]),
  censor: '[kept out]',
};

export function createLogger(level: string): Logger {
  return pino({ level, base: null, redact: redaction });
}
