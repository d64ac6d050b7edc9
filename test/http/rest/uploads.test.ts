import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { SignedIn } from '#test/demo/signed-in.ts';
import { ada } from '#test/support/authorization/auth-app.ts';
import { accessToken } from '#test/support/authorization/auth-flow.ts';
import { rawRequest, sendRaw } from '#test/support/network/raw-http.ts';
import { openWholeServer, type WholeServer } from '#test/support/server/auth-server.ts';
import { openReceivingProvider, type Received } from '#test/support/services/receiving-provider.ts';

const run = promisify(execFile);
const hasCurl = await run('curl', ['--version']).then(
  () => true,
  () => false,
);

let provider: Awaited<ReturnType<typeof openReceivingProvider>>;
let server: WholeServer;
let authorization: string;
let folder: string;

beforeAll(async () => {
  provider = await openReceivingProvider();
  const suite = `${provider.url}/suite`;
  server = await openWholeServer({
    RATE_LIMITS: 'off',
    WEBHOOK_REGISTRATION: 'off',
    SALES_CRM_URL: `${provider.url}/sales`,
    SIGNING_URL: `${provider.url}/signing`,
    SUITE_CRM_URL: suite,
    SUITE_CRM_AUTHORIZE_URL: `${suite}/auth`,
    SUITE_CRM_TOKEN_URL: `${suite}/token`,
    SUITE_CRM_CLIENT_ID: 'the-client',
    SUITE_CRM_CLIENT_SECRET: 'the-secret',
  });
  const person = await SignedIn.to(server.origin, ada);
  const save = (service: string, auth_method: string, extra: object) =>
    person.call('POST', '/save', { service, auth_method, access_token: 'a-key', extra });
  await save('sales_crm', 'personal_token', { plan: 'ultimate', seats: 100 });
  await save('signing', 'api_key', { plan: 'production' });
  await person.connect('suite_crm');
  authorization = `Bearer ${await accessToken(server)}`;
  folder = await mkdtemp(join(tmpdir(), 'portolan-uploads-'));
});
afterAll(async () => {
  await server[Symbol.asyncDispose]();
  await provider.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(() => {
  provider.received.length = 0;
});

const content = Buffer.from('%PDF-1.7\r\n--\r\n\0\u00ff a file with lines that look like boundaries\r\n');
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');
const received = (more: Partial<Received['files'][number]> = {}) => ({
  field: 'file',
  name: 'report.pdf',
  type: 'application/pdf',
  bytes: content.length,
  sha256: sha256(content),
  ...more,
});

/** The five routes, an input of each apart from the file, and where it arrives. */
const routes = [
  ['/api/sales_crm/files', 'deal_id', '8', '/sales/v1/files?api_token=a-key'],
  ['/api/signing/content-library-items', 'name', 'Terms', '/signing/public/v1/content-library-items'],
  ['/api/signing/documents', 'name', 'Offer', '/signing/public/v1/documents'],
  ['/api/signing/templates', 'name', 'Blank', '/signing/public/v1/templates'],
  ['/api/suite_crm/Deals/55/attachments', null, '', '/suite/crm/v8/Deals/55/attachments'],
] as const;

const post = (path: string, body: string | Uint8Array | FormData, headers: Record<string, string> = {}) =>
  fetch(`${server.origin}${path}`, { method: 'POST', headers: { authorization, ...headers }, body });
const filled = (...parts: readonly (readonly [string, string | Blob, string?])[]): FormData => {
  const form = new FormData();
  for (const [name, value, fileName] of parts) {
    if (typeof value === 'string') form.append(name, value);
    else form.append(name, value, fileName);
  }
  return form;
};
const pdf = new Blob([content], { type: 'application/pdf' });

describe.each(routes)('POST %s', (path, field, value, arrivesAt) => {
  const fields = field === null ? {} : { [field]: value };
  const asParts = field === null ? [] : ([[field, value]] as const);

  it('accepts a form that fetch sends, fields before the file (REST-006)', async () => {
    const answer = await post(path, filled(...asParts, ['file', pdf, 'report.pdf']));
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('"data"')]);
    expect(provider.received).toEqual([{ path: arrivesAt, fields, files: [received()], json: null, isWhole: true }]);
  });

  it('accepts a form with the fields after the file (REST-006)', async () => {
    const answer = await post(path, filled(['file', pdf, 'report.pdf'], ...asParts));
    expect(answer.status).toBe(200);
    expect(provider.received).toMatchObject([{ fields, files: [received()], isWhole: true }]);
  });

  it.skipIf(!hasCurl)('accepts a form that curl sends', async () => {
    const file = join(folder, 'report.pdf');
    await writeFile(file, content);
    const parts = [
      '-F',
      `file=@${file};type=application/pdf`,
      ...asParts.flatMap(([name]) => ['-F', `${name}=${value}`]),
    ];
    const { stdout } = await run('curl', [
      '-sS',
      '-H',
      `Authorization: ${authorization}`,
      ...parts,
      server.origin + path,
    ]);
    expect(stdout).toContain('"data"');
    expect(provider.received).toMatchObject([{ path: arrivesAt, fields, files: [received()], isWhole: true }]);
  });

  it('accepts the bytes of the file as the body (REST-006)', async () => {
    const query = new URLSearchParams({ file_name: 'report.pdf', ...fields });
    const answer = await post(`${path}?${query.toString()}`, content, { 'content-type': 'application/pdf' });
    expect(answer.status).toBe(200);
    expect(provider.received).toMatchObject([{ path: arrivesAt, fields, files: [received()], isWhole: true }]);
  });

  it('accepts JSON with the file as base64 (REST-006)', async () => {
    const file = { name: 'report.pdf', content_base64: content.toString('base64'), media_type: 'application/pdf' };
    const body = JSON.stringify({ file, ...(field === 'deal_id' ? { deal_id: 8 } : fields) });
    expect((await post(path, body, { 'content-type': 'application/json' })).status).toBe(200);
    expect(provider.received).toMatchObject([{ path: arrivesAt, fields, files: [received()], isWhole: true }]);
  });

  it.each([
    ['application/x-www-form-urlencoded', 'file=abc'],
    ['multipart/mixed; boundary=b', '--b--'],
    ['message/rfc822', 'Subject: hello'],
    ['nonsense', 'hello'],
  ])('answers 415 to %s, and names the three accepted kinds (REST-006)', async (type, body) => {
    const answer = await post(path, body, { 'content-type': type });
    const text = await answer.text();
    expect(answer.status).toBe(415);
    for (const kind of ['multipart/form-data', 'application/octet-stream', 'application/json'])
      expect(text).toContain(kind);
    expect(provider.received).toEqual([]);
  });

  it('answers 415 to a body that is compressed', async () => {
    const answer = await post(path, content, { 'content-type': 'application/pdf', 'content-encoding': 'gzip' });
    expect([answer.status, provider.received]).toEqual([415, []]);
  });
});

const form = 'multipart/form-data; boundary=b';
const part = (disposition: string, body: string, more = '') =>
  `--b\r\nContent-Disposition: form-data; ${disposition}\r\n${more}\r\n${body}\r\n`;
const filePart = part('name="file"; filename="a.pdf"', 'hello', 'Content-Type: application/pdf\r\n');
const end = '--b--\r\n';

describe('an invalid form (REST-011)', () => {
  it.each<[string, string, string, string]>([
    ['without a file', form, part('name="deal_id"', '8') + end, '`file`'],
    ['without anything', form, end, '`file`'],
    [
      'with a file under another name',
      form,
      part('name="upload"; filename="a.pdf"', 'x') + end,
      'as the field `upload`',
    ],
    ['with two files', form, filePart + filePart + end, '`file` occurs twice'],
    ['with the file as a text', form, part('name="file"', 'hello') + end, '`file` is a text'],
    [
      'with a field twice',
      form,
      part('name="deal_id"', '8') + part('name="deal_id"', '9') + filePart + end,
      '`deal_id` occurs twice',
    ],
    [
      'with a field twice, around the file',
      form,
      part('name="deal_id"', '8') + filePart + part('name="deal_id"', '9') + end,
      '`deal_id` occurs twice',
    ],
    ['with an unknown field', form, part('name="deal"', '8') + filePart + end, ''],
    ['with an unknown field behind the file', form, filePart + part('name="deal"', '8') + end, ''],
    ['with a field that does not fit', form, part('name="deal_id"', 'eight') + filePart + end, 'deal_id'],
    ['with a part that has no name', form, part('filename="a.pdf"', 'x') + end, 'no name'],
    ['with a file input that nothing was chosen in', form, part('name="file"; filename=""', '') + end, 'no file in it'],
    [
      'with a file as base64',
      form,
      part('name="file"; filename="a.pdf"', 'aGVsbG8=', 'Content-Transfer-Encoding: base64\r\n') + end,
      'Content-Transfer-Encoding',
    ],
    [
      'with a field name that is too long',
      form,
      part(`name="${'n'.repeat(101)}"`, 'x') + filePart + end,
      '100 characters',
    ],
    [
      'with a file name that is too long',
      form,
      part(`name="file"; filename="${'n'.repeat(256)}"`, 'x') + end,
      '255 characters',
    ],
    [
      'cut off in the file',
      form,
      '--b\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\nhel',
      'closing boundary',
    ],
    ['cut off behind the file', form, filePart, 'closing boundary'],
    ['cut off in the head of a part', form, '--b\r\nContent-Disposition: form-da', 'closing boundary'],
    ['with another boundary than it says', 'multipart/form-data; boundary=c', filePart + end, 'closing boundary'],
    ['without a boundary', 'multipart/form-data', filePart + end, 'boundary'],
    ['with an empty boundary', 'multipart/form-data; boundary=""', filePart + end, 'boundary'],
    ['with a boundary that is too long', `multipart/form-data; boundary=${'b'.repeat(71)}`, filePart + end, 'boundary'],
    ['that is no form', form, 'hello', 'closing boundary'],
    ['that is empty', form, '', ''],
  ])('%s is answered 400, and says so', async (_, type, body, says) => {
    const answer = await post('/api/sales_crm/files', body, { 'content-type': type });
    const detail = expect.stringContaining(says);
    expect([answer.status, await answer.json()]).toEqual([
      400,
      expect.objectContaining({ reason: 'invalid_input', detail }),
    ]);
    expect(provider.received).toEqual([]);
  });

  it.each([
    ['with a field that is too long', part('name="deal_id"', '8'.repeat(300_000)) + filePart + end],
    [
      'with too many parts',
      Array.from({ length: 70 }, (_, index) => part(`name="f${index}"`, 'x')).join('') + filePart + end,
    ],
  ])('%s is answered 413', async (_, body) => {
    const answer = await post('/api/sales_crm/files', body, { 'content-type': form });
    expect([answer.status, await answer.json()]).toEqual([413, expect.objectContaining({ reason: 'too_large' })]);
    expect(provider.received).toEqual([]);
  });

  it('with invalid JSON is answered 400', async () => {
    const answer = await post('/api/sales_crm/files', '{"file":', { 'content-type': 'application/json' });
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('not JSON')]);
  });

  it('with JSON that is too large is answered 413, with a remedy', async () => {
    const answer = await post('/api/sales_crm/files', JSON.stringify('x'.repeat(8 << 20)), {
      'content-type': 'application/json',
    });
    expect([answer.status, await answer.text()]).toEqual([
      413,
      expect.stringContaining('as a form or as the raw body'),
    ]);
  });

  it('leaves the connection usable for the next request, however much of it was not read', async () => {
    const { host } = new URL(server.origin);
    const body = part('name="deal"', '8') + part('name="file"; filename="a.pdf"', 'x'.repeat(3 << 20)) + end;
    const lines = [
      `Host: ${host}`,
      `Authorization: ${authorization}`,
      `Content-Type: ${form}`,
      `Content-Length: ${body.length}`,
    ];
    const first = `POST /api/sales_crm/files HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`;
    const second = rawRequest('GET /healthz HTTP/1.1', [`Host: ${host}`]);
    const { text } = await sendRaw(server.origin, first + second);
    expect([...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status]) => status)).toEqual(['400', '200']);
  });
});

describe('the name of a file (REST-012)', () => {
  it.each<[string, string]>([
    ['filename="Übersicht 報告 €.pdf"', 'Übersicht 報告 €.pdf'],
    ["filename*=UTF-8''%C3%9Cbersicht%20%E5%A0%B1%E5%91%8A.pdf", 'Übersicht 報告.pdf'],
    ['filename="../../etc/passwd"', 'passwd'],
    ['filename="..\\..\\boot.ini"', 'boot.ini'],
    ['filename=".."', 'upload'],
    ['filename="a\u0000b\u0007.pdf"', 'ab.pdf'],
  ])('%j arrives as %s', async (disposition, name) => {
    const body = part(`name="file"; ${disposition}`, 'hello') + end;
    expect((await post('/api/sales_crm/files', body, { 'content-type': form })).status).toBe(200);
    expect(provider.received).toMatchObject([{ files: [{ field: 'file', name, bytes: 5 }] }]);
  });

  const evil = 'a.pdf"\r\nX-Evil: 1\r\n\r\n--b\r\nContent-Disposition: form-data; name="org_id"\r\n\r\n9';
  it.each<[string, () => Promise<Response>]>([
    [
      'in JSON',
      () => {
        const file = { name: evil, content_base64: 'aGVsbG8=', media_type: 'text/plain\r\nX-Evil: 1' };
        return post('/api/sales_crm/files', JSON.stringify({ file }), { 'content-type': 'application/json' });
      },
    ],
    [
      'in the query',
      () =>
        post(`/api/sales_crm/files?${new URLSearchParams({ file_name: evil }).toString()}`, 'hello', {
          'content-type': 'text/plain',
        }),
    ],
    ['in a form', () => post('/api/sales_crm/files', filled(['file', new Blob(['hello']), evil]))],
  ])('adds no header and no field to what is passed on: %s', async (_, send) => {
    expect((await send()).status).toBe(200);
    expect(provider.received).toHaveLength(1);
    expect(provider.received[0]).toMatchObject({ fields: {}, files: [{ field: 'file', bytes: 5 }], isWhole: true });
  });
});

/** A form of this many bytes in its file, begun but not ended. */
function begin(bytes: number) {
  const outgoing = request(`${server.origin}/api/sales_crm/files`, {
    method: 'POST',
    headers: { authorization, 'content-type': form },
  });
  outgoing.on('error', () => undefined);
  outgoing.write('--b\r\nContent-Disposition: form-data; name="file"; filename="big.bin"\r\n\r\n');
  for (let sent = 0; sent < bytes; sent += 1 << 20) outgoing.write(Buffer.alloc(1 << 20, 97));
  return outgoing;
}

describe('a large file', () => {
  const large = 12 << 20;

  it('arrives completely, with the fields before it', async () => {
    const bytes = Buffer.alloc(large, 'a line of a large file\r\n');
    const answer = await post('/api/sales_crm/files', filled(['deal_id', '8'], ['file', new Blob([bytes]), 'big.bin']));
    expect(answer.status).toBe(200);
    const file = { field: 'file', name: 'big.bin', bytes: large, sha256: sha256(bytes) };
    expect(provider.received).toMatchObject([{ fields: { deal_id: '8' }, files: [file], isWhole: true }]);
  });

  it('with a field after it is answered 400 with a remedy, and is not accepted by the provider', async () => {
    const answer = await post(
      '/api/sales_crm/files',
      filled(['file', new Blob([Buffer.alloc(large)]), 'big.bin'], ['deal_id', '8']),
    );
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('send the fields first')]);
    await expect.poll(() => provider.received).toMatchObject([{ isWhole: false }]);
  });

  it('that its sender cuts off is aborted at the provider, too (REST-009)', async () => {
    const outgoing = begin(large);
    await new Promise((resolve) => setImmediate(resolve));
    // The provider has part of it before the sender goes.
    await expect.poll(() => outgoing.writableLength, { timeout: 60_000 }).toBe(0);
    outgoing.destroy();
    await expect.poll(() => provider.received, { timeout: 60_000 }).toMatchObject([{ isWhole: false, files: [] }]);
  });

  it('that announces more than the limit is answered 413 at once', async () => {
    const lines = [
      `Host: ${new URL(server.origin).host}`,
      `Authorization: ${authorization}`,
      'Content-Type: application/pdf',
      `Content-Length: ${(512 << 20) + 1}`,
    ];
    const { status } = await sendRaw(
      server.origin,
      rawRequest('POST /api/sales_crm/files HTTP/1.1', lines, 'x'),
      2_000,
    );
    expect(status).toBe(413);
  });
});

it('OpenAPI describes the upload in all three kinds on all five routes', async () => {
  const answer = await fetch(`${server.origin}/openapi.json`, { headers: { authorization } });
  const binary = { type: 'string', format: 'binary' };
  const kinds = {
    'application/json': { schema: expect.any(Object) },
    'multipart/form-data': { schema: { properties: { file: binary } } },
    '*/*': { schema: binary },
  };
  const described = { post: { requestBody: { content: kinds } } };
  expect(await answer.json()).toMatchObject({
    paths: {
      '/api/sales_crm/files': described,
      '/api/signing/content-library-items': described,
      '/api/signing/documents': described,
      '/api/signing/templates': described,
      '/api/suite_crm/{module}/{id}/attachments': described,
    },
  });
});
