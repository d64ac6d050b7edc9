import type { Tracer } from '#application/ports/tracer.ts';
import type { AroundRequests } from '#infrastructure/http/http-client.ts';

/**
 * Records requests to services as spans with method, host and status, but without path and query, and without hosts
 * that users entered. The trace context is not propagated to services.
 */
export function tracedRequests(tracer: Tracer): AroundRequests {
  return ({ method, url, isGiven }, send) => {
    const host = isGiven || !URL.canParse(url) ? {} : { 'server.address': new URL(url).hostname };
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
