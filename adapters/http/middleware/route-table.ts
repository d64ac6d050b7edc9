import { Router } from '@koa/router';
import type { Route } from '#adapters/http/route.ts';

/** What a method and a path lead to: a route, a path that has other methods, or nothing. */
export type Match =
  | Readonly<{ kind: 'route'; route: Route; parameters: Readonly<Record<string, string>> }>
  | Readonly<{ kind: 'method'; allow: string; isPublic: boolean }>
  | Readonly<{ kind: 'none' }>;

const noParameters = {};

/**
 * The routes, found by one look-up when the path is literal, else by their patterns in the order given. A GET route
 * answers HEAD too, unless it streams. Throws at start when two routes claim the same method and literal path.
 */
export class RouteTable {
  readonly #literal = new Map<string, Map<string, Match>>();
  readonly #router = new Router({ sensitive: true, strict: true });
  readonly #byName = new Map<string, Route>();

  constructor(routes: readonly Route[]) {
    for (const [index, route] of routes.entries()) {
      if (/[:*{(]/.test(route.path)) this.#addPattern(route, String(index));
      else this.#addLiteral(route);
    }
  }

  /** What the method (upper case) and the path (without query) lead to. */
  find(method: string, path: string): Match {
    const methods = this.#literal.get(path);
    if (methods !== undefined) return methods.get(method) ?? refusalOf(methods);
    return this.#findPattern(method, path);
  }

  #addLiteral(route: Route): void {
    const methods = this.#literal.get(route.path) ?? new Map<string, Match>();
    if (methods.has(route.method)) throw new Error(`Two routes are ${route.method} ${route.path}`);
    for (const method of methodsOf(route)) methods.set(method, { kind: 'route', route, parameters: noParameters });
    this.#literal.set(route.path, methods);
  }

  #addPattern(route: Route, name: string): void {
    this.#byName.set(name, route);
    this.#router.register(route.path, [route.method], [() => undefined], { name });
  }

  #findPattern(method: string, path: string): Match {
    const layers = this.#router.match(path, method === 'HEAD' ? 'GET' : method).path;
    const matches = new Map<string, Match>();
    for (const layer of layers) {
      const route = this.#byName.get(layer.name ?? '');
      if (route === undefined) continue;
      const parameters = layer.params(path, layer.captures(path));
      for (const name of methodsOf(route)) {
        if (!matches.has(name)) matches.set(name, { kind: 'route', route, parameters });
      }
    }
    if (matches.size === 0) return { kind: 'none' };
    return matches.get(method) ?? refusalOf(matches);
  }
}

function methodsOf(route: Route): readonly string[] {
  return route.method === 'GET' && route.isStream !== true ? ['GET', 'HEAD'] : [route.method];
}

function refusalOf(methods: ReadonlyMap<string, Match>): Match {
  const routes = [...methods.values()].flatMap((match) => (match.kind === 'route' ? [match.route] : []));
  return {
    kind: 'method',
    allow: [...methods.keys()].join(', '),
    isPublic: routes.every(({ access }) => access === 'public'),
  };
}
