import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PlainBrowser } from '#test/support/authorization/plain-browser.ts';
import { spoilIndex } from '#test/support/persistence/spoiled-index.ts';
import { startWholeServer, type WholeServer } from '#test/support/server/whole-server.ts';
import { post } from '#test/support/webhooks/webhook-server.ts';
import { issuePayload, trackerDelivery, trackerSecret } from '#test/support/webhooks/webhook-tracker.ts';

const patiently = { timeout: 30_000, interval: 50 };
const note = 'Issues/ENG-7 Fix login.md';

let server: WholeServer;
let browser: PlainBrowser;
let vault: string;
let deliveries = 0;

beforeEach(async () => {
  server = await startWholeServer({ TRACKER_WEBHOOK_SECRET: trackerSecret });
  vault = join(server.dataDir, 'vault');
  browser = await server.signedIn();
  expect((await put('A.md')).status).toBe(200);
});
afterEach(async () => {
  await server[Symbol.asyncDispose]();
  for (const path of [`${server.dataDir}.moved`, `${server.dataDir}.other`])
    rmSync(path, { recursive: true, force: true });
});

const put = (path: string) => call('PUT', path, { content: 'text\n' });

function headersOf() {
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  return { cookie, origin: server.origin, accept: 'application/json', 'content-type': 'application/json' };
}

function call(method: string, path: string, body?: unknown): Promise<Response> {
  const headers = headersOf();
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  return fetch(`${server.origin}/api/vault/vault/${encodeURIComponent(path)}`, { method, headers, ...sent });
}

function deliver(): Promise<Response> {
  deliveries += 1;
  return post(server.origin, trackerDelivery(issuePayload(Date.now()), { 'tracker-delivery': `d${deliveries}` }));
}

/** What `/readyz` says: the reason why the server is not ready, or 'ready'. */
async function readiness(): Promise<unknown> {
  const response = await fetch(`${server.origin}/readyz`);
  const body: unknown = await response.json();
  expect(response.status).toBe(Object(body).status === 'ok' ? 200 : 503);
  return Object(body).reason ?? 'ready';
}

const linesWith = (word: string) =>
  server
    .log()
    .split('\n')
    .filter((line) => line.includes(word));

/** Everything in a folder, with the contents of its files; the text of a file; null where there is nothing. */
function contentsOf(folder: string): readonly string[] | string | null {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (found?.isDirectory() !== true) return found === undefined ? null : readFileSync(folder, 'utf8');
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  return entries.map((entry) => {
    const path = join(entry.parentPath, entry.name);
    return entry.isFile() ? `${path}: ${readFileSync(path, 'utf8')}` : path;
  });
}

/** Another team's folder of notes. */
function makeForeign(path: string): void {
  mkdirSync(join(path, '.portolan'), { recursive: true });
  writeFileSync(join(path, '.portolan', 'vault.json'), '{"id":"another"}');
  writeFileSync(join(path, 'A.md'), 'a foreign note\n');
}

async function search(query: string): Promise<readonly { filename: string }[]> {
  const body = JSON.stringify({ query });
  const response = await fetch(`${server.origin}/api/vault/search/simple/`, {
    method: 'POST',
    headers: headersOf(),
    body,
  });
  return Object(await response.json()).data;
}

const toMoved = (path: string) => renameSync(path, `${server.dataDir}.moved`);
const back = (path: string) => {
  rmSync(path, { recursive: true, force: true });
  renameSync(`${server.dataDir}.moved`, path);
};

/** What takes the place of the folder of notes. */
const inPlaceOfNotes = {
  nothing: () => undefined,
  empty: () => mkdirSync(vault),
  foreign: () => makeForeign(vault),
  file: () => writeFileSync(vault, ''),
  link: () => {
    makeForeign(`${server.dataDir}.other`);
    symlinkSync(`${server.dataDir}.other`, vault);
  },
} as const;

describe('a notes folder that was replaced', () => {
  it.each([
    ['is gone', /no longer exists/, 'nothing'],
    ['is an empty one', /not mounted/, 'empty'],
    ['is of another database', /another folder/, 'foreign'],
    ['is a link', /a link/, 'link'],
    ['is a file', /by a file/, 'file'],
  ] as const)(
    'and %s stops what needs it, is not changed, and is used again when it is back (RUN-028, RUN-030, RUN-031, EMB-020)',
    async (_, words, kind) => {
      toMoved(vault);
      inPlaceOfNotes[kind]();
      const left = contentsOf(vault);
      expect(await readiness()).toMatch(words);
      expect(await readiness()).not.toContain(server.dataDir);
      const refused = await put('New/B.md');
      expect(refused.status).toBe(502);
      const detail = expect.stringMatching(/automatically/);
      expect(await refused.json()).toMatchObject({ reason: 'unavailable', detail });
      expect((await call('GET', 'A.md')).status).toBe(502);
      const delivered = await deliver();
      expect(delivered.status).toBe(503);
      expect(Number(delivered.headers.get('retry-after'))).toBeGreaterThan(0);
      await expect.poll(() => linesWith('"place":"vault"').length, patiently).toBe(1);
      expect(contentsOf(vault)).toEqual(left);

      back(vault);
      await expect.poll(readiness, patiently).toBe('ready');
      expect(await (await call('GET', 'A.md')).json()).toMatchObject({ data: expect.stringContaining('text') });
      expect((await put('New/B.md')).status).toBe(200);
      expect((await deliver()).status).toBe(200);
      await expect.poll(() => existsSync(join(vault, note)), patiently).toBe(true);
      await expect.poll(() => linesWith('"place":"vault"').length, patiently).toBe(2);
      expect(linesWith('is dead')).toEqual([]);
    },
  );

  it('is used again if the disk with its marker is mounted elsewhere (RUN-031)', async () => {
    toMoved(vault);
    expect(await readiness()).not.toBe('ready');
    cpSync(`${server.dataDir}.moved`, vault, { recursive: true });
    writeFileSync(join(vault, 'C.md'), 'albatross\n');
    await expect.poll(readiness, patiently).toBe('ready');
    const found = async () => (await search('albatross')).map(({ filename }) => filename);
    await expect.poll(found, patiently).toEqual(['C.md']);
    // Its changes are seen from then on.
    writeFileSync(join(vault, 'D.md'), 'albatross\n');
    await expect.poll(found, patiently).toEqual(['C.md', 'D.md']);
  });

  it('and has lost its marker only pauses work until the marker is back (RUN-028, RUN-031)', async () => {
    const marker = join(vault, '.portolan', 'vault.json');
    const text = readFileSync(marker, 'utf8');
    rmSync(marker);
    expect(await readiness()).toMatch(/vault\.json/);
    expect((await put('New/B.md')).status).toBe(502);
    writeFileSync(marker, text);
    await expect.poll(readiness, patiently).toBe('ready');
    expect((await put('New/B.md')).status).toBe(200);
  });

  it('keeps everything indexed, and reports no note as deleted (EMB-020)', async () => {
    const listed = async () => Object(await (await call('GET', '')).json()).data;
    await expect.poll(listed, patiently).toMatchObject({ files: ['A.md'] });
    toMoved(vault);
    await expect.poll(() => linesWith('"place":"vault"').length, patiently).toBe(1);
    back(vault);
    // Before it is looked at again, and after.
    expect(await listed()).toMatchObject({ files: ['A.md'] });
    await expect.poll(() => linesWith('"place":"vault"').length, patiently).toBe(2);
    expect(await listed()).toMatchObject({ files: ['A.md'] });
  });
});

describe('a data folder that was replaced', () => {
  const contents = () => contentsOf(server.dataDir);

  it('is not created again after its deletion: deliveries are refused, and nothing is acknowledged (RUN-028, EMB-020)', async () => {
    rmSync(server.dataDir, { recursive: true });
    expect(await readiness()).toMatch(/^The database cannot be used: its file no longer exists/);
    expect((await deliver()).status).toBe(503);
    expect((await put('New/B.md')).status).not.toBe(200);
    expect((await fetch(`${server.origin}/healthz`)).status).toBe(200);
    await expect.poll(() => linesWith('"place":"database"').length, patiently).toBe(1);
    await server.stop();
    expect(contents()).toBeNull();
  });

  it('is not used while another database is in its place, and is used again when it is back (RUN-028, RUN-031)', async () => {
    toMoved(server.dataDir);
    await using other = await startWholeServer({});
    await other.stop();
    cpSync(other.dataDir, server.dataDir, { recursive: true });
    const left = contents();
    expect(await readiness()).toMatch(/its file was replaced by another/);
    expect((await deliver()).status).toBe(503);
    await expect.poll(() => linesWith('"place":"database"').length, patiently).toBe(1);
    expect(contents()).toEqual(left);
    back(server.dataDir);
    await expect.poll(readiness, patiently).toBe('ready');
    expect((await deliver()).status).toBe(200);
    await expect.poll(() => existsSync(join(vault, note)), patiently).toBe(true);
  });

  it('is not changed by a stop while another one is in its place (EMB-020)', async () => {
    toMoved(server.dataDir);
    await using other = await startWholeServer({});
    await other.stop();
    cpSync(other.dataDir, server.dataDir, { recursive: true });
    const left = contents();
    await server.stop();
    expect(contents()).toEqual(left);
  });
});

it('damage in a large database is found while the server runs, which then acknowledges nothing (RUN-032)', async () => {
  await server.stop();
  spoilIndex(join(server.dataDir, 'portolan.sqlite'), 65 * 1_048_576);
  await using again = await startWholeServer({ TRACKER_WEBHOOK_SECRET: trackerSecret }, server.dataDir);
  const reason = async () => Object(await (await fetch(`${again.origin}/readyz`)).json()).reason;
  await expect.poll(reason, patiently).toMatch(/^The database cannot be used: it is damaged/);
  expect(
    (await post(again.origin, trackerDelivery(issuePayload(Date.now()), { 'tracker-delivery': 'd' }))).status,
  ).toBe(503);
  await expect.poll(() => again.log(), patiently).toMatch(/"place":"integrity".*missing from index/);
});
