import type { PipelineStep } from '#adapters/http/visit.ts';
import type { Tracer } from '#application/ports/tracer.ts';

/**
 * Records each request of a route as a span that continues the caller's trace. It is named after the route, never after
 * the path, since paths contain the names of notes.
 */
export function traceRequests(tracer: Tracer, route: Readonly<{ method: string; path: string }>): PipelineStep {
  const attributes = { 'http.request.method': route.method, 'http.route': route.path };
  const name = `${route.method} ${route.path}`;
  const traceRequest: PipelineStep = (ctx, next) => {
    const { traceparent } = ctx.req.headers;
    const parent = typeof traceparent === 'string' ? traceparent : null;
    return tracer.span({ name, kind: 'server', attributes, parent }, async (span) => {
      await next();
      span.set({ 'http.response.status_code': ctx.status });
      if (ctx.status >= 500) span.fail(String(ctx.status));
    });
  };
  return traceRequest;
}
