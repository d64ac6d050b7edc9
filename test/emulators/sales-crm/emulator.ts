import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type Answer, bad, type DialectName, unauthorized } from '#test/emulators/sales-crm/answers.ts';
import { Burst, tooMany } from '#test/emulators/sales-crm/burst.ts';
import { type Fault, Faults } from '#test/emulators/sales-crm/faults.ts';
import { EmulatedGrants } from '#test/emulators/sales-crm/oauth.ts';
import { recordRoutes } from '#test/emulators/sales-crm/record-routes.ts';
import { Records } from '#test/emulators/sales-crm/records.ts';
import { type CrmRequest, readRequest, routerOf } from '#test/emulators/sales-crm/request.ts';
import { specialRoutes } from '#test/emulators/sales-crm/special-routes.ts';
import { Webhooks } from '#test/emulators/sales-crm/webhooks.ts';
import { keptConnections } from '#test/support/network/kept-connections.ts';

/** The personal token that the emulated CRM takes. */
export const personalToken = 'emulated-personal-token';

const requestsKept = 10_000;

/** How it is started. `requestsPer2s` is its burst limit; `retryWaitsMs` are the waits between the tries of a delivery. */
export type SalesCrmEmulatorOptions = Readonly<{
  dialect: DialectName;
  port?: number;
  requestsPer2s?: number;
  retryWaitsMs?: readonly number[];
}>;

/** A running sales CRM, and what a test does to it. `requests` are the API requests that arrived, the newest 10,000, newest last. */
export type SalesCrmEmulator = Readonly<{
  url: string;
  authorizeUrl: string;
  tokenUrl: string;
  records: Records;
  grants: EmulatedGrants;
  webhooks: Webhooks;
  requests: readonly CrmRequest[];
  /** The next requests get this in place of their answer. */
  failNext(fault: Fault): void;
  /** Takes back every fault that is still to come. */
  healAll(): void;
  /** The next requests are answered after so many milliseconds. */
  delayNext(until: number | Promise<unknown>, times?: number): void;
  /** The next requests are cut off without an answer. */
  dropNext(times?: number): void;
  /** Every access token is over from now on; the refresh tokens still renew. */
  expireTokens(): void;
  close(): Promise<void>;
}>;

/** Starts a sales CRM with state in memory, on a port of its own when none is given. */
export async function startSalesCrmEmulator(options: SalesCrmEmulatorOptions): Promise<SalesCrmEmulator> {
  const { dialect, port = 0, requestsPer2s = 120, retryWaitsMs } = options;
  const webhooks = new Webhooks(dialect, retryWaitsMs);
  const records = new Records((change) => webhooks.publish(change));
  seed(records);
  const grants = new EmulatedGrants(dialect);
  const faults = new Faults();
  const burst = new Burst(requestsPer2s);
  const requests: CrmRequest[] = [];
  const findApi = routerOf([
    ...specialRoutes(records, dialect),
    ...recordRoutes(records, dialect),
    ...webhooks.routes(),
  ]);
  const findGrant = routerOf(grants.routes());
  const ended = new AbortController();

  async function answer(request: CrmRequest): Promise<Answer> {
    const grant = findGrant(request);
    if (grant !== null) return faults.of('token') ?? grant();
    requests.push(request);
    if (requests.length > requestsKept) requests.shift();
    const credential = credentialOf(request, dialect);
    const { isOver, headers } = burst.count(credential, request.method);
    const fault = isOver ? tooMany : faults.of('api');
    const body = fault ?? (await authorized(request, credential));
    return { ...body, headers: { ...headers, ...body.headers } };
  }

  async function authorized(request: CrmRequest, credential: string): Promise<Answer> {
    if (credential !== personalToken && !grants.accepts(credential)) return unauthorized;
    const run = findApi(request);
    return run === null ? bad(404, 'Unknown method .') : run();
  }

  const server = createServer(keptConnections, (message, response) => {
    void serve(message, response);
  });

  async function serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const request = await readRequest(message);
      if (await faults.before(ended.signal)) message.socket.destroy();
      else send(response, await answer(request));
    } catch (error) {
      send(response, bad(500, 'The emulator failed', String(error)));
    }
  }

  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const address = server.address();
  const url = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : port}`;
  return {
    url,
    authorizeUrl: `${url}/oauth/authorize`,
    tokenUrl: `${url}/oauth/token`,
    records,
    grants,
    webhooks,
    requests,
    failNext: (fault) => faults.failNext(fault),
    healAll: () => faults.heal(),
    delayNext: (delayMs, times) => faults.delayNext(delayMs, times),
    dropNext: (times) => faults.dropNext(times),
    expireTokens: () => grants.expireTokens(),
    close: async () => {
      ended.abort();
      await webhooks.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The token of a request, where the dialect has it; empty without one. */
function credentialOf({ headers, query }: CrmRequest, dialect: DialectName): string {
  const bearer = /^Bearer (.+)$/.exec(headers['authorization'] ?? '')?.[1];
  const personal = dialect === 'neutral' ? query.get('api_token') : headers['x-api-token'];
  return bearer ?? personal ?? '';
}

function send(response: ServerResponse, { status, headers = {}, body }: Answer): void {
  if (body instanceof Uint8Array || typeof body === 'string') {
    response.writeHead(status, { 'content-type': 'text/html', ...headers }).end(body);
    return;
  }
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
}

/** What every CRM comes with: one pipeline with its stages. */
function seed(records: Records): void {
  const pipeline = records.create('pipeline', { name: 'Pipeline' });
  for (const name of ['Qualified', 'Proposal made', 'Negotiations started']) {
    records.create('stage', { name, pipeline_id: pipeline['id'] });
  }
}
