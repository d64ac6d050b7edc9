/** A row of the table of routes in docs/specification.md; `path` is in the router's syntax. */
export type RouteRow = Readonly<{ methods: readonly string[]; path: string; who: string; permission: string }>;

const row = /^\| ([A-Z, ]+?) +\| `([^`]+)` +\| ([a-z-]+) +\| ([a-z]*) +\|$/;

/** The rows of the table of routes, in its order. */
export function routeTableOf(markdown: string): readonly RouteRow[] {
  const section = /^## Routes \(ROUTE\)\n(.*?)^## /ms.exec(markdown)?.[1] ?? '';
  return section.split('\n').flatMap((line) => {
    const [, methods = '', path = '', who = '', permission = ''] = row.exec(line) ?? [];
    return path === '' ? [] : [{ methods: methods.split(', '), path, who, permission }];
  });
}

/** The path under which a route is in the table: those of operations and of services' webhooks are patterns there. */
export function tabledPath(path: string, services: readonly string[]): string {
  const [, first = '', second = ''] = path.split('/');
  if (first === 'api' && services.includes(second)) return '/api/:service/*path';
  return first === 'webhooks' && services.includes(second) ? '/webhooks/:service' : path;
}
