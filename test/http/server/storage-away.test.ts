import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { PlainBrowser } from '#test/support/authorization/plain-browser.ts';
import { startWholeServer, type WholeServer } from '#test/support/server/whole-server.ts';
import { post } from '#test/support/webhooks/webhook-server.ts';
import { issuePayload, trackerDelivery, trackerSecret } from '#test/support/webhooks/webhook-tracker.ts';

const isReadyWithin = { timeout: 30_000, interval: 50 };
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

function call(method: string, path: string, body?: unknown): Promise<Response> {
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const headers = { cookie, origin: server.origin, accept: 'application/json', 'content-type': 'application/json' };
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

/** Everything in a folder, with the contents of its files. */
function contentsOf(folder: string): readonly string[] {
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

const toMoved = (path: string) => renameSync(path, `${server.dataDir}.moved`);
const back = (path: string) => {
  rmSync(path, { recursive: true, force: true });
  renameSync(`${server.dataDir}.moved`, path);
};

describe('a folder of notes that is not the one that was opened', () => {
  it.each<[string, RegExp, () => void]>([
    ['is gone', /no longer there/, () => toMoved(vault)],
    ['is an empty one', /empty folder/, () => (toMoved(vault), mkdirSync(vault))],
    ['is of another database', /Another folder/, () => (toMoved(vault), makeForeign(vault))],
    [
      'is a link',
      /a link/,
      () => {
        toMoved(vault);
        makeForeign(`${server.dataDir}.other`);
        symlinkSync(`${server.dataDir}.other`, vault);
      },
    ],
    ['is a file', /A file/, () => (toMoved(vault), writeFileSync(vault, ''))],
  ])(
    'and %s stops what needs it, is left as it is, and is used again when it is back (RUN-028, RUN-030, EMB-021)',
    async (_, words, spoil) => {
      spoil();
      const left = existsSync(vault) ? contentsOf(server.dataDir) : null;
      expect(await readiness()).toMatch(words);
      const refused = await put('New/B.md');
      expect(refused.status).toBe(502);
      expect(await refused.json()).toMatchObject({
        reason: 'unavailable',
        detail: expect.stringMatching(/goes on by itself/),
      });
      expect((await call('GET', 'A.md')).status).toBe(502);
      const refusedDelivery = await deliver();
      expect(refusedDelivery.status).toBe(503);
      expect(Number(refusedDelivery.headers.get('retry-after'))).toBeGreaterThan(0);
      await expect.poll(() => linesWith('"place":"vault"').length, isReadyWithin).toBe(1);
      if (left !== null) expect(contentsOf(server.dataDir)).toEqual(left);
      else expect(existsSync(vault)).toBe(false);

      back(vault);
      await expect.poll(readiness, isReadyWithin).toBe('ready');
      expect(await (await call('GET', 'A.md')).json()).toMatchObject({ data: expect.stringContaining('text') });
      expect((await put('New/B.md')).status).toBe(200);
      expect((await deliver()).status).toBe(200);
      await expect.poll(() => existsSync(join(vault, note)), isReadyWithin).toBe(true);
      expect(linesWith('is dead')).toEqual([]);
    },
  );
});
