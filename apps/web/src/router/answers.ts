const inPlace = 'X-In-Place';

/** A guard or a loader throws this to open another page instead. */
export function redirect(to: string): Response {
  return new Response(null, { status: 302, headers: { Location: to } });
}

/** The same, but it replaces the previous page in the history, so that going back does not lead there. */
export function replace(to: string): Response {
  return new Response(null, { status: 302, headers: { Location: to, [inPlace]: 'yes' } });
}

export function redirectOf(thrown: unknown): { to: string; isInPlace: boolean } | null {
  if (!(thrown instanceof Response)) return null;
  const to = thrown.headers.get('Location');
  return to === null ? null : { to, isInPlace: thrown.headers.has(inPlace) };
}

class Answer {
  readonly data: unknown;
  readonly init: { status: number };
  constructor(value: unknown, init: { status: number }) {
    this.data = value;
    this.init = init;
  }
  get status(): number {
    return this.init.status;
  }
}

/** A guard or a loader throws this when the page does not exist (404) or is not allowed. */
export function data(value: unknown, init: { status: number }): Answer {
  return new Answer(value, init);
}

export function isRouteErrorResponse(error: unknown): error is { status: number; data: unknown } {
  return error instanceof Answer;
}
