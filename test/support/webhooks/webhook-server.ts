import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { readSettings } from '#bootstrap/config/settings.ts';
import { type RunningPortolan, startPortolan } from '#bootstrap/portolan.ts';
import type { Delivery } from '#domain/webhooks/delivery.ts';
import { openLogger } from '#infrastructure/logging/logger.ts';
import { writeEmptySqlite } from '#test/support/persistence/empty-sqlite.ts';
import { programEnvironment } from '#test/support/server/program-environment.ts';
import { salesCrmSecret, signingKey, suiteCrmToken } from '#test/support/webhooks/webhook-senders.ts';
import { trackerSecret } from '#test/support/webhooks/webhook-tracker.ts';

/** The administrator of the tests' servers. */
export const admin = { email: 'ada@example.com', password: 'a password of ours' };

/** How long after an answer the next look is. */
const pollMs = 50;

/** The scraper's token. */
export const metricsToken = 'the-token-of-the-scraper';

/** The environment of a child process: nothing of ours but what is given (the test runner sets BASE_URL). */
export function childEnv(settings: Readonly<Record<string, string>>): Record<string, string> {
  return { ...programEnvironment(), ...settings };
}

/** The settings of a server on a free port with all four receivers, in a folder. */
export function serverSettings(dataDir: string, more: Readonly<Record<string, string>> = {}) {
  return {
    HOST: '127.0.0.1',
    PORT: '0',
    DATA_DIR: dataDir,
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
    RATE_LIMITS: 'off',
    LOG_LEVEL: 'silent',
    METRICS_TOKEN: metricsToken,
    SALES_CRM_CLIENT_SECRET: salesCrmSecret,
    SIGNING_WEBHOOK_KEY: `a former key,${signingKey}`,
    SUITE_CRM_WEBHOOK_TOKEN: suiteCrmToken,
    TRACKER_WEBHOOK_SECRET: trackerSecret,
    ...more,
  };
}

/** A folder for a server's data, with a database that has all tables, and how to remove it. */
export async function serverFolder(): Promise<Readonly<{ path: string; remove(): Promise<void> }>> {
  const path = await mkdtemp(join(tmpdir(), 'portolan-hooks-'));
  await writeEmptySqlite(join(path, 'portolan.sqlite'));
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 5 }) };
}

/** Starts the whole server in this process. */
export function startServer(dataDir: string, more: Readonly<Record<string, string>> = {}): Promise<RunningPortolan> {
  const settings = readSettings(serverSettings(dataDir, more));
  return startPortolan({ settings, logger: openLogger('silent'), version: '0.0.0' });
}

/** Sends a delivery over HTTP, until `signal` aborts. */
export function post(
  baseUrl: string,
  { service, headers, query, body }: Delivery,
  signal: AbortSignal | null = null,
): Promise<Response> {
  const parameters = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, textOf(value)]),
  );
  const address = `${baseUrl}/webhooks/${service}?${parameters.toString()}`;
  const sent = Object.entries(headers).map(([name, value]): [string, string] => [name, textOf(value)]);
  return fetch(address, { method: 'POST', headers: sent, body: Uint8Array.from(body), signal });
}

const textOf = (value: string | readonly string[] | undefined) => [value ?? ''].flat().join(',');

/** The figures of /metrics whose name begins so, by their whole name. */
export async function figures(baseUrl: string, prefix: string): Promise<Readonly<Record<string, number>>> {
  const response = await fetch(`${baseUrl}/metrics`, { headers: { authorization: `Bearer ${metricsToken}` } });
  const lines = (await response.text()).split('\n').filter((line) => line.startsWith(prefix));
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]),
  );
}

/** Resolves when nothing waits or is being worked on. */
export async function settled(baseUrl: string): Promise<void> {
  const name = 'portolan_webhook_inbox_entries';
  for (;;) {
    const depth = await figures(baseUrl, name);
    if (depth[`${name}{state="pending"}`] === 0 && depth[`${name}{state="leased"}`] === 0) return;
    // Asking at once again would take the processor from what is waited for.
    await delay(pollMs);
  }
}

/** The notes of a server with the embedded vault: their texts by path. */
export async function notesOf(dataDir: string): Promise<Readonly<Record<string, string>>> {
  const root = join(dataDir, 'vault');
  const found = await readdir(root, { recursive: true });
  const paths = found.filter((path) => path.endsWith('.md')).sort();
  return Object.fromEntries(
    await Promise.all(paths.map(async (path) => [path, await readFile(join(root, path), 'utf8')])),
  );
}

/** A browser's cookie of the signed-in administrator. */
export async function signIn(baseUrl: string, { email, password } = admin): Promise<string> {
  const page = await fetch(`${baseUrl}/login`);
  const browser = page.headers.getSetCookie().map((cookie) => cookie.split(';')[0]);
  const hidden = [...(await page.text()).matchAll(/type="hidden" name="([^"]+)" value="([^"]*)"/g)];
  const fields = new URLSearchParams(hidden.map(([, name = '', value = '']): [string, string] => [name, value]));
  fields.set('email', email);
  fields.set('password', password);
  const headers = { cookie: browser.join('; ') };
  const answer = await fetch(`${baseUrl}/login`, { method: 'POST', body: fields, headers, redirect: 'manual' });
  const session = answer.headers.getSetCookie().map((cookie) => cookie.split(';')[0]);
  if (!session.some((cookie) => cookie?.startsWith('user='))) throw new Error(`not signed in: ${answer.status}`);
  return [...browser, ...session].join('; ');
}
