import { act } from '@testing-library/react';
import { vi } from 'vitest';

type Answer = unknown | (() => unknown);

/** A refusal of the test's server. */
export class RefusedAnswer {
  readonly status: number;
  readonly body: object;
  /** In seconds. */
  readonly retryAfter: number | null;
  constructor(status: number, body: object = { message: 'No' }, retryAfter: number | null = null) {
    this.status = status;
    this.body = body;
    this.retryAfter = retryAfter;
  }
}

/**
 * Answers by "METHOD /path" and records the requests. It uses no streams and sockets, so that it works with a fake
 * clock.
 */
export function serve(answers: Record<string, Answer>) {
  const sent: { call: string; body: Record<string, unknown> }[] = [];
  vi.stubGlobal('fetch', async (url: string, { method = 'GET', body }: RequestInit = {}) => {
    const call = `${method} ${url}`;
    sent.push({ call, body: body ? JSON.parse(String(body)) : {} });
    if (!(call in answers)) throw new TypeError(`The test has no answer for ${call}`);
    const given = answers[call];
    const answer = await (typeof given === 'function' ? given() : given);
    const isRefused = answer instanceof RefusedAnswer;
    return {
      ok: !isRefused,
      status: isRefused ? answer.status : 200,
      statusText: '',
      headers: new Headers(isRefused && answer.retryAfter !== null ? { 'Retry-After': `${answer.retryAfter}` } : {}),
      json: async () => (isRefused ? answer.body : answer),
      blob: async () => answer,
      text: async () => String(answer),
    };
  });
  // biome-ignore lint/suspicious/noDocumentCookie: a page that already has its token.
  document.cookie = 'XSRF-TOKEN=token';
  return {
    answers,
    sent,
    times: (call: string) => sent.filter((request) => request.call === call).length,
    bodyOf: (call: string) => sent.find((request) => request.call === call)?.body,
  };
}

/** Advances the fake clock and lets everything that waited for it happen. */
export async function pass(ms = 0): Promise<void> {
  await act(async () => void (await vi.advanceTimersByTimeAsync(ms)));
}
