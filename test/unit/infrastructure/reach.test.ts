import type { LookupAddress } from 'node:dns';
import type { RequestListener } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HttpClient } from '#infrastructure/http/http-client.ts';
import type { HttpRequest } from '#infrastructure/http/http-messages.ts';
import { type LoopbackServer, serveOnLoopback } from '#test/support/network/loopback-server.ts';

let server: LoopbackServer;
let seen: number;
let answers: string[][];
let client: HttpClient;

/** Names lead to what is left of the answers, the last of which stays. */
const resolve = (_: string, give: (error: null, addresses: readonly LookupAddress[]) => void): void => {
  const addresses = answers.length > 1 ? (answers.shift() ?? []) : (answers[0] ?? []);
  give(
    null,
    addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
  );
};

beforeEach(async () => {
  seen = 0;
  const listener: RequestListener = (_, response) => {
    seen += 1;
    response.end('inside');
  };
  server = await serveOnLoopback(listener);
  client = new HttpClient(() => 0, { resolve });
});
afterEach(async () => {
  client.close();
  await server.close();
});

const request = (host: string): HttpRequest => ({
  method: 'GET',
  url: `http://${host}:${new URL(server.url).port}/`,
  headers: {},
  timeoutMs: 60_000,
  maxBytes: 1_000,
});
const refused = { kind: 'error', reason: 'address' };

describe('a request that may only reach public addresses', () => {
  it.each([
    '127.0.0.1',
    'localhost.',
    '2130706433',
    '0x7f.1',
    '0177.0.0.1',
    '127.1',
    '[::1]',
    '[::ffff:127.0.0.1]',
    '0.0.0.0',
    '0',
  ])('is not sent to %s', async (host) => {
    answers = [['127.0.0.1']];
    expect(await client.within('public').send(request(host))).toMatchObject(refused);
    expect(await client.within('public').open(request(host))).toMatchObject(refused);
    expect(seen).toBe(0);
  });

  it('is not sent if the name resolves to an internal address, and says which', async () => {
    answers = [['10.1.2.3']];
    const result = await client.within('public').send(request('notes.example'));
    expect(result).toMatchObject({ ...refused, message: expect.stringContaining('notes.example leads to 10.1.2.3') });
  });

  it('is not sent if the name resolves to another address when it connects', async () => {
    answers = [['93.184.215.14'], ['127.0.0.1']];
    const bounded = client.within('public');
    expect(await bounded.rejectionOf(request('notes.example').url)).toBeNull();
    expect(await bounded.send(request('notes.example'))).toMatchObject(refused);
    expect(seen).toBe(0);
  });

  it('does not use a connection that another request has left open', async () => {
    answers = [['127.0.0.1']];
    expect(await client.send(request('notes.example'))).toMatchObject({ kind: 'answer' });
    expect(await client.within('private').send(request('notes.example'))).toMatchObject({ kind: 'answer' });
    expect(await client.within('public').send(request('notes.example'))).toMatchObject(refused);
    expect(seen).toBe(2);
  });

  it('learns no certificate of an internal server', async () => {
    answers = [['127.0.0.1']];
    for (const host of ['127.0.0.1', 'notes.example']) {
      const url = request(host).url.replace('http:', 'https:');
      expect(await client.within('public').certificateOf(url, 500)).toBeNull();
    }
    expect(seen).toBe(0);
  });
});

describe('a request that may reach private addresses', () => {
  it('is sent to this machine, by number and by name', async () => {
    answers = [['127.0.0.1']];
    for (const host of ['127.0.0.1', 'notes.example']) {
      expect(await client.within('private').send(request(host))).toMatchObject({ kind: 'answer', status: 200 });
    }
  });

  it.each(['169.254.169.254', 'fe80::1', '0.0.0.0', '::ffff:169.254.169.254', 'fd00:ec2::254', '64:ff9b::a9fe:a9fe'])(
    'is not sent to %s, by number or by name',
    async (address) => {
      answers = [[address]];
      const literal = address.includes(':') ? `[${address}]` : address;
      for (const host of [literal, 'metadata.example']) {
        expect(await client.within('private').send(request(host)), host).toMatchObject(refused);
      }
    },
  );

  it('skips the addresses of a name that are out of reach', async () => {
    answers = [['169.254.169.254', '127.0.0.1']];
    expect(await client.within('private').send(request('notes.example'))).toMatchObject({ kind: 'answer' });
  });
});

it('a name that resolves to nothing is not refused, but cannot be found', async () => {
  answers = [[]];
  expect(await client.within('public').rejectionOf(request('notes.example').url)).toBeNull();
  const result = await client.within('public').send(request('notes.example'));
  expect(result).toMatchObject({ kind: 'error', reason: 'network', code: 'ENOTFOUND' });
});
