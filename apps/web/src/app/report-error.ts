import { mostOfReport, reportAlphabet, reportPageError } from '@fpay/contract/page-errors';
import { version } from '@fpay/contract/settings';
import { call } from '../api/call.ts';

/** A render that fails again and again is one error, so it has one report for each visit of the app. */
const reported = new Map<string, Promise<string | null>>();
const mostReports = 5;

/** Sends the error to the server and resolves with its code; null when the server did not take it. */
export function reportError(error: unknown, path = location.pathname): Promise<string | null> {
  const { message, stack } = describe(error);
  const key = `${path} ${message}`;
  const known = reported.get(key);
  if (known) return known;
  if (reported.size >= mostReports) return Promise.resolve(null);
  const sent = send({
    code: newCode(),
    path: path.slice(0, mostOfReport.path),
    message: message.slice(0, mostOfReport.message),
    stack: stack.slice(0, mostOfReport.stack),
    version,
  });
  reported.set(key, sent);
  return sent;
}

async function send(body: Parameters<typeof call<typeof reportPageError>>[1]['body']): Promise<string | null> {
  try {
    await call(reportPageError, { body });
    return body.code;
  } catch {
    // The driver has the error page already; a lost report must not be a second error.
    return null;
  }
}

function describe(error: unknown): { message: string; stack: string } {
  if (error instanceof Error) return { message: error.message || error.name, stack: error.stack ?? '' };
  return { message: String(error), stack: '' };
}

function newCode(): string {
  const random = crypto.getRandomValues(new Uint8Array(8));
  return Array.from(random, (byte) => reportAlphabet[byte % reportAlphabet.length]).join('');
}
