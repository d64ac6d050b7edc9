import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PlainBrowser } from '#test/support/authorization/plain-browser.ts';
import { grantToken } from '#test/support/server/granted.ts';
import { invited } from '#test/support/server/invited.ts';
import { startWholeServer, type WholeServer } from '#test/support/server/whole-server.ts';

let server: WholeServer;
let ada: PlainBrowser;
let token: string;

beforeAll(async () => {
  server = await startWholeServer({});
  ada = await server.signedIn();
  token = await grantToken(server.origin, ada, { name: 'Claude Code' });
});

afterAll(() => server[Symbol.asyncDispose]());

const home = async (browser: PlainBrowser) => (await browser.get('/floki/index')).text();
const call = async (name: string, given: Readonly<Record<string, unknown>>) => {
  const answer = await fetch(`${server.origin}/message`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } }),
  });
  await answer.text();
};

describe('the home page', () => {
  it('is a checklist until there is something to show, then an overview too (PAGE-025, PAGE-026, ACT-013)', async () => {
    const before = await home(ada);
    expect(before).toContain('In three steps');
    expect(before).not.toContain('Last 24 hours');
    const content = 'word '.repeat(400);
    await call('vault_note_write', { path: 'Long.md', content });
    await call('vault_note_read', { path: 'Long.md' });
    await call('vault_note_read', { path: 'None.md' });
    await expect.poll(() => home(ada), { timeout: 30_000 }).toContain('3 calls, 1 failed');
    const html = await home(ada);
    expect(html).toMatch(/about [5-9]\d\d tokens of answers/);
    expect(html).toMatch(/Vault[^<]*: 1 of 3 calls failed/);
    expect(html).toMatch(/<caption>Calls of your apps, last 24 hours<\/caption>/);
    expect(html).toMatch(/<th scope="row">\d\d:\d\d<\/th><td>3<\/td><td>1<\/td>/);
    expect(html).toMatch(/<svg viewBox="0 0 240 100"[^>]* aria-hidden="true"/);
    expect(html).not.toContain('style=');
  });

  it('shows users their own calls only, and administrators those of all (PAGE-025)', async () => {
    const grace = await invited(server, ada, 'grace@example.com', { permissions: ['vault'] });
    const html = await home(grace);
    expect(html).not.toContain('Last 24 hours');
    expect(html).not.toContain('Deliveries');
    expect(await home(ada)).not.toContain('Calls of all users’ apps');
    token = await grantToken(server.origin, grace, { name: 'Cursor' });
    await call('vault_note_read', { path: 'Long.md' });
    await expect.poll(() => home(ada), { timeout: 30_000 }).toContain('Calls of all users’ apps');
    expect(await home(grace)).toContain('1 call in 30 days');
    expect(await home(grace)).not.toContain('Deliveries');
  });
});
