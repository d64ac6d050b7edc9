import { mkdtemp, rm } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LocalOperation } from '#adapters/services/requests/operation-table.ts';
import { localVaultOperations } from '#adapters/services/vault/operations/local.ts';
import { openapiYaml } from '#adapters/vault-rest/openapi.ts';
import { routesOf } from '#adapters/vault-rest/routes.ts';
import type { Logger } from '#application/ports/logger.ts';
import { type EmbeddedVaultOptions, startEmbeddedVault } from '#bootstrap/vault/start-embedded-vault.ts';

/** The key of the vaults that tests start. */
export const apiKey = 'test-key';

/** Saturday, 21 November 2026, noon, where the tests run. */
export const noon = new Date(2026, 10, 21, 12).getTime();

/** A vault over a temporary folder, and ways to ask it. */
export type TestVault = Readonly<{
  folder: string;
  url: string;
  /** Its operations as a caller in the same process has them. */
  local: ReadonlyMap<string, LocalOperation>;
  lines: readonly LogLine[];
  /** Asks with the key; the path is sent percent-encoded by `fetch`. */
  ask(method: string, path: string, options?: AskOptions): Promise<Response>;
  /** Asks for the very path that is given, which `fetch` would tidy up first. */
  askRaw(method: string, path: string, body?: string): Promise<{ status: number; body: string }>;
  /** The text of a note as the vault gives it, or the status. */
  read(path: string): Promise<string | number>;
  close(): Promise<void>;
}>;

type AskOptions = Readonly<{ body?: string | Uint8Array<ArrayBuffer>; headers?: Record<string, string> }>;
type LogLine = Readonly<{ level: string; message: string; fields: Readonly<Record<string, unknown>> }>;

/** Starts a vault on a free port; `close` ends it and removes the folder. */
export async function openTestVault(options: Partial<EmbeddedVaultOptions> = {}): Promise<TestVault> {
  const made = await mkdtemp(join(tmpdir(), 'vault-'));
  const folder = options.folder ?? join(made, 'notes');
  const lines: LogLine[] = [];
  const vault = await startEmbeddedVault({
    folder,
    listen: { host: '127.0.0.1', port: 0, apiKey },
    clock: { now: () => noon },
    logger: loggerInto(lines),
    ...options,
  });
  const url = vault.url ?? '';
  const ask: TestVault['ask'] = (method, path, { body, headers } = {}) =>
    fetch(url + path, {
      method,
      headers: { Authorization: `Bearer ${apiKey}`, ...headers },
      ...(body === undefined ? {} : { body }),
    });
  return {
    folder,
    url,
    local: localVaultOperations(vault, () => openapiYaml(routesOf(vault.vault))),
    lines,
    ask,
    askRaw: (method, path, body) => sendRaw(url, method, path, body),
    read: async (path) => {
      const answer = await ask('GET', `/vault/${path.split('/').map(encodeURIComponent).join('/')}`);
      return answer.status === 200 ? answer.text() : answer.status;
    },
    close: async () => {
      await vault.close();
      await rm(made, { recursive: true, force: true });
    },
  };
}

/** The headers of a PATCH of format 1.x. */
export function patchHeaders(
  operation: string,
  targetType: string,
  target: string,
  more: Record<string, string> = {},
): Record<string, string> {
  return {
    'Content-Type': 'text/markdown',
    'Markdown-Patch-Version': '1',
    Operation: operation,
    'Target-Type': targetType,
    Target: encodeURIComponent(target),
    ...more,
  };
}

function loggerInto(lines: LogLine[]): Logger {
  const at = (level: string) => (fields: Readonly<Record<string, unknown>>, message: string) => {
    lines.push({ level, message, fields });
  };
  const logger: Logger = {
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    child: () => logger,
  };
  return logger;
}

function sendRaw(url: string, method: string, path: string, body = ''): Promise<{ status: number; body: string }> {
  const { hostname, port } = new URL(url);
  const headers = { Authorization: `Bearer ${apiKey}`, 'Content-Type': 'text/markdown' };
  return new Promise((settle, fail) => {
    const sent = request({ hostname, port, method, path, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => settle({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() }));
      response.on('error', fail);
    });
    sent.on('error', fail);
    sent.end(body);
  });
}
