import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTarget, type Target } from '#test/attacks/target.ts';

let target: Target;
let tracker: string;
let nobody: string;
beforeAll(async () => {
  target = await openTarget();
  tracker = await target.addUser(2, 'tracker');
  nobody = await target.addUser(3);
});
afterAll(async () => {
  expect(target.lines.filter(({ level }) => level === 'error')).toEqual([]);
  await target[Symbol.asyncDispose]();
});

const mcp = async (token: string, method: string, params: unknown) => {
  const headers = { accept: 'application/json, text/event-stream' };
  return target.call('POST', '/message', { token, headers, body: { jsonrpc: '2.0', id: 1, method, params } });
};

describe('a user without permission for a service', () => {
  it('can call none of its operations (USER-003)', async () => {
    const { text } = await target.call('GET', '/openapi.json', { token: target.admin });
    const paths: Readonly<Record<string, Readonly<Record<string, unknown>>>> = JSON.parse(text).paths;
    const reached: string[] = [];
    for (const [path, item] of Object.entries(paths)) {
      if (!path.startsWith('/api/') || path.startsWith('/api/tracker')) continue;
      const [, , service = ''] = path.split('/');
      if (!['sales_crm', 'signing', 'suite_crm', 'vault'].includes(service)) continue;
      for (const method of Object.keys(item)) {
        const address = path.replaceAll(/\{[^}]+\}/g, '1');
        const { status } = await target.call(method.toUpperCase(), address, { token: tracker });
        if (status !== 403) reached.push(`${method} ${path}: ${status}`);
      }
    }
    expect(reached).toEqual([]);
  });

  it.each(['vault_note_read', 'sales_crm_deals_list', 'signing_documents_list', 'suite_users_list'])(
    'cannot call %s (USER-003)',
    async (name) => {
      const { text } = await mcp(tracker, 'tools/call', { name, arguments: { path: 'a.md' } });
      expect(text).toMatch(/"isError":true|"error":/);
    },
  );

  it('sees no tool, resource or template of it (USER-003)', async () => {
    for (const [method, word] of [
      ['tools/list', 'vault_'],
      ['resources/list', 'vault://'],
      ['resources/templates/list', 'vault://'],
    ] as const) {
      const { status, text } = await mcp(tracker, method, {});
      expect([status, text.includes(word)]).toEqual([200, false]);
    }
  });

  it('cannot read a note as a resource', async () => {
    await target.call('PUT', '/api/vault/vault/Private.md', {
      token: target.admin,
      body: 'of the team',
      headers: { 'content-type': 'text/markdown' },
    });
    const { text } = await mcp(tracker, 'resources/read', { uri: 'vault://Private.md' });
    expect(text).not.toContain('of the team');
  });
});

describe('a user who is not an administrator', () => {
  it.each(['/deliveries', '/deliveries/1', '/metrics', '/reactions', '/setup', '/users'])(
    'cannot see %s',
    async (path) => {
      for (const token of [tracker, nobody]) {
        const { status } = await target.call('GET', path, { token, headers: { accept: 'text/html' } });
        expect([401, 403, 404]).toContain(status);
      }
    },
  );

  it('sees only their own connections (USER-005)', async () => {
    const { text } = await target.call('GET', '/api/connections', { token: nobody });
    expect(text).not.toContain('"connected"');
  });
});

describe('a user without any permission', () => {
  it('has no tools', async () => {
    const { text } = await mcp(nobody, 'tools/list', {});
    expect(JSON.parse(text)).toMatchObject({ result: { tools: [] } });
  });

  it.each(['vault', 'tracker', 'sales_crm', 'signing'])('cannot connect the %s', async (service) => {
    const body = { service, auth_method: 'api_key', access_token: 'x', extra: { base_url: 'http://127.0.0.1:9' } };
    expect((await target.call('POST', '/save', { token: nobody, body })).status).toBe(403);
  });
});

describe('a malformed MCP message', () => {
  it.each([
    ['an object as the name of a prompt', 'prompts/get', { name: { a: 1 } }],
    ['a list as the name of a prompt', 'prompts/get', { name: ['weekly_review'] }],
    ['no name of a prompt', 'prompts/get', {}],
    ['__proto__ as the name of a prompt', 'prompts/get', { name: '__proto__' }],
    ['an object as the name of a tool', 'tools/call', { name: { a: 1 } }],
    ['constructor as the name of a tool', 'tools/call', { name: 'constructor' }],
    ['a number as the address of a resource', 'resources/read', { uri: 1 }],
    ['a lone surrogate in a path', 'tools/call', { name: 'vault_note_read', arguments: { path: '\ud800.md' } }],
    ['a lone surrogate in an id', 'tools/call', { name: 'tracker_issue_get', arguments: { id: '\udfff' } }],
    ['NUL in a path', 'tools/call', { name: 'vault_note_read', arguments: { path: 'a\0.md' } }],
    ['arguments that are a list', 'tools/call', { name: 'vault_note_read', arguments: [] }],
    ['a method called __proto__', '__proto__', {}],
    ['a cursor of ours that is none', 'tools/list', { cursor: 'x' }],
  ])('%s does not cause a server error (MCP-008)', async (_, method, params) => {
    const { status, text } = await mcp(target.admin, method, params);
    expect(status).toBeLessThan(500);
    expect(text).not.toContain('-32603');
  });
});
