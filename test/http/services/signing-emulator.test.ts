import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { UserCall } from '#application/ports/operation-caller.ts';
import { type FileContent, isFileContent } from '#domain/operations/file-content.ts';
import { failed, type Outcome } from '#domain/operations/outcome.ts';
import { err, ok } from '#domain/shared/result.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';
import { HttpClient } from '#infrastructure/http/http-client.ts';
import { type SigningEmulator, startSigningEmulator } from '#test/emulators/signing/emulator.ts';
import { rounds } from '#test/support/form.ts';
import { serveOnLoopback } from '#test/support/network/loopback-server.ts';
import { operationsOver } from '#test/support/services/operations-over.ts';
import { signingProvider } from '#test/support/services/providers.ts';

const dialects = [
  { words: 'neutral', name: 'neutral' },
  { words: 'pandadoc', name: 'pandadoc' },
] as const;

const recipients = [
  { email: 'ann@example.com', first_name: 'Ann', role: 'Client' },
  { email: 'bob@example.com', first_name: 'Bob', role: 'Owner' },
];
const withId = z.looseObject({ id: z.string() });
const withUuid = z.looseObject({ uuid: z.string() });
const listed = z.array(z.looseObject({ id: z.string() }));

describe.each(dialects)('the signing service, in the $name dialect', ({ words, name }) => {
  let emulator: SigningEmulator;
  let http: HttpClient;
  let record: TokenRecord;
  let renewals: number;
  /** What happens while a recipe pauses; the clock goes on by the pause. */
  let whilePausing: () => void;
  let pauses: number[];

  beforeEach(async () => {
    emulator = await startSigningEmulator({ dialect: words, draftAfterMs: null });
    http = new HttpClient(() => 0);
    record = recordWith('api_key', emulator.apiKey);
    renewals = 0;
    whilePausing = () => {};
    pauses = [];
  });
  afterEach(async () => {
    http.close();
    await emulator.close();
  });

  const gateway = () => {
    let now = 0;
    const waiting = {
      now: () => now,
      pause: async (ms: number) => {
        now += ms;
        pauses.push(ms);
        whilePausing();
      },
    };
    const settings = { dialect: name, url: emulator.url, authorizeUrl: null, tokenUrl: null };
    const tokens = {
      find: async () => ok(record),
      renew: async () => {
        renewals += 1;
        if (record.authMethod !== 'oauth') return err(failed('unauthorized', 'The key was refused.'));
        record = { ...record, accessToken: emulator.grants.issue().accessToken };
        return ok(record);
      },
    };
    return operationsOver({ providers: [signingProvider(settings, waiting)], tokens, http });
  };

  const call = (operation: string, input: object = {}): Promise<Outcome> => {
    const whole: UserCall = { userId: 1, service: 'signing', name: operation, input };
    return gateway().call(whole);
  };

  const good = async (operation: string, input: object = {}): Promise<unknown> => {
    const outcome = await call(operation, input);
    if (!outcome.ok) throw new Error(`${operation}: ${outcome.reason}, ${outcome.message}`);
    return outcome.data;
  };

  const refusal = async (operation: string, input: object) => {
    const outcome = await call(operation, input);
    if (outcome.ok) throw new Error(`${operation} was not refused`);
    return outcome;
  };

  const newDraft = async (): Promise<string> => {
    const { id } = withId.parse(await good('documents.create', { template_uuid: 'tpl-nda', name: 'Deal', recipients }));
    emulator.lifeCycle.process(id);
    return id;
  };

  describe('creating a document is asynchronous', () => {
    it('reports that it is not ready (SIGN-003)', async () => {
      const outcome = await call('documents.create_ready', { template_uuid: 'tpl-nda', name: 'Deal', recipients });
      expect(outcome).toMatchObject({ ok: true, data: { name: 'Deal', status: 'document.uploaded' } });
      expect(outcome.ok && outcome.warnings?.[0]).toContain('not ready yet');
      expect(pauses).toEqual([]);
    });

    it('reports that over the plain row, too', async () => {
      const outcome = await call('documents.create', { url: 'https://files.example/a.pdf', recipients });
      expect(outcome.ok && outcome.warnings?.[0]).toContain('not ready yet');
    });

    it('waits until it is a draft, on request (SIGN-003)', async () => {
      whilePausing = () => {
        if (pauses.length === 3) for (const id of emulator.world.documents.keys()) emulator.lifeCycle.process(id);
      };
      const outcome = await call('documents.create_ready', { template_uuid: 'tpl-nda', recipients, wait: 30 });
      expect(outcome).toMatchObject({ ok: true, data: { status: 'document.draft' } });
      expect(outcome.ok && outcome.warnings).toBeUndefined();
      expect(pauses).toEqual([1000, 2000, 4000]);
    });

    it('stops waiting at the bound, and reports that it is still not ready', async () => {
      const outcome = await call('documents.create_ready', { template_uuid: 'tpl-nda', recipients, wait: 10 });
      expect(outcome).toMatchObject({ ok: true, data: { status: 'document.uploaded' } });
      expect(outcome.ok && outcome.warnings?.[0]).toContain('not ready yet');
      expect(pauses.reduce((sum, ms) => sum + ms, 0)).toBe(10_000);
    });

    it('polls at most ten times in the longest wait, which a sandbox key allows in a minute', async () => {
      await call('documents.create_ready', { template_uuid: 'tpl-nda', recipients, wait: 60 });
      expect(pauses.length).toBeLessThanOrEqual(10);
    });

    it('reports that the document could not be created', async () => {
      emulator.world.creationsToFail = 1;
      whilePausing = () => {
        for (const id of emulator.world.documents.keys()) emulator.lifeCycle.process(id);
      };
      const { reason, message } = await refusal('documents.create_ready', { template_uuid: 'tpl-nda', wait: 5 });
      expect(reason).toBe('rejected');
      expect(message).toContain('could not make it');
    });

    it('keeps the new document in the result when its state cannot be read', async () => {
      whilePausing = () => emulator.failNext({ status: 403, body: { type: 'permissions_error', detail: 'No.' } });
      const outcome = await call('documents.create_ready', { template_uuid: 'tpl-nda', wait: 5 });
      expect(outcome).toMatchObject({ ok: true, data: { status: 'document.uploaded' } });
      expect(outcome.ok && outcome.warnings?.[1]).toContain('could not be read');
    });

    it('requires something to create it from', async () => {
      expect(await refusal('documents.create_ready', { name: 'Deal' })).toMatchObject({ reason: 'invalid_input' });
      expect(emulator.requests).toEqual([]);
    });
  });

  describe('a refusal is explained by the state of the document', () => {
    it('for a document that is still being created, which cannot be sent (SIGN-004)', async () => {
      const { id } = withId.parse(await good('documents.create', { template_uuid: 'tpl-nda', recipients }));
      const { reason, message } = await refusal('documents.send_draft', { id });
      expect(reason).toBe('conflict');
      expect(message).toContain('uploaded, not draft: it is still being made');
    });

    it('for a sent document, which cannot be sent again (SIGN-004)', async () => {
      const id = await newDraft();
      expect(await good('documents.send_draft', { id, subject: 'Please sign' })).toMatchObject({
        status: 'document.sent',
      });
      const { reason, message } = await refusal('documents.send_draft', { id });
      expect(reason).toBe('conflict');
      expect(message).toContain('The document is sent, not draft. Only a draft may be sent');
    });

    it('for a sent document, which cannot be changed, also by the plain row (SIGN-004)', async () => {
      const id = await newDraft();
      await good('documents.update', { id, name: 'Better' });
      await good('documents.send', { id });
      const { reason, message } = await refusal('documents.update', { id, name: 'Worse' });
      expect(reason).toBe('conflict');
      expect(message).toContain('the document is sent');
    });

    it('but stays unchanged if it has another reason', async () => {
      const { id } = withId.parse(await good('documents.create', { template_uuid: 'tpl-nda' }));
      emulator.lifeCycle.process(id);
      const { message } = await refusal('documents.send_draft', { id });
      expect(message).toContain('recipients: The document has no recipients.');
    });

    it('and a state is not set twice', async () => {
      const id = await newDraft();
      await good('documents.status', { id, status: 'declined' });
      expect((await refusal('documents.status', { id, status: 'declined' })).message).toBe(
        'The document is declined already.',
      );
    });
  });

  describe('a document', () => {
    it('goes from draft to sent, viewed and completed, and back to draft', async () => {
      const id = await newDraft();
      const status = async () => z.object({ status: z.string() }).parse(await good('documents.status', { id })).status;
      expect(await status()).toBe('document.draft');
      await good('documents.send_draft', { id });
      expect(await status()).toBe('document.sent');
      emulator.lifeCycle.view(id);
      expect(await status()).toBe('document.viewed');
      emulator.lifeCycle.complete(id);
      expect(await status()).toBe('document.completed');
      expect(await good('documents.to_draft', { id })).toMatchObject({ status: 'document.draft' });
    });

    it.each(['completed', 'expired', 'declined'] as const)(
      'can be set to %s by hand, and is found by that state (SIGN-005)',
      async (status) => {
        const id = await newDraft();
        await newDraft();
        expect(await good('documents.status', { id, status, note: 'by hand' })).toEqual({
          id,
          status: `document.${status}`,
        });
        expect(await good('documents.list', { status, fields: ['id'] })).toEqual([{ id }]);
        expect(listed.parse(await good('documents.list', { status__ne: status }))).toHaveLength(1);
      },
    );

    it('can be found by text, tag and metadata', async () => {
      const made = await good('documents.create', {
        template_uuid: 'tpl-offer',
        name: 'Big Offer',
        tags: ['q4'],
        metadata: { deal_id: '8' },
      });
      const { id } = withId.parse(made);
      await newDraft();
      for (const input of [
        { q: 'offer' },
        { tag: 'q4' },
        { metadata: { deal_id: '8' } },
        { template_id: 'tpl-offer' },
      ]) {
        expect(await good('documents.list', { ...input, fields: ['id'] })).toEqual([{ id }]);
      }
    });

    it('can be deleted', async () => {
      const id = await newDraft();
      await good('documents.delete', { id });
      expect(await refusal('documents.get', { id })).toMatchObject({ reason: 'not_found' });
    });

    it('lists what was done to it, page by page', async () => {
      const id = await newDraft();
      await good('documents.send', { id });
      const first = await call('documents.audit_trail', { id, count: 2 });
      expect(first).toMatchObject({
        ok: true,
        data: [{ action: 'created' }, { action: 'document.draft' }],
        pagination: { next: '2', hasMore: true },
      });
      const second = await call('documents.audit_trail', { id, count: 2, page: '2' });
      expect(second).toMatchObject({
        ok: true,
        data: [{ action: 'document.sent' }],
        pagination: { next: null, hasMore: false },
      });
    });
  });

  describe('the parts of a document (SIGN-006)', () => {
    it('include recipients, which can be listed, added, changed and removed', async () => {
      const id = await newDraft();
      const before = listed.parse(await good('recipients.list', { id }));
      expect(before.map(({ email }) => email)).toEqual(['ann@example.com', 'bob@example.com']);
      await good('recipients.add', { id, recipient: { id: 'contact-cleo' } });
      await good('recipients.update', { id, rid: before[0]?.id, first_name: 'Anna' });
      await good('recipients.delete', { id, rid: before[1]?.id });
      const after = listed.parse(await good('recipients.list', { id }));
      expect(after.map(({ email, first_name }) => [email, first_name])).toEqual([
        ['ann@example.com', 'Anna'],
        ['cleo@example.com', 'Cleo'],
      ]);
    });

    it('include quotes, which can be listed and changed', async () => {
      const id = await newDraft();
      const [quote] = listed.parse(await good('quotes.list', { id }));
      expect(await good('quotes.update', { id, qid: quote?.id, currency: 'EUR' })).toMatchObject({ currency: 'EUR' });
      expect(await good('quotes.list', { id })).toMatchObject([{ id: quote?.id, currency: 'EUR' }]);
    });

    it('include linked objects, which can be created, listed and removed; each CRM once', async () => {
      const id = await newDraft();
      const deal = { id, provider: 'pipedrive', entity_type: 'deal', entity_id: '8' };
      const made = withId.parse(await good('linked_objects.create', deal));
      expect(await refusal('linked_objects.create', deal)).toMatchObject({ reason: 'conflict' });
      expect(await good('linked_objects.list', { id })).toMatchObject([{ id: made.id, entity_id: '8' }]);
      await good('linked_objects.delete', { id, lid: made.id });
      expect(await good('linked_objects.list', { id })).toEqual([]);
    });

    it('include lists of fields and attachments', async () => {
      const id = await newDraft();
      expect(await good('fields.list', { id })).toMatchObject([
        { name: 'Client signature' },
        { name: 'Owner signature' },
        { name: 'Client.Company' },
      ]);
      expect(await good('attachments.list', { id })).toEqual([]);
    });

    it('are all in its details', async () => {
      const id = await newDraft();
      expect(await good('documents.details', { id })).toMatchObject({
        id,
        recipients: [{}, {}],
        pricing: { quotes: [{}] },
      });
    });

    it('include sessions to edit a draft and to sign a sent document', async () => {
      const id = await newDraft();
      expect(await good('sessions.edit', { id, email: 'staff@example.com', lifetime: 60 })).toMatchObject({
        document_id: id,
      });
      expect(await refusal('sessions.sign', { id, recipient: 'ann@example.com' })).toMatchObject({
        reason: 'conflict',
      });
      await good('documents.send', { id });
      expect(withId.parse(await good('sessions.sign', { id, recipient: 'ann@example.com' })).id).not.toBe('');
    });
  });

  describe('the sources of documents (SIGN-006)', () => {
    it('include templates, which can be listed, created, read and deleted', async () => {
      expect(await good('templates.list', { fields: ['name'] })).toEqual([{ name: 'NDA' }, { name: 'Offer' }]);
      const { id } = withId.parse(
        await good('templates.create', { url: 'https://files.example/Lease.pdf', name: 'Lease' }),
      );
      expect(await good('templates.get', { id })).toMatchObject({ name: 'Lease', status: 'template.PROCESSED' });
      expect(await good('templates.read', { id })).toMatchObject({
        name: 'Lease',
        roles: [{ name: 'Client' }, { name: 'Owner' }],
      });
      await good('templates.delete', { id });
      expect(await refusal('templates.get', { id })).toMatchObject({ reason: 'not_found' });
    });

    it('refuse a recipient with a role that the template does not know, and list the known ones', async () => {
      const recipients = [{ email: 'ann@example.com', role: 'Kunde' }];
      const outcome = await refusal('documents.create_ready', { template_uuid: 'tpl-nda', recipients });
      expect(outcome.message).toContain('The template has the roles "Client" and "Owner".');
    });

    it.each(['draft', 'document.draft'])('filter a list by the words of the answers, too: %s', async (status) => {
      expect(await good('documents.list', { status, fields: ['id'] })).toEqual(expect.any(Array));
    });

    it('include files in the content library', async () => {
      const file = { name: 'terms.pdf', content_base64: Buffer.from('%PDF-1.4 terms').toString('base64') };
      const { id } = withId.parse(await good('content_items.create', { file, name: 'New terms' }));
      expect(await good('content_items.get', { id })).toMatchObject({ name: 'New terms', size: 14 });
      expect(listed.parse(await good('content_items.list', { q: 'terms' }))).toHaveLength(2);
    });

    it('include a file that becomes a document, and a template, with a form', async () => {
      const file = { name: 'lease.pdf', content_base64: Buffer.from('%PDF-1.4 lease').toString('base64') };
      const document = withId.parse(await good('documents.create', { file, name: 'Lease', recipients }));
      expect(await good('documents.get', { id: document.id })).toMatchObject({
        name: 'Lease',
        status: 'document.uploaded',
      });
      const template = withId.parse(await good('templates.create', { file, name: 'Lease form' }));
      expect(await good('templates.get', { id: template.id })).toMatchObject({ name: 'Lease form' });
    });

    it('include folders, which can be listed, created and renamed', async () => {
      const made = withUuid.parse(await good('folders.create', { name: 'Leases', parent_uuid: 'folder-contracts' }));
      await good('folders.rename', { id: made.uuid, name: 'Old leases' });
      expect(await good('folders.list', { parent_uuid: 'folder-contracts', fields: ['name'] })).toEqual([
        { name: 'Old leases' },
      ]);
    });

    it('include pages of contacts and members', async () => {
      const first = await call('contacts.list', { count: 2, fields: ['first_name'] });
      expect(first).toEqual({
        ok: true,
        data: [{ first_name: 'Ann' }, { first_name: 'Bob' }],
        pagination: { next: '2', hasMore: true },
      });
      const second = await call('contacts.list', { count: 2, page: 2, fields: ['first_name'] });
      expect(second).toEqual({ ok: true, data: [{ first_name: 'Cleo' }], pagination: { next: null, hasMore: false } });
      expect(await good('contacts.list', { email: 'bob@example.com' })).toMatchObject([{ first_name: 'Bob' }]);
      expect(await good('members.list')).toMatchObject([{ first_name: 'Olga' }, { first_name: 'Stan' }]);
    });

    it('include forms, which state whether there are more', async () => {
      const outcome = await call('forms.list', { count: 1 });
      expect(outcome).toMatchObject({
        ok: true,
        data: [{ name: 'Lead form' }],
        pagination: { next: null, hasMore: false },
      });
    });
  });

  describe('a list', () => {
    it('continues to a short page, which is the end', async () => {
      for (let made = 0; made < 5; made += 1) await good('documents.create', { template_uuid: 'tpl-nda' });
      const seen: string[] = [];
      const pages: (string | null)[] = [];
      for (let page: string | null = '1'; page !== null; ) {
        const outcome: Outcome = await call('documents.list', { count: 2, page });
        if (!outcome.ok) throw new Error(outcome.message);
        seen.push(...listed.parse(outcome.data).map(({ id }) => id));
        page = outcome.pagination?.next ?? null;
        pages.push(page);
      }
      expect(new Set(seen).size).toBe(5);
      expect(pages).toEqual(['2', '3', null]);
    });
  });

  describe('a download', () => {
    const download = async (operation: string, id: string): Promise<FileContent> => {
      const file = await good(operation, { id });
      if (!isFileContent(file)) throw new Error('no file');
      return file;
    };

    it('is the PDF, named by the document', async () => {
      const id = await newDraft();
      const file = await download('documents.download', id);
      expect(file).toMatchObject({ name: 'Deal.pdf', mediaType: 'application/pdf' });
      const bytes = await buffer(file.bytes);
      expect(bytes.byteLength).toBe(file.size);
      expect(bytes.subarray(0, 8).toString()).toBe('%PDF-1.4');
      expect(bytes.subarray(-6).toString()).toBe('%%EOF\n');
    });

    it('of a large document is streamed and never held whole (REST-010)', async () => {
      const pdfBytes = rounds(20, 100) * 1024 * 1024;
      emulator.world.pdfBytes = pdfBytes;
      const file = await download('documents.download', await newDraft());
      let size = 0;
      let largest = 0;
      for await (const chunk of file.bytes) {
        size += chunk.byteLength;
        largest = Math.max(largest, chunk.byteLength);
      }
      expect(size).toBe(file.size);
      expect(size).toBeGreaterThan(pdfBytes - 1_000);
      expect(largest).toBeLessThan(1024 * 1024);
    });

    it('of a document that is still being created is refused with its state', async () => {
      const { id } = withId.parse(await good('documents.create', { template_uuid: 'tpl-nda' }));
      expect((await refusal('documents.download', { id })).message).toContain('still being made');
    });

    it('with proof of the signatures needs production credentials and a completed document', async () => {
      const id = await newDraft();
      expect(await refusal('documents.download_protected', { id })).toMatchObject({ reason: 'forbidden' });
      record = recordWith('oauth', emulator.grants.issue().accessToken);
      expect((await refusal('documents.download_protected', { id })).message).toContain('the document is draft');
      await good('documents.set_status', { id, status: 'completed' });
      expect((await buffer((await download('documents.download_protected', id)).bytes)).subarray(0, 5).toString()).toBe(
        '%PDF-',
      );
    });
  });

  describe('the credentials', () => {
    it('are unauthorized with a wrong key', async () => {
      record = recordWith('api_key', 'wrong');
      expect(await refusal('members.list', {})).toMatchObject({ reason: 'unauthorized' });
    });

    it('are renewed once when they expired, and the call is repeated once', async () => {
      record = recordWith('oauth', emulator.grants.issue().accessToken);
      await good('members.list');
      emulator.expireTokens();
      await good('members.list');
      expect(renewals).toBe(1);
    });
  });

  describe('an error', () => {
    it('reports a document that somebody edits as locked', async () => {
      const id = await newDraft();
      emulator.failNext({ status: 423, body: { type: 'document_locked', detail: 'Locked by Stan.' } });
      const { reason, message } = await refusal('documents.update', { id, name: 'x' });
      expect(reason).toBe('conflict');
      expect(message).toContain('locked');
    });

    it('reports wrong input field by field', async () => {
      const { message, details } = await refusal('documents.create', { template_uuid: 'none' });
      expect(message).toMatch(
        /^The (?:signing service|Signing service \(PandaDoc\)) refused: template_uuid: Template not found\.$/,
      );
      expect(details).toMatchObject({ type: 'validation_error' });
    });

    it('repeats a throttled request if it may be repeated', async () => {
      emulator.failNext({ status: 429, headers: { 'retry-after': '0' }, body: { type: 'throttled', detail: 'Slow.' } });
      await good('members.list');
      expect(emulator.requests).toHaveLength(2);
    });

    it('does not repeat a create that failed at the service', async () => {
      emulator.failNext({ status: 503, times: 3 });
      expect(await refusal('documents.create', { template_uuid: 'tpl-nda' })).toMatchObject({ reason: 'unavailable' });
      expect(emulator.requests).toHaveLength(1);
    });
  });

  describe('deliveries', () => {
    it('report the life of a document, signed', async () => {
      const receiver = await startReceiver();
      emulator.subscribe(receiver.url, 'shared-key');
      const id = await newDraft();
      await good('documents.send', { id });
      emulator.lifeCycle.complete(id);
      await emulator.webhooks.settled();
      await receiver.close();
      expect(receiver.received.map(({ body }) => eventIn(body).event)).toEqual([
        'document_state_changed',
        'document_state_changed',
        'document_state_changed',
        'recipient_completed',
        'recipient_completed',
        'document_state_changed',
        'document_completed_pdf_ready',
      ]);
      for (const { body, url, headers } of receiver.received) {
        const expected = createHmac('sha256', 'shared-key').update(body).digest('hex');
        const query = new URL(url, receiver.url).searchParams.get('signature');
        expect(words === 'pandadoc' ? query : headers['x-signing-signature']).toBe(expected);
        expect(Array.isArray(JSON.parse(body))).toBe(words === 'pandadoc');
      }
    });

    it('report a draft that took its own time', async () => {
      const receiver = await startReceiver();
      emulator.subscribe(receiver.url, 'shared-key');
      emulator.world.draftAfterMs = 5;
      const { id } = withId.parse(await good('documents.create', { template_uuid: 'tpl-nda' }));
      await receiver.first;
      expect(await good('documents.get', { id })).toMatchObject({ status: 'document.draft' });
      await receiver.close();
    });

    it('report a document that could not be created', async () => {
      const receiver = await startReceiver();
      emulator.subscribe(receiver.url, 'shared-key', ['document_creation_failed']);
      emulator.world.creationsToFail = 1;
      await newDraft();
      await emulator.webhooks.settled();
      await receiver.close();
      expect(receiver.received.map(({ body }) => eventIn(body))).toMatchObject([
        { event: 'document_creation_failed', data: { status: 'document.error' } },
      ]);
    });
  });
});

describe("the vendor's own interface", () => {
  it.each(['forms.get', 'folders.delete'])('refuses %s without a request (OP-008)', async (operation) => {
    const emulator = await startSigningEmulator({ dialect: 'pandadoc' });
    const http = new HttpClient();
    const tokens = {
      find: async () => ok(recordWith('api_key', emulator.apiKey)),
      renew: async () => err(failed('unauthorized', '')),
    };
    const provider = signingProvider({ dialect: 'pandadoc', url: emulator.url, authorizeUrl: null, tokenUrl: null });
    const gateway = operationsOver({ providers: [provider], tokens, http });
    const outcome = await gateway.call({ userId: 1, service: 'signing', name: operation, input: { id: 'x' } });
    expect(outcome).toMatchObject({ ok: false, reason: 'rejected' });
    expect(emulator.requests).toEqual([]);
    http.close();
    await emulator.close();
  });
});

function recordWith(authMethod: TokenRecord['authMethod'], accessToken: string): TokenRecord {
  const rest = { refreshToken: null, scope: null, expiresAt: null, updatedAt: 0 };
  // Production limits: these tests are not about being slow.
  return { userId: 1, service: 'signing', authMethod, accessToken, extra: { plan: 'production' }, ...rest };
}

const event = z.looseObject({ event: z.string() });

function eventIn(body: string) {
  return z.union([event, z.array(event).transform(([first]) => event.parse(first))]).parse(JSON.parse(body));
}

async function startReceiver() {
  const first = Promise.withResolvers<void>();
  const received: { url: string; headers: IncomingHttpHeaders; body: string }[] = [];
  const take = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const body = (await buffer(request)).toString('utf8');
    received.push({ url: request.url ?? '', headers: request.headers, body });
    response.end('{"received":true}');
    first.resolve();
  };
  const { url, close } = await serveOnLoopback((request, response) => void take(request, response));
  return { url: `${url}/webhooks/signing`, received, first: first.promise, close };
}
