import { createHash } from 'node:crypto';
import {
  type Context,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  TraceFlags,
  trace,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { AlwaysOnSampler, BatchSpanProcessor, ParentBasedSampler, TracerProvider } from '@opentelemetry/sdk-trace';
import type { RecordedSpan, RecordedUnit, TraceExporter } from './tracing.ts';

export interface TraceExportOptions {
  /** The address of an OTLP/HTTP collector, to which `/v1/traces` is appended. */
  endpoint: string;
  service: string;
  version: string;
  /** Traces of operations begin with it, so that two networks with one collector have different ones. */
  origin: string;
  /** Which part of the traces is exported, from 0 to 1. */
  ratio: number;
}

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL } as const;

/** The only file that loads OpenTelemetry; it is imported only when an endpoint is set. */
export function createTraceExport({ endpoint, service, version, origin, ratio }: TraceExportOptions): TraceExporter {
  const url = `${endpoint.replace(/\/+$/, '')}/v1/traces`;
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': service, 'service.version': version }),
    // Which traces are exported is decided below, because the trace id of an operation is not random.
    sampler: new ParentBasedSampler({ root: new AlwaysOnSampler() }),
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url }), scheduledDelayMillis: 1_000 })],
  });
  const tracer = provider.getTracer('fpay', version);

  /** Every node and every process gives an operation the same trace. */
  function traceOf(operation: number): SpanContext {
    const hash = createHash('sha256').update(`${origin}/operation/${operation}`).digest('hex');
    return { traceId: hash.slice(0, 32), spanId: hash.slice(32, 48), traceFlags: TraceFlags.SAMPLED, isRemote: true };
  }

  /** The caller's trace, else the trace of the operation, else a new one. */
  function parentOf({ traceparent, operations }: RecordedUnit): SpanContext | null {
    const caller = callerOf(traceparent);
    if (caller) return caller;
    const [operation] = operations;
    return operations.size === 1 && operation !== undefined ? traceOf(operation) : null;
  }

  return {
    export(unit) {
      const parent = parentOf(unit);
      const [operation] = unit.operations;
      const isAboutOne = unit.operations.size === 1 && operation !== undefined;
      if (parent && parent.traceFlags !== TraceFlags.SAMPLED) return;
      // A part of the traces of operations is whole, instead of a part of every trace.
      const share = parent ? Number.parseInt(parent.traceId.slice(0, 8), 16) / 2 ** 32 : Math.random();
      if (callerOf(unit.traceparent) === null && share >= ratio) return;
      const links = callerOf(unit.traceparent) && isAboutOne ? [{ context: traceOf(operation) }] : [];
      const root = parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
      const contexts: Context[] = [];
      for (const recorded of unit.spans) {
        const around = recorded.parent === null ? root : (contexts[recorded.parent] ?? root);
        contexts.push(emit(recorded, around, { ...(isAboutOne && { 'fpay.operation': operation }) }, links));
      }
    },
    stop: () => provider.shutdown(),
  };

  function emit(
    { name, kind, attributes, startedAt, endedAt, error }: RecordedSpan,
    around: Context,
    more: Record<string, number>,
    links: { context: SpanContext }[],
  ): Context {
    const span = tracer.startSpan(
      name,
      { kind: kinds[kind], attributes: { ...attributes, ...more }, startTime: startedAt, links },
      around,
    );
    if (error !== null) span.setStatus({ code: SpanStatusCode.ERROR, message: error });
    // A span that outlived its unit ends with it.
    span.end(endedAt ?? performance.timeOrigin + performance.now());
    return trace.setSpan(around, span);
  }
}

function callerOf(header: string | null): SpanContext | null {
  const match = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/.exec(header ?? '');
  if (!match) return null;
  const [, traceId = '', spanId = '', flags = ''] = match;
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return null;
  const isSampled = (Number.parseInt(flags, 16) & TraceFlags.SAMPLED) !== 0;
  return { traceId, spanId, traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE, isRemote: true };
}
