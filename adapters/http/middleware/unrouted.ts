import { isBelow } from '#adapters/http/answers/below.ts';
import { refuse } from '#adapters/http/answers/refuse.ts';
import type { Room } from '#adapters/http/route.ts';
import type { PipelineStep, Visit } from '#adapters/http/visit.ts';

/** The routes that a request's path has, under any method. */
export type RoutesAt = (visit: Visit) => Room;

/**
 * Authenticates a request that no route has answered, so that strangers cannot probe which addresses exist. Paths that are
 * public under other methods need none, and neither do those below `/webhooks`, for senders without a session.
 */
export function authenticateUnrouted(routesAt: RoutesAt, authenticate: PipelineStep): PipelineStep {
  const authenticateOthers: PipelineStep = (ctx, next) => {
    const routes = routesAt(ctx);
    const isPublic =
      routes.length === 0 ? isBelow(ctx.path, '/webhooks') : routes.every(({ access }) => access === 'public');
    return isPublic ? next() : authenticate(ctx, next);
  };
  return authenticateOthers;
}

/** Rejects with 405 a method that the path's routes lack, and lists those that they have. */
export function methodRejection(routesAt: RoutesAt): PipelineStep {
  const refuseMethod: PipelineStep = (ctx, next) => {
    const methods = routesAt(ctx).flatMap(({ method, isStream }) =>
      method === 'GET' && isStream !== true ? ['GET', 'HEAD'] : [method],
    );
    if (methods.length === 0) return next();
    const allow = [...new Set(methods)].join(', ');
    ctx.set('Allow', allow);
    return refuse(ctx, { status: 405, error: 'method_not_allowed', description: `This address answers ${allow}.` });
  };
  return refuseMethod;
}
