import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import type { PlainBrowser } from '#test/support/authorization/plain-browser.ts';
import { appAt, namesOf, oddService, serverWith } from '#test/support/remote-servers/remote-harness.ts';
import { sendJson, type WholeServer } from '#test/support/server/whole-server.ts';

const required = z.looseObject({ approval: z.looseObject({ id: z.string() }) });

let folder: string;
let file: string;
let server: WholeServer;
let ada: PlainBrowser;
let app: Client;
let other: Client;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'portolan-remote-approvals-'));
  file = join(folder, 'marks');
  // Without hints it may reach others, which is asked before.
  const note = { name: 'note', inputSchema: { type: 'object', properties: { mark: { type: 'string' } } } };
  server = await serverWith([oddService(['echo', note], {}, { FILE: file })]);
  ada = await server.signedIn();
  app = await appAt(server, { name: 'Careful', ask: 'lose' });
  other = await appAt(server, { name: 'Other', ask: 'lose' });
  await vi.waitFor(async () => expect(await namesOf(app, 'odd')).toEqual(['odd_echo', 'odd_note']), 15_000);
});
afterAll(async () => {
  await app.close();
  await other.close();
  await server[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const noted = async () => (await readFile(file, 'utf8').catch(() => '')).split('\n').filter((mark) => mark !== '');
const call = async (mark: string, more: object = {}, by = app) =>
  (await by.callTool({ name: 'odd_note', arguments: { mark, ...more } })).structuredContent;
const asked = async (mark: string) => required.parse(await call(mark)).approval.id;
const decide = (id: string, decision: string) => sendJson(server, ada, ['POST', `/api/approvals/${id}`, { decision }]);

describe('a call of a remote server that a person is asked about', () => {
  it('is not made before, and shows what is sent (REMOTE-005)', async () => {
    expect(await call('shown')).toMatchObject({ reason: 'approval_required' });
    const page = await (await ada.get('/approvals')).text();
    expect(page).toContain('shown');
    expect(page).toContain('What the Odd does with this is not known before');
    expect(await noted()).not.toContain('shown');
  });

  it('is made once it is allowed, and once only (REMOTE-005)', async () => {
    const id = await asked('allowed');
    expect(await decide(id, 'allow')).toMatchObject({ status: 200 });
    expect((await noted()).filter((mark) => mark === 'allowed')).toHaveLength(1);
    // The app that asked gets its answer with the id, which makes it no second time.
    const { content, isError } = await app.callTool({ name: 'odd_note', arguments: { mark: 'allowed', approval: id } });
    expect({ isError: isError === true, text: JSON.stringify(content) }).toEqual({
      isError: false,
      text: expect.stringContaining('noted'),
    });
    await decide(id, 'allow');
    expect((await noted()).filter((mark) => mark === 'allowed')).toHaveLength(1);
    // The same call without it is another one, and asked again.
    expect(await call('allowed')).toMatchObject({ reason: 'approval_required' });
  });

  it('is not made when it is refused (REMOTE-005)', async () => {
    const id = await asked('refused');
    expect(await decide(id, 'refuse')).toMatchObject({ status: 200 });
    expect(await call('refused', { approval: id })).toMatchObject({ reason: 'declined' });
    expect(await noted()).not.toContain('refused');
  });

  it('is not made by the id of another app, or for other inputs (REMOTE-005)', async () => {
    const id = await asked('mine');
    expect(await call('mine', { approval: id }, other)).toMatchObject({ reason: 'not_found' });
    expect(await call('yours', { approval: id })).toMatchObject({ reason: 'invalid_input' });
    expect(await decide(id, 'allow')).toMatchObject({ status: 200 });
    expect(await call('mine', { approval: id }, other)).toMatchObject({ reason: 'not_found' });
    expect(await noted()).toEqual(expect.not.arrayContaining(['yours']));
    expect((await noted()).filter((mark) => mark === 'mine')).toHaveLength(1);
  });
});
