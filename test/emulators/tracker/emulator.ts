import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { Access } from '#test/emulators/tracker/access.ts';
import { Buckets, type Hourly, hourlyBudgets, type Left } from '#test/emulators/tracker/budgets.ts';
import { Deliveries } from '#test/emulators/tracker/deliveries.ts';
import { execute } from '#test/emulators/tracker/execute.ts';
import { forbidden, TrackerFault, unauthenticated } from '#test/emulators/tracker/faults.ts';
import { type Seed, seed } from '#test/emulators/tracker/seed.ts';
import { Workspace } from '#test/emulators/tracker/workspace.ts';
import { keptConnections } from '#test/support/network/kept-connections.ts';

/** Whose words the emulator speaks. */
export type TrackerEmulatorDialect = 'neutral' | 'linear';

/** How an emulator is started; `budgets` are the usual ones (LIMIT-005) when none are given. */
export type TrackerEmulatorOptions = Readonly<{
  dialect: TrackerEmulatorDialect;
  port?: number;
  budgets?: Hourly;
}>;

/** A request as it came, for tests that look at the wire. */
export type SeenRequest = Readonly<{
  headers: IncomingMessage['headers'];
  query: string;
  variables: Readonly<Record<string, unknown>>;
}>;

type Failure = { status: number; times: number; headers: Readonly<Record<string, string>>; body: unknown };

/** A running emulator, and the controls of it. */
export type TrackerEmulator = Readonly<{
  url: string;
  /** The key and the OAuth app that it knows. */
  credentials: Readonly<{ apiKey: string; clientId: string; clientSecret: string }>;
  space: Workspace;
  seed: Seed;
  deliveries: Deliveries;
  /** GraphQL requests so far, refused ones too. */
  requests: readonly SeenRequest[];
  /** The next requests are answered so; a body that is no text is sent as JSON. */
  failNext(
    failure: Readonly<{ status: number; times?: number; headers?: Readonly<Record<string, string>>; body?: unknown }>,
  ): void;
  /** The next answer comes later. */
  delayNext(ms: number): void;
  /** The next good answer has an error next to its data. */
  partialNext(message: string): void;
  expireTokens(): void;
  revoke(): void;
  close(): Promise<void>;
}>;

const credentials = {
  apiKey: 'lin_api_emulated0123456789',
  clientId: 'tracker-client',
  clientSecret: 'tracker-secret',
} as const;

/** Starts a tracker on a loopback port. */
export async function startTrackerEmulator(options: TrackerEmulatorOptions): Promise<TrackerEmulator> {
  const space = new Workspace();
  const seeded = seed(space);
  space.viewerId = seeded.ann.id;
  const access = new Access({ ...credentials, userId: seeded.ann.id });
  const deliveries = new Deliveries(space, options.dialect);
  const endpoint = new GraphqlEndpoint({ space, access, options });
  const server = createServer(keptConnections, (request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const route = `${request.method ?? 'GET'} ${url.pathname}`;
    const answered =
      route === 'POST /graphql'
        ? endpoint.answer(request, response)
        : route === 'POST /oauth/token'
          ? answerToken(access, request, response)
          : route === 'GET /oauth/authorize'
            ? answerAuthorize(access, url, response)
            : notFound(response);
    answered.catch((error: unknown) => {
      response.writeHead(500, { 'Content-Type': 'text/plain' }).end(String(error));
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${portOf(server.address())}`,
    credentials,
    space,
    seed: seeded,
    deliveries,
    requests: endpoint.seen,
    failNext: ({ status, times = 1, headers = {}, body = null }) =>
      endpoint.failures.push({ status, times, headers, body }),
    delayNext: (ms) => endpoint.delays.push(ms),
    partialNext: (message) => endpoint.partials.push(message),
    expireTokens: () => access.expireTokens(),
    revoke: () => access.revoke(),
    close: async () => {
      await deliveries.settled();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

function portOf(address: AddressInfo | string | null): number {
  return typeof address === 'object' && address !== null ? address.port : 0;
}

type EndpointDependencies = Readonly<{ space: Workspace; access: Access; options: TrackerEmulatorOptions }>;
type Usage = Readonly<{ requests: Left; complexity: Left; cost: number }>;

class GraphqlEndpoint {
  readonly seen: SeenRequest[] = [];
  readonly failures: Failure[] = [];
  readonly delays: number[] = [];
  readonly partials: string[] = [];
  readonly #dependencies: EndpointDependencies;
  readonly #buckets = new Buckets();

  constructor(parts: EndpointDependencies) {
    this.#dependencies = parts;
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = readBody(await text(request));
    this.seen.push({ headers: request.headers, ...body });
    const waitMs = this.delays.shift();
    if (waitMs !== undefined) await delay(waitMs);
    const failure = this.#nextFailure();
    if (failure !== null) {
      const content = typeof failure.body === 'string' ? failure.body : JSON.stringify(failure.body);
      response.writeHead(failure.status, { 'Content-Type': 'application/json', ...failure.headers }).end(content);
      return;
    }
    try {
      this.#applySteps(request.headers.authorization, body, response);
    } catch (error) {
      if (!(error instanceof TrackerFault)) throw error;
      this.#refuse(error, response);
    }
  }

  #applySteps(authorization: string | undefined, body: ReturnType<typeof readBody>, response: ServerResponse): void {
    const { space, access, options } = this.#dependencies;
    const caller = access.callerOf(authorization);
    const hourly = options.budgets ?? hourlyBudgets[caller.by];
    const requests = this.#buckets.take(caller.connection, 'requests', { limit: hourly.requests, cost: 1 });
    space.viewerId = caller.userId;
    if (/^\s*mutation/.test(body.query) && !caller.scopes.some((scope) => scope === 'write' || scope === 'admin')) {
      throw forbidden('Invalid scope: `write` required');
    }
    let complexity: Left = { limit: hourly.complexity, remaining: hourly.complexity, resetAt: Date.now() };
    const { data, complexity: cost } = execute(space, body, (points) => {
      complexity = this.#buckets.take(caller.connection, 'complexity', { limit: hourly.complexity, cost: points });
    });
    const partial = this.partials.shift();
    const errors = partial === undefined ? {} : { errors: [{ message: partial, path: Object.keys(data).slice(0, 1) }] };
    const status = { requests, complexity, cost };
    const extensions = this.#isLinear ? {} : { extensions: { complexity: { cost, ...complexity } } };
    response.writeHead(200, { 'Content-Type': 'application/json', ...this.#headersOf(status) });
    response.end(JSON.stringify({ data, ...errors, ...extensions }));
  }

  get #isLinear(): boolean {
    return this.#dependencies.options.dialect === 'linear';
  }

  /** The vendor's dialect reports what is left in headers; the neutral one in the answer. */
  #headersOf({ requests, complexity, cost }: Usage): Readonly<Record<string, string>> {
    const headers = {
      'X-RateLimit-Requests-Limit': String(requests.limit),
      'X-RateLimit-Requests-Remaining': String(requests.remaining),
      'X-RateLimit-Requests-Reset': String(requests.resetAt),
    };
    if (!this.#isLinear) return headers;
    return {
      ...headers,
      'X-Complexity': String(cost),
      'X-RateLimit-Complexity-Limit': String(complexity.limit),
      'X-RateLimit-Complexity-Remaining': String(complexity.remaining),
      'X-RateLimit-Complexity-Reset': String(complexity.resetAt),
    };
  }

  /** The neutral dialect: always 200, and 429 on limit. The vendor's: 400 for a limit and for what is not valid, 401 without sign-in. */
  #refuse(fault: TrackerFault, response: ServerResponse): void {
    const neutral = fault.code === 'RATELIMITED' ? 429 : 200;
    const { code, type, status: statusCode } = fault;
    const extensions = {
      type,
      code,
      statusCode,
      userError: true,
      ...(fault.shown === null ? {} : { userPresentableMessage: fault.shown }),
    };
    const retryAfter = fault.retryAfterS === null ? {} : { 'Retry-After': String(fault.retryAfterS) };
    response.writeHead(this.#isLinear ? statusCode : neutral, { 'Content-Type': 'application/json', ...retryAfter });
    response.end(JSON.stringify({ errors: [{ message: fault.message, extensions }], data: null }));
  }

  #nextFailure(): Failure | null {
    const failure = this.failures[0];
    if (failure === undefined) return null;
    failure.times -= 1;
    if (failure.times <= 0) this.failures.shift();
    return failure;
  }
}

function readBody(raw: string): Readonly<{ query: string; variables: Readonly<Record<string, unknown>> }> {
  const body: unknown = JSON.parse(raw);
  if (typeof body !== 'object' || body === null || !('query' in body)) throw unauthenticated('There is no query.');
  const variables: unknown = 'variables' in body ? body.variables : {};
  return { query: String(body.query), variables: Object.fromEntries(Object.entries(variables ?? {})) };
}

async function answerToken(access: Access, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { status, body } = access.token(new URLSearchParams(await text(request)));
  response
    .writeHead(status, { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' })
    .end(JSON.stringify(body));
}

async function answerAuthorize(access: Access, url: URL, response: ServerResponse): Promise<void> {
  const back = access.authorize(url.searchParams);
  if (back === null) response.writeHead(400).end('The client or its address is not known.');
  else response.writeHead(302, { Location: back }).end();
}

async function notFound(response: ServerResponse): Promise<void> {
  response.writeHead(404).end('Not found');
}
