import type { LookupAddress } from 'node:dns';
import { createServer, type Server } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openFile } from '#adapters/services/requests/open-file.ts';
import { HttpClient } from '#infrastructure/http/http-client.ts';
import { type LoopbackServer, serveOnLoopback } from '#test/support/network/loopback-server.ts';

const once = { tries: 1, withinMs: 0 };

let provider: LoopbackServer;
let location: string;
let inside: Server;
let connections: number;
/** What the provider's name leads to: first when it is connected to, then when it is asked what it is. */
let addresses: string[];
let client: HttpClient;

const resolve = (_: string, give: (error: null, found: readonly LookupAddress[]) => void): void =>
  give(null, [{ address: addresses.shift() ?? '127.0.0.1', family: 4 }]);

beforeEach(async () => {
  connections = 0;
  provider = await serveOnLoopback((_, response) => response.writeHead(302, { location }).end());
  inside = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((settle) => {
    inside.listen(0, '127.0.0.1', settle);
  });
  const address = inside.address();
  location = `https://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}/file`;
  client = new HttpClient(() => 0, { resolve });
});
afterEach(async () => {
  client.close();
  await provider.close();
  await new Promise((settle) => inside.close(settle));
});

const download = () =>
  openFile(
    client,
    {
      method: 'GET',
      url: provider.url.replace('127.0.0.1', 'provider.example'),
      headers: { authorization: 'Bearer secret' },
      timeoutMs: 60_000,
      maxBytes: 1_000,
    },
    once,
  );

describe('a file at another address (OP-015)', () => {
  it('of a provider on the internet is not read from an internal address', async () => {
    addresses = ['127.0.0.1', '93.184.215.14'];
    expect(await download()).toMatchObject({ kind: 'error', reason: 'address' });
    expect(connections).toBe(0);
  });

  it('of an unknown provider is not read from an internal address', async () => {
    addresses = ['127.0.0.1'];
    client.close();
    client = new HttpClient(() => 0, {
      resolve: (_, give) =>
        give(
          null,
          addresses.splice(0).map((address) => ({ address, family: 4 })),
        ),
    });
    expect(await download()).toMatchObject({ kind: 'error', reason: 'address' });
    expect(connections).toBe(0);
  });

  it('of an internal provider may be read from an internal address', async () => {
    addresses = ['127.0.0.1', '127.0.0.1'];
    expect(await download()).toMatchObject({ kind: 'error', reason: 'network' });
    expect(connections).toBe(1);
  });

  it('of an internal provider is not read from a cloud metadata service', async () => {
    addresses = ['127.0.0.1', '10.0.0.1'];
    location = 'https://169.254.169.254/latest';
    expect(await download()).toMatchObject({ kind: 'error', reason: 'address' });
  });

  it('of a connection that must stay outside is not read from inside, whatever its name resolves to by then', async () => {
    addresses = ['127.0.0.1'];
    const bounded = client.within('public');
    const result = await openFile(
      bounded,
      {
        method: 'GET',
        url: provider.url.replace('127.0.0.1', 'provider.example'),
        headers: {},
        timeoutMs: 60_000,
        maxBytes: 1_000,
      },
      once,
    );
    expect(result).toMatchObject({ kind: 'error', reason: 'address' });
  });

  it.each(['http://127.0.0.1:1/file', 'https://user:secret@127.0.0.1/file', 'ftp://127.0.0.1/', 'https://['])(
    'is not read after a redirect to %s',
    async (elsewhere) => {
      location = elsewhere;
      addresses = ['127.0.0.1', '127.0.0.1'];
      expect(await download()).toMatchObject({ kind: 'answer', status: 302 });
      expect(connections).toBe(0);
    },
  );
});
