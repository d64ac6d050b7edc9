import type { IncomingMessage } from 'node:http';
import { refuse } from '#adapters/http/answers/refuse.ts';
import type { PipelineStep } from '#adapters/http/visit.ts';

/** Rejects an ambiguous request with 400, before anything of it is read. */
export const refuseMalformed: PipelineStep = (ctx, next) => {
  const error = requestError(ctx.req);
  if (error === null) return next();
  refuse(ctx, { status: 400, error: 'invalid_request', description: error });
  return undefined;
};

/**
 * What makes a request ambiguous, as a sentence; null when nothing does. Two `Host` or `Authorization` lines are read
 * differently by different servers on the way, so neither is trusted. A target in absolute form is converted to the usual
 * form: its host replaces the `Host` line's, which is ignored (RFC 9112 §3.2.2).
 */
function requestError(request: IncomingMessage): string | null {
  if (hasTwo(request.rawHeaders)) return 'A header that may come once came twice.';
  // Koa would take the first of a list.
  if (request.headers.host?.includes(',') === true) return 'The Host header names two hosts.';
  const target = request.url ?? '';
  if (target.startsWith('/')) return null;
  const error = targetError(request, target);
  // The answer and the log need a path.
  if (error !== null) request.url = '/';
  return error;
}

/** Rewrites a target in absolute form; returns the error when it is invalid. */
function targetError(request: IncomingMessage, target: string): string | null {
  const authority = /^https?:\/\/([^/?#]+)/i.exec(target)?.[1];
  if (authority === undefined || !URL.canParse(target)) return 'The request target is no address.';
  // RFC 9110 §4.2.4: user information before an @ is there to mislead.
  if (authority.includes('@') || target.includes('#')) return 'The request target has user info or a fragment.';
  const { host, pathname, search } = new URL(target);
  request.headers.host = host;
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
