import { randomUUID } from 'node:crypto';
import type { PipelineStep } from '#adapters/http/visit.ts';

/** Gives the request an id: in `ctx.state.requestId`, in the header `X-Request-Id`, and in every log line about it. */
export const nameRequest: PipelineStep = (ctx, next) => {
  const requestId = randomUUID();
  ctx.state.requestId = requestId;
  ctx.res.setHeader('X-Request-Id', requestId);
  return next();
};
