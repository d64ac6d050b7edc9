import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deriveKey } from '#infrastructure/crypto/derive-key.ts';
import { JweSessionTokens } from '#infrastructure/crypto/jwe-session-tokens.ts';
import { openWholeServer } from '#test/support/server/auth-server.ts';
import { programEnvironment } from '#test/support/server/program-environment.ts';
import { testedProgram } from '#test/support/server/tested-program.ts';
import { salesCrmSecret, signingKey, suiteCrmToken } from '#test/support/webhooks/webhook-senders.ts';
import { trackerSecret } from '#test/support/webhooks/webhook-tracker.ts';

/** What is attacked: the whole server with its four receivers, its administrator's token, and a way to add people. */
export type Target = Awaited<ReturnType<typeof openTarget>>;

/** What an answer of a target came to. `text` is the body; `reason` is that of a problem, null without one. */
export type Answer = Readonly<{ status: number; text: string; headers: Headers }>;

/** A call to a route: who it is by, and what goes along. */
export type Call = Readonly<{ token?: string; body?: unknown; headers?: Readonly<Record<string, string>> }>;

/** Opens a target; whoever opens it disposes of it. */
export async function openTarget(env: Readonly<Record<string, string>> = {}) {
  const server = await openWholeServer({
    RATE_LIMITS: 'off',
    SALES_CRM_CLIENT_SECRET: salesCrmSecret,
    SIGNING_WEBHOOK_KEY: signingKey,
    SUITE_CRM_WEBHOOK_TOKEN: suiteCrmToken,
    TRACKER_WEBHOOK_SECRET: trackerSecret,
    ...env,
  });
  const secret = (await readFile(join(server.dataDir, 'secret_key_base'), 'utf8')).trim();
  const sessions = new JweSessionTokens([deriveKey(secret, 'session')]);
  const tokenOf = (userId: number, issuedAt = Date.now()) => sessions.seal({ userId, issuedAt });
  const call = async (method: string, path: string, { token, body, headers = {} }: Call = {}): Promise<Answer> => {
    const response = await fetch(`${server.origin}${path}`, {
      method,
      redirect: 'manual',
      headers: {
        accept: 'application/json',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? null : typeof body === 'string' ? body : JSON.stringify(body),
    });
    return { status: response.status, text: await response.text(), headers: response.headers };
  };
  return {
    ...server,
    admin: await tokenOf(1),
    tokenOf,
    call,
    /** Calls a tool over MCP; the text of the answer. */
    tool: async (token: string, name: string, given: unknown): Promise<string> => {
      const params = { name, arguments: given };
      const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
      const headers = { accept: 'application/json, text/event-stream' };
      return (await call('POST', '/message', { token, body, headers })).text;
    },
    /** Adds somebody with these permissions; their token. The first who is added is user 2, and so on. */
    addUser: async (userId: number, ...permissions: readonly string[]): Promise<string> => {
      await command(server.dataDir, ['add', `user${userId}@example.com`, ...permissions], 'a password of theirs\n');
      return tokenOf(userId);
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

/** Runs `npm run user --` while the server runs, as its administrator would. */
async function command(dataDir: string, args: readonly string[], input: string): Promise<void> {
  const env = { ...programEnvironment(), DATA_DIR: dataDir };
  const child = spawn(process.execPath, [await testedProgram('bootstrap/cli/user.ts'), ...args], { env });
  child.stdin.end(input);
  const code = await new Promise((resolve) => child.once('close', resolve));
  if (code !== 0) throw new Error(`npm run user -- ${args.join(' ')} ended with ${String(code)}`);
}
