import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTarget, type Target } from '#test/attacks/target.ts';
import { ada } from '#test/support/authorization/auth-app.ts';
import { authorizePath, callback, type Registered, registered } from '#test/support/authorization/auth-flow.ts';
import type { PlainBrowser } from '#test/support/authorization/plain-browser.ts';
import { signedInAt } from '#test/support/server/signed-in.ts';
import { sendJson } from '#test/support/server/whole-server.ts';

// What has several spellings is looked for by one of them, and found by another.

let target: Target;
let strict: Target;
let person: PlainBrowser;
let client: Registered;
beforeAll(async () => {
  target = await openTarget();
  strict = await openTarget({ OAUTH_STRICT: 'on' });
  person = await signedInAt(target.origin, ada);
  client = await registered(target);
});
afterAll(async () => {
  expect([...target.lines, ...strict.lines].filter(({ level }) => level === 'error')).toEqual([]);
  await target[Symbol.asyncDispose]();
  await strict[Symbol.asyncDispose]();
});

describe('a user', () => {
  it.each(['01', '1e0', '+1', '1.0', '0x1', '%201', '1%20', '１'])('is not found as %s (USER-019)', async (id) => {
    const { status } = await sendJson(target, person, ['PATCH', `/api/users/${id}`, { permissions: [] }]);
    expect(status).toBe(404);
  });
});

describe('a resource', () => {
  const errorOf = async (resource: string) => {
    const path = authorizePath({ client_id: client.client_id, redirect_uri: callback, state: 's', resource });
    const answer = await person.get(path);
    return answer.status === 200 ? null : new URL(answer.headers.get('location') ?? '').searchParams.get('error');
  };

  it.each(['/page', '/messages', '/message/x', '//message', '/sse;x', '/mcp%2f', '/%6dcp', '/mcp#a', '/api/vault'])(
    "is not recognized as this server's at %s (AUTH-014)",
    async (path) => expect(await errorOf(target.origin + path)).toBe('invalid_target'),
  );

  it.each(['', '/', '/message', '/sse/', '/mcp?a=b'])(
    'is recognized as this server’s at "%s" (AUTH-014)',
    async (path) => {
      expect(await errorOf(target.origin + path)).toBeNull();
    },
  );

  it.each(['https://evil.example', 'http://user@', 'http://127.0.0.1:1'])(
    'is refused if it belongs to another server: %s (AUTH-014)',
    async (start) => {
      const resource = start.endsWith('@') ? target.origin.replace('http://', start) : start;
      expect(await errorOf(resource)).toBe('invalid_target');
    },
  );
});

describe('the strict mode', () => {
  it.each([{}, { code_challenge: '' }, { code_challenge: ' ' }])(
    'issues no code without a challenge: %j (TOKEN-012)',
    async (fields) => {
      const known = await registered(strict);
      const browser = await signedInAt(strict.origin, ada);
      const path = authorizePath({
        client_id: known.client_id,
        redirect_uri: callback,
        state: 's',
        response_type: 'code',
        ...fields,
      });
      const { searchParams } = new URL((await browser.get(path)).headers.get('location') ?? '');
      expect([searchParams.get('error'), searchParams.get('code')]).toEqual(['invalid_request', null]);
    },
  );
});
