import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { rounds } from '#test/support/form.ts';
import { type Answered, openVaultBehind } from '#test/support/vault/vault-front.ts';
import { openVaultGateway } from '#test/support/vault/vault-gateway.ts';

let open: Awaited<ReturnType<typeof openVaultGateway>>;
/** What the vault does with a request; null: it passes it on. */
let fault: ((method: string, path: string) => 'pass' | 'hang' | Answered) | null;
let seen: string[];

async function start(timeoutMs: number): Promise<void> {
  fault = null;
  seen = [];
  const vault = await openVaultBehind(async (request, pass) => {
    seen.push(`${request.method} ${request.path}`);
    expect(request.path).toMatch(/^(?:[^%]|%[0-9A-F]{2})*$/);
    expect(request.headers['target'] ?? '').toMatch(/^(?:[^%]|%[0-9A-F]{2})*$/);
    const done = fault?.(request.method, request.path) ?? 'pass';
    if (done === 'pass') return pass(request);
    return done === 'hang' ? null : done;
  });
  open = await openVaultGateway('neutral', vault, { timeoutMs });
  await writeFile(join(open.vault.folder, 'A.md'), '---\ntags: [a]\n---\n# A\n');
}
beforeEach(() => start(60_000));
afterEach(() => open.close());

async function restart(timeoutMs: number): Promise<void> {
  await open.close();
  await start(timeoutMs);
}

const calls: readonly (readonly [string, unknown])[] = [
  ['notes.read', { path: 'A.md' }],
  ['notes.write', { path: 'B.md', content: 'x' }],
  ['notes.write', { path: 'B.md', content: 'x', mode: 'append' }],
  ['notes.patch_part', { path: 'A.md', target: 'A', content: 'x' }],
  ['notes.delete', { path: 'A.md' }],
  ['folders.contents', {}],
  ['search.simple', { query: 'x' }],
  ['search.advanced', { query: { '==': [1, 1] } }],
  ['periodic.read_any', { period: 'daily' }],
  ['periodic.write', { period: 'daily', content: 'x' }],
  ['commands.list', {}],
  ['commands.run', { command_id: 'x' }],
  ['frontmatter.get', { path: 'A.md' }],
  ['frontmatter.set', { path: 'A.md', key: 'k', value: 1 }],
  ['tags.list', { path: 'A.md' }],
  ['tags.add', { path: 'A.md', tags: ['b'] }],
];

describe('a vault that never answers', () => {
  it.each(calls)('makes %s with %j unavailable in bounded time', async (name, input) => {
    await restart(300);
    fault = () => 'hang';
    const outcome = await open.call(name, input);
    expect(outcome).toMatchObject({ ok: false, reason: 'unavailable', message: expect.stringContaining('300 ms') });
  });

  it('gets a write once, because it may have taken effect', async () => {
    await restart(300);
    fault = () => 'hang';
    await open.call('notes.append', { path: 'B.md', content: 'x' });
    expect(seen).toEqual(['POST /vault/B.md']);
  });

  it('leaves the note to the next caller when it hangs in the middle of a tool', async () => {
    await restart(2_500);
    fault = (method) => (method === 'PATCH' ? 'hang' : 'pass');
    expect(await open.call('tags.add', { path: 'A.md', tags: ['b'] })).toMatchObject({ reason: 'unavailable' });
    fault = null;
    // A busy machine may take longer over it than the gateway waits; a note that was not left stays so.
    await expect
      .poll(() => open.call('tags.add', { path: 'A.md', tags: ['c'] }))
      .toMatchObject({ ok: true, data: { path: 'A.md', tags: ['a', 'c'] } });
  });
});

it("an answer that is not a vault's is reported as such", async () => {
  fault = () => ({ status: 200, headers: { 'content-type': 'text/html' }, body: '<p>Welcome</p>' });
  expect(await open.call('commands.list', {})).toMatchObject({ ok: false, reason: 'unavailable' });
  expect(await open.call('tags.list', { path: 'A.md' })).toMatchObject({ ok: false, reason: 'unavailable' });
});

it('property: whatever the path and the target, no bare % is sent and nothing is thrown', async () => {
  const text = fc.string({ unit: 'binary', maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(text, text, fc.constantFrom('heading', 'block', 'frontmatter'), async (path, target, kind) => {
      const patch = { path, operation: 'append', target_type: kind, target: `${target}%`, content: 'x' };
      expect(await open.call('notes.patch', patch)).toHaveProperty('ok');
    }),
    { numRuns: rounds(30, 100) },
  );
});

it.each(['\ud800', 'a\udc00.md'])('a path or target in malformed Unicode is refused: %j', async (broken) => {
  const patch = { operation: 'append', target_type: 'heading', content: 'x' };
  expect(await open.call('notes.patch', { ...patch, path: broken, target: 'A' })).toMatchObject({
    reason: 'invalid_input',
  });
  expect(await open.call('notes.patch', { ...patch, path: 'A.md', target: broken })).toMatchObject({
    reason: 'invalid_input',
  });
  expect(seen).toEqual([]);
});
