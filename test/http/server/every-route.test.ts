import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type * as Pipelines from '#adapters/http/pipeline.ts';
import type { Route, RouteOf } from '#adapters/http/route.ts';
import type { PipelineStep, Visit } from '#adapters/http/visit.ts';
import { openWholeServer } from '#test/support/server/auth-server.ts';
import { personCookie } from '#test/support/server/person-cookie.ts';

/** Every route that was mounted, and the steps that the last request walked. */
const seen = vi.hoisted(() => ({
  routes: [] as Pick<
    Route,
    'method' | 'path' | 'who' | 'permission' | 'body' | 'isProgram' | 'hasQuery' | 'isStream'
  >[],
  steps: [] as string[],
}));

// The pipeline as it is, but that its steps are noted as they are walked, and that routes only say that they were reached.
vi.mock('#adapters/http/pipeline.ts', async (original) => {
  const { pipeline } = await original<typeof Pipelines>();
  const noted =
    <V extends Visit>(step: PipelineStep<V>): PipelineStep<V> =>
    (visit, next) => {
      seen.steps.push(step.name);
      return step(visit, next);
    };
  const observed: typeof pipeline = (dependencies) => {
    const { always, to, elsewhere } = pipeline(dependencies);
    return {
      always: (routes) => always(routes).map(noted),
      to: <V extends Visit>(route: RouteOf<V>, reading: readonly PipelineStep<V>[]) => {
        seen.routes.push(route);
        return to({ ...route, run: (visit) => reached(visit, route) }, reading).map(noted);
      },
      elsewhere: (routesAt) => elsewhere(routesAt).map(noted),
    };
  };
  return { pipeline: observed };
});

function reached(visit: Visit, { method, path }: Pick<Route, 'method' | 'path'>): void {
  visit.status = 200;
  visit.body = { reached: `${method} ${path}` };
}

const always = [
  'nameRequest',
  'setSecurityHeaders',
  'logRequest',
  'answerError',
  'refuseMalformed',
  'serveStaticFiles',
  'guardHost',
  'guardOrigin',
  'answerCors',
];

/** The whole list that a request walks to a route, from what the route says of itself. */
function stepsTo({
  path,
  who,
  permission,
  body,
  isProgram,
  hasQuery,
  isStream,
  method,
}: (typeof seen.routes)[number]): readonly string[] {
  const isShown = who === 'person' || who === 'person-or-app';
  const isPage = method === 'GET' && isShown && isStream !== true && isProgram !== true && !path.startsWith('/api');
  return [
    // No file is looked for beneath Koa.
    ...always.filter((step) => step !== 'serveStaticFiles' || isProgram !== true),
    ...(body === 'none' ? [] : ['judgeBody', 'bodyParser']),
    ...(who === 'public' ? [] : who === 'visitor' ? ['findVisitor'] : ['authenticate']),
    ...(who === 'person' || who === 'person-or-app' || permission !== undefined ? ['admit'] : []),
    ...(body === 'none' ? [] : ['refuseBody']),
    ...(path.startsWith('/api/') && hasQuery !== true ? ['refuseQuery'] : []),
    ...(isPage ? ['showWaiting'] : []),
    'run',
  ];
}

let server: Awaited<ReturnType<typeof openWholeServer>>;
let cookie: string;

beforeAll(async () => {
  server = await openWholeServer({ OAUTH_METADATA: 'on' });
  cookie = await personCookie(server.dataDir, 1);
});

afterAll(async () => {
  await server[Symbol.asyncDispose]();
});

/** The steps that a signed-in request walks, and how it is answered. */
async function walked(method: string, path: string) {
  seen.steps.length = 0;
  const answer = await fetch(`${server.origin}${path}`, { method, headers: { cookie } });
  return { steps: [...seen.steps], status: answer.status, text: await answer.text() };
}

/** An address that a path in the router's syntax stands for. */
function addressOf(path: string): string {
  return path.replaceAll(/[:*](\w+)/g, '$1');
}

describe('the list of pipeline steps', () => {
  it('is passed on the way to every route of the server, below Koa and on it', async () => {
    const routes = new Map(seen.routes.map((route) => [`${route.method} ${route.path}`, route]));
    expect(routes.size).toBeGreaterThan(150);
    for (const [name, route] of routes) {
      const way = await walked(route.method, addressOf(route.path));
      expect([name, ...way.steps]).toEqual([name, ...stepsTo(route)]);
      // The address of a folder is a file's too, and that route comes first.
      const reached = name.replace('*dir_path/', '*path');
      expect([way.status, way.text]).toEqual([200, JSON.stringify({ reached })]);
    }
  });

  it('refuses a query below /api, except for operations and these (REST-013)', () => {
    const services = ['sales_crm', 'signing', 'suite_crm', 'tracker', 'vault'];
    const isOperation = (path: string) => services.some((service) => path.startsWith(`/api/${service}/`));
    const own = seen.routes.filter(({ path }) => path.startsWith('/api/') && !isOperation(path));
    expect(own.filter(({ hasQuery }) => hasQuery === true).map(({ path }) => path)).toEqual([
      '/api/activity',
      '/api/audit',
      '/api/users',
      '/api/approvals',
      '/api/setup/:service',
    ]);
    // Each of these has its body checked in test/http/rest/refused-inputs.test.ts.
    const withBody = seen.routes.filter(({ path, body }) => /json/.test(body) && !isOperation(path));
    expect(withBody.map(({ method, path }) => `${method} ${path}`).sort()).toEqual([
      'PATCH /api/apps/:id',
      'PATCH /api/users/:id',
      'POST /api/account/tokens',
      'POST /api/activity/:id/undo',
      'POST /api/approvals/:id',
      'POST /api/servers',
      'POST /api/users',
      'POST /connections/:service/test',
      'POST /disconnect',
      'POST /register',
      'POST /save',
      'PUT /api/approval-floor',
      'PUT /api/servers/:service/client',
      'PUT /api/servers/:service/tools',
      'PUT /api/setup/:service',
      'PUT /api/switches',
    ]);
  });

  it('does not fall back to a pattern if the address is a route with other methods', async () => {
    const literal = new Map<string, readonly string[]>();
    for (const { method, path } of seen.routes) {
      if (!/[:*]/.test(path)) literal.set(path, [...(literal.get(path) ?? []), method]);
    }
    for (const [path, methods] of literal) {
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].filter((method) => !methods.includes(method))) {
        expect([method, path, (await walked(method, path)).status]).toEqual([method, path, 405]);
      }
    }
  });

  it.each([
    ['an address without a route', 'GET', '/nowhere', ['authenticateOthers', 'refuseMethod'], 404],
    ['a method that a route does not have', 'PUT', '/message', ['authenticateOthers', 'refuseMethod'], 405],
    ['HEAD where GET is a stream', 'HEAD', '/sse', ['authenticateOthers', 'refuseMethod'], 405],
    ['an address below /webhooks', 'POST', '/webhooks/nowhere', ['authenticateOthers', 'refuseMethod'], 404],
  ])('is passed by a request for %s', async (_, method, path, rest, status) => {
    const way = await walked(method, path);
    expect(way.steps).toEqual([...always, ...rest]);
    expect(way.status).toBe(status);
  });

  it('ends where a step answers: a static file needs no later step', async () => {
    const way = await walked('GET', '/robots.txt');
    expect(way).toMatchObject({ steps: always.slice(0, always.indexOf('serveStaticFiles') + 1), status: 200 });
  });
});
