import { requestIdOf } from '#adapters/http/route.ts';
import type { PipelineStep } from '#adapters/http/visit.ts';
import type { Logger } from '#application/ports/logger.ts';

const quietPaths = new Set(['/healthz', '/readyz']);

/** Logs one line for each answered request; health probes only at debug level. Queries are left out: they hold codes. */
export function logRequests(logger: Logger): PipelineStep {
  const logRequest: PipelineStep = async (ctx, next) => {
    const started = performance.now();
    await next();
    const { method, path, status } = ctx;
    const ms = Math.round((performance.now() - started) * 100) / 100;
    const line = { requestId: requestIdOf(ctx), method, path, status, ms };
    if (quietPaths.has(path)) logger.debug(line, 'Request');
    else logger.info(line, 'Request');
  };
  return logRequest;
}
