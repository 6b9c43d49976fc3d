import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type OpenSpan, type Tracing, traceOperation } from '../watching/tracing.ts';

/** Each request is a unit of the operator's traces, in the trace of its caller when it names one. */
export function traceRequests(
  app: FastifyInstance,
  tracing: Tracing,
  operationIn: (route: string, params: unknown) => { operation?: number },
): void {
  const spans = new WeakMap<FastifyRequest, OpenSpan>();
  app.addHook('onRequest', (request, _reply, done) => {
    const route = request.routeOptions.url ?? 'none';
    const { traceparent } = request.headers;
    // The path is left out, because it may hold a token; the route names it without its parameters.
    const attributes = { 'http.request.method': request.method, 'http.route': route };
    const about = { name: `${request.method} ${route}`, kind: 'server', attributes } as const;
    const span = tracing.open(about, typeof traceparent === 'string' ? traceparent : null);
    if (span === null) return done();
    spans.set(request, span);
    span.run(() => {
      const { operation } = operationIn(route, request.params);
      if (operation !== undefined) traceOperation(operation);
      done();
    });
  });
  // A body is read by events of the connection, which began before the span.
  app.addHook('preValidation', (request, _reply, done) => {
    const span = spans.get(request);
    if (span) span.run(done);
    else done();
  });
  app.addHook('onResponse', (request, reply, done) => {
    const { statusCode } = reply;
    spans.get(request)?.end({ 'http.response.status_code': statusCode }, statusCode >= 500 ? `${statusCode}` : null);
    done();
  });
}
