import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import type { Provider } from '#adapters/services/definitions/provider.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';
import { HttpClient } from '#infrastructure/http/http-client.ts';
import { privateAppToken, startHubSpotEmulator } from '#test/emulators/hubspot/emulator.ts';
import { credentials, startJiraEmulator } from '#test/emulators/jira/emulator.ts';
import { personalToken, startSalesCrmEmulator } from '#test/emulators/sales-crm/emulator.ts';
import { kinds as crmKinds } from '#test/emulators/sales-crm/kinds.ts';
import { startSigningEmulator } from '#test/emulators/signing/emulator.ts';
import { startSuiteCrmEmulator } from '#test/emulators/suite-crm/suite-crm-emulator.ts';
import { startTrackerEmulator } from '#test/emulators/tracker/emulator.ts';
import { kinds as trackerKinds } from '#test/emulators/tracker/types.ts';
import { tokenRecord } from '#test/support/connections/token-record.ts';
import {
  salesCrmProvider,
  signingProvider,
  suiteCrmProvider,
  trackerProvider,
} from '#test/support/services/providers.ts';
import { Changes } from '#test/support/services/taken-back.ts';

/** A vendor’s emulator with the real gateway in front of it, and all requests that passed. */
export type ChangeStage = Readonly<{
  changes: Changes;
  provider: Provider;
  /** The requests that may change something: neither GET nor a read by POST. */
  changing: readonly string[];
  /** What the emulator holds, by kind of record. */
  state(): Readonly<Record<string, readonly unknown[]>>;
  close(): Promise<void>;
}>;

type Started = Readonly<{
  url: string;
  close(): Promise<void>;
  state(): Readonly<Record<string, readonly unknown[]>>;
  provider(url: string): Provider;
  record: TokenRecord;
}>;

const stated = <Name extends string>(names: readonly Name[], all: (name: Name) => readonly unknown[]) =>
  Object.fromEntries(names.map((name) => [name, all(name)]));

async function salesCrm(dialect: 'neutral' | 'pipedrive'): Promise<Started> {
  const emulator = await startSalesCrmEmulator({ dialect, retryWaitsMs: [], requestsPer2s: 100_000 });
  return {
    url: emulator.url,
    close: emulator.close,
    state: () =>
      stated(
        crmKinds.map(({ name }) => name),
        (name) => emulator.records.all(name),
      ),
    provider: (url) => salesCrmProvider({ dialect, url }),
    record: tokenRecord('sales_crm', { accessToken: personalToken, extra: { plan: 'enterprise' } }),
  };
}

async function hubspot(): Promise<Started> {
  const emulator = await startHubSpotEmulator();
  emulator.store.define('deals', 'segment', 'string');
  emulator.store.define('contacts', 'segment', 'string');
  const types = ['deals', 'contacts', 'companies', 'leads', 'notes', 'tasks', 'products', 'line_items'];
  return {
    url: emulator.url,
    close: emulator.close,
    state: () =>
      stated(types, (type) =>
        emulator.store.all(type).map(({ id, properties: { hs_task_status: status, ...rest } }) => ({
          id,
          ...rest,
          // A task without a status is not started.
          status: status === 'NOT_STARTED' ? undefined : status,
        })),
      ),
    provider: (url) => salesCrmProvider({ dialect: 'hubspot', url }),
    record: tokenRecord('sales_crm', {
      accessToken: privateAppToken,
      extra: { portal_id: 62_515, user_id: 11, company_currency: 'EUR' },
    }),
  };
}

async function signing(dialect: 'neutral' | 'pandadoc'): Promise<Started> {
  const emulator = await startSigningEmulator({ dialect, draftAfterMs: 0 });
  const { world } = emulator;
  return {
    url: emulator.url,
    close: emulator.close,
    state: () => ({
      documents: [...world.documents.values()].filter(({ isDeleted }) => !isDeleted),
      templates: [...world.templates.values()],
      folders: [...world.folders.values()],
      contentItems: [...world.contentItems.values()],
    }),
    provider: (url) => signingProvider({ dialect, url }),
    record: tokenRecord('signing', { accessToken: emulator.apiKey, extra: { plan: 'production' } }),
  };
}

async function suiteCrm(dialect: 'neutral' | 'zoho'): Promise<Started> {
  const { state, ...emulator } = await startSuiteCrmEmulator({ dialect, credits: 1_000_000 });
  return {
    url: emulator.url,
    close: () => emulator.close(),
    state: () => stated(state.modules(), (module) => state.all(module)),
    provider: (url) => suiteCrmProvider({ dialect, url: `${url}/{data_center}` }),
    record: tokenRecord('suite_crm', { accessToken: 'emulated-token' }),
  };
}

async function tracker(dialect: 'neutral' | 'linear'): Promise<Started> {
  const emulator = await startTrackerEmulator({ dialect });
  const { pathname } = new URL(emulator.url);
  return {
    url: emulator.url,
    close: () => emulator.close(),
    state: () => stated(trackerKinds, (kind) => emulator.space.all(kind)),
    provider: (url) => trackerProvider({ dialect, url: `${url}${pathname === '/' ? '' : pathname}` }),
    record: tokenRecord('tracker', { accessToken: emulator.credentials.apiKey }),
  };
}

async function jira(): Promise<Started> {
  const emulator = await startJiraEmulator();
  const { access_token: accessToken } = emulator.grant();
  return {
    url: emulator.url,
    close: () => emulator.close(),
    state: () => ({ issues: emulator.site.issues }),
    provider: (url) => trackerProvider({ dialect: 'jira', url }),
    record: tokenRecord('tracker', {
      accessToken,
      authMethod: 'oauth',
      extra: { cloud_id: credentials.cloudId, site_url: `https://${credentials.site}` },
    }),
  };
}

/** The vendors that are emulated, by service; each starts on a port of its own. */
export const stages = {
  'sales_crm neutral': () => salesCrm('neutral'),
  'sales_crm pipedrive': () => salesCrm('pipedrive'),
  'sales_crm hubspot': hubspot,
  'signing neutral': () => signing('neutral'),
  'signing pandadoc': () => signing('pandadoc'),
  'suite_crm neutral': () => suiteCrm('neutral'),
  'suite_crm zoho': () => suiteCrm('zoho'),
  'tracker neutral': () => tracker('neutral'),
  'tracker linear': () => tracker('linear'),
  'tracker jira': jira,
} as const;

/** One of them. */
export type StageName = keyof typeof stages;

/** Reads that are sent by POST, by the end of their path. */
const reads = /\/(?:search|batch\/read|coql|jql|comment\/list|bulkfetch)$/;

function isChanging({ method = '', url = '' }: IncomingMessage, body: string): boolean {
  const [path = ''] = url.split('?');
  if (method === 'GET' || reads.test(path)) return false;
  return !(path.endsWith('/graphql') || path === '/') || /"query":"\s*mutation/.test(body);
}

/** The members of a request that say where it goes, and not what is written. */
const addressing = /^(?:query|operationName|id|issueId|fields|expand)$/;

/** A value as a service might keep it: texts without blanks around them and composed, amounts with two decimals. */
export function normalised(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(normalised);
  if (typeof value === 'number') return Math.round(value * 100) / 100;
  if (typeof value === 'string') {
    const text = value.replaceAll('\r\n', '\n').trim().normalize('NFC');
    return /^-?\d+\.\d{3,}$/.test(text) ? String(Math.round(Number(text) * 100) / 100) : text;
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, one]) => [name, addressing.test(name) ? one : normalised(one)]),
  );
}

function kept(body: Buffer): Buffer | string {
  try {
    return JSON.stringify(normalised(JSON.parse(body.toString())));
  } catch {
    return body;
  }
}

/**
 * Starts a vendor’s emulator behind a front that notes what passes; with `isNormalising` the service keeps values in a
 * form of its own.
 */
export async function openStage(
  name: StageName,
  { isNormalising = false }: Readonly<{ isNormalising?: boolean }> = {},
): Promise<ChangeStage> {
  const started = await stages[name]();
  const home = new URL(started.url).origin;
  const changing: string[] = [];
  async function pass(message: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(message);
    if (isChanging(message, body.toString())) changing.push(`${message.method} ${message.url}`);
    const { host: _, connection: __, ...headers } = message.headers;
    const given = Object.entries(headers).flatMap(([key, value]) =>
      typeof value === 'string' && key !== 'content-length' && key !== 'transfer-encoding'
        ? [[key, value] as const]
        : [],
    );
    const init = {
      method: message.method ?? 'GET',
      headers: new Headers(given.map(([key, value]): [string, string] => [key, value])),
    };
    const sent = isNormalising ? kept(body) : body;
    const answer = await fetch(`${home}${message.url}`, body.byteLength === 0 ? init : { ...init, body: sent });
    const type = answer.headers.get('content-type');
    response.writeHead(answer.status, type === null ? {} : { 'content-type': type });
    response.end(Buffer.from(await answer.arrayBuffer()));
  }
  const front = createServer((message, response) => void pass(message, response));
  await new Promise<void>((resolve) => front.listen(0, '127.0.0.1', resolve));
  const address = front.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const provider = started.provider(`http://127.0.0.1:${port}`);
  const http = new HttpClient(() => 0);
  return {
    changes: new Changes({ provider, record: started.record, http }),
    provider,
    changing,
    state: started.state,
    close: async () => {
      http.close();
      front.closeAllConnections();
      front.close();
      await started.close();
    },
  };
}
