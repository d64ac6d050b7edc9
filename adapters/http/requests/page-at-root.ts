import type { Visit } from '#adapters/http/visit.ts';

/** Whether a request to the root asks for a page, rather than for the stream of an MCP session. */
export function isPageAtRoot({ method, req }: Visit): boolean {
  if (method === 'HEAD') return true;
  const accept = req.headers.accept?.toLowerCase() ?? '';
  return method === 'GET' && (!accept.includes('text/event-stream') || accept.includes('text/html'));
}
