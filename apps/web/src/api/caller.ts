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
  /** The device itself knows that it has no network. */
  isOffline: () => boolean;
  /** Has the words for a refusal at hand before anybody wants to show it. */
  fetchWords?: () => Promise<unknown>;
}

interface Options {
  signal?: AbortSignal;
}
/** A call without parameters, query and body may go without input. */
type Input<E extends Endpoint> = unknown extends CallInput<E> ? [input?: Options] : [input: CallInput<E> & Options];
export type RefusalListener = (error: ApiError) => void;

/** Pauses before each repeat of a request that no answer came to: a lift, a tunnel, a change of network. */
const repeatPausesMs = [400, 1200, 3000];

const json = 'application/json';

/** The one way from a page to the server: every call of the contract goes through here, typed by its declaration. */
export function createCaller({ fetch, csrf, nonces, now, pause, isOffline, fetchWords }: Parts) {
  const listeners = new Set<RefusalListener>();
  let clockOffsetMs = 0;

  async function call<E extends Endpoint>(endpoint: E, ...[input]: Input<E>): Promise<ReplyOf<E>> {
    const given = (input ?? {}) as { params?: object; query?: object; body?: object } & Options;
    try {
      const response = isMutating(endpoint.method)
        ? await sendSigned(endpoint, given)
        : await sendPlain(endpoint, given);
      // What does not match the contract is a bug of ours, thrown as it is.
      return (endpoint.reply && parse(endpoint.reply, await response.json())) as ReplyOf<E>;
    } catch (error) {
      if (error instanceof ApiError) {
        // That nobody is signed in is no news to tell: every visitor's first question is answered so.
        if (error.status !== 401 || isMutating(endpoint.method)) await fetchWords?.();
        for (const listener of listeners) listener(error);
      }
      throw error;
    }
  }

  function sendPlain(endpoint: Endpoint, given: { params?: object; query?: object } & Options): Promise<Response> {
    const { url } = addressOf(endpoint, given as never);
    const attempt = () => send(url, { method: endpoint.method, headers: { Accept: json } }, given.signal);
    // Who asks is told at once that there is no network, and asks again when it is back.
    return patiently(attempt, isOffline);
  }

  async function sendSigned(endpoint: Endpoint, given: { body?: object } & Options): Promise<Response> {
    const { path, url } = addressOf(endpoint, given as never);
    const { method } = endpoint;
    const body = given.body ?? {};
    const bodyHash = await hashOfBody(body);
    const request = `${method} ${path} ${bodyHash}`;
    const nonce = endpoint.movesMoney ? nonces.keep(request) : newNonce();

    const attempt = async () => {
      // The token is read at the moment of sending: another tab may have changed it.
      const token = await csrf.token();
      const unixMs = Math.round(now() + clockOffsetMs);
      const signature = await signatureOf({ method, path, bodyHash, nonce, unixMs }, token);
      const headers = { Accept: json, 'Content-Type': json, 'X-XSRF-TOKEN': token };
      return send(url, { method, headers, body: JSON.stringify({ ...body, signature }) }, given.signal);
    };
    // With its nonce kept a payment can be repeated safely; any other change may have happened, so the driver decides.
    const answered = () => withCorrections(endpoint.movesMoney ? () => patiently(attempt) : attempt);

    try {
      const response = await answered();
      nonces.forget(request);
      return response;
    } catch (error) {
      // A refusal is an answer. After a failure of the server, as after silence, the money may have moved.
      if (error instanceof ApiError && error.status < 500) nonces.forget(request);
      throw error;
    }
  }

  /** Two refusals that are about the envelope and not about the letter; each is mended and tried again once. */
  async function withCorrections(attempt: () => Promise<Response>): Promise<Response> {
    let csrfMended = false;
    let clockMended = false;
    for (;;) {
      try {
        return await attempt();
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        if (error.status === 419 && error.message.startsWith('CSRF') && !csrfMended) {
          csrfMended = true;
          await csrf.refresh();
        } else if (error.status === 403 && error.serverTime !== null && !clockMended) {
          clockMended = true;
          clockOffsetMs = error.serverTime - now();
        } else throw error;
      }
    }
  }

  async function patiently(attempt: () => Promise<Response>, isHopeless = () => false): Promise<Response> {
    for (const pauseMs of repeatPausesMs) {
      try {
        return await attempt();
      } catch (error) {
        if (!(error instanceof NetworkError) || isHopeless()) throw error;
        await pause(pauseMs);
      }
    }
    return attempt();
  }

  async function send(url: string, init: RequestInit, signal: AbortSignal | undefined): Promise<Response> {
    const response = await fetch(url, { ...init, credentials: 'include', ...(signal && { signal }) }).catch((cause) => {
      // Whoever aborted a call knows why and expects to see its own reason.
      if (signal?.aborted) throw cause;
      throw new NetworkError(`${init.method} ${url}: no answer`, { cause });
    });
    if (!response.ok) throw await apiErrorOf(response);
    return response;
  }

  return {
    call,
    /** For rules that hold whichever call was refused. Returns the way to stop listening. */
    onRefusal(listener: RefusalListener): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
