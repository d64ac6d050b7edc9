import { sendFailure } from '#adapters/http/answers/problem.ts';
import { type Refusal, refuse } from '#adapters/http/answers/refuse.ts';
import { requestIdOf } from '#adapters/http/route.ts';
import type { PipelineStep, Visit } from '#adapters/http/visit.ts';
import type { Logger } from '#application/ports/logger.ts';
import { failed } from '#domain/operations/outcome.ts';
import { DatabaseUnavailable, retryAfterS, unavailableText } from '#infrastructure/database/database-unavailable.ts';

/**
 * Answers for the steps below it: 404 where none of them has answered, and 500, or 503 for a database that cannot be used,
 * where one of them threw. The error is logged; its answer contains only the request id.
 */
export function answerErrors(logger: Logger): PipelineStep {
  const answerError: PipelineStep = async (ctx, next) => {
    try {
      await next();
      if (ctx.respond !== false && ctx.status === 404 && ctx.body === undefined) refuseUnknown(ctx);
    } catch (error) {
      logThrown(logger, error, ctx);
      if (ctx.res.headersSent || ctx.respond === false) ctx.res.destroy();
      else if (error instanceof DatabaseUnavailable) answerUnavailable(ctx);
      else refuse(ctx, brokenHere(requestIdOf(ctx)));
    }
  };
  return answerError;
}

function refuseUnknown(ctx: Visit): void {
  refuse(ctx, { status: 404, error: 'not_found', description: 'There is nothing at this address.' });
}

/** Logs the error; a database that cannot be used is no bug, and is logged without a stack. */
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

function brokenHere(requestId: string): Refusal {
  const description = `The server could not answer. Its log has more under the request id ${requestId}.`;
  return { status: 500, error: 'server_error', description };
}
