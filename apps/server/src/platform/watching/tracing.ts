import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * Traces for the operator. A unit is one piece of work of this process: a request, a message of a charge point, a due
 * step, a job. Its spans are recorded here and exported when it ends, because the operation that it belongs to is often
 * known only then. Without an exporter no unit is opened, and a span costs one look at the store.
 */
export interface SpanAbout {
  name: string;
  kind?: 'server' | 'client' | 'internal';
  attributes?: Record<string, string | number>;
}

export interface RecordedSpan {
  name: string;
  kind: NonNullable<SpanAbout['kind']>;
  attributes: Record<string, string | number>;
  /** Milliseconds since 1970, with fractions. */
  startedAt: number;
  /** Null while it lasts. */
  endedAt: number | null;
  error: string | null;
  /** The position of the span that it is a part of; null for the first one. */
  parent: number | null;
}

export interface RecordedUnit {
  spans: RecordedSpan[];
  operations: ReadonlySet<number>;
  /** The header of the caller, who has a trace of its own. */
  traceparent: string | null;
}

export interface TraceExporter {
  export(unit: RecordedUnit): void;
  /** Sends what is left. */
  stop(): Promise<void>;
}

interface OpenUnit {
  spans: RecordedSpan[];
  operations: Set<number>;
  traceparent: string | null;
  isEnded: boolean;
}

/** A span of a unit that ends by itself, as a request does. */
export interface OpenSpan {
  /** Runs what happens within it. */
  run<T>(work: () => T): T;
  end(attributes?: Record<string, string | number>, error?: string | null): void;
}

export interface Tracing {
  isOn: boolean;
  /** Begins a unit; null when traces are off. */
  open(about: SpanAbout, traceparent?: string | null): OpenSpan | null;
  unit<T>(about: SpanAbout, work: () => Promise<T>): Promise<T>;
}

/** A loop over thousands of rows needs no thousand spans. */
const mostSpans = 200;
const store = new AsyncLocalStorage<{ unit: OpenUnit; span: number }>();
const now = () => performance.timeOrigin + performance.now();

export function createTracing(exporter: () => TraceExporter | null): Tracing {
  function open(about: SpanAbout, traceparent: string | null = null): OpenSpan | null {
    const target = exporter();
    if (target === null) return null;
    const unit: OpenUnit = { spans: [], operations: new Set(), traceparent, isEnded: false };
    const span = begin(unit, about, null);
    return {
      run: (work) => store.run({ unit, span: 0 }, work),
      end(attributes = {}, error = null) {
        if (unit.isEnded) return;
        unit.isEnded = true;
        finish(span, attributes, error);
        target.export(unit);
      },
    };
  }

  return {
    get isOn() {
      return exporter() !== null;
    },
    open,
    async unit(about, work) {
      const span = open(about);
      if (span === null) return work();
      try {
        const result = await span.run(work);
        span.end();
        return result;
      } catch (error) {
        span.end({}, textOf(error));
        throw error;
      }
    },
  };
}

/** For parts that are used without an exporter. */
export const noTracing = createTracing(() => null);

/** A part of the unit in progress; outside of one the work simply runs. */
export async function inSpan<T>(about: SpanAbout, work: () => Promise<T>): Promise<T> {
  const around = store.getStore();
  if (around === undefined || around.unit.isEnded || around.unit.spans.length >= mostSpans) return work();
  const span = begin(around.unit, about, around.span);
  try {
    const result = await store.run({ unit: around.unit, span: around.unit.spans.length - 1 }, work);
    finish(span, {}, null);
    return result;
  } catch (error) {
    finish(span, {}, textOf(error));
    throw error;
  }
}

/** The unit in progress is about this operation, whose trace it joins. */
export function traceOperation(id: number): void {
  store.getStore()?.unit.operations.add(id);
}

function begin(unit: OpenUnit, { name, kind = 'internal', attributes = {} }: SpanAbout, parent: number | null) {
  const span: RecordedSpan = { name, kind, attributes, startedAt: now(), endedAt: null, error: null, parent };
  unit.spans.push(span);
  return span;
}

function finish(span: RecordedSpan, attributes: Record<string, string | number>, error: string | null): void {
  Object.assign(span.attributes, attributes);
  span.endedAt = now();
  span.error = error;
}

/** Only the kind of an error, because its text may hold a phone number or a token. */
const textOf = (error: unknown): string => {
  const { name, code } = (error ?? {}) as { name?: unknown; code?: unknown };
  return [name, code].filter((part) => typeof part === 'string').join(' ') || 'error';
};
