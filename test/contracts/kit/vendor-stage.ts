import assert from 'node:assert/strict';
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { ConfiguredVendor, Service } from '#adapters/services/definitions/service.ts';
import type { Environment } from '#adapters/services/definitions/service-settings.ts';
import { HttpServiceGateway } from '#adapters/services/gateway.ts';
import type { FailureReason, Outcome } from '#domain/operations/outcome.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';
import type { Delivery } from '#domain/webhooks/delivery.ts';
import { HttpClient } from '#infrastructure/http/http-client.ts';

/** A request that the vendor is to send: members that are given have to match; `path` is with the query. */
export type Asked = Readonly<{ method?: string; path?: string; body?: unknown }>;

/** What the provider answers. An object is sent as JSON. */
export type Answered = Readonly<{ status?: number; headers?: Readonly<Record<string, string>>; body?: unknown }>;

/** What an operation takes, what is sent for it and answered, and what members its data has at least. */
export type Exchange = Readonly<{
  input?: Readonly<Record<string, unknown>>;
  exchanges: readonly Readonly<{ request?: Asked; answer: Answered }>[];
  data?: unknown;
}>;

/** A delivery as it is received, what proves it, and the names of its events. */
export type CannedDelivery = Readonly<{
  method?: string;
  url?: string;
  headers: Readonly<Record<string, string>>;
  query?: Readonly<Record<string, string>>;
  body: string;
  /** When it is received, Unix ms. */
  now: number;
  /** The header or query parameter that proves it. */
  proof: string;
  events: readonly string[];
}>;

/** A vendor and what its provider says. */
export type CannedVendor = Readonly<{
  name: string;
  /** The service that the vendor belongs to, such as `extendService(builtIn, vendor)`. */
  service: Service;
  vendor: string;
  /** Settings of the service besides its dialect and address, such as the secret of its deliveries. */
  settings?: Environment;
  connection: Pick<TokenRecord, 'authMethod' | 'accessToken'> & Readonly<{ extra?: TokenRecord['extra'] }>;
  /** An exchange of each operation that the vendor does. */
  operations?: Readonly<Record<string, Exchange>>;
  errors?: readonly Readonly<{
    operation: string;
    input?: Readonly<Record<string, unknown>>;
    answer: Answered;
    reason: FailureReason;
    says?: RegExp;
  }>[];
  /** Lists of several pages: `cursor` is the input that takes the next of a page. */
  pages?: readonly Readonly<{
    operation: string;
    input?: Readonly<Record<string, unknown>>;
    cursor: string;
    answers: readonly Readonly<{ request?: Asked; answer: Answered }>[];
  }>[];
  deliveries?: readonly CannedDelivery[];
}>;

/** A request that arrived. */
export type Seen = Readonly<{ method: string; path: string; headers: IncomingHttpHeaders; body: string }>;

/** A provider with canned answers, and the vendor that speaks to it. */
export class VendorStage {
  readonly #canned: CannedVendor;
  readonly #server: Server;
  readonly #vendor: ConfiguredVendor;
  readonly #http = new HttpClient();
  readonly #gateway: HttpServiceGateway;
  #answers: readonly Answered[] = [];
  seen: Seen[] = [];

  private constructor(canned: CannedVendor, server: Server, url: string) {
    const { service, vendor, settings = {} } = canned;
    this.#canned = canned;
    this.#server = server;
    this.#vendor = service.configure({
      ...settings,
      [`${service.prefix}DIALECT`]: vendor,
      [`${service.prefix}URL`]: url,
    });
    this.#gateway = new HttpServiceGateway({ providers: [this.#vendor.provider()], http: this.#http });
  }

  /** Starts the provider, and configures the vendor for it. */
  static async open(canned: CannedVendor): Promise<VendorStage> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const stage = new VendorStage(canned, server, `http://127.0.0.1:${port}`);
    server.on('request', (request, response) => void stage.#answer(request, response));
    return stage;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = (await buffer(request)).toString('utf8');
    const { method = '', url = '', headers } = request;
    const { status = 200, headers: sent = {}, body } = this.#answers[this.seen.length] ?? { status: 500 };
    this.seen.push({ method, path: url, headers, body: text });
    response.writeHead(status, { 'content-type': 'application/json', ...sent });
    response.end(typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body));
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  /** What the connection authenticates with. */
  get secret(): string {
    return this.#canned.connection.accessToken;
  }

  /** The requests of the kind that the vendor does. */
  done(): readonly string[] {
    const { listed } = this.#vendor.provider();
    const lacking = this.lacking();
    return Object.keys(listed).filter((name) => listed[name]?.kind === 'request' && !lacking.includes(name));
  }

  /** The operations that the vendor lacks. */
  lacking(): readonly string[] {
    return Object.entries(this.#vendor.provider().operations).flatMap(([name, operation]) =>
      operation.kind === 'recipe' && operation.lacks !== undefined ? [name] : [],
    );
  }

  /** Calls an operation while the provider answers what the exchange says, and compares the requests. */
  async exchange(operation: string, { input = {}, exchanges }: Exchange): Promise<Outcome> {
    this.seen = [];
    this.#answers = exchanges.map(({ answer }) => answer);
    const outcome = await this.call(operation, input);
    for (const [at, { request }] of exchanges.entries()) {
      const seen = this.seen[at];
      assert.ok(seen !== undefined, `${operation}: request ${at + 1} was not sent`);
      if (request?.method !== undefined) assert.equal(seen.method, request.method, operation);
      if (request?.path !== undefined) assert.equal(seen.path, request.path, operation);
      if (request?.body !== undefined) assert.deepEqual(JSON.parse(seen.body), request.body, operation);
    }
    return outcome;
  }

  /** Calls an operation; null for an input calls it unchecked, as one that is lacking is. */
  async call(operation: string, input: Readonly<Record<string, unknown>> | null): Promise<Outcome> {
    const { service, connection } = this.#canned;
    const { extra = {}, ...credentials } = connection;
    const given = { userId: 1, service: service.key, refreshToken: null, scope: null, expiresAt: null, updatedAt: 0 };
    const record: TokenRecord = { ...given, ...credentials, extra };
    if (input === null) {
      const row = this.#vendor.provider().operations[operation];
      if (row?.kind !== 'recipe') throw new Error(`${operation} is not lacking`);
      const unused = async (): Promise<never> => Promise.reject(new Error('A lacking operation sends nothing'));
      return row.run(unused, {}, { connection: { id: '1', extra }, send: unused });
    }
    const ready = this.#gateway.prepare({ service: service.key, name: operation, input });
    if (!ready.ok) return ready.failure;
    return ready.value.run(record, async (request) => request.send(record));
  }

  /** Where the data does not fit the output of the operation's kind. */
  misfits(operation: string, outcome: Outcome & { ok: true }): readonly string[] {
    const { output } = this.#vendor.provider().listed[operation]?.options ?? {};
    if (output === undefined || output.kind === 'done') return [];
    const data: unknown = JSON.parse(JSON.stringify(outcome.data));
    const content = output.kind === 'list' ? { data } : typeof data === 'object' && data !== null ? { ...data } : {};
    return output.mismatchesIn(content).map(({ path, documented }) => `${path.join('.')} is not ${documented}`);
  }

  #source() {
    const source = this.#vendor.webhooks?.source();
    if (source === undefined) throw new Error('The vendor sends no webhooks');
    return source;
  }

  #deliveryOf({ method = 'POST', url = '', headers, query = {}, body }: CannedDelivery): Delivery {
    const { key } = this.#canned.service;
    return {
      service: key,
      method,
      url,
      headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
      query,
      body: Buffer.from(body),
    };
  }

  /** The names of a delivery's events; throws when it is refused or an event cannot be read. */
  async eventsOf(delivery: CannedDelivery): Promise<readonly string[]> {
    const source = this.#source();
    const verified = source.verify(this.#deliveryOf(delivery), delivery.now);
    assert.ok(verified.ok, verified.ok ? '' : `refused: ${verified.failure.detail}`);
    return source.parts(verified.value.body).map(({ body }) => {
      const read = source.read(JSON.parse(JSON.stringify(body)), delivery.now);
      assert.ok(read.ok, read.ok ? '' : read.failure.detail);
      return read.value.name;
    });
  }

  verifies(delivery: CannedDelivery): boolean {
    return this.#source().verify(this.#deliveryOf(delivery), delivery.now).ok;
  }

  /** The same delivery without its proof, with another one, and, where the proof covers it, with another body. */
  forgeries(delivery: CannedDelivery): readonly (CannedDelivery & Readonly<{ how: string }>)[] {
    const { headers, query = {}, proof } = delivery;
    const place = Object.keys(headers).find((name) => name.toLowerCase() === proof.toLowerCase());
    const with_ = (value: string | null) => {
      const changed = place === undefined ? { ...query } : { ...headers };
      Reflect.deleteProperty(changed, place ?? proof);
      if (value !== null) Object.assign(changed, { [place ?? proof]: value });
      return place === undefined ? { ...delivery, query: changed } : { ...delivery, headers: changed };
    };
    const given = (place === undefined ? query[proof] : headers[place]) ?? '';
    const other = given.replace(/[0-9a-z]/i, (first) => (first === '0' ? '1' : '0'));
    return [
      { ...with_(null), how: 'a delivery without its proof' },
      { ...with_(other), how: 'a delivery with another proof' },
      { ...with_(''), how: 'a delivery with an empty proof' },
      { ...delivery, body: '', how: 'a delivery without a body' },
    ];
  }

  /** Splits and reads a body; throws if that does. */
  readsSafely(body: unknown): readonly unknown[] {
    const source = this.#source();
    return source.parts(body).map((part) => source.read(part.body, 0));
  }
}
