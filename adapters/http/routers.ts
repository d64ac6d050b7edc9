import { Router, type RouterMiddleware } from '@koa/router';
import type { RoutesAt } from '#adapters/http/middleware/unrouted.ts';
import type { Route, RouteContext, RouteGroup } from '#adapters/http/route.ts';
import type { PipelineStep, Visit } from '#adapters/http/visit.ts';

const verbs = { GET: 'get', POST: 'post', PUT: 'put', PATCH: 'patch', DELETE: 'delete' } as const;

/**
 * Builds a router for each group's literal paths, and one for the patterns with a common prefix; `stepsTo` gives each
 * route its steps. A router tries its routes one by one, so it is asked only when one may match: routers of literal
 * paths for exactly those, routers of patterns by prefix when the path is not a literal one. A GET route also answers
 * HEAD, unless it streams. Throws when two routes have the same method and path.
 */
export function routersOf(
  groups: readonly RouteGroup[],
  stepsTo: (route: Route) => readonly PipelineStep<RouteContext>[],
): Readonly<{ routers: readonly RouterMiddleware[]; routesAt: RoutesAt }> {
  const all = groups.flat();
  const byName = new Map(all.map((route) => [nameOf(route), route]));
  const twice = all.find((route) => byName.get(nameOf(route)) !== route);
  if (twice !== undefined) throw new Error(`Two routes are ${nameOf(twice)}`);
  const routesAt: RoutesAt = (visit) => matchedNames(visit).flatMap((name) => byName.get(name) ?? []);
  const routerOf = (routes: RouteGroup): RouterMiddleware => {
    const router = new Router({ sensitive: true, strict: true });
    for (const route of routes) {
      const name = nameOf(route);
      router[verbs[route.method]](name, route.path, ...stepsTo(route));
      if (route.isStream === true) withoutHead(router, name);
    }
    return router.routes();
  };
  const literalPaths = new Set(all.filter((route) => !isPattern(route)).map(({ path }) => path));
  const literal = groups.map((group): RouterMiddleware => {
    const router = routerOf(group.filter((route) => !isPattern(route)));
    return (ctx, next) => (literalPaths.has(ctx.path) ? router(ctx, next) : next());
  });
  const patternsFor = byBeginning(all.filter(isPattern), routerOf);
  const askPatterns: RouterMiddleware = (ctx, next) =>
    routesAt(ctx).length > 0 ? next() : patternsFor(ctx.path)(ctx, next);
  return { routers: [...literal, askPatterns], routesAt };
}

/** The routers of patterns by path prefix: each has the patterns that a path with the prefix can match, in order. */
function byBeginning(
  patterns: RouteGroup,
  routerOf: (routes: RouteGroup) => RouterMiddleware,
): (path: string) => RouterMiddleware {
  const within = (beginning: string) =>
    routerOf(patterns.filter(({ path }) => `${beginning}/`.startsWith(`${beginningOf(path)}/`)));
  const anywhere = within('');
  const beginnings = new Set(patterns.map(({ path }) => beginningOf(path)));
  const routers = new Map([...beginnings].map((beginning) => [beginning, within(beginning)]));
  return (path) => {
    const [, first = '', second = ''] = path.split('/', 3);
    return routers.get(`/${first}/${second}`) ?? routers.get(`/${first}`) ?? anywhere;
  };
}

/** The leading literal segments of a pattern, at most two: '/api/vault' of '/api/vault/notes/:name'. */
function beginningOf(path: string): string {
  const segments = path.split('/').slice(1, 3);
  const named = segments.findIndex((segment) => /[:*{(]/.test(segment));
  return segments
    .slice(0, named === -1 ? 2 : named)
    .map((segment) => `/${segment}`)
    .join('');
}

function nameOf({ method, path }: Route): string {
  return `${method} ${path}`;
}

function isPattern({ path }: Route): boolean {
  return /[:*{(]/.test(path);
}

/** Removes HEAD from a stream's route; the router adds it to every GET route. */
function withoutHead(router: Router, name: string): void {
  const layer = router.route(name);
  if (layer !== false) layer.methods = layer.methods.filter((method) => method !== 'HEAD');
}

/** The names of all routes that match the path, as the routers stored them on their context. */
function matchedNames(ctx: Visit & Readonly<{ matched?: readonly Readonly<{ name?: string }>[] }>): readonly string[] {
  return (ctx.matched ?? []).flatMap(({ name }) => name ?? []);
}
