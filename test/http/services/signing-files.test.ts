import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type SigningEmulator, startSigningEmulator } from '#test/emulators/signing/emulator.ts';
import type { PlainBrowser } from '#test/support/authorization/plain-browser.ts';
import { grantToken } from '#test/support/server/granted.ts';
import { invited } from '#test/support/server/invited.ts';
import { sendJson, startWholeServer, type WholeServer } from '#test/support/server/whole-server.ts';

const pdf = Buffer.from('%PDF-1.7\n1 0 obj << >> endobj\n%%EOF\n', 'latin1');
const offer = '---\nstatus: draft\n---\n# Offer\n\nÄpfel & Birnen\n';
const answered = z.object({
  result: z.object({
    isError: z.boolean().optional(),
    structuredContent: z.looseObject({ id: z.string().optional(), reason: z.string().optional() }),
    content: z.array(z.looseObject({ text: z.string() })),
  }),
});

describe('a document from a file', () => {
  let emulator: SigningEmulator;
  let server: WholeServer;
  let ada: PlainBrowser;
  let bob: PlainBrowser;

  beforeAll(async () => {
    emulator = await startSigningEmulator({ dialect: 'pandadoc', draftAfterMs: 0 });
    server = await startWholeServer({
      SIGNING_DIALECT: 'pandadoc',
      SIGNING_URL: emulator.url,
      RATE_LIMITS: 'off',
    });
    ada = await server.signedIn();
    bob = await invited(server, ada, 'bob@example.com', { permissions: ['signing'] });
    for (const browser of [ada, bob]) {
      const credentials = { service: 'signing', auth_method: 'api_key', access_token: emulator.apiKey, extra: {} };
      expect(await sendJson(server, browser, ['POST', '/save', credentials])).toMatchObject({ status: 200 });
    }
    const folder = join(server.dataDir, 'vault');
    await mkdir(join(folder, 'Offers'), { recursive: true });
    await writeFile(join(folder, 'Offers/Acme.pdf'), pdf);
    await writeFile(join(folder, 'Offers/Acme.md'), offer);
    await writeFile(join(folder, 'Offers/Acme.png'), 'a picture');
    await writeFile(join(folder, 'Offers/Not really.pdf'), 'a text');
    await writeFile(join(folder, 'Offers/Large.pdf'), Buffer.concat([pdf, Buffer.alloc(10 << 20)]));
    await writeFile(join(server.dataDir, 'secret.md'), 'a secret next to the vault');
    await symlink(join(server.dataDir, 'secret.md'), join(folder, 'link.md'));
    await mkdir(join(folder, '.obsidian'), { recursive: true });
    await writeFile(join(folder, '.obsidian/secret.md'), 'a secret of the notes app');
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
    await emulator.close();
  });

  type By = PlainBrowser | string;
  const message = async (by: By, args: object, name: string): Promise<unknown> => {
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
    if (typeof by !== 'string') return (await sendJson(server, by, ['POST', '/message', body])).body;
    const headers = {
      authorization: `Bearer ${by}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    };
    return (await fetch(`${server.origin}/message`, { method: 'POST', headers, body: JSON.stringify(body) })).json();
  };
  const called = async (by: By, args: object, name = 'signing_document_from_file') =>
    answered.parse(await message(by, args, name)).result;
  const keptFile = (id = '') => emulator.world.documents.get(id)?.file;

  it('takes a PDF and a Markdown file of the vault as it is (SIGN-012)', async () => {
    const recipients = [{ email: 'ann@example.com', first_name: 'Ann' }];
    const made = await called(ada, { file: { vault_path: 'Offers/Acme.pdf' }, recipients, tags: ['offer'] });
    expect(made).toMatchObject({ structuredContent: { name: 'Acme' } });
    const document = emulator.world.documents.get(made.structuredContent.id ?? '');
    expect(document).toMatchObject({ file: { name: 'Acme.pdf', bytes: pdf }, recipients, tags: ['offer'] });

    const named = await called(ada, { file: { vault_path: 'Offers/Acme.md' }, name: 'Offer to Acme' });
    expect(named).toMatchObject({ structuredContent: { name: 'Offer to Acme' } });
    expect(keptFile(named.structuredContent.id)).toEqual({ name: 'Acme.md', bytes: Buffer.from(offer) });
    expect(await readFile(join(server.dataDir, 'vault/Offers/Acme.md'), 'utf8')).toBe(offer);
  });

  it('takes bytes as base64, also of a caller without the vault (SIGN-012)', async () => {
    const file = { name: 'Contract.pdf', content_base64: pdf.toString('base64') };
    const made = await called(bob, { file, wait: 5 });
    expect(made).toMatchObject({ structuredContent: { name: 'Contract', status: 'document.draft' } });
    expect(keptFile(made.structuredContent.id)).toEqual({ name: 'Contract.pdf', bytes: pdf });
  });

  it('needs the right to read the vault for a file of it (SIGN-013)', async () => {
    const file = { vault_path: 'Offers/Acme.pdf' };
    const count = emulator.world.documents.size;
    const onlySigning = await grantToken(server.origin, ada, { name: 'Signer', services: ['signing'] });
    for (const by of [bob, onlySigning]) {
      const { isError, structuredContent } = await called(by, { file });
      expect([isError, structuredContent.reason]).toEqual([true, 'forbidden']);
    }
    const reader = await grantToken(server.origin, ada, {
      name: 'Reader',
      services: ['signing', 'vault'],
      access: 'read',
    });
    expect((await called(reader, { file })).structuredContent.reason).toBe('forbidden');
    expect(emulator.world.documents.size).toBe(count);
  });

  it.each(['vault:*read', 'vault:notes.read_part'])(
    'is refused a file of the vault while %s is switched off (SIGN-013)',
    async (key) => {
      await sendJson(server, ada, ['PUT', '/api/switches', { off: [key] }]);
      const app = await grantToken(server.origin, ada, { name: 'App' });
      const { structuredContent } = await called(app, { file: { vault_path: 'Offers/Acme.pdf' } });
      await sendJson(server, ada, ['PUT', '/api/switches', { off: [] }]);
      expect(structuredContent.reason).toBe('forbidden');
    },
  );

  it.each([
    '../secret.md',
    '..\\secret.md',
    'Offers/../../secret.md',
    '%2e%2e/secret.md',
    '/etc/passwd.md',
    'file:///etc/passwd.md',
    'link.md',
    '.obsidian/secret.md',
    'secret.md\u0000.md',
    'Offers',
    'Offers/',
    '',
    'Offers/None.pdf',
  ])('is not made of what is no file of the vault: %j (EMB-002, SIGN-012)', async (vault_path) => {
    const count = emulator.world.documents.size;
    const { isError, content, structuredContent } = await called(ada, { file: { vault_path } });
    expect(isError).toBe(true);
    expect(structuredContent.reason).toMatch(/^(?:invalid_input|rejected|not_found)$/);
    expect(JSON.stringify(content)).not.toContain('a secret');
    expect(emulator.world.documents.size).toBe(count);
  });

  it.each([
    ['a type that is neither PDF nor Markdown', { vault_path: 'Offers/Acme.png' }, 'invalid_input', 'Acme.png'],
    ['a text under the name of a PDF', { vault_path: 'Offers/Not really.pdf' }, 'invalid_input', 'is no PDF'],
    ['more than 10 MiB', { vault_path: 'Offers/Large.pdf' }, 'too_large', '10485760 bytes'],
    ['no base64', { name: 'A.pdf', content_base64: '%%%' }, 'invalid_input', 'must be a file'],
    ['both', { vault_path: 'Offers/Acme.pdf', name: 'A.pdf', content_base64: '' }, 'invalid_input', 'must be a file'],
    ['a path that is no text', { vault_path: 7 }, 'invalid_input', 'must be a file'],
  ])('refuses %s, and sends nothing (SIGN-012)', async (_, file, reason, text) => {
    const count = emulator.requests.length;
    const { content, structuredContent } = await called(ada, { file });
    expect(structuredContent.reason).toBe(reason);
    expect(content[0]?.text).toContain(text);
    expect(emulator.requests.length).toBe(count);
  });

  it('goes back to draft from anywhere, and the answer says so (SIGN-010)', async () => {
    const recipients = [{ email: 'ann@example.com' }];
    const made = await called(ada, { file: { vault_path: 'Offers/Acme.pdf' }, recipients, wait: 5 });
    const id = made.structuredContent.id ?? '';
    await called(ada, { id }, 'signing_document_send');
    await called(ada, { id, status: 'completed' }, 'signing_document_status');
    const advice = await called(ada, { id }, 'signing_document_send');
    expect(advice.content[0]?.text).toContain('revert it to draft first');
    const reverted = await called(ada, { id }, 'signing_document_revert');
    expect(reverted.structuredContent).toMatchObject({ id, status: 'document.draft' });
    expect(await called(ada, { id, name: 'Changed' }, 'signing_document_send')).toMatchObject({ isError: true });
    expect(await called(ada, { id }, 'signing_document_send')).toMatchObject({
      structuredContent: { status: 'document.sent' },
    });
    const missing = await called(ada, { id: 'no-such-document' }, 'signing_document_revert');
    expect(missing.structuredContent.reason).toBe('not_found');
  });
});
