import { describe, expect, it, vi } from 'vitest';
import { allServices } from '#bootstrap/services.ts';
import config from '#test/examples/mcp-server/portolan.config.ts';
import { appAt, namesOf, textOf } from '#test/support/remote-servers/remote-harness.ts';
import { startWholeServer } from '#test/support/server/whole-server.ts';

describe('the configuration of docs/extending.md with MCP servers', () => {
  it('has a tool of its program answer, and one of its address wait for a key (REMOTE-001)', async () => {
    const services = typeof config.services === 'function' ? [] : (config.services ?? []);
    const server = await startWholeServer({}, undefined, [...allServices, ...services]);
    const client = await appAt(server);
    try {
      await vi.waitFor(
        async () => expect(await namesOf(client, 'other')).toEqual(['other_add', 'other_variables']),
        15_000,
      );
      expect(await textOf(client, 'other_add', { a: 1, b: 2 })).toContain('3');
      const page = await (await server.signedIn()).get('/page');
      expect(await page.text()).toContain('Wiki');
    } finally {
      await client.close();
      await server[Symbol.asyncDispose]();
    }
  });
});
