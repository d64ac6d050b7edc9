import type { ConnectionOverview } from '#application/ports/connections.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { User } from '#domain/users/user.ts';
import { people } from '#test/support/mcp/mcp-app.ts';
import { eventsOf, post } from '#test/support/mcp/mcp-clients.ts';
import { serviceKeys } from '#test/support/services/five-services.ts';

/** Who the people of a test are, and what they are connected to, for a test to change. */
export class Accounts {
  readonly users = new Map<number, User>([people.ann, people.bob].map((user) => [user.id, user]));
  readonly connections = new Map<number, ReadonlySet<ServiceKey>>();
  /** How often somebody was looked at. */
  looks = 0;

  async find(id: number): Promise<User | null> {
    return this.users.get(id) ?? null;
  }

  async overview(userId: number): Promise<ConnectionOverview> {
    this.looks += 1;
    return { services: this.connections.get(userId) ?? new Set(serviceKeys), isInTeamVault: false };
  }

  change(user: 'ann' | 'bob', change: Partial<User>): void {
    this.users.set(people[user].id, { ...people[user], ...change });
  }
}

/** Where the server is; `person` is the bearer token that is sent. */
export type Place = Readonly<{ url: string }>;

type Json = Readonly<Record<string, unknown>>;

/** A client that listens. `next` gives what it hears, null at the end. */
export type Ear = Readonly<{ next(): Promise<Json | null>; close(): Promise<void> }>;

/** What a client listens by: its address may choose tools; `uris` are the resources that it watches. */
export type EarOptions = Readonly<{ query?: string; uris?: readonly string[] }>;

const info = { name: 'ear', version: '1' };
const initialize = {
  jsonrpc: '2.0',
  id: 'begin',
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: { elicitation: {} }, clientInfo: info },
};
const subscribe = (uri: string) => ({
  jsonrpc: '2.0',
  id: `watch ${uri}`,
  method: 'resources/subscribe',
  params: { uri },
});

function earOf(response: Response, events = eventsOf(response)): Ear {
  return {
    next: async () => {
      const { value } = await events.next();
      return value === undefined ? null : JSON.parse(value.data);
    },
    close: async () => {
      await events.return(undefined);
      // Events that nobody has asked for hold no reader, and let go of nothing.
      if (response.body?.locked === false) await response.body.cancel();
    },
  };
}

const get = (app: Place, path: string, person: string, headers: Readonly<Record<string, string>> = {}) =>
  fetch(new URL(path, app.url), { headers: { authorization: `Bearer ${person}`, ...headers } });

/** Listens on a stream of the older transport. */
async function bySse(app: Place, person: string, { query = '', uris = [] }: EarOptions = {}): Promise<Ear> {
  const response = await get(app, `/sse${query}`, person);
  const events = eventsOf(response);
  const path = (await events.next()).value?.data ?? '';
  const ear = earOf(response, events);
  for (const message of [initialize, ...uris.map(subscribe)]) {
    await post(app.url, message, { path, person });
    await ear.next();
  }
  return ear;
}

/** Begins a session of Streamable HTTP, and watches. */
export async function beginSession(app: Place, person: string, { uris = [] }: EarOptions = {}): Promise<string> {
  const begun = await post(app.url, initialize, { person });
  await begun.text();
  const id = begun.headers.get('mcp-session-id') ?? '';
  for (const uri of uris)
    await (await post(app.url, subscribe(uri), { person, headers: { 'mcp-session-id': id } })).text();
  return id;
}

/** Listens on the stream of a session. */
export async function hearSession(app: Place, person: string, id: string, query = ''): Promise<Ear> {
  return earOf(await get(app, `/message${query}`, person, { 'mcp-session-id': id }));
}

/** A request of `subscriptions/listen`, as it is posted. */
export function listen(
  app: Place,
  person: string,
  notifications: unknown,
  { query = '', accept = 'application/json, text/event-stream' }: Readonly<{ query?: string; accept?: string }> = {},
): Promise<Response> {
  const version = '2026-07-28';
  const body = {
    jsonrpc: '2.0',
    id: 'ear-1',
    method: 'subscriptions/listen',
    params: {
      _meta: {
        'io.modelcontextprotocol/protocolVersion': version,
        'io.modelcontextprotocol/clientInfo': info,
        'io.modelcontextprotocol/clientCapabilities': {},
      },
      notifications,
    },
  };
  const headers = { 'mcp-protocol-version': version, 'mcp-method': 'subscriptions/listen', accept };
  return post(app.url, body, { person, path: `/message${query}`, headers });
}

/** A filter that asks for all there is. */
export const everything = (uris: readonly string[] = []) => ({
  toolsListChanged: true,
  promptsListChanged: true,
  resourcesListChanged: true,
  resourceSubscriptions: uris,
});

async function byListening(app: Place, person: string, { query = '', uris = [] }: EarOptions = {}): Promise<Ear> {
  const ear = earOf(await listen(app, person, everything(uris), { query }));
  await ear.next();
  return ear;
}

/** How a client of each era comes to hear of changes. */
export const ears: Readonly<Record<string, (app: Place, person: string, options?: EarOptions) => Promise<Ear>>> = {
  'HTTP with SSE': bySse,
  'a session of Streamable HTTP': async (app, person, options = {}) =>
    hearSession(app, person, await beginSession(app, person, options), options.query),
  'subscriptions/listen': byListening,
};

/** What was heard, without what ties it to a subscription. */
export function plain(heard: Json | null): unknown {
  if (heard === null) return null;
  const { method, params = {} } = heard;
  const { _meta, ...rest } = JSON.parse(JSON.stringify(params));
  return Object.keys(rest).length === 0 ? method : [method, rest];
}
