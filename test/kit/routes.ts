import { Skipped } from '#test/kit/checks.ts';
import type { Config } from '#test/kit/config.ts';

/** The method and path of a request. */
export type Route = Readonly<{ method: string; path: string }>;

/** What the interface says nothing of: where Portolan has it is known of the extension, of another target from its table. */
const isOwn = /^\/(api|connect|connections)\/|^\/(save|disconnect|openapi\.json)$/;

/**
 * Where a target has a route of Portolan's, by the config's table `routes`: `"GET /api/sales_crm/deals/{id}": "GET /crm/deals/{id}"`. A name in
 * braces stands for one segment, `*` at the end for the rest; the query stays as it is. Without a row it is Portolan's own place for
 * targets with the extension, and null for others.
 */
export function routeOf({ routes, extensions }: Pick<Config, 'routes' | 'extensions'>, asked: Route): Route | null {
  const [path = '', ...query] = asked.path.split('?');
  for (const [from, to] of Object.entries(routes)) {
    const found = partsIn(from, asked.method, path);
    if (found === null) continue;
    const [method = '', place = ''] = to.split(' ');
    const filled = place.replaceAll(/\{\w+\}|\*$/g, (name) => found.get(name) ?? name);
    return { method, path: query.length === 0 ? filled : `${filled}?${query.join('?')}` };
  }
  return extensions.includes('portolan') || !isOwn.test(path) ? asked : null;
}

/** Like `routeOf`, and skips the check where there is none. */
export function demandRoute(config: Pick<Config, 'routes' | 'extensions'>, asked: Route): Route {
  const found = routeOf(config, asked);
  if (found !== null) return found;
  throw new Skipped(`the config’s routes have no ${asked.method} ${asked.path.split('?')[0] ?? ''}`);
}

/** The segments that the names of a pattern stand for; null if the path does not fit it. */
function partsIn(pattern: string, method: string, path: string): ReadonlyMap<string, string> | null {
  const [wanted, place = ''] = pattern.split(' ');
  if (wanted !== method) return null;
  const [names, segments] = [place.split('/'), path.split('/')];
  const isOpen = names.at(-1) === '*';
  if (isOpen ? segments.length < names.length : segments.length !== names.length) return null;
  const found = new Map<string, string>();
  for (const [index, name] of names.entries()) {
    const segment = segments[index] ?? '';
    if (isOpen && index === names.length - 1) found.set('*', segments.slice(index).join('/'));
    else if (/^\{\w+\}$/.test(name)) found.set(name, segment);
    else if (name !== segment) return null;
  }
  return found;
}
