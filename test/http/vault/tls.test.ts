import { createServer as createHttpServer } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { GatewayProbe } from '#adapters/services/credentials/gateway-probe.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';
import { HttpClient } from '#infrastructure/http/http-client.ts';
import { onlyTokens, tokenRecord } from '#test/support/connections/token-record.ts';
import { certificates } from '#test/support/network/throw-away-certificates.ts';
import { sendJson, startWholeServer } from '#test/support/server/whole-server.ts';
import { operationsOver } from '#test/support/services/operations-over.ts';
import { vaultProvider } from '#test/support/services/providers.ts';

type Seen = Readonly<{ path: string; authorization: string | undefined }>;
type Identity = (typeof certificates)[keyof typeof certificates];

let server: Server;
let http: HttpClient;
let seen: Seen[];
/** What /vault-api.crt answers without a key; null: 401, as only the list of open routes allows. */
let published: string | null;

const portOf = (of: Pick<Server, 'address'>): number => {
  const address: AddressInfo | string | null = of.address();
  if (address === null || typeof address === 'string') throw new Error('It does not listen');
  return address.port;
};

function listen({ cert, key }: Identity, port = 0): Promise<Server> {
  const made = createServer({ cert, key }, ({ url = '', headers }, response) => {
    seen.push({ path: url, authorization: headers.authorization });
    const isCertificate = url === '/vault-api.crt' || url === '/obsidian-local-rest-api.crt';
    if (isCertificate && published !== null) return void response.end(published);
    if (url === '/') return void response.end('{"status":"OK"}');
    if (headers.authorization !== 'Bearer the-key') return void response.writeHead(401).end('{}');
    response.setHeader('content-type', 'application/json');
    response.end('{"commands":[]}');
  });
  return new Promise((settle) => made.listen(port, '127.0.0.1', () => settle(made)));
}

const end = (of: Readonly<{ close(done: () => void): unknown; closeAllConnections(): void }>): Promise<void> =>
  new Promise((settle) => {
    of.close(() => settle());
    of.closeAllConnections();
  });

const recordWith = (extra: Readonly<Record<string, unknown>>): TokenRecord =>
  tokenRecord('vault', { extra: { base_url: `https://127.0.0.1:${portOf(server)}`, ...extra } });

async function completed(extra: Readonly<Record<string, unknown>> = {}, dialect: 'neutral' | 'obsidian' = 'neutral') {
  const result = await new GatewayProbe([vaultProvider(dialect)], http).complete(recordWith(extra));
  if (!result.ok) throw new Error(result.failure.message);
  return result.value;
}

const list = (record: TokenRecord) =>
  operationsOver({
    providers: [vaultProvider('neutral')],
    tokens: onlyTokens(record),
    http,
  }).call({ userId: 1, service: 'vault', name: 'commands.list', input: {} });

beforeEach(async () => {
  seen = [];
  published = certificates.first.cert;
  http = new HttpClient(() => 0);
  server = await listen(certificates.first);
});
afterEach(async () => {
  http.close();
  await end(server);
});

describe('a vault with a self-signed certificate', () => {
  it('has its certificate read once and shown by its fingerprint, and is sent no key for it', async () => {
    const record = await completed();
    expect(record.extra).toMatchObject({ certificate_sha256: certificates.first.sha256 });
    expect(seen.map(({ path }) => path)).toContain('/vault-api.crt');
    expect(seen.every(({ authorization }) => authorization === undefined)).toBe(true);
  });

  it('has it read from where the vendor’s dialect keeps it', async () => {
    await completed({}, 'obsidian');
    expect(seen.map(({ path }) => path)).toContain('/obsidian-local-rest-api.crt');
  });

  it('is sent the key once its certificate is trusted, whatever name it is for (VAULT-007)', async () => {
    expect(await list(await completed())).toEqual({ ok: true, data: { commands: [] } });
  });

  it('has the certificate of the connection trusted if the file requires a key', async () => {
    published = null;
    const record = await completed();
    expect(record.extra['certificate_sha256']).toBe(certificates.first.sha256);
    expect(await list(record)).toMatchObject({ ok: true });
  });

  it('has the certificate of the connection trusted if the file is another one', async () => {
    published = certificates.second.cert;
    expect((await completed()).extra['certificate_sha256']).toBe(certificates.first.sha256);
  });

  it('is sent no key while it is not trusted, with a remedy', async () => {
    const outcome = await list(recordWith({}));
    expect(outcome).toMatchObject({ ok: false, reason: 'unavailable', message: expect.stringContaining('/page') });
    expect(seen).toEqual([]);
  });

  it('is sent no key once it shows another certificate, with a remedy (VAULT-007)', async () => {
    const record = await completed();
    const port = portOf(server);
    await end(server);
    seen = [];
    server = await listen(certificates.second, port);
    const outcome = await list(record);
    expect(outcome).toMatchObject({ ok: false, reason: 'unavailable' });
    expect(outcome.ok ? '' : outcome.message).toMatch(/another certificate.*connect the vault again/);
    expect(outcome.ok ? '' : outcome.message).toContain(certificates.first.sha256);
    expect(seen).toEqual([]);
  });

  it('keeps a certificate that was entered by hand, with its own fingerprint', async () => {
    const { extra } = await completed({ certificate: certificates.second.cert, certificate_sha256: 'another' });
    expect(extra['certificate_sha256']).toBe(certificates.second.sha256);
    expect(seen).toEqual([]);
  });

  it('has no certificate read if certificates are not verified (VAULT-007)', async () => {
    const record = await completed({ verify_ssl: false });
    expect(record.extra).toEqual({ base_url: record.extra['base_url'], verify_ssl: false });
    expect(await list(record)).toMatchObject({ ok: true });
  });

  it('has its fingerprint shown on the connections page, for the user to compare', async () => {
    await using portolan = await startWholeServer({});
    const browser = await portolan.signedIn();
    const save = (extra: object) =>
      sendJson(portolan, browser, [
        'POST',
        '/save',
        {
          service: 'vault',
          auth_method: 'api_key',
          access_token: 'the-key',
          extra: { base_url: `https://127.0.0.1:${portOf(server)}`, ...extra },
        },
      ]);
    const shown = async () =>
      /Trusted certificate<\/dt><dd><bdi>([^<]*)</.exec(await (await browser.get('/page')).text());
    expect(await save({})).toMatchObject({ status: 200, body: { state: 'connected' } });
    expect((await shown())?.[1]).toBe(`SHA-256 ${certificates.first.sha256}`);
    // What only looks like a fingerprint is none: nothing is trusted by it.
    expect(await save({ verify_ssl: false, certificate_sha256: 'AB:CD' })).toMatchObject({ status: 200 });
    expect(await shown()).toBeNull();
  });

  it('cannot be given an invalid certificate', async () => {
    const result = await new GatewayProbe([vaultProvider('neutral')], http).complete(recordWith({ certificate: 'no' }));
    expect(result).toMatchObject({ ok: false, failure: { reason: 'invalid_input' } });
  });
});

describe('an unreachable vault', () => {
  it('that is not running is reported as such, and not as an error of the record', async () => {
    const record = recordWith({});
    await end(server);
    expect(await new GatewayProbe([vaultProvider('neutral')], http).complete(record)).toMatchObject({ ok: true });
    expect(await list(record)).toMatchObject({
      ok: false,
      reason: 'unavailable',
      message: expect.stringContaining('is the notes app running'),
    });
    server = await listen(certificates.first);
  });

  it('that does not speak TLS is reported as such', async () => {
    const plain = createHttpServer((_, response) => response.end());
    await new Promise<void>((settle) => {
      plain.listen(0, '127.0.0.1', settle);
    });
    const outcome = await list(recordWith({ base_url: `https://127.0.0.1:${portOf(plain)}` }));
    await end(plain);
    expect(outcome).toMatchObject({ ok: false, message: expect.stringContaining('does not speak TLS') });
  });
});
