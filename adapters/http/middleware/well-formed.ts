import type { IncomingMessage } from 'node:http';

/**
 * What makes a request ambiguous, as a sentence; null when nothing does. Two `Host` or `Authorization` lines are read
 * differently by different servers on the way, so neither is believed. A target in absolute form (RFC 9112 §3.2.2) is
 * brought into the usual form; it has to name the host that the `Host` line names. One that is no address is set to `/`.
 */
export function faultOfRequest(request: IncomingMessage): string | null {
  if (hasTwo(request.rawHeaders)) return 'A header that may come once came twice.';
  // Koa would take the first of a list.
  if (request.headers.host?.includes(',') === true) return 'The Host header names two hosts.';
  const target = request.url ?? '';
  if (target.startsWith('/')) return null;
  request.url = '/';
  if (!/^https?:\/\/[^/?#]/i.test(target) || !URL.canParse(target)) return 'The request target is no address.';
  const { host, pathname, search } = new URL(target);
  if (host !== request.headers.host?.toLowerCase())
    return 'The request target names another host than the Host header.';
  request.url = `${pathname}${search}`;
  return null;
}

function hasTwo(rawHeaders: readonly string[]): boolean {
  let hosts = 0;
  let authorizations = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? '';
    if (name.length === 4 && name.toLowerCase() === 'host') hosts += 1;
    else if (name.length === 13 && name.toLowerCase() === 'authorization') authorizations += 1;
  }
  return hosts > 1 || authorizations > 1;
}
