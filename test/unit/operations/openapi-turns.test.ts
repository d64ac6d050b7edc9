import { expect, it } from 'vitest';
import { z } from 'zod';
import { openApiRoute } from '#adapters/http/rest/openapi.ts';
import type { RouteContext } from '#adapters/http/route.ts';
import { catalogOf } from '#adapters/services/catalog.ts';
import { readSettings } from '#bootstrap/config/settings.ts';
import { providersFrom } from '#bootstrap/modules/providers.ts';

it('the document of the operations is built a turn for each, once for all who ask (EDGE-023)', async () => {
  const catalog = catalogOf(providersFrom(readSettings({})));
  const { run } = openApiRoute(catalog, { version: '0.0.0', baseUrl: 'http://localhost' });
  const ask = async () => {
    const context = z.custom<RouteContext>().parse({ type: '', body: null });
    await run(context);
    return z.instanceof(Buffer).parse(context.body);
  };
  let turns = 0;
  let isBuilt = false;
  const count = (): void => {
    turns += 1;
    if (!isBuilt) setImmediate(count);
  };
  setImmediate(count);
  const [first, second] = await Promise.all([ask(), ask()]);
  isBuilt = true;
  const operations = catalog.operations.filter(({ route }) => route !== null).length;
  expect(operations).toBeGreaterThan(180);
  expect(turns).toBeGreaterThanOrEqual(operations);
  expect(second).toBe(first);
  const { paths } = z.object({ paths: z.record(z.string(), z.object({})) }).parse(JSON.parse(first.toString()));
  expect(Object.keys(paths).length).toBeGreaterThan(100);
});
