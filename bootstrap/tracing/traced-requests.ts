import type { LocalOperation } from '#adapters/services/requests/operation-table.ts';
import type { Tracer } from '#application/ports/tracer.ts';
import type { Outcome } from '#domain/operations/outcome.ts';
import type { AroundRequests } from '#infrastructure/http/http-client.ts';

/** Stands for the paths and queries of services, which contain records' ids and names. */
const redacted = 'REDACTED';

/**
 * Records requests to services as spans with method, host, port and status, but without path and query, and without
 * hosts that users entered. The trace context is not propagated to services.
 */
export function tracedRequests(tracer: Tracer): AroundRequests {
  return ({ method, url, isGiven }, send) => {
    const host = isGiven || !URL.canParse(url) ? {} : hostOf(new URL(url));
    const attributes = { 'http.request.method': method, ...host };
    return tracer.span({ name: method, kind: 'client', attributes }, async (span) => {
      const answer = await send();
      if (answer.kind === 'error') {
        span.fail(answer.reason);
        return answer;
      }
      span.set({ 'http.response.status_code': answer.status });
      if (answer.status >= 400) span.fail(String(answer.status));
      return answer;
    });
  };
}

function hostOf({ hostname, origin, port, protocol }: URL) {
  const standard = protocol === 'https:' ? 443 : 80;
  return {
    'server.address': hostname,
    'server.port': port === '' ? standard : Number(port),
    'url.full': `${origin}/${redacted}`,
  };
}

/**
 * Records each run of an operation that this process does itself as a span with the service and the operation. What is
 * not there is no error: a vault need not have a folder of reactions.
 */
export function tracedLocally(tracer: Tracer, service: string, name: string, run: LocalOperation): LocalOperation {
  const start = { name: `${service} ${name}`, kind: 'internal', attributes: { 'portolan.service': service } } as const;
  return (input, onChange, beforeWrite) =>
    tracer.span(start, async (span): Promise<Outcome> => {
      const outcome = await run(input, onChange, beforeWrite);
      if (!outcome.ok && outcome.reason !== 'not_found') span.fail(outcome.reason);
      return outcome;
    });
}
