import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { sendFailure } from '#adapters/http/answers/problem.ts';
import { type Rejection, refuse } from '#adapters/http/answers/refuse.ts';
import type { BusyAnswer } from '#adapters/http/route.ts';
import type { PipelineStep, Visit } from '#adapters/http/visit.ts';
import type { Logger } from '#application/ports/logger.ts';
import { failed } from '#domain/operations/outcome.ts';
import { DatabaseUnavailable, retryAfterS, unavailableText } from '#infrastructure/database/database-unavailable.ts';
import { endTogether } from '#infrastructure/http/server-bodies.ts';

/**
 * Assigns the request an id: in `ctx.state.requestId`, in the `X-Request-Id` header, and in every log line about it.
 */
export const nameRequest: PipelineStep = (ctx, next) => {
  const requestId = randomUUID();
  ctx.state.requestId = requestId;
  ctx.res.setHeader('X-Request-Id', requestId);
  return next();
};

/** The request's id, which is in every log line about it and in the `X-Request-Id` header. */
export function requestIdOf({ state }: Pick<Visit, 'state'>): string {
  return state.requestId ?? '';
}

/**
 * Sets the headers of every response, against sniffing, caching and framing. They are few, since each costs time on the
 * routes that programs call; pages get more. `isHttps` adds HSTS.
 */
export function securityHeaders(options: Readonly<{ isHttps: boolean }>): PipelineStep {
  const headers = headersOfEvery(options);
  const setSecurityHeaders: PipelineStep = (ctx, next) => {
    for (const [name, value] of headers) ctx.res.setHeader(name, value);
    return next();
  };
  return setSecurityHeaders;
}

function headersOfEvery({ isHttps }: Readonly<{ isHttps: boolean }>): readonly (readonly [string, string])[] {
  return [
    ['X-Content-Type-Options', 'nosniff'],
    ['Cache-Control', 'no-store'],
    ['Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'"],
    ...(isHttps ? [['Strict-Transport-Security', 'max-age=31536000'] as const] : []),
  ];
}

/**
 * Returns how a server without time answers: with the headers of every answer and without the pipeline, which takes
 * longer than such an answer.
 */
export function busyAnswers(options: Readonly<{ isHttps: boolean }>) {
  const headers = headersOfEvery(options).flat();
  return (response: ServerResponse, { status, retryAfterS, body }: BusyAnswer): void => {
    const own = ['X-Request-Id', randomUUID(), 'Retry-After', String(retryAfterS), 'Content-Type', jsonType];
    response.writeHead(status, [...headers, ...own, 'Content-Length', String(Buffer.byteLength(body))]);
    // Writing it wakes the client, which costs more than all else of such an answer.
    endTogether(() => response.end(body));
  };
}

const jsonType = 'application/json; charset=utf-8';

const quietPaths = new Set(['/healthz', '/readyz']);

/** Whether the client disconnected before its request was complete. */
export function isGone({ complete, destroyed }: Pick<IncomingMessage, 'complete' | 'destroyed'>): boolean {
  return destroyed && !complete;
}

/**
 * Logs one line per answered request; health probes only at debug level, like requests whose clients disconnected before
 * they were complete, for which `onAbort` is called. Queries are omitted, since they contain codes.
 */
export function logRequests(logger: Logger, onAbort: () => void): PipelineStep {
  const logRequest: PipelineStep = async (ctx, next) => {
    const started = performance.now();
    await next();
    const { method, path, status } = ctx;
    const ms = Math.round((performance.now() - started) * 100) / 100;
    const line = { requestId: requestIdOf(ctx), method, path, status, ms };
    if (isGone(ctx.req)) {
      onAbort();
      logger.debug(line, 'Client disconnected');
    } else if (quietPaths.has(path)) logger.debug(line, 'Request');
    else logger.info(line, 'Request');
  };
  return logRequest;
}

/**
 * Handles unanswered requests and errors of the steps after it: 404 when none of them has answered; when one threw,
 * 500, or 503 if the database cannot be used. The error is logged; its response contains only the request id.
 */
export function answerErrors(logger: Logger, baseUrl: string): PipelineStep {
  const answerError: PipelineStep = async (ctx, next) => {
    try {
      await next();
      if (ctx.respond !== false && ctx.status === 404 && ctx.body === undefined) refuseUnknown(ctx, baseUrl);
    } catch (error) {
      logThrown(logger, error, ctx);
      if (ctx.res.headersSent || ctx.respond === false) ctx.res.destroy();
      else if (error instanceof DatabaseUnavailable) answerUnavailable(ctx);
      else refuse(ctx, brokenHere(requestIdOf(ctx)));
    }
  };
  return answerError;
}

/** A POST may be a message of a client with a wrong address, which shows this text to its user (MCP-031). */
function refuseUnknown(ctx: Visit, baseUrl: string): void {
  const hint = ctx.method === 'POST' ? ` MCP is at ${baseUrl}/message.` : '';
  refuse(ctx, { status: 404, error: 'not_found', description: `There is nothing at this address.${hint}` });
}

/** Logs the error; an unusable database is not a bug, and is logged without a stack. */
function logThrown(logger: Logger, error: unknown, ctx: Visit): void {
  const request = { requestId: requestIdOf(ctx), method: ctx.method, path: ctx.path };
  if (error instanceof DatabaseUnavailable) {
    logger.warn({ ...request, reason: error.reason, error: error.message }, 'Database unavailable');
  } else {
    logger.error({ ...request, err: error }, 'Request failed');
  }
}

function answerUnavailable(ctx: Visit): void {
  ctx.set('Retry-After', String(retryAfterS));
  if (ctx.path.startsWith('/api/')) sendFailure(ctx, failed('unavailable', unavailableText), 503);
  else refuse(ctx, { status: 503, error: 'unavailable', description: unavailableText });
}

function brokenHere(requestId: string): Rejection {
  const description = `The server could not answer. See its log for the request id ${requestId}.`;
  return { status: 500, error: 'server_error', description };
}
