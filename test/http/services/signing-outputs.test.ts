import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { TokenRecord } from '#domain/tokens/token-record.ts';
import { HttpClient } from '#infrastructure/http/http-client.ts';
import { type SigningEmulator, startSigningEmulator } from '#test/emulators/signing/emulator.ts';
import { onlyTokens, tokenRecord } from '#test/support/connections/token-record.ts';
import { documentedTools, withoutNulls } from '#test/support/mcp/documented-tools.ts';
import { operationsOver } from '#test/support/services/operations-over.ts';
import { signingProvider } from '#test/support/services/providers.ts';

const dialects = [
  { words: 'neutral', name: 'neutral' },
  { words: 'pandadoc', name: 'pandadoc' },
] as const;
const isText = expect.any(String);

// What each tool answers, as its published schema has it: over real sockets, in the neutral dialect and in the vendor's.
describe.each(dialects)('the answers of the signing tools, in the $name dialect', ({ words, name }) => {
  let emulator: SigningEmulator;
  let http: HttpClient;
  let call: ReturnType<typeof documentedTools>;
  /** A draft that has everything. */
  let id: string;

  beforeEach(async () => {
    emulator = await startSigningEmulator({ dialect: words, draftAfterMs: null });
    http = new HttpClient(() => 0);
    const record: TokenRecord = tokenRecord('signing', { accessToken: emulator.apiKey });
    const tokens = onlyTokens(record);
    const waiting = { now: () => 0, pause: async () => {} };
    const settings = { dialect: name, url: emulator.url, authorizeUrl: null, tokenUrl: null };
    const provider = signingProvider(settings, waiting);
    call = documentedTools(provider, operationsOver({ providers: [provider], tokens, http }));
    await call('signing_document_create', {
      template_uuid: 'tpl-nda',
      name: 'Deal',
      recipients: [{ email: 'ann@example.com', first_name: 'Ann', role: 'Client' }],
      tokens: [{ name: 'Client.Company', value: 'Acme' }],
      tags: ['deal'],
      metadata: { deal_id: '8' },
    });
    id = [...emulator.world.documents.keys()][0] ?? '';
    emulator.lifeCycle.process(id);
  });
  afterEach(async () => {
    http.close();
    await emulator.close();
  });

  it('are a document that is not ready from signing_document_create', async () => {
    const { texts, content } = await call('signing_document_create', { template_uuid: 'tpl-offer', name: 'Offer' });
    expect(content).toMatchObject({ name: 'Offer', status: 'document.uploaded', date_created: isText, id: isText });
    expect(texts.map(withoutNulls)).toEqual([
      withoutNulls(JSON.stringify(content)),
      expect.stringContaining('not ready yet'),
    ]);
  });

  it.each(['signing_document_get', 'signing_document_status'])('are name, state and dates from %s', async (tool) => {
    const { texts, content } = await call(tool, { id });
    expect(content).toMatchObject({
      name: 'Deal',
      status: 'document.draft',
      date_created: isText,
      id,
    });
    expect(texts.map(withoutNulls)).toEqual([withoutNulls(JSON.stringify(content))]);
  });

  it('are the state that was set from signing_document_status', async () => {
    const { texts, content } = await call('signing_document_status', { id, status: 'completed' });
    expect(content).toEqual({ status: 'document.completed', id });
    expect(texts.map(withoutNulls)).toEqual([withoutNulls(JSON.stringify(content))]);
  });

  it('are the document with its recipients from signing_document_send', async () => {
    const { texts, content } = await call('signing_document_send', { id, silent: true });
    expect(content).toMatchObject({
      name: 'Deal',
      status: 'document.sent',
      recipients: [{ first_name: 'Ann', email: 'ann@example.com', recipient_type: 'signer', id: isText }],
      id,
    });
    expect(texts.map(withoutNulls)).toEqual([withoutNulls(JSON.stringify(content))]);
  });

  it('are all that the document has from signing_document_details', async () => {
    const { texts, content } = await call('signing_document_details', { id });
    expect(content).toMatchObject({
      name: 'Deal',
      status: 'document.draft',
      grand_total: { amount: '0.00', currency: 'USD' },
      recipients: [{ first_name: 'Ann', role: 'Client', has_completed: false }],
      fields: [
        { name: 'Client signature', value: {}, type: 'signature' },
        { name: 'Owner signature', value: {}, type: 'signature' },
        { name: 'Client.Company', type: 'text' },
      ],
      tokens: [{ name: 'Client.Company', value: 'Acme' }],
      metadata: { deal_id: '8' },
      tags: ['deal'],
      template: { name: 'NDA', id: 'tpl-nda' },
      linked_objects: [],
      id,
    });
    expect(texts.map(withoutNulls)).toEqual([withoutNulls(JSON.stringify(content))]);
  });

  it.each([
    ['signing_documents_list', {}, [{ name: 'Deal', status: 'document.draft', date_created: isText, id: isText }]],
    ['signing_documents_list', { metadata: { deal_id: '8' }, fields: ['name'] }, [{ name: 'Deal' }]],
    ['signing_documents_list', { status: 'completed' }, []],
    [
      'signing_templates_list',
      {},
      [
        { name: 'NDA', date_created: isText, id: 'tpl-nda' },
        { name: 'Offer', date_created: isText, id: 'tpl-offer' },
      ],
    ],
  ])('are a page of records from %s (%j)', async (tool, args, records) => {
    const { texts, content } = await call(tool, args);
    expect(content).toMatchObject({ data: records, pagination: { next: null, hasMore: false } });
    expect(texts.map(withoutNulls)).toEqual([withoutNulls(JSON.stringify(content))]);
  });

  it('have the next page in a full page', async () => {
    const { content } = await call('signing_templates_list', { count: 1 });
    expect(content).toMatchObject({ data: [{ id: 'tpl-nda' }], pagination: { next: '2', hasMore: true } });
  });

  it('are name, state and dates from signing_template_get', async () => {
    const { texts, content } = await call('signing_template_get', { id: 'tpl-nda' });
    expect(content).toMatchObject({ name: 'NDA', status: isText, date_created: isText, id: 'tpl-nda' });
    expect(texts.map(withoutNulls)).toEqual([withoutNulls(JSON.stringify(content))]);
  });

  it('are a file and nothing else from signing_document_download', async () => {
    const { texts, content } = await call('signing_document_download', { id });
    expect(texts.length).toBeGreaterThan(0);
    expect(content).toBeNull();
  });

  it('report what is undocumented, and have it in the text only', async () => {
    const document = emulator.world.documents.get(id);
    if (document === undefined) throw new Error('no document');
    document.tokens = [
      { name: 'Client.Company', value: 7 },
      { name: 'Client.City', value: 'Leeds' },
    ];
    const { texts, content } = await call('signing_document_details', { id });
    expect(content).toMatchObject({
      tokens: [{ name: 'Client.Company' }, { name: 'Client.City', value: 'Leeds' }],
      id,
    });
    expect(Object(content).tokens[0]).not.toHaveProperty('value');
    expect(JSON.parse(texts[0] ?? '')).toMatchObject({ tokens: [{ value: 7 }, { value: 'Leeds' }] });
    expect(texts.slice(1)).toEqual([
      '`tokens[].value` came as a number where text is documented; it is in this text only.',
    ]);
  });
});
