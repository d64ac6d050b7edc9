import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { allow } from '#test/support/authorization/auth-flow.ts';
import { type ClientHarness, openClientHarness } from '#test/support/mcp/client-harness.ts';
import { useEachMethod } from '#test/support/mcp/client-work.ts';
import { fetchedCommand, reportSkipped } from '#test/support/network/fetched-command.ts';
import { programEnvironment } from '#test/support/server/program-environment.ts';

const remote = await fetchedCommand('mcp-remote@0.15.1', 'mcp-remote');
reportSkipped(remote);

describe.skipIf(remote.file === null).each(['on', 'off'])(
  'the bridge mcp-remote, with OAUTH_METADATA=%s',
  (metadata) => {
    let harness: ClientHarness;
    beforeAll(async () => {
      harness = await openClientHarness({ OAUTH_METADATA: metadata });
    });
    afterAll(() => harness[Symbol.asyncDispose]());

    it.each([
      ['/message', 'http-only'],
      ['/sse', 'sse-only'],
    ])('has its user sign in once, and passes everything on to %s', async (path, transport) => {
      const home = await mkdtemp(join(tmpdir(), 'portolan-mcp-remote-'));
      const child = new StdioClientTransport({
        command: process.execPath,
        args: [remote.file ?? '', `${harness.baseUrl}${path}`, '--transport', transport],
        env: { ...programEnvironment(), HOME: home, MCP_REMOTE_CONFIG_DIR: home, BROWSER: 'true' },
        stderr: 'pipe',
      });
      const signedIn = personAt(harness, child);
      const client = new Client({ name: 'behind the bridge', version: '1.0.0' });
      await client.connect(child, { timeout: 110_000 });
      await useEachMethod(client, harness, `Bridge ${path.slice(1)}`);
      expect(signedIn()).toBe(1);
      await client.close();
      await rm(home, { recursive: true, force: true });
    });
  },
);

/** A person who signs in and allows at the address that the bridge prints, and follows the redirect back to it; how often so far. */
function personAt({ server }: ClientHarness, { stderr }: StdioClientTransport): () => number {
  let output = '';
  let times = 0;
  stderr?.on('data', (chunk) => {
    output += String(chunk);
    const address = /https?:\/\/\S+\/authorize\?\S+\s/.exec(output)?.[0];
    if (address === undefined) return;
    output = output.slice(output.indexOf(address) + address.length);
    times += 1;
    const { pathname, search } = new URL(address);
    void allow(server, `${pathname}${search}`).then((answer) => fetch(answer.headers.get('location') ?? ''));
  });
  return () => times;
}
