import { Readable } from 'node:stream';
import { HttpProviderGrants } from '#adapters/services/credentials/provider-grants.ts';
import { isFileContent } from '#domain/operations/file-content.ts';
import type { Outcome } from '#domain/operations/outcome.ts';
import { failed } from '#domain/operations/outcome.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { err, ok } from '#domain/shared/result.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';
import { HttpClient } from '#infrastructure/http/http-client.ts';
import { app } from '#test/emulators/suite-crm/accounts.ts';
import {
  type EmulatorOptions,
  type SuiteCrmEmulator,
  startSuiteCrmEmulator,
} from '#test/emulators/suite-crm/suite-crm-emulator.ts';
import { tokenRecord } from '#test/support/connections/token-record.ts';
import { documentedTools } from '#test/support/mcp/documented-tools.ts';
import { neutralNames } from '#test/support/services/five-services.ts';
import { operationsOver } from '#test/support/services/operations-over.ts';
import { suiteCrmProvider } from '#test/support/services/providers.ts';

/** An emulator with the real gateway in front of it, signed in as one user. */
export type Harness = Readonly<{
  emulator: SuiteCrmEmulator;
  call(name: string, input?: unknown): Promise<Outcome>;
  /** The data of a call that has to work. */
  data(name: string, input?: unknown): Promise<unknown>;
  /** Calls a tool, whose answer has to fit the schema that it has published. */
  tool: ReturnType<typeof documentedTools>;
  /** Connects by OAuth at a data centre, as a browser would, and calls with what was given from then on. */
  connect(center: string): Promise<TokenRecord>;
  record(): TokenRecord;
  keep(record: TokenRecord): void;
  close(): Promise<void>;
}>;

const redirectUri = 'http://127.0.0.1:1/connect/suite_crm/callback';

/** Starts both; `extra` is the connection's. */
export async function openHarness(options: EmulatorOptions, extra: TokenRecord['extra'] = {}): Promise<Harness> {
  const emulator = await startSuiteCrmEmulator(options);
  const provider = suiteCrmProvider({
    dialect: options.dialect,
    url: `${emulator.url}/{data_center}`,
    authorizeUrl: `${emulator.url}/{data_center}/oauth/v2/auth`,
    tokenUrl: `${emulator.url}/{data_center}/oauth/v2/token`,
  });
  const http = new HttpClient(() => 0);
  const facts = provider.oauth;
  if (facts === null) throw new Error('The suite CRM has OAuth.');
  const known = { name: neutralNames.of('suite_crm'), facts, app: { ...app, scopes: null } };
  const grants = new HttpProviderGrants(new Map<ServiceKey, typeof known>([['suite_crm', known]]), http, {
    now: () => Date.now(),
  });
  let record = permanent(extra);
  const gateway = operationsOver({
    providers: [provider],
    http,
    tokens: {
      find: async () => ok(record),
      renew: async (refused) => {
        const renewed = await grants.renew(refused);
        if (!renewed.ok)
          return err(failed('not_connected', renewed.failure.message, { details: renewed.failure.reason }));
        record = renewed.value;
        return renewed;
      },
    },
  });
  const call = (name: string, input: unknown = {}) => gateway.call({ userId: 1, service: 'suite_crm', name, input });
  return {
    emulator,
    call,
    tool: documentedTools(provider, gateway),
    data: async (name, input) => {
      const outcome = await call(name, input);
      if (!outcome.ok) throw new Error(`${name}: ${outcome.reason}: ${outcome.message}`);
      return outcome.data;
    },
    connect: async (center) => {
      const chosen = { data_center: center };
      const begun = grants.begin('suite_crm', { userId: 1, state: 'the-state', redirectUri, extra: chosen });
      if (!begun.ok) throw new Error(begun.failure.message);
      const consent = await fetch(begun.value.url, { redirect: 'manual' });
      const query = Object.fromEntries(new URL(consent.headers.get('location') ?? '').searchParams);
      const callback = { service: 'suite_crm', query, redirectUri, extra: {}, codeVerifier: null, userId: 1 } as const;
      const granted = await grants.exchange(callback);
      if (!granted.ok) throw new Error(granted.failure.message);
      record = granted.value;
      return record;
    },
    record: () => record,
    keep: (kept) => {
      record = kept;
    },
    close: async () => {
      http.close();
      await emulator.close();
    },
  };
}

function permanent(extra: TokenRecord['extra']): TokenRecord {
  return tokenRecord('suite_crm', { accessToken: 'emulated-token', extra });
}

/** The text of an outcome that is a file. */
export async function textOf(data: unknown): Promise<string> {
  if (!isFileContent(data)) throw new Error('not a file');
  return Buffer.concat(await Readable.from(data.bytes).toArray()).toString();
}
