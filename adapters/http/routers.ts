import { Router, type RouterMiddleware } from '@koa/router';
import type { RoutesAt } from '#adapters/http/middleware/unrouted.ts';
import { isProgram, type ProgramRoute, type Route, type RouteContext, type RouteGroup } from '#adapters/http/route.ts';
import type { PipelineStep, Visit } from '#adapters/http/visit.ts';

const verbs = { GET: 'get', POST: 'post', PUT: 'put', PATCH: 'patch', DELETE: 'delete' } as const;
/** Matches a path that Koa uses unchanged: it cuts a path at a fragment and at some characters outside ASCII. */
const plainPath = /^[!"$-~]+$/;
/** Paths match case-sensitively and with their trailing slash. */
const exactly = { sensitive: true, strict: true };

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
    const router = new Router(exactly);
    for (const route of routes) {
      const name = nameOf(route);
      router[verbs[route.method]](name, route.path, ...stepsTo(route));
      if (route.isStream === true) withoutHead(router, name);
    }
    return router.routes();
  };
  const literalPaths = literalPathsOf(all);
  const literal = groups.map((group): RouterMiddleware => {
    const router = routerOf(group.filter((route) => !isPattern(route)));
    return (ctx, next) => (literalPaths.has(ctx.path) ? router(ctx, next) : next());
  });
  const patternsFor = byBeginning(all.filter(isPattern), routerOf);
  const askPatterns: RouterMiddleware = (ctx, next) =>
    routesAt(ctx).length > 0 ? next() : patternsFor(ctx.path)(ctx, next);
  return { routers: [...literal, askPatterns], routesAt };
}

/** A program's route that matches a request, and its decoded path parameters. */
export type FoundProgram = Readonly<{ route: ProgramRoute; params: Readonly<Record<string, string>> }>;

/** Finds the program's route for a request's method and path; null if the routers lead to another route, or to none. */
export type FindProgram = (method: string, path: string) => FoundProgram | null;

/** Programs' routes: those with literal paths by method and path ('GET /sse'), and the finder of those with patterns. */
export type Programs = Readonly<{ literal: ReadonlyMap<string, FoundProgram>; find: FindProgram }>;

/** Collects the programs' routes. The finder matches in the order of the routers: an earlier route takes precedence over a program's. */
export function programsOf(groups: readonly RouteGroup[]): Programs {
  const all = groups.flat();
  const literals = literalPathsOf(all);
  const programs = all.filter(isProgram);
  const literal = new Map(
    programs.filter((route) => !isPattern(route)).map((route) => [nameOf(route), { route, params: {} }]),
  );
  const methods = new Set(programs.filter(isPattern).map(({ method }): string => method));
  const patterns = all.filter((route) => isPattern(route) && methods.has(route.method));
  const routersFor = byBeginning(patterns, (group) => {
    const router = new Router(exactly);
    for (const { method, path } of group) router[verbs[method]](path, () => undefined);
    return { router, routes: new Map(group.map((route) => [nameOf(route), route])) };
  });
  const find: FindProgram = (method, path) => {
    if (!methods.has(method) || literals.has(path) || !plainPath.test(path)) return null;
    const { router, routes } = routersFor(path);
    const [layer] = router.match(path, method).pathAndMethod;
    const route = layer === undefined ? undefined : routes.get(`${method} ${String(layer.path)}`);
    if (layer === undefined || route === undefined || !isProgram(route)) return null;
    return { route, params: layer.params(path, layer.captures(path)) };
  };
  return { literal, find };
}

/** The routers of patterns by path prefix: each has the patterns that a path with the prefix can match, in order. */
function byBeginning<R>(patterns: RouteGroup, routerOf: (routes: RouteGroup) => R): (path: string) => R {
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

function literalPathsOf(routes: RouteGroup): ReadonlySet<string> {
  return new Set(routes.filter((route) => !isPattern(route)).map(({ path }) => path));
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
