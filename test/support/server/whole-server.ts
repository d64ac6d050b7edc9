import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Service } from '#adapters/services/definitions/service.ts';
import { readSettings } from '#bootstrap/config/settings.ts';
import { startPortolan } from '#bootstrap/portolan.ts';
import { allServices } from '#bootstrap/services.ts';
import { openLogger } from '#infrastructure/logging/logger.ts';
import { hiddenFields, PlainBrowser } from '#test/support/authorization/plain-browser.ts';
import { writeEmptySqlite } from '#test/support/persistence/empty-sqlite.ts';

export const adminPassword = 'the password of the tests';

/** The server in this process, with its own data folder. */
export type WholeServer = Readonly<{
  origin: string;
  dataDir: string;
  /** Its log so far, at level debug. */
  log(): string;
  /** A browser in which the first user has signed in. */
  signedIn(): Promise<PlainBrowser>;
  /** Stops it, keeping its folder. */
  stop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}>;

/** Starts it with further settings; in a folder that is there already, and with other services, when they are given. */
export async function startWholeServer(
  env: Readonly<Record<string, string>>,
  folder?: string,
  served: readonly Service[] = allServices,
): Promise<WholeServer> {
  const dataDir = folder ?? (await mkdtemp(join(tmpdir(), 'portolan-whole-')));
  if (folder === undefined) await writeEmptySqlite(join(dataDir, 'portolan.sqlite'));
  const lines: string[] = [];
  const logger = openLogger('debug', { write: (line: string) => void lines.push(line) });
  const given = { PORT: '0', DATA_DIR: dataDir, ADMIN_PASSWORD: adminPassword, ...env };
  const portolan = await startPortolan({ settings: readSettings(given, served), logger, version: '0.0.0' });
  const origin = `http://127.0.0.1:${portolan.port}`;
  let running = true;
  const stop = async (): Promise<void> => {
    if (running) await portolan.stop();
    running = false;
  };
  return {
    origin,
    dataDir,
    log: () => lines.join(''),
    signedIn: async () => {
      const browser = new PlainBrowser({ origin });
      const login = await browser.get('/login');
      const fields = hiddenFields(await login.text());
      await browser.post('/login', { ...fields, email: 'admin@localhost', password: adminPassword });
      return browser;
    },
    stop,
    [Symbol.asyncDispose]: async () => {
      await stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Sends JSON as the user of a browser. */
export async function sendJson(
  server: Pick<WholeServer, 'origin'>,
  browser: PlainBrowser,
  [method, path, body]: readonly [method: string, path: string, body?: unknown],
): Promise<Readonly<{ status: number; body: unknown }>> {
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const response = await fetch(`${server.origin}${path}`, {
    method,
    headers: { cookie, accept: 'application/json', 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? null : JSON.parse(text) };
}

/** The hidden fields of the one form of a page that leads to that address and concerns that service. */
export function formOf(html: string, action: string, service: string): Record<string, string> {
  const forms = html.match(/<form.*?<\/form>/gs) ?? [];
  const form = forms.find((text) => text.includes(`action="${action}"`) && text.includes(`value="${service}"`));
  if (form === undefined) throw new Error(`The page has no form ${action} for ${service}.`);
  return hiddenFields(form);
}
