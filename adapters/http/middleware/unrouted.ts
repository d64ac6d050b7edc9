import { isBelow } from '#adapters/http/answers/places.ts';
import { refuse } from '#adapters/http/answers/refuse.ts';
import type { RouteGroup } from '#adapters/http/route.ts';
import type { PipelineStep, Visit } from '#adapters/http/visit.ts';

/** Returns the routes that match a request's path, under any method. */
export type RoutesAt = (visit: Visit) => RouteGroup;

/**
 * Authenticates requests that no route has answered, so that strangers cannot probe which addresses exist. Not required
 * for paths that are public under other methods, or below `/webhooks`, whose senders have no session.
 */
export function authenticateUnrouted(routesAt: RoutesAt, authenticate: PipelineStep): PipelineStep {
  const authenticateOthers: PipelineStep = (ctx, next) => {
    const routes = routesAt(ctx);
    const isPublic =
      routes.length === 0
        ? isBelow(ctx.path, '/webhooks')
        : routes.every(({ who }) => who === 'public' || who === 'visitor');
    return isPublic ? next() : authenticate(ctx, next);
  };
  return authenticateOthers;
}

/** Answers 405 when the path's routes lack the method, and lists the methods they have. */
export function methodRejection(routesAt: RoutesAt): PipelineStep {
  const refuseMethod: PipelineStep = (ctx, next) => {
    const methods = routesAt(ctx).flatMap(({ method, isStream }) =>
      method === 'GET' && isStream !== true ? ['GET', 'HEAD'] : [method],
    );
    if (methods.length === 0) return next();
    const allow = [...new Set(methods)].join(', ');
    ctx.set('Allow', allow);
    return refuse(ctx, { status: 405, error: 'method_not_allowed', description: `This address allows ${allow}.` });
  };
  return refuseMethod;
}
