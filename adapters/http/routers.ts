import { Router, type RouterMiddleware } from '@koa/router';
import type { RoutesAt } from '#adapters/http/middleware/unrouted.ts';
import type { Room, Route, RouteContext } from '#adapters/http/route.ts';
import type { PipelineStep, Visit } from '#adapters/http/visit.ts';

const verbs = { GET: 'get', POST: 'post', PUT: 'put', PATCH: 'patch', DELETE: 'delete' } as const;

/**
 * Makes a router for each room's literal paths, and one for all patterns, with the steps that `stepsTo` gives to each route. A router tries
 * its routes one after another: rooms that are called all the time come first. Patterns are asked only where the path is no literal one. A GET route answers HEAD too, unless it streams. Throws when two routes have the same method and path.
 */
export function routersOf(
  rooms: readonly Room[],
  stepsTo: (route: Route) => readonly PipelineStep<RouteContext>[],
): Readonly<{ routers: readonly RouterMiddleware[]; routesAt: RoutesAt }> {
  const byName = new Map<string, Route>();
  const routesAt: RoutesAt = (visit) => matchedNames(visit).flatMap((name) => byName.get(name) ?? []);
  const routerOf = (routes: Room): RouterMiddleware => {
    const router = new Router({ sensitive: true, strict: true });
    for (const route of routes) {
      const name = `${route.method} ${route.path}`;
      if (byName.has(name)) throw new Error(`Two routes are ${name}`);
      byName.set(name, route);
      router[verbs[route.method]](name, route.path, ...stepsTo(route));
      if (route.isStream === true) withoutHead(router, name);
    }
    return router.routes();
  };
  const literal = rooms.map((room) => routerOf(room.filter((route) => !isPattern(route))));
  const patterns = routerOf(rooms.flat().filter(isPattern));
  const askPatterns: RouterMiddleware = (ctx, next) => (routesAt(ctx).length > 0 ? next() : patterns(ctx, next));
  return { routers: [...literal, askPatterns], routesAt };
}

function isPattern({ path }: Route): boolean {
  return /[:*{(]/.test(path);
}

/** Removes HEAD from a stream's route; the router adds it to every GET route. */
function withoutHead(router: Router, name: string): void {
  const layer = router.route(name);
  if (layer !== false) layer.methods = layer.methods.filter((method) => method !== 'HEAD');
}

/** The names of all routes that the path belongs to, as the routers stored them on their context. */
function matchedNames(ctx: Visit & Readonly<{ matched?: readonly Readonly<{ name?: string }>[] }>): readonly string[] {
  return (ctx.matched ?? []).flatMap(({ name }) => name ?? []);
}
