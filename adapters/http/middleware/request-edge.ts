import { randomUUID } from 'node:crypto';
import type { Middleware } from 'koa';
import { type Refusal, refuse } from '#adapters/http/middleware/refuse.ts';
import type { Header } from '#adapters/http/middleware/security-headers.ts';
import { faultOfRequest } from '#adapters/http/middleware/well-formed.ts';
import { sendFailure } from '#adapters/http/problem.ts';
import { type RouteContext, requestIdOf } from '#adapters/http/route.ts';
import type { Logger } from '#application/ports/logger.ts';
import { failed } from '#domain/operations/outcome.ts';
import { DatabaseUnavailable, retryAfterS, unavailableText } from '#infrastructure/database/database-unavailable.ts';

const quietPaths = new Set(['/healthz', '/readyz']);

/**
 * The outermost step: gives the request an id (`ctx.state.requestId`, header `X-Request-Id`), sets the headers of every
 * answer, turns what was thrown into an answer that tells nothing, and logs one line. Queries are not logged: they hold codes.
 */
export function requestEdge(logger: Logger, headers: readonly Header[]): Middleware {
  return async (ctx, next) => {
    const started = performance.now();
    const requestId = randomUUID();
    ctx.state['requestId'] = requestId;
    for (const [name, value] of headers) ctx.res.setHeader(name, value);
    ctx.res.setHeader('X-Request-Id', requestId);
    try {
      const fault = faultOfRequest(ctx.req);
      if (fault === null) await next();
      else refuse(ctx, { status: 400, error: 'invalid_request', description: fault });
      if (ctx.status === 404 && ctx.body === undefined && ctx.respond !== false) refuseUnknown(ctx);
    } catch (error) {
      answerThrown(ctx, error, logger);
    }
    const status = ctx.respond === false ? ctx.res.statusCode : ctx.status;
    logRequest(logger, { requestId, method: ctx.method, path: ctx.path, status, started });
  };
}

/** What is logged of an answered request; `started` is the reading of the performance clock when it came. */
type Answered = Readonly<{ requestId: string; method: string; path: string; status: number; started: number }>;

/** The one line about a request. Probes of health are too many to be told by default. */
export function logRequest(logger: Logger, { started, ...answered }: Answered): void {
  const line = { ...answered, ms: Math.round((performance.now() - started) * 100) / 100 };
  if (quietPaths.has(line.path)) logger.debug(line, 'Request');
  else logger.info(line, 'Request');
}

/** The answer for a path that leads nowhere. */
export function refuseUnknown(ctx: RouteContext): void {
  refuse(ctx, { status: 404, error: 'not_found', description: 'There is nothing at this address.' });
}

function answerThrown(ctx: RouteContext, error: unknown, logger: Logger): void {
  const requestId = requestIdOf(ctx);
  logThrown(logger, error, { requestId, method: ctx.method, path: ctx.path });
  if (ctx.res.headersSent || ctx.respond === false) {
    ctx.res.destroy();
    return;
  }
  const answer = answerFor(error, requestId);
  if (answer.retryAfterS !== undefined) ctx.set('Retry-After', String(answer.retryAfterS));
  if (answer.status === 503 && ctx.path.startsWith('/api/')) {
    sendFailure(ctx, failed('unavailable', answer.description), answer.status);
  } else {
    refuse(ctx, answer);
  }
}

/** Logs what was thrown at a request. A database that cannot be used is no bug: it is told without a stack. */
export function logThrown(logger: Logger, error: unknown, request: Readonly<Record<string, unknown>>): void {
  if (error instanceof DatabaseUnavailable) {
    const { reason, message } = error;
    logger.warn({ ...request, reason, error: message }, 'Database unavailable');
  } else {
    logger.error({ ...request, err: error }, 'Request failed');
  }
}

/** A refusal, and after how many seconds to come again. */
export type ThrownAnswer = Refusal & Readonly<{ retryAfterS?: number }>;

/** The answer to what was thrown: it tells nothing but whether to come again, or where to read on. */
export function answerFor(error: unknown, requestId: string): ThrownAnswer {
  if (error instanceof DatabaseUnavailable) {
    return { status: 503, error: 'unavailable', description: unavailableText, retryAfterS };
  }
  return brokenHere(requestId);
}

function brokenHere(requestId: string): Refusal {
  const description = `The server could not answer. Its log has more under the request id ${requestId}.`;
  return { status: 500, error: 'server_error', description };
}
