import type { PipelineStep, Visit } from '#adapters/http/visit.ts';
import type { Tracer } from '#application/ports/tracer.ts';

/** The methods that spans name (RFC 9110 §9, RFC 5789); any other is `_OTHER`, as the conventions for HTTP spans have it. */
const namedMethods: ReadonlySet<string> = new Set([
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
  'CONNECT',
]);
/** Stands for what a path may tell of people and notes. */
const redacted = 'REDACTED';
const maxSegment = 64;

/**
 * Records each request of a route as a span that continues the caller's trace. It is named after the route, and its path
 * has the values of no parameters, since these contain the names of notes.
 */
export function traceRequests(tracer: Tracer, route: Readonly<{ method: string; path: string }>): PipelineStep {
  const name = `${route.method} ${route.path}`;
  const attributes = {
    'http.request.method': route.method,
    'http.route': route.path,
    'url.path': route.path.replaceAll(/\/[:*{][^/]*/g, `/${redacted}`),
  };
  return (ctx, next) => traced(tracer, { name, attributes }, ctx, next);
}

/**
 * Records each request that no route takes as a span named after its method, so that scans and wrong addresses are seen.
 * Its path has only the first segment.
 */
export function traceUnrouted(tracer: Tracer): PipelineStep {
  return (ctx, next) => {
    const isNamed = namedMethods.has(ctx.method);
    const attributes = { 'http.request.method': isNamed ? ctx.method : '_OTHER', 'url.path': firstSegment(ctx.path) };
    return traced(tracer, { name: isNamed ? ctx.method : 'HTTP', attributes }, ctx, next);
  };
}

function traced(
  tracer: Tracer,
  { name, attributes }: Readonly<{ name: string; attributes: Readonly<Record<string, string>> }>,
  ctx: Visit,
  next: () => Promise<unknown>,
): Promise<void> {
  const { traceparent } = ctx.req.headers;
  const parent = typeof traceparent === 'string' ? traceparent : null;
  const all = { ...attributes, 'url.scheme': ctx.protocol };
  return tracer.span({ name, kind: 'server', attributes: all, parent }, async (span) => {
    await next();
    span.set({ 'http.response.status_code': ctx.status });
    if (ctx.status >= 500) span.fail(String(ctx.status));
  });
}

function firstSegment(path: string): string {
  const [, first = '', ...others] = path.split('/');
  return `/${first.slice(0, maxSegment)}${others.length > 0 ? `/${redacted}` : ''}`;
}
