import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { Accounts } from '#test/emulators/suite-crm/accounts.ts';
import { BulkRoutes } from '#test/emulators/suite-crm/bulk-routes.ts';
import { type Channel, Channels, type Delivery } from '#test/emulators/suite-crm/channels.ts';
import { type Fault, Faults, type Hold } from '#test/emulators/suite-crm/faults.ts';
import { RecordRoutes } from '#test/emulators/suite-crm/record-routes.ts';
import { RelatedRoutes } from '#test/emulators/suite-crm/related-routes.ts';
import { type Asked, failing, type Refusal, type Reply, refusal } from '#test/emulators/suite-crm/reply.ts';
import { partsOf, routesOf } from '#test/emulators/suite-crm/routes.ts';
import { SettingsRoutes } from '#test/emulators/suite-crm/settings-routes.ts';
import { CrmState } from '#test/emulators/suite-crm/state.ts';
import { keptConnections } from '#test/support/network/kept-connections.ts';

/** How an emulator is started: whose words it speaks, its port (any when 0), requests at once, and credits of the day. */
export type EmulatorOptions = Readonly<{
  dialect: 'neutral' | 'zoho';
  port?: number;
  concurrency?: number;
  credits?: number;
}>;

/** A suite CRM on this machine. `url` with `/{data_center}` after it is the API domain of a data centre and its accounts server. */
export type SuiteCrmEmulator = Readonly<{
  url: string;
  /** Every request that came: its method and path with query. */
  requests: readonly string[];
  /** The most requests that were under way at once. */
  peak(): number;
  state: CrmState;
  deliveries: readonly Delivery[];
  openChannels(): readonly Channel[];
  /** Opens a channel as if by hand. */
  openChannel(channel: Channel): void;
  /** Closes every channel as if by hand. */
  closeChannels(): void;
  settled(): Promise<void>;
  failNext(fault: Fault): void;
  /** Takes back every fault and delay that is still to come. */
  healAll(): void;
  delayNext(ms: number, times?: number): void;
  /** Holds every request from now on; `arrived` resolves when `count` of them wait. */
  hold(count: number): Hold;
  refuseRecords(refused: Refusal, where?: Readonly<{ at?: readonly number[]; times?: number }>): void;
  expireTokens(): void;
  revokeGrants(): void;
  /** Moves the emulator's time ahead: tokens and channels end. */
  advance(ms: number): void;
  /** An export of the module has that many records more, made while they are read. */
  pretendRecords(module: string, count: number): void;
  close(): Promise<void>;
}>;

const centers = ['us', 'eu', 'in', 'au', 'jp', 'cn', 'ca', 'sa'];
const dayMs = 24 * 60 * 60 * 1000;

/** Starts a suite CRM that keeps its state in memory, and speaks one of the two dialects. */
export async function startSuiteCrmEmulator(options: EmulatorOptions): Promise<SuiteCrmEmulator> {
  const { dialect, port = 0, concurrency = 25, credits = 5_000 } = options;
  const isZoho = dialect === 'zoho';
  const state = new CrmState();
  const place = { url: '' };
  const accounts = new Accounts(state.clock, isZoho, (center) => `${place.url}/${center}`);
  const channels = new Channels(state, () => `${place.url}/us`);
  const bulk = new BulkRoutes(state, isZoho);
  const records = new RecordRoutes(state, isZoho);
  const related = new RelatedRoutes(state, isZoho);
  const settings = new SettingsRoutes(state);
  const routes = routesOf({ records, related, settings, bulk, channels }, isZoho);
  const faults = new Faults();
  const requests: string[] = [];
  const count = { now: 0, peak: 0, left: credits };
  const prefix = isZoho ? 'Zoho-oauthtoken ' : 'Suite-oauthtoken ';

  async function apiReply(asked: Asked, center: string): Promise<Reply> {
    const { authorization = '' } = asked.headers;
    if (!authorization.startsWith(prefix) || !accounts.allows(authorization.slice(prefix.length), center)) {
      return failing(refusal('INVALID_TOKEN', 'invalid oauth token'), 401);
    }
    if (count.now > concurrency) return failing(refusal('TOO_MANY_REQUESTS', 'too many requests at once'), 429);
    const method = routes.filter((route) => route.method === asked.method);
    for (const route of method) {
      const params = partsOf(route.path, asked.path);
      if (params !== null) return route.handle({ ...asked, params });
    }
    const isElsewhere = routes.some((route) => partsOf(route.path, asked.path) !== null);
    return isElsewhere
      ? failing(refusal('INVALID_REQUEST_METHOD', 'The http request method type is not a valid one'), 405)
      : failing(refusal('INVALID_URL_PATTERN', 'Please check if the URL trying to access is a correct one'), 404);
  }

  async function replyTo(request: IncomingMessage): Promise<Reply> {
    const { asked, center } = await read(request);
    requests.push(`${asked.method} ${request.url ?? ''}`);
    await faults.pass();
    const fault = faults.take(asked);
    if (fault !== null) return fault;
    if (asked.path === '/oauth/v2/auth') return accounts.authorize({ ...asked, params: { center } });
    if (asked.path === '/oauth/v2/token') return accounts.token({ ...asked, params: { center } });
    count.left = Math.max(0, count.left - 1);
    const reply = await apiReply(asked, center);
    const limits = {
      'x-ratelimit-limit': String(credits),
      'x-ratelimit-remaining': String(count.left),
      'x-ratelimit-reset': String(state.clock.now() + dayMs),
    };
    return { ...reply, headers: { ...limits, ...reply.headers } };
  }

  const server = createServer(keptConnections, (request, response) => {
    count.now += 1;
    count.peak = Math.max(count.peak, count.now);
    response.once('close', () => {
      count.now -= 1;
    });
    replyTo(request)
      .then(
        (reply) => send(response, reply),
        (error: unknown) => send(response, failing(refusal('INTERNAL_ERROR', String(error)), 500)),
      )
      .catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const address = server.address();
  place.url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : port}`;
  return {
    url: place.url,
    requests,
    peak: () => count.peak,
    state,
    deliveries: channels.deliveries,
    openChannels: () => channels.open(),
    openChannel: (channel) => channels.add(channel),
    closeChannels: () => channels.clear(),
    settled: () => channels.settled(),
    failNext: (fault) => faults.fail(fault),
    healAll: () => faults.heal(),
    delayNext: (ms, times = 1) => faults.delay(ms, times),
    hold: (held) => faults.hold(held),
    refuseRecords: (refused, { at, times = 1 } = {}) => state.refuseRecords(refused, { at: at ?? null, times }),
    expireTokens: () => accounts.expireTokens(),
    revokeGrants: () => accounts.revoke(),
    advance: (ms) => state.clock.advance(ms),
    pretendRecords: (module, more) => bulk.pretend(module, more),
    close: async () => {
      await channels.settled();
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

/** The request's parts, and the data centre that its path begins with; the first one when it names none. */
async function read(request: IncomingMessage): Promise<Readonly<{ asked: Asked; center: string }>> {
  const url = new URL(request.url ?? '/', 'http://emulator');
  const [, first = '', ...others] = url.pathname.split('/');
  const isNamed = centers.includes(first);
  const bytes = new Uint8Array(await buffer(request));
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
  );
  const isJson = (headers['content-type'] ?? '').startsWith('application/json');
  const asked = {
    method: request.method ?? 'GET',
    path: isNamed ? `/${others.join('/')}` : url.pathname,
    params: {},
    query: url.searchParams,
    headers,
    body: isJson ? parsed(bytes) : null,
    bytes,
  };
  return { asked, center: isNamed ? first : 'us' };
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString());
  } catch {
    return null;
  }
}

async function send(response: ServerResponse, { status, json, stream, headers = {} }: Reply): Promise<void> {
  if (stream !== undefined) {
    response.writeHead(status, headers);
    return pipeline(Readable.from(stream, { objectMode: false }), response);
  }
  if (json === undefined) {
    response.writeHead(status, headers).end();
    return;
  }
  response
    .writeHead(status, { 'content-type': 'application/json;charset=utf-8', ...headers })
    .end(JSON.stringify(json));
}
