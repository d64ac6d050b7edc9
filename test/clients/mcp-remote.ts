// The bridge mcp-remote against the whole server, over both transports, with metadata off and on. Started by hand:
//   node bootstrap/node24.mjs test/clients/mcp-remote.ts
// It fetches the package; the person at the browser is played by posting the forms.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { allow } from '#test/support/auth-flow.ts';
import { openWholeServer, type WholeServer } from '#test/support/auth-server.ts';

const version = '0.15.1';
const tries = [
  ['off', '/message', 'http-only'],
  ['off', '/sse', 'sse-only'],
  ['on', '/message', 'http-only'],
  ['on', '/sse', 'sse-only'],
] as const;

for (const [metadata, path, transport] of tries) {
  await using server = await openWholeServer({ OAUTH_METADATA: metadata });
  const seen = await bridge(server, path, transport);
  process.stdout.write(`mcp-remote ${version}, metadata ${metadata}, ${path}: ${seen}\n`);
}

/** Connects through the bridge and tells how many tools came back, and what was authorized on the way. */
async function bridge(server: WholeServer, path: string, transport: string): Promise<string> {
  const configDir = await mkdtemp(join(tmpdir(), 'mcp-remote-'));
  const child = new StdioClientTransport({
    command: 'npx',
    args: ['--yes', `mcp-remote@${version}`, `${server.baseUrl}${path}`, '--transport', transport],
    env: { PATH: process.env['PATH'] ?? '', HOME: configDir, MCP_REMOTE_CONFIG_DIR: configDir, BROWSER: 'true' },
    stderr: 'pipe',
  });
  let told = '';
  let authorized = 0;
  child.stderr?.on('data', (chunk) => {
    told += String(chunk);
    const address = /https?:\/\/\S+\/authorize\?\S+/.exec(told)?.[0];
    if (address === undefined || authorized > 0) return;
    authorized += 1;
    visit(server, address).catch((error: unknown) => process.stderr.write(`${String(error)}\n${told}\n`));
  });
  const client = new Client({ name: 'by-hand', version: '1.0.0' });
  try {
    await client.connect(child, { timeout: 120_000 });
    const { tools } = await client.listTools();
    return `${tools.length} tools, ${authorized} authorization`;
  } catch (error) {
    process.stderr.write(`${told}\n`);
    throw error;
  } finally {
    await client.close();
    await rm(configDir, { recursive: true, force: true });
  }
}

/** Signs in, allows, and follows the redirect to the bridge's own callback. */
async function visit(server: WholeServer, address: string): Promise<void> {
  const { pathname, search } = new URL(address);
  const answer = await allow(server, `${pathname}${search}`);
  await fetch(answer.headers.get('location') ?? '');
}
