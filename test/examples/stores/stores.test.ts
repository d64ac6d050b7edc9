import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as runner from 'vitest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { Clients } from '#application/ports/clients.ts';
import type { Leases } from '#application/ports/leases.ts';
import type { Users } from '#application/ports/users.ts';
import { createPortolan, type Portolan } from '#bootstrap/package/index.ts';
import { openLogger } from '#infrastructure/logging/logger.ts';
import { clientsContract } from '#test/contracts/clients.ts';
import type { Opened, OpenOptions } from '#test/contracts/kit/subject.ts';
import { leasesContract } from '#test/contracts/leases.ts';
import { usersContract } from '#test/contracts/users.ts';
import { vaultNotesContract } from '#test/contracts/vault-notes.ts';
import { FileUsers } from '#test/examples/config/file-users.ts';
import { FileClients } from '#test/examples/stores/file-clients.ts';
import { FolderNotes } from '#test/examples/stores/folder-notes.ts';
import { RedisLeases } from '#test/examples/stores/redis-leases.ts';
import { startRedis } from '#test/support/persistence/redis.ts';
import { post, serverSettings } from '#test/support/webhooks/webhook-server.ts';
import { issuePayload, trackerDelivery } from '#test/support/webhooks/webhook-tracker.ts';

const answer = z.object({ client_id: z.string(), client_secret: z.string() });
const newFolder = () => mkdtemp(join(tmpdir(), 'portolan-example-'));
const redis = await startRedis();

type ClientsFile = Opened<Clients> & Readonly<{ folder: string }>;

async function fileClients(folder: string, { max }: OpenOptions): Promise<ClientsFile> {
  const port = new FileClients(join(folder, 'clients.json'), max);
  return { port, folder, close: () => rm(folder, { recursive: true, force: true }) };
}

async function fileUsers(folder: string): Promise<Opened<Users> & Readonly<{ folder: string }>> {
  return { port: new FileUsers(folder), folder, close: () => rm(folder, { recursive: true, force: true }) };
}

clientsContract(runner, {
  name: 'a JSON file',
  open: async (options) => fileClients(await newFolder(), options),
  reopen: ({ folder }, options) => fileClients(folder, options),
  raw: ({ folder }) => readFile(join(folder, 'clients.json')),
  supports: { durable: true, processes: false },
});

usersContract(runner, {
  name: 'a JSON file',
  open: async () => fileUsers(await newFolder()),
  reopen: ({ folder }) => fileUsers(folder),
  supports: { durable: true, processes: false },
});

vaultNotesContract(runner, {
  name: 'a folder',
  open: async () => {
    const folder = await newFolder();
    return {
      port: new FolderNotes(join(folder, 'not there yet')),
      close: () => rm(folder, { recursive: true, force: true }),
    };
  },
  supports: { durable: false, processes: false, versions: true },
});

if (typeof redis === 'string') describe.skip(`leases in Redis: ${redis}`, () => it('has no server', () => undefined));
else {
  let opened = 0;
  const open = async (prefix: string): Promise<Opened<Leases> & Readonly<{ prefix: string }>> => {
    const leases = new RedisLeases(redis.url, prefix);
    return { port: leases, prefix, close: () => leases.close() };
  };
  leasesContract(runner, {
    name: 'Redis',
    open: () => {
      opened += 1;
      return open(`test ${process.pid} ${opened}:`);
    },
    reopen: async ({ prefix, close }) => {
      await close();
      return open(prefix);
    },
    beside: ({ prefix }) => open(prefix),
    supports: { durable: true, processes: true, clock: false },
  });
}

describe('a server with these stores', () => {
  let dataDir: string;
  let portolan: Portolan;
  const start = async (): Promise<Portolan> => {
    const { default: config } = await import('#test/examples/stores/portolan.config.ts');
    const opened = await createPortolan({ ...config, settings: serverSettings(dataDir), logger: openLogger('silent') });
    await opened.listen();
    return opened;
  };

  beforeAll(async () => {
    if (typeof redis !== 'string') process.env['REDIS_URL'] = redis.url;
    dataDir = await newFolder();
    portolan = await start();
  });
  afterAll(async () => {
    await portolan.stop();
    await rm(dataDir, { recursive: true, force: true });
    if (typeof redis !== 'string') await redis.stop();
    delete process.env['REDIS_URL'];
  });

  it('writes notes to the folder', async () => {
    expect((await post(portolan.baseUrl, trackerDelivery(issuePayload(Date.now())))).status).toBe(200);
    const notes = () => readdir(join(dataDir, 'notes', 'Issues')).catch(() => []);
    await expect.poll(notes, { timeout: 60_000 }).toEqual([expect.stringMatching(/\.md$/)]);
  });

  it('still has a registered app after a restart, and no readable secret in the file', async () => {
    const registration = { client_name: 'An app', redirect_uris: ['http://127.0.0.1:1/callback'] };
    const registered = await fetch(`${portolan.baseUrl}/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(registration),
    });
    const { client_id: id, client_secret: secret } = answer.parse(await registered.json());
    const stored = await readFile(join(dataDir, 'clients.json'), 'utf8');
    expect(stored).toContain(id);
    expect(stored).not.toContain(secret);
    await portolan.stop();
    portolan = await start();
    const query = new URLSearchParams({
      response_type: 'code',
      client_id: id,
      redirect_uri: 'http://127.0.0.1:1/callback',
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
    });
    const page = await fetch(`${portolan.baseUrl}/authorize?${query.toString()}`, { redirect: 'manual' });
    expect(page.status).toBeLessThan(400);
  });
});
