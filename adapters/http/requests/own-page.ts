import type { Visit } from '#adapters/http/visit.ts';

/**
 * Whether our own page, or a program that is not a browser, sent the request. Browsers send cookies to every port of a
 * host and treat all ports as one site: only the origin tells our page from that of a server on another port.
 */
export function isOwnPage(ctx: Visit, ownOrigin: string): boolean {
  const { origin, 'sec-fetch-site': site } = ctx.req.headers;
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  return origin === undefined || origin === ownOrigin || origin === `${ctx.protocol}://${ctx.host}`;
}

/** Whether a request to the root asks for a page, rather than for the stream of an MCP session. */
export function isPageAtRoot({ method, req }: Visit): boolean {
  if (method === 'HEAD') return true;
  const accept = req.headers.accept?.toLowerCase() ?? '';
  return method === 'GET' && (!accept.includes('text/event-stream') || accept.includes('text/html'));
}
