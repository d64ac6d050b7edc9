import { z } from 'zod';
import { sendFailure } from '#adapters/http/answers/problem.ts';
import { checkedQuery } from '#adapters/http/requests/checked-input.ts';
import type { PipelineStep } from '#adapters/http/visit.ts';

const noParameters = z.strictObject({});

/** Refuses any query, on a route that takes no parameters: a filter that does nothing would seem to have worked. */
export const refuseQuery: PipelineStep = (ctx, next) => {
  const { querystring } = ctx;
  const checked = querystring === '' ? null : checkedQuery(ctx, noParameters);
  return checked === null || checked.ok ? next() : sendFailure(ctx, checked.failure);
};
