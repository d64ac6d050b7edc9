import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type * as Pipelines from '#adapters/http/pipeline.ts';
import type { Route } from '#adapters/http/route.ts';
import { routeTableOf, tabledPath } from '#test/architecture/route-table.ts';
import { openWholeServer } from '#test/support/server/auth-server.ts';
import { serviceKeys } from '#test/support/services/five-services.ts';

/** Every route that was mounted. */
const mounted = vi.hoisted(() => [] as Pick<Route, 'method' | 'path' | 'who' | 'permission'>[]);

// The pipeline as it is, but that the routes which it is built for are noted.
vi.mock('#adapters/http/pipeline.ts', async (original) => {
  const { pipeline } = await original<typeof Pipelines>();
  const observed: typeof pipeline = (dependencies) => {
    const built = pipeline(dependencies);
    return {
      ...built,
      to: (route, reading) => {
        mounted.push(route);
        return built.to(route, reading);
      },
    };
  };
  return { pipeline: observed };
});

let server: Awaited<ReturnType<typeof openWholeServer>>;
beforeAll(async () => {
  server = await openWholeServer({ OAUTH_METADATA: 'on' });
});
afterAll(() => server[Symbol.asyncDispose]());

const table = routeTableOf(readFileSync('docs/specification.md', 'utf8'));
const listed = (rows: readonly string[]): readonly string[] => [...new Set(rows)].toSorted();

describe('the table of routes', () => {
  it('lists every route of the server, with who may call it and the permission that it needs (ROUTE-001)', () => {
    expect(mounted.length).toBeGreaterThan(150);
    const own = mounted.map(({ method, path, who, permission = '' }) =>
      [method, tabledPath(path, serviceKeys), who, permission].join(' '),
    );
    const rows = table.flatMap(({ methods, path, who, permission }) =>
      methods.map((method) => [method, path, who, permission].join(' ')),
    );
    expect(listed(own)).toEqual(listed(rows));
    expect(rows).toHaveLength(new Set(rows).size);
  });
});
