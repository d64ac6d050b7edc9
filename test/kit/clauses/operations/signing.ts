import { equal, holds, member, status } from '#test/kit/checks.ts';
import { type Clause, contract, portolan } from '#test/kit/clause.ts';
import { arrived, type Row, rowClauses, type ToolRow, toolClauses } from '#test/kit/clauses/operations/rows.ts';
import { connectByOAuth, withKey } from '#test/kit/connections.ts';
import { fileBytes } from '#test/kit/emulators/cloud-services.ts';

const at = '/public/v1';
const recipient = { id: 'con1', kind: 'contact' };
const documentFields = {
  name: 'Agreement',
  url: 'https://files.example/a.pdf',
  recipients: [{ email: 'ada@example.com', role: 'Client' }],
};
const link = { provider: 'crm', entity_type: 'deal', entity_id: '41' };

/** A row whose path is the same on both sides. */
const same = (id: string, method: string, path: string, body?: unknown): Row => [
  `${id}/${method} ${path}`,
  `${method} ${path}`,
  body,
  `${method} ${at}${path.split('?')[0] ?? ''}`,
  {
    ...(body === undefined ? {} : { json: body }),
    query: Object.fromEntries(new URLSearchParams(path.split('?')[1] ?? '')),
  },
];

const rows: readonly Row[] = [
  same('SIGN-002', 'GET', '/documents?page=2&count=7'),
  same('SIGN-002', 'POST', '/documents', documentFields),
  same('SIGN-002', 'GET', '/documents/doc1'),
  same('SIGN-002', 'PATCH', '/documents/doc1', { name: 'Agreement 2' }),
  same('SIGN-002', 'DELETE', '/documents/doc1'),
  same('SIGN-002', 'GET', '/documents/doc1/details'),
  same('SIGN-002', 'POST', '/documents/doc1/send', { message: 'Please sign', subject: 'Agreement' }),
  same('SIGN-002', 'POST', '/documents/doc1/draft'),
  same('SIGN-002', 'GET', '/documents/doc1/audit-trail'),
  same('SIGN-006', 'GET', '/documents/doc1/recipients'),
  same('SIGN-006', 'PATCH', '/documents/doc1/recipients/rec1', { first_name: 'Ada' }),
  same('SIGN-006', 'DELETE', '/documents/doc1/recipients/rec1'),
  same('SIGN-006', 'GET', '/documents/doc1/fields'),
  same('SIGN-006', 'GET', '/documents/doc1/attachments'),
  same('SIGN-006', 'POST', '/documents/doc1/session', { recipient: 'ada@example.com', lifetime: 900 }),
  same('SIGN-006', 'POST', '/documents/doc1/editing-sessions', { email: 'ada@example.com' }),
  same('SIGN-006', 'GET', '/templates'),
  same('SIGN-006', 'GET', '/templates/tpl1'),
  same('SIGN-006', 'DELETE', '/templates/tpl1'),
  same('SIGN-006', 'POST', '/templates', { name: 'Template', url: 'https://files.example/t.pdf' }),
  same('SIGN-006', 'GET', '/forms'),
  same('SIGN-006', 'GET', '/forms/form1'),
  same('SIGN-006', 'GET', '/folders'),
  same('SIGN-006', 'POST', '/folders', { name: 'Folder' }),
  same('SIGN-006', 'PATCH', '/folders/fol1', { name: 'Folder' }),
  same('SIGN-006', 'DELETE', '/folders/fol1'),
  same('SIGN-006', 'GET', '/content-library-items'),
  same('SIGN-006', 'GET', '/content-library-items/item1'),
  same('SIGN-006', 'GET', '/contacts'),
  same('SIGN-006', 'GET', '/members'),
  same('SIGN-006', 'GET', '/documents/doc1/quotes'),
  same('SIGN-006', 'PATCH', '/documents/doc1/quotes/quo1', { currency: 'EUR' }),
  same('SIGN-006', 'POST', '/documents/doc1/linked-objects', link),
  same('SIGN-006', 'GET', '/documents/doc1/linked-objects'),
  same('SIGN-006', 'DELETE', '/documents/doc1/linked-objects/link1'),
  [
    'SIGN-006/POST /documents/doc1/recipients',
    'POST /documents/doc1/recipients',
    { recipient },
    `POST ${at}/documents/doc1/recipients`,
  ],
];

const tools: readonly ToolRow[] = [
  ['SIGN-002', 'signing_documents_list', { count: 5 }, `GET ${at}/documents`, { query: { count: '5' } }],
  ['SIGN-002', 'signing_document_get', { id: 'doc1' }, `GET ${at}/documents/doc1`],
  [
    'SIGN-002',
    'signing_document_create',
    { ...documentFields },
    `POST ${at}/documents`,
    { json: { name: 'Agreement' } },
  ],
  ['SIGN-002', 'signing_document_send', { id: 'doc1' }, `POST ${at}/documents/doc1/send`],
  ['SIGN-002', 'signing_document_status', { id: 'doc1' }, `GET ${at}/documents/doc1`],
  ['SIGN-002', 'signing_document_download', { id: 'doc1' }, `GET ${at}/documents/doc1/download`],
  ['SIGN-002', 'signing_document_details', { id: 'doc1' }, `GET ${at}/documents/doc1/details`],
  ['SIGN-006', 'signing_templates_list', {}, `GET ${at}/templates`],
  ['SIGN-006', 'signing_template_get', { id: 'tpl1' }, `GET ${at}/templates/tpl1`],
];

const needs = ['login', 'rest', 'service:signing'] as const;

/** Clauses on the operations of the signing service. */
export const signing: readonly Clause[] = [
  ...rowClauses('signing', rows),
  ...toolClauses('signing', portolan, tools),
  contract(
    'SIGN-001/oauth',
    'an OAuth token travels as Authorization: Bearer',
    async (kit) => {
      await connectByOAuth(kit, 'signing');
      const { accessToken } = kit.emulators.cloud.signing.oauth;
      const { received } = await kit.arriving('signing', () => kit.api('GET', '/api/signing/contacts'));
      arrived(received, `GET ${at}/contacts`, { headers: { authorization: `Bearer ${accessToken}` } });
    },
    needs,
  ),
  contract(
    'SIGN-001/key',
    'a key travels as Authorization: API-Key',
    async (kit) => {
      const { key } = kit.emulators.cloud.signing;
      const { received } = await withKey(kit, 'signing', () =>
        kit.arriving('signing', () => kit.api('GET', '/api/signing/contacts')),
      );
      arrived(received, `GET ${at}/contacts`, { headers: { authorization: `API-Key ${key}` } });
    },
    needs,
  ),
  ...['download', 'download-protected'].map((name) =>
    contract(
      `SIGN-002/${name}`,
      `${name} gives the document’s bytes`,
      async (kit) => {
        const { value, received } = await kit.arriving('signing', () =>
          kit.api('GET', `/api/signing/documents/doc1/${name}`),
        );
        arrived(received, `GET ${at}/documents/doc1/${name}`);
        status(value, 200);
        equal(value.bytes.equals(fileBytes), true, 'the same bytes:');
      },
      needs,
    ),
  ),
  contract(
    'SIGN-003',
    'a new document is answered as document.uploaded, before it is a draft',
    async (kit) => {
      const body = { id: 'doc9', name: 'Agreement', status: 'document.uploaded' };
      kit
        .emulator('signing')
        .script(({ method, path }) => method === 'POST' && path === `${at}/documents`, { status: 201, body });
      const answer = await kit.api('POST', '/api/signing/documents', documentFields);
      status(answer, 200);
      equal(member(answer.json, 'data', 'status'), 'document.uploaded', 'status');
    },
    needs,
  ),
  contract(
    'SIGN-004',
    'sending a document that is no draft fails',
    async (kit) => {
      const refusal = { status: 409, body: { type: 'request_error', detail: 'Document is not in draft state' } };
      kit.emulator('signing').script(({ path }) => path === `${at}/documents/doc3/send`, refusal);
      const answer = await kit.api('POST', '/api/signing/documents/doc3/send', {});
      holds(answer.status >= 400 && answer.status < 500, 'a failure', `${answer.status} ${answer.text}`);
    },
    needs,
  ),
  ...['completed', 'expired', 'declined'].map((state) =>
    contract(
      `SIGN-005/${state}`,
      `the status can be set to ${state}`,
      async (kit) => {
        const { value, received } = await kit.arriving('signing', () =>
          kit.api('PATCH', '/api/signing/documents/doc1/status', { status: state }),
        );
        const { text } = arrived(received, `PATCH ${at}/documents/doc1/status`);
        holds(/"status":\s*("\w|\d)/.test(text), 'a status in the body', text);
        status(value, 200);
      },
      needs,
    ),
  ),
  contract(
    'SIGN-005/other',
    'another status is refused, and nothing is sent',
    async (kit) => {
      const { value, received } = await kit.arriving('signing', () =>
        kit.api('PATCH', '/api/signing/documents/doc1/status', { status: 'draft' }),
      );
      status(value, [400, 422]);
      equal(received.filter(({ method }) => method === 'PATCH').length, 0, 'the number of requests');
    },
    needs,
  ),
  contract(
    'SIGN-006/upload',
    'POST /content-library-items is a file upload',
    async (kit) => {
      const headers = { authorization: `Bearer ${await kit.token()}`, 'content-type': 'application/pdf' };
      const path = '/api/signing/content-library-items?name=Clause&file_name=clause.pdf';
      const { value, received } = await kit.arriving('signing', () =>
        kit.send({ ...kit.routed('POST', path), headers, body: fileBytes }),
      );
      const request = arrived(received, `POST ${at}/content-library-items`, {
        headers: { 'content-type': /^multipart\/form-data/ },
      });
      holds(request.body.includes(fileBytes), 'the bytes of the file', request.text);
      status(value, 200);
    },
    needs,
  ),
  contract(
    'SIGN-007',
    'a list is paged by page and count, with its items in results',
    async (kit) => {
      const results = [{ id: 'a' }, { id: 'b' }];
      kit.emulator('signing').script(({ query }) => query.get('page') === '3', { body: { results } });
      const answer = await kit.api('GET', '/api/signing/documents?page=3&count=2');
      status(answer, 200);
      equal(member(answer.json, 'data', 'length'), 2, 'the number of items');
      equal(member(answer.json, 'pagination', 'hasMore'), true, 'hasMore');
    },
    needs,
  ),
];
