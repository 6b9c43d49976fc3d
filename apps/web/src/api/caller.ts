import { type CallInput, type Endpoint, isMutating, type ReplyOf } from '@fpay/contract/endpoint';
import { parse } from 'zod/mini';
import { addressOf } from './address.ts';
import type { Csrf } from './csrf.ts';
import { ApiError, apiErrorOf, NetworkError } from './errors.ts';
import type { MoneyNonces } from './money-nonces.ts';
import { hashOfBody, newNonce, signatureOf } from './signature.ts';

interface Parts {
  fetch: typeof fetch;
  csrf: Csrf;
  nonces: MoneyNonces;
  now: () => number;
  pause: (ms: number) => Promise<void>;
  /** True when the device reports that it has no network. */
  isOffline: () => boolean;
  /** Loads the texts of refusals before one is shown. */
  loadRefusalTexts?: () => Promise<unknown>;
}

interface Options {
  signal?: AbortSignal;
}
/** A call without parameters, query and body needs no input. */
type Input<E extends Endpoint> = unknown extends CallInput<E> ? [input?: Options] : [input: CallInput<E> & Options];
export type RefusalListener = (error: ApiError) => void;

/** Pauses before each repetition of an unanswered request, for a lift, a tunnel or a change of network. */
const repeatPausesMs = [400, 1200, 3000];

const json = 'application/json';

/** Sends every call of the contract, typed by its declaration. All requests of a page to the server go through here. */
export function createCaller({ fetch, csrf, nonces, now, pause, isOffline, loadRefusalTexts: fetchWords }: Parts) {
  const listeners = new Set<RefusalListener>();
  const reconnectListeners = new Set<() => void>();
  let isUnanswered = false;
  let clockOffsetMs = 0;

  async function call<E extends Endpoint>(endpoint: E, ...[input]: Input<E>): Promise<ReplyOf<E>> {
    const given = (input ?? {}) as { params?: object; query?: object; body?: object } & Options;
    try {
      const response = isMutating(endpoint.method)
        ? await sendSigned(endpoint, given)
        : await sendPlain(endpoint, given);
      // An answer that does not match the contract is a bug of ours and is thrown unchanged.
      return (endpoint.reply && parse(endpoint.reply, await response.json())) as ReplyOf<E>;
    } catch (error) {
      if (error instanceof ApiError) {
        // A missing session is no error, because the first request of every visitor gets this answer.
        if (error.status !== 401 || isMutating(endpoint.method)) await fetchWords?.();
        for (const listener of listeners) listener(error);
      }
      throw error;
    }
  }

  function sendPlain(endpoint: Endpoint, given: { params?: object; query?: object } & Options): Promise<Response> {
    const { url } = addressOf(endpoint, given as never);
    const attempt = () => send(url, { method: endpoint.method, headers: { Accept: json } }, given.signal);
    // While offline, the caller gets an error at once and retries when the network is back.
    return withRetries(attempt, isOffline);
  }

  async function sendSigned(endpoint: Endpoint, given: { body?: object } & Options): Promise<Response> {
    const { path, url } = addressOf(endpoint, given as never);
    const { method } = endpoint;
    const body = given.body ?? {};
    const bodyHash = await hashOfBody(body);
    const request = `${method} ${path} ${bodyHash}`;
    const nonce = endpoint.movesMoney ? nonces.nonceFor(request) : newNonce();

    const attempt = async () => {
      // The token is read at the moment of sending, because another tab may have changed it.
      const token = await csrf.token();
      const unixMs = Math.round(now() + clockOffsetMs);
      const signature = await signatureOf({ method, path, bodyHash, nonce, unixMs }, token);
      const headers = { Accept: json, 'Content-Type': json, 'X-XSRF-TOKEN': token };
      const init = { method, headers, body: JSON.stringify({ ...body, signature }) };
      if (!endpoint.movesMoney) return send(url, init, given.signal);
      // A payment can be withdrawn until here. Once it is sent, the server may have taken it.
      if (!nonces.has(request)) given.signal?.throwIfAborted();
      nonces.keep(request, nonce);
      return send(url, init, undefined);
    };
    // With its nonce stored, a payment can be repeated safely. Any other change may have happened, so the driver
    // decides.
    const answered = () => withCorrections(endpoint.movesMoney ? () => withRetries(attempt) : attempt);

    try {
      const response = await answered();
      nonces.remove(request);
      return response;
    } catch (error) {
      // A refusal is an answer. After a server error or without an answer, the money may have moved.
      if (error instanceof ApiError && error.status < 500) nonces.remove(request);
      if (error instanceof NetworkError) error.mayHaveArrived = nonces.has(request);
      throw error;
    }
  }

  /**
   * CSRF mismatch and clock skew are not about the request itself: fix the token or the clock offset and retry once.
   */
  async function withCorrections(attempt: () => Promise<Response>): Promise<Response> {
    let isCsrfRefreshed = false;
    let isClockCorrected = false;
    for (;;) {
      try {
        return await attempt();
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        if (error.code === 'csrf_mismatch' && !isCsrfRefreshed) {
          isCsrfRefreshed = true;
          await csrf.refresh();
        } else if (error.code === 'signature_expired' && error.serverTime !== null && !isClockCorrected) {
          isClockCorrected = true;
          clockOffsetMs = error.serverTime - now();
        } else throw error;
      }
    }
  }

  async function withRetries(attempt: () => Promise<Response>, shouldGiveUp = () => false): Promise<Response> {
    for (const pauseMs of repeatPausesMs) {
      try {
        return await attempt();
      } catch (error) {
        if (!(error instanceof NetworkError) || shouldGiveUp()) throw error;
        await pause(pauseMs);
      }
    }
    return attempt();
  }

  async function send(url: string, init: RequestInit, signal: AbortSignal | undefined): Promise<Response> {
    const response = await fetch(url, { ...init, credentials: 'include', ...(signal && { signal }) }).catch((cause) => {
      // A caller that aborted a request expects its own reason.
      if (signal?.aborted) throw cause;
      isUnanswered = true;
      throw new NetworkError(`${init.method} ${url}: no answer`, { cause });
    });
    if (isUnanswered) {
      isUnanswered = false;
      for (const listener of reconnectListeners) listener();
    }
    if (!response.ok) throw await apiErrorOf(response);
    return response;
  }

  return {
    call,
    /** Runs at the first answer after an unanswered call. Returns the function that unsubscribes. */
    onReconnect(listener: () => void): () => void {
      reconnectListeners.add(listener);
      return () => reconnectListeners.delete(listener);
    },
    /** For rules that apply to a refusal of any call. Returns the function that unsubscribes. */
    onRefusal(listener: RefusalListener): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
