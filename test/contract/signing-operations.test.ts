import { describe, expect, it } from 'vitest';
import { catalogOf } from '#adapters/services/catalog.ts';
import type { Operation } from '#adapters/services/requests/operation-table.ts';
import { operations } from '#adapters/services/signing/operations.ts';
import { storedEffectOf } from '#domain/operations/effect.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';
import { serviceOperationsContract } from '#test/contract/service-operations.contract.ts';
import { tokenRecord } from '#test/support/connections/token-record.ts';
import { signingProvider } from '#test/support/services/providers.ts';
import { sentRequest } from '#test/support/services/sent-request.ts';

// Copied by hand from the description of the interface (SIGN-002, SIGN-006).
const plannedRoutes = [
  'GET /documents',
  'POST /documents',
  'GET /documents/{id}',
  'PATCH /documents/{id}',
  'DELETE /documents/{id}',
  'GET /documents/{id}/details',
  'POST /documents/{id}/send',
  'PATCH /documents/{id}/status',
  'POST /documents/{id}/draft',
  'GET /documents/{id}/download',
  'GET /documents/{id}/download-protected',
  'GET /documents/{id}/audit-trail',
  'GET /documents/{id}/recipients',
  'POST /documents/{id}/recipients',
  'PATCH /documents/{id}/recipients/{rid}',
  'DELETE /documents/{id}/recipients/{rid}',
  'GET /documents/{id}/fields',
  'GET /documents/{id}/attachments',
  'POST /documents/{id}/editing-sessions',
  'POST /documents/{id}/session',
  'GET /templates',
  'POST /templates',
  'GET /templates/{id}',
  'DELETE /templates/{id}',
  'GET /forms',
  'GET /forms/{id}',
  'GET /folders',
  'POST /folders',
  'PATCH /folders/{id}',
  'DELETE /folders/{id}',
  'GET /content-library-items',
  'POST /content-library-items',
  'GET /content-library-items/{id}',
  'GET /contacts',
  'GET /members',
  'GET /documents/{id}/quotes',
  'PATCH /documents/{id}/quotes/{qid}',
  'POST /documents/{id}/linked-objects',
  'GET /documents/{id}/linked-objects',
  'DELETE /documents/{id}/linked-objects/{lid}',
];

// The planned tools, copied by hand; the inputs that each cannot do without.
const plannedTools: Readonly<Record<string, readonly string[]>> = {
  signing_documents_list: ['page', 'count'],
  signing_document_get: ['id'],
  signing_document_create: ['template_uuid', 'url', 'name', 'recipients', 'wait'],
  signing_document_send: ['id', 'message', 'subject', 'silent'],
  signing_document_status: ['id', 'status'],
  signing_document_download: ['id'],
  signing_templates_list: ['page', 'count'],
  signing_template_get: ['id'],
  signing_document_details: ['id'],
};

// Tools beyond the planned ones, by hand (TOOL-011).
const moreTools = ['signing_document_from_file', 'signing_document_revert'];

const table: Readonly<Record<string, Operation>> = operations;
const neutral = signingProvider({
  dialect: 'neutral',
  url: 'https://signing.example',
  authorizeUrl: null,
  tokenUrl: null,
});
const catalog = catalogOf([neutral]);

const key: TokenRecord = tokenRecord('signing');
const oauth: TokenRecord = { ...key, authMethod: 'oauth', accessToken: 'the-token', refreshToken: 'again' };

function sent(name: keyof typeof operations, input: object, dialect: 'neutral' | 'pandadoc' = 'neutral', record = key) {
  const url = dialect === 'neutral' ? 'https://signing.example' : null;
  return sentRequest(signingProvider({ dialect, url }), name, { input, record });
}

const json = (request: ReturnType<typeof sent>): unknown =>
  typeof request.body === 'string' ? JSON.parse(request.body) : undefined;

/** Method and address of a request, without the provider's host. */
const line = ({ method, url }: ReturnType<typeof sent>) =>
  `${method} ${url.replace(/^https:\/\/(signing\.example|api\.pandadoc\.com)/, '')}`;

describe('the operations of the signing service (SIGN-002, SIGN-006)', () => {
  serviceOperationsContract('the signing service', {
    catalog,
    rows: Object.values(table).flatMap((row) => (row.kind === 'request' ? [`${row.method} ${row.path}`] : [])),
    // Not in the interface: only the vendor dialect asks for a template's details there.
    plannedRows: [...plannedRoutes, 'GET /templates/{id}/details'].map((route) => route.replace(' ', ' /public/v1')),
    plannedRoutes,
    plannedTools: Object.keys(plannedTools),
    moreTools,
    inputs: plannedTools,
    withoutOutput: ['signing_document_download'],
    destroying: ['signing_document_revert', 'signing_document_send', 'signing_document_status'],
    maxTitleLength: 50,
  });

  it('number forty', () => expect(plannedRoutes).toHaveLength(40));

  it('keep an id within its segment of the path', () => {
    expect(sent('documents.get', { id: 'a/b?c#d' }).url).toBe(
      'https://signing.example/public/v1/documents/a%2Fb%3Fc%23d',
    );
    expect(operations['documents.get'].input.safeParse({ id: '..' }).success).toBe(false);
    expect(operations['documents.get'].input.safeParse({ id: '' }).success).toBe(false);
  });
});

describe('the tools of the signing service', () => {
  it('are marked when they may lose something or reach others', () => {
    const destroying = catalog.operations
      .filter(({ effect }) => storedEffectOf(effect) === 'destroy')
      .map(({ name }) => name);
    expect(destroying.sort()).toEqual([
      'documents.delete',
      'documents.send',
      'documents.send_draft',
      'documents.set_status',
      'documents.status',
      'documents.to_draft',
      'documents.update',
      'folders.delete',
      'linked_objects.delete',
      'quotes.update',
      'recipients.add',
      'recipients.delete',
      'recipients.update',
      'sessions.sign',
      'templates.delete',
    ]);
  });
});

describe('authentication of requests to the signing service', () => {
  it('sends a sandbox key as `Authorization: API-Key <API_KEY>` (SIGN-001)', () => {
    expect(sent('members.list', {}).headers['authorization']).toBe('API-Key the-key');
  });

  it('sends an OAuth token as `Authorization: Bearer <ACCESS_TOKEN>` (SIGN-001)', () => {
    expect(sent('members.list', {}, 'neutral', oauth).headers['authorization']).toBe('Bearer the-token');
  });

  it("is the same in the vendor's dialect", () => {
    expect(sent('members.list', {}, 'pandadoc').headers['authorization']).toBe('API-Key the-key');
    expect(sent('members.list', {}, 'pandadoc', oauth).headers['authorization']).toBe('Bearer the-token');
  });

  it("needs an address in the neutral dialect, and knows the vendor's in its own", () => {
    expect(signingProvider({ dialect: 'neutral', url: null }).dialect.baseUrl(key)).toBeNull();
    expect(signingProvider({ dialect: 'pandadoc', url: null }).dialect.baseUrl(key)).toBe('https://api.pandadoc.com');
    expect(signingProvider({ dialect: 'pandadoc', url: 'https://eu.example/' }).dialect.baseUrl(key)).toBe(
      'https://eu.example',
    );
  });
});

describe('page and count', () => {
  it('travel in the query, while fields are not sent (SIGN-007)', () => {
    expect(line(sent('documents.list', { page: '3', count: 10, fields: ['id'], status: 'sent' }))).toBe(
      'GET /public/v1/documents?page=3&count=10&status=sent',
    );
  });

  it('accept the next page of an answer as text', () => {
    expect(line(sent('templates.list', { page: '2' }))).toBe('GET /public/v1/templates?page=2&count=20');
  });
});

describe('a request that differs from the usual form', () => {
  it('creates a document with its option for form fields in the query', () => {
    const request = sent('documents.create', {
      url: 'https://files.example/a.pdf',
      name: 'A',
      use_form_field_properties: 'yes',
      recipients: [{ email: 'ann@example.com', role: 'Client', signing_order: 1 }],
    });
    expect(line(request)).toBe('POST /public/v1/documents?use_form_field_properties=yes');
    expect(json(request)).toEqual({
      url: 'https://files.example/a.pdf',
      name: 'A',
      recipients: [{ email: 'ann@example.com', role: 'Client', signing_order: 1 }],
    });
  });

  it('sends a recipient as the whole body, so that its id is not taken for the document’s', () => {
    const request = sent('recipients.add', { id: 'doc', recipient: { id: 'contact' } });
    expect(line(request)).toBe('POST /public/v1/documents/doc/recipients');
    expect(json(request)).toEqual({ id: 'contact', kind: 'contact' });
  });

  it('sets a state by its name', () => {
    const request = sent('documents.set_status', { id: 'doc', status: 'expired', note: 'late' });
    expect(line(request)).toBe('PATCH /public/v1/documents/doc/status');
    expect(json(request)).toEqual({ status: 'expired', note: 'late' });
  });

  it.each(['draft', 'sent', 'paid', 'voided'])('refuses to set the state %s by hand (SIGN-005)', (status) => {
    expect(operations['documents.set_status'].input.safeParse({ id: 'doc', status }).success).toBe(false);
  });

  it('uploads a file as a form', async () => {
    const request = sent('content_items.create', { file: { name: 'a.pdf', content_base64: 'JVBERg==' }, name: 'A' });
    expect(line(request)).toBe('POST /public/v1/content-library-items');
    expect(await formOf(request)).toEqual([
      ['name', 'A'],
      ['file', 'a.pdf', '%PDF'],
    ]);
  });

  it('downloads any media type that the service produces', () => {
    expect(sent('documents.download', { id: 'doc', watermark_text: 'COPY' })).toMatchObject({
      method: 'GET',
      url: 'https://signing.example/public/v1/documents/doc/download?watermark_text=COPY',
      headers: { accept: '*/*' },
    });
  });

  it('has no path for folders of templates in the neutral dialect', () => {
    expect(line(sent('folders.list', { tree: 'templates', parent_uuid: 'p' }))).toBe(
      'GET /public/v1/folders?count=20&parent_uuid=p',
    );
    expect(json(sent('folders.create', { name: 'A', tree: 'templates' }))).toEqual({ name: 'A' });
    expect(line(sent('folders.rename', { id: 'f', name: 'B' }))).toBe('PATCH /public/v1/folders/f');
  });
});

describe("requests in the vendor's dialect", () => {
  it.each([
    [
      'documents.audit_trail',
      { id: 'd', page: 3, count: 20 },
      'GET /public/v2/documents/d/audit-trail?limit=20&offset=40',
    ],
    ['recipients.list', { id: 'd' }, 'GET /public/v1/documents/d/details'],
    ['quotes.list', { id: 'd' }, 'GET /public/v1/documents/d/details'],
    ['folders.list', {}, 'GET /public/v1/documents/folders?count=20'],
    ['folders.list', { tree: 'templates' }, 'GET /public/v1/templates/folders?count=20'],
    ['contacts.list', { email: 'a@example.com', page: 2 }, 'GET /public/v1/contacts?email=a%40example.com'],
    ['members.list', {}, 'GET /public/v1/members'],
    [
      'documents.list',
      { status: 'expired', status__ne: 'draft' },
      'GET /public/v1/documents?count=20&status=11&status__ne=0',
    ],
    ['documents.list', { metadata: { deal_id: '8' } }, 'GET /public/v1/documents?count=20&metadata_deal_id=8'],
  ] as const)('send %s %j as %s', (name, input, expected) => {
    expect(line(sent(name, input, 'pandadoc'))).toBe(expected);
  });

  it.each([
    [
      'recipients.update',
      { id: 'd', rid: 'r', first_name: 'Ann' },
      'PATCH /public/v1/documents/d/recipients/recipient/r',
      { first_name: 'Ann' },
    ],
    [
      'recipients.add',
      { id: 'd', recipient: { id: 'c', kind: 'contact_group' } },
      'POST /public/v1/documents/d/recipients',
      { id: 'c', kind: 'contact_group' },
    ],
    [
      'folders.create',
      { name: 'A', parent_uuid: 'p' },
      'POST /public/v1/documents/folders',
      { name: 'A', parent_uuid: 'p' },
    ],
    ['folders.create', { name: 'A', tree: 'templates' }, 'POST /public/v1/templates/folders', { name: 'A' }],
    ['folders.rename', { id: 'f', name: 'B', tree: 'templates' }, 'PUT /public/v1/templates/folders/f', { name: 'B' }],
    [
      'quotes.update',
      { id: 'd', qid: 'q', currency: 'EUR' },
      'PUT /public/v1/documents/d/quotes/q',
      { currency: 'EUR' },
    ],
    ['documents.set_status', { id: 'd', status: 'completed' }, 'PATCH /public/v1/documents/d/status', { status: 2 }],
    ['documents.set_status', { id: 'd', status: 'expired' }, 'PATCH /public/v1/documents/d/status', { status: 11 }],
    ['documents.set_status', { id: 'd', status: 'declined' }, 'PATCH /public/v1/documents/d/status', { status: 12 }],
    ['documents.send', { id: 'd' }, 'POST /public/v1/documents/d/send', { silent: false }],
    ['documents.send', { id: 'd', silent: true }, 'POST /public/v1/documents/d/send', { silent: true }],
    ['documents.create', { template_uuid: 't' }, 'POST /public/v1/documents', { template_uuid: 't', recipients: [] }],
    [
      'documents.create',
      { url: 'https://f.example/x/My%20Offer.pdf' },
      'POST /public/v1/documents',
      { url: 'https://f.example/x/My%20Offer.pdf', name: 'My Offer' },
    ],
    ['templates.create', {}, 'POST /public/v1/templates', { name: 'Template' }],
  ] as const)('send %s %j as %s with %j', (name, input, expected, body) => {
    const request = sent(name, input, 'pandadoc');
    expect(line(request)).toBe(expected);
    expect(json(request)).toEqual(body);
  });

  it('send what goes with an uploaded file as one JSON field', async () => {
    const file = { name: 'a.pdf', content_base64: 'JVBERg==', media_type: 'application/pdf' };
    const request = sent('content_items.create', { file, name: 'A' }, 'pandadoc');
    expect(line(request)).toBe('POST /public/v1/content-library-items?upload');
    expect(await formOf(request)).toEqual([
      ['data', '{"name":"A"}'],
      ['file', 'a.pdf', '%PDF'],
    ]);
  });

  it.each([
    ['Offer.md', 'text/markdown; charset=utf-8', 'upload-markdown'],
    ['Offer.MARKDOWN', 'text/markdown; charset=utf-8', 'upload-markdown'],
    ['Offer.pdf', 'application/pdf', 'upload'],
  ])('upload %s as %s by %s (SIGN-012)', async (file, type, upload) => {
    const request = sent('documents.create', { file: { name: file, content_base64: 'JVBERg==' } }, 'pandadoc');
    expect(line(request)).toBe(`POST /public/v1/documents?${upload}`);
    expect(await textOf(request)).toContain(`content-type: ${type}`);
    expect(await formOf(sent('documents.create', { file: { name: file, content_base64: '' } }, 'pandadoc'))).toEqual([
      ['data', '{"name":"Offer"}'],
      ['file', file, ''],
    ]);
  });

  it('cannot get a form or delete a folder, and the tools say so (OP-008)', () => {
    const own = catalogOf([signingProvider({ dialect: 'pandadoc', url: null, authorizeUrl: null, tokenUrl: null })]);
    const missing = own.operations.filter(({ summary }) => summary.endsWith('(this provider does not have it)'));
    expect(missing.map(({ name }) => name).sort()).toEqual(['folders.delete', 'forms.get']);
  });

  it('are otherwise the same as in the neutral dialect (OP-009)', () => {
    const exact = [
      'documents.get',
      'documents.details',
      'documents.to_draft',
      'documents.delete',
      'fields.list',
    ] as const;
    for (const name of exact) expect(line(sent(name, { id: 'd' }, 'pandadoc'))).toBe(line(sent(name, { id: 'd' })));
  });
});

/** The whole text of a form. */
async function textOf({ body }: ReturnType<typeof sent>): Promise<string> {
  if (body === undefined || typeof body === 'string' || body instanceof Uint8Array) throw new Error('no form');
  const chunks: Uint8Array[] = [];
  for await (const chunk of body) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}

/** The parts of a form: name and text, or name, file name and text. */
async function formOf(request: ReturnType<typeof sent>): Promise<readonly (readonly string[])[]> {
  const form = await new Response(await textOf(request), { headers: request.headers }).formData();
  return Promise.all(
    [...form].map(async ([name, value]) =>
      typeof value === 'string' ? [name, value] : [name, value.name, await value.text()],
    ),
  );
}
