import { expect, it } from 'vitest';
import type { MessageEndpoint } from '#adapters/contracts/mcp-exchange.ts';
import { rootRoutes } from '#adapters/http/home/root-routes.ts';
import { mcpRoutes } from '#adapters/http/mcp-routes.ts';
import { openAuthApp } from '#test/support/authorization/auth-app.ts';

const endpoint: MessageEndpoint = {
  maxMessageBytes: 1_000,
  message: async () => ({ status: 200, json: '{"jsonrpc":"2.0","id":1,"result":{}}' }),
  openSessionStream: async () => ({ status: 405, json: null }),
  openStream: () => ({ status: 405, json: null }),
  endSession: async () => ({ status: 204, json: null }),
};

it.each(['/message', '/mcp', '/'])(
  'refuses messages to %s with 503 and Retry-After before the pipeline while none may be answered (INBOX-026, EDGE-006)',
  async (path) => {
    let isBusy = true;
    const options = { mayCall: () => !isBusy };
    await using app = await openAuthApp({
      routes: [...mcpRoutes(endpoint, options), ...rootRoutes(endpoint, options)],
    });
    const post = () =>
      fetch(`${app.origin}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call' }),
      });
    const refused = await post();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
    expect(refused.headers.get('x-content-type-options')).toBe('nosniff');
    expect(await refused.json()).toEqual({
      jsonrpc: '2.0',
      id: null,
      error: { code: -32000, message: 'The server has too little time: nothing was done. Try again in 5 seconds.' },
    });
    isBusy = false;
    expect((await post()).status).toBe(401);
  },
);
