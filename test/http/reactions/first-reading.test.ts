import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { ReactionThreads } from '#adapters/reactions/reaction-threads.ts';
import type { RunningPortolan } from '#bootstrap/portolan.ts';
import { serverFolder, signIn, startServer } from '#test/support/webhooks/webhook-server.ts';

let folder: Awaited<ReturnType<typeof serverFolder>>;
let server: RunningPortolan;
/** No reaction is read before this is resolved. */
const mayRead = Promise.withResolvers<void>();

beforeAll(async () => {
  folder = await serverFolder();
  await mkdir(join(folder.path, 'vault', 'Reactions'), { recursive: true });
  const text =
    '---\nreaction: on\nwhen: sales_crm.updated.deal\ndo:\n  - vault.notes.delete: { path: "Done.md" }\n---\n';
  await writeFile(join(folder.path, 'vault', 'Reactions', 'delete.md'), text);
  // oxlint-disable-next-line typescript/unbound-method -- it is called with its object.
  const { read } = ReactionThreads.prototype;
  vi.spyOn(ReactionThreads.prototype, 'read').mockImplementation(async function (this: ReactionThreads, ...note) {
    await mayRead.promise;
    return read.apply(this, note);
  });
  server = await startServer(folder.path);
});
afterAll(async () => {
  vi.restoreAllMocks();
  await server.stop();
  await folder.remove();
});

it('pages show what has been read until then, and say that the reactions are being read (WRITE-042)', async () => {
  const headers = { cookie: await signIn(server.baseUrl) };
  const get = async (path: string) => (await fetch(`${server.baseUrl}${path}`, { headers })).text();
  const listed = async (): Promise<unknown> => JSON.parse(await get('/api/approvals'));
  expect(await get('/reactions')).toMatch(/>delete<[\s\S]*It has not been read yet\.[\s\S]*>Not read yet</);
  const one = await get('/reactions/one?path=Reactions%2Fdelete.md');
  expect(one).toContain('>Not read yet<');
  expect(one).not.toContain('<h2>Errors</h2>');
  const early = await get('/approvals');
  expect(early).toContain('Not all reactions have been read since the server started');
  expect(early).toContain('So far nothing waits for you.');
  expect(await listed()).toEqual({ data: [], reactions_read: false, next: null });
  mayRead.resolve();
  await expect.poll(listed).toMatchObject({ data: [{ path: 'Reactions/delete.md' }], reactions_read: true });
  const page = await get('/approvals');
  expect(page).toContain('Reactions/delete.md');
  expect(page).not.toContain('have been read');
});
