import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { failure, invalid, missing, unauthorized } from '#test/emulators/hubspot/answers.ts';
import { type HubSpotLimits, RequestCounts } from '#test/emulators/hubspot/limits.ts';
import { HubSpotGrants, portalId } from '#test/emulators/hubspot/oauth.ts';
import { EmulatedPipelines } from '#test/emulators/hubspot/pipelines.ts';
import { recordRoutes } from '#test/emulators/hubspot/record-routes.ts';
import type { SearchBounds } from '#test/emulators/hubspot/search.ts';
import { HubSpotStore } from '#test/emulators/hubspot/store.ts';
import { HubSpotWebhooks } from '#test/emulators/hubspot/webhooks.ts';
import type { Answer } from '#test/emulators/sales-crm/answers.ts';
import { type Fault, Faults } from '#test/emulators/sales-crm/faults.ts';
import {
  type CrmRequest,
  type EmulatorRoute,
  formBody,
  readRequest,
  routerOf,
} from '#test/emulators/sales-crm/request.ts';
import { keptConnections } from '#test/support/network/kept-connections.ts';
import { publishedInterface, scopesOf } from '#test/support/services/published-interface.ts';
import { salesCrmOAuth } from '#test/support/services/vendors.ts';

/** The token of the emulated private app. */
export const privateAppToken = 'pat-eu1-emulated';

/** A running HubSpot account, and what a test does to it. `requests` are the API requests that arrived, newest last. */
export type HubSpotEmulator = Readonly<{
  url: string;
  authorizeUrl: string;
  tokenUrl: string;
  store: HubSpotStore;
  grants: HubSpotGrants;
  webhooks: HubSpotWebhooks;
  requests: readonly CrmRequest[];
  /** How many results a search has at most: 10,000 unless a test lowers it. */
  searchBounds: SearchBounds;
  failNext(fault: Fault): void;
  /** The next requests are cut off without an answer. */
  dropNext(times?: number): void;
  close(): Promise<void>;
}>;

type EmulatorOptions = Readonly<{ port?: number; limits?: HubSpotLimits }>;

/** Starts a HubSpot account with state in memory, on a port of its own when none is given. */
export async function startHubSpotEmulator({ port = 0, limits = {} }: EmulatorOptions = {}): Promise<HubSpotEmulator> {
  const webhooks = new HubSpotWebhooks();
  const store = new HubSpotStore((change) => webhooks.publish(change));
  const grants = new HubSpotGrants();
  const counts = new RequestCounts(limits);
  const faults = new Faults();
  const searchBounds: SearchBounds = { last: 10_000 };
  const requests: CrmRequest[] = [];
  const pipelines = new EmulatedPipelines();
  const findApi = routerOf([
    ...accountRoutes(),
    ...pipelines.routes(),
    ...recordRoutes(store, pipelines, searchBounds),
  ]);
  const findGrant = routerOf(grants.routes());
  const ended = new AbortController();

  async function answer(request: CrmRequest): Promise<Answer> {
    const grant = findGrant(request);
    if (grant !== null) return faults.of('token') ?? grant();
    requests.push(request);
    const token = /^Bearer (.+)$/.exec(request.headers['authorization'] ?? '')?.[1] ?? '';
    const { refusal, headers } = counts.count(request.path.endsWith('/search') && request.path.startsWith('/crm/'));
    const fault = refusal ?? faults.of('api');
    const given =
      fault ?? (token === privateAppToken || grants.accepts(token) ? await findApi(request)?.() : unauthorized);
    const body = given ?? failure(404, 'OBJECT_NOT_FOUND', 'resource not found');
    return { ...body, headers: { ...headers, ...body.headers } };
  }

  const server = createServer(keptConnections, (message, response) => void serve(message, response));

  async function serve(message: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const request = await readRequest(message);
      if (await faults.before(ended.signal)) message.socket.destroy();
      else send(response, await answer(request));
    } catch (error) {
      send(response, failure(500, 'INTERNAL_ERROR', String(error)));
    }
  }

  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  const address = server.address();
  const own = `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : port}`;
  const published = await publishedInterface('hubspot', own, {
    scopes: scopesOf(salesCrmOAuth('hubspot', {})),
    pathOf: (path) => (/^\/oauth\/(?:authorize|v1)/.test(path) ? null : path),
  });
  const { url } = published;
  return {
    url,
    authorizeUrl: `${url}/oauth/authorize`,
    tokenUrl: `${url}/oauth/2026-03/token`,
    store,
    grants,
    webhooks,
    requests,
    searchBounds,
    failNext: (fault) => faults.failNext(fault),
    dropNext: (times) => faults.dropNext(times),
    close: async () => {
      ended.abort();
      await published.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function send(response: ServerResponse, { status, headers = {}, body }: Answer): void {
  const isText = typeof body === 'string';
  response.writeHead(status, { 'content-type': isText ? 'text/html' : 'application/json', ...headers });
  response.end(isText ? body : JSON.stringify(body));
}

const owners = [
  {
    id: '21',
    email: 'ann@acme.example',
    type: 'PERSON',
    firstName: 'Ann',
    lastName: 'Admin',
    userId: 11,
    archived: false,
  },
  {
    id: '22',
    email: 'ben@acme.example',
    type: 'PERSON',
    firstName: 'Ben',
    lastName: 'Baker',
    userId: 12,
    archived: false,
  },
].map((owner) => ({ ...owner, createdAt: '2026-01-01T00:00:00Z', updatedAt: '2026-01-01T00:00:00Z' }));

/** The account itself, its owners and files. */
function accountRoutes(): readonly EmulatorRoute[] {
  const files: Record<string, unknown>[] = [];
  const details = {
    portalId,
    accountType: 'STANDARD',
    timeZone: 'Europe/Berlin',
    companyCurrency: 'EUR',
    additionalCurrencies: [],
    uiDomain: 'app-eu1.hubspot.com',
    dataHostingLocation: 'eu1',
    utcOffset: '+01:00',
    utcOffsetMilliseconds: 3_600_000,
  };
  return [
    { method: 'GET', path: '/account-info/2026-03/details', answer: () => ({ status: 200, body: details }) },
    { method: 'GET', path: '/crm/owners/2026-03', answer: ({ query }) => ownersPage(query) },
    {
      method: 'GET',
      path: '/crm/owners/2026-03/{id}',
      answer: ({ query }, { id = '' }) => {
        const owner = owners.find((one) => (query.get('idProperty') === 'userId' ? String(one.userId) : one.id) === id);
        return owner === undefined ? missing('owner', id) : { status: 200, body: owner };
      },
    },
    { method: 'GET', path: '/files/2026-03/files/search', answer: () => ({ status: 200, body: { results: files } }) },
    {
      method: 'POST',
      path: '/files/2026-03/files',
      answer: async (request) => {
        const form = await formBody(request);
        const file = form.get('file');
        const text = form.get('options');
        const options: unknown = typeof text === 'string' ? JSON.parse(text) : null;
        const isPrivate =
          typeof options === 'object' && options !== null && 'access' in options && options.access === 'PRIVATE';
        if (!(file instanceof File) || !isPrivate || form.get('folderPath') === null)
          return invalid('The upload does not fit.');
        const [name, extension] = file.name.split(/\.(?=[^.]+$)/);
        const stamp = new Date().toISOString();
        const made = {
          id: String(501 + files.length),
          name,
          extension,
          size: file.size,
          createdAt: stamp,
          updatedAt: stamp,
          archived: false,
        };
        files.push(made);
        return { status: 201, body: made };
      },
    },
    {
      method: 'DELETE',
      path: '/files/2026-03/files/{id}',
      answer: (_, { id }) => {
        const index = files.findIndex((one) => one['id'] === id);
        if (index >= 0) files.splice(index, 1);
        return { status: 204, body: '' };
      },
    },
  ];
}

function ownersPage(query: URLSearchParams): Answer {
  const start = Number(query.get('after') ?? 0);
  // Pages of one, so that every reader has to go on.
  const paging = start + 1 < owners.length ? { paging: { next: { after: String(start + 1) } } } : {};
  return { status: 200, body: { results: owners.slice(start, start + 1), ...paging } };
}
