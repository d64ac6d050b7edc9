import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { exportRecipe } from '#adapters/services/suite-crm/recipes/export.ts';
import { isFileContent } from '#domain/operations/file-content.ts';
import { type Harness, openHarness, textOf } from '#test/emulators/suite-crm/through-gateway.ts';
import { rounds } from '#test/support/form.ts';
import { type LoopbackServer, serveOnLoopback } from '#test/support/network/loopback-server.ts';

const dayMs = 24 * 60 * 60 * 1000;
const idOf = (data: unknown): string =>
  String(Object.entries(Array.isArray(data) ? data[0] : (data ?? {})).find(([key]) => key === 'id')?.[1]);
const detailsId = (data: unknown): string => idOf((Array.isArray(data) ? data : [])[0]?.details);

describe.each(['neutral', 'zoho'] as const)('the suite CRM in the dialect %s', (dialect) => {
  let harness: Harness;

  beforeEach(async () => {
    harness = await openHarness({ dialect });
  });
  afterEach(async () => {
    await harness.close();
  });

  const lead = async (fields: object = {}) =>
    detailsId(await harness.data('records.create', { module: 'Leads', data: { Last_Name: 'Burns', ...fields } }));

  describe('records', () => {
    it('can be created, read, changed and deleted, and are then listed among the deleted (SUITE-003)', async () => {
      const id = await lead({ Company: 'Acme', Email: 'b@acme.example' });
      expect(await harness.data('records.get', { module: 'Leads', id })).toMatchObject({ id, Last_Name: 'Burns' });
      expect(await harness.data('records.update', { module: 'Leads', id, data: { City: 'Bern' } })).toMatchObject({
        id,
      });
      expect(await harness.data('records.get', { module: 'Leads', id })).toMatchObject({
        City: 'Bern',
        Company: 'Acme',
      });
      expect(await harness.data('records.delete', { module: 'Leads', id })).toEqual({ id });
      expect(await harness.call('records.get', { module: 'Leads', id })).toMatchObject({
        ok: false,
        reason: 'not_found',
      });
      expect(await harness.data('records.deleted', { module: 'Leads' })).toMatchObject([{ id, display_name: 'Burns' }]);
    });

    it('are an empty page, not an error, in an empty list', async () => {
      expect(await harness.call('records.list', { module: 'Cases' })).toEqual({
        ok: true,
        data: [],
        pagination: { next: null, hasMore: false },
      });
    });

    it('are followed by `next` to the end of the pages (OP-002, SUITE-005)', async () => {
      for (let at = 0; at < 5; at += 1) await lead({ Email: `${at}@a.example` });
      const seen: unknown[] = [];
      let page: string | null = '1';
      while (page !== null) {
        const outcome = await harness.call('records.list', { module: 'Leads', fields: ['Email'], per_page: 2, page });
        if (!outcome.ok || !Array.isArray(outcome.data)) throw new Error('no list');
        seen.push(...outcome.data.map((record) => record.Email));
        page = outcome.pagination?.next ?? null;
      }
      expect(seen).toEqual(['4@a.example', '3@a.example', '2@a.example', '1@a.example', '0@a.example']);
    });

    it('are created, then changed, by an upsert (SUITE-003)', async () => {
      const record = { Last_Name: 'Ng', Email: 'ng@a.example' };
      const first = await harness.data('records.upsert', {
        module: 'Contacts',
        data: [record],
        duplicate_check_fields: ['Email'],
      });
      expect(first).toMatchObject([{ status: 'success', action: 'insert' }]);
      const second = await harness.data('records.upsert', {
        module: 'Contacts',
        data: [{ ...record, Title: 'CEO' }],
        duplicate_check_fields: ['Email'],
      });
      expect(second).toMatchObject([{ status: 'success', action: 'update', duplicate_field: 'Email' }]);
      expect(await harness.data('records.list', { module: 'Contacts', fields: ['Title'] })).toMatchObject([
        { Title: 'CEO' },
      ]);
    });
  });

  describe('an error', () => {
    it.each([
      [
        'invalid_input',
        'records.create',
        { module: 'Leads', data: { Company: 'Acme' } },
        /MANDATORY_NOT_FOUND, field Last_Name/,
      ],
      [
        'invalid_input',
        'records.create',
        { module: 'Deals', data: { Deal_Name: 'A', Stage: 'New', Amount: 'much' } },
        /field Amount/,
      ],
      ['invalid_input', 'records.list', { module: 'Nothings' }, /INVALID_MODULE/],
      ['not_found', 'records.update', { module: 'Leads', id: '404', data: { City: 'x' } }, /id given/],
      ['not_found', 'records.delete', { module: 'Leads', id: '404' }, /id given/],
      ['not_found', 'bulk.get', { job_id: '404' }, /RESOURCE_NOT_FOUND/],
      ['not_found', 'notes.add', { module: 'Leads', id: '404', text: 'x' }, /id given/],
      ['invalid_input', 'coql.query', { query: 'select id from Nothings where id is not null' }, /INVALID_QUERY/],
      [
        'invalid_input',
        'coql.query',
        { query: 'select Nope from Leads where id is not null' },
        /INVALID_QUERY, field Nope/,
      ],
      [
        'invalid_input',
        'coql.query',
        { query: "select id from Deals where Account_Name.Nope = 'x'" },
        /field Account_Name.Nope/,
      ],
      [
        'invalid_input',
        'records.search',
        { module: 'Leads', criteria: { field: 'Comapny', operator: 'equals', value: 'x' } },
        /field Comapny/,
      ],
    ])('is recognized: %s: %s %j', async (reason, name, input, message) => {
      const outcome = await harness.call(name, input);
      expect(outcome).toMatchObject({ ok: false, reason });
      expect(outcome.ok ? '' : outcome.message).toMatch(message);
    });

    it('of the only record in a write is the failure of the call', async () => {
      await lead({ Email: 'b@a.example' });
      const again = await harness.call('records.create', {
        module: 'Leads',
        data: { Last_Name: 'B', Email: 'b@a.example' },
      });
      expect(again).toMatchObject({ ok: false, reason: 'conflict' });
    });

    it('of some records in a batch is reported for each, and the rest is done', async () => {
      harness.emulator.refuseRecords(
        { code: 'RECORD_LOCKED', message: 'the record is locked', details: {} },
        { at: [1] },
      );
      const data = [{ Last_Name: 'A' }, { Last_Name: 'B' }, { Company: 'C' }];
      const outcome = await harness.call('records.create', { module: 'Leads', data });
      expect(outcome).toMatchObject({
        ok: true,
        data: [{ status: 'success' }, { code: 'RECORD_LOCKED' }, { code: 'MANDATORY_NOT_FOUND' }],
      });
      expect(outcome.ok ? outcome.warnings : []).toEqual([
        'Record 2 of 3 was refused: the record is locked (RECORD_LOCKED).',
        expect.stringMatching(
          /^Record 3 of 3 was refused: required field not found \(MANDATORY_NOT_FOUND, field Last_Name/,
        ),
      ]);
      expect(await harness.data('records.list', { module: 'Leads', fields: ['Last_Name'] })).toHaveLength(1);
    });

    it('of a whole batch is a failure with every record in its details', async () => {
      const outcome = await harness.call('records.create', {
        module: 'Leads',
        data: [{ Company: 'A' }, { Company: 'B' }],
      });
      expect(outcome).toMatchObject({
        ok: false,
        reason: 'invalid_input',
        details: [{ status: 'error' }, { status: 'error' }],
      });
    });

    it.each([
      [429, 'rate_limited'],
      [503, 'unavailable'],
      [403, 'forbidden'],
    ] as const)('with status %i is %s', async (status, reason) => {
      harness.emulator.failNext({ status, times: 9, headers: { 'retry-after': '0' } });
      expect(await harness.call('users.list')).toMatchObject({ ok: false, reason });
    });

    it('in HTTP 200 is recognized all the same', async () => {
      const body = { code: 'NO_PERMISSION', message: 'permission denied', details: {}, status: 'error' };
      harness.emulator.failNext({ status: 200, body });
      expect(await harness.call('records.list', { module: 'Leads' })).toMatchObject({ ok: false, reason: 'forbidden' });
    });

    it('of 429 leads to a retry', async () => {
      harness.emulator.failNext({
        status: 429,
        body: { code: 'TOO_MANY_REQUESTS', message: '', details: {}, status: 'error' },
      });
      expect(await harness.call('records.create', { module: 'Leads', data: { Last_Name: 'A' } })).toMatchObject({
        ok: true,
      });
    });
  });

  describe('a search', () => {
    beforeEach(async () => {
      await lead({ Company: 'Acme (EU), Ltd', Email: 'b@a.example', Phone: '+41 44 1', City: 'Bern' });
      await lead({ Last_Name: "O'Neil", Company: 'Other', Email: 'o@a.example', City: 'Rome' });
    });

    it.each([
      [{ criteria: { field: 'Company', operator: 'equals', value: 'Acme (EU), Ltd' } }, ['Burns']],
      [
        {
          criteria: {
            any: [
              { field: 'City', operator: 'equals', value: 'Bern' },
              { field: 'City', operator: 'equals', value: 'Rome' },
            ],
          },
        },
        ["O'Neil", 'Burns'],
      ],
      [{ criteria: '((City:equals:Bern)and(Last_Name:starts_with:B))' }, ['Burns']],
      [{ criteria: { field: 'City', operator: 'in', value: ['Rome', 'Oslo'] } }, ["O'Neil"]],
      [{ email: 'o@a.example' }, ["O'Neil"]],
      [{ phone: '+41 44 1' }, ['Burns']],
      [{ word: 'acme' }, ['Burns']],
      [{ word: 'nowhere' }, []],
    ])('finds by %j', async (way, names) => {
      const found = await harness.data('records.find', { module: 'Leads', fields: ['Last_Name'], ...way });
      expect((Array.isArray(found) ? found : []).map((record) => record.Last_Name)).toEqual(names);
    });

    it('requires exactly one criterion', async () => {
      const none = await harness.call('records.find', { module: 'Leads' });
      const two = await harness.call('records.find', { module: 'Leads', word: 'acme', email: 'b@a.example' });
      expect([none, two]).toMatchObject([{ reason: 'invalid_input' }, { reason: 'invalid_input' }]);
      expect(harness.emulator.requests.filter((line) => line.includes('/search'))).toEqual([]);
    });

    it('by COQL accepts a value with a quote, related fields and aggregates, and continues by `next` (SUITE-004)', async () => {
      const account = detailsId(
        await harness.data('records.create', { module: 'Accounts', data: { Account_Name: 'Acme', Industry: 'Oil' } }),
      );
      const deals = [100, 200, 300].map((Amount) => ({
        Deal_Name: `D${Amount}`,
        Stage: "Can't say",
        Amount,
        Account_Name: { id: account },
      }));
      await harness.data('records.create', { module: 'Deals', data: deals });
      const where = {
        all: [
          { field: 'Stage', operator: 'equals', value: "Can't say" },
          { field: 'Account_Name.Industry', operator: 'equals', value: 'Oil' },
          { field: 'Amount', operator: 'greater_than', value: 50 },
        ],
      };
      const query = {
        select: ['Deal_Name', 'Account_Name.Industry'],
        from: 'Deals',
        where,
        order_by: [{ field: 'Amount', direction: 'desc' }],
      };
      const first = await harness.call('coql.query', { query, limit: 2 });
      expect(first).toMatchObject({
        ok: true,
        data: [{ Deal_Name: 'D300', 'Account_Name.Industry': 'Oil' }, { Deal_Name: 'D200' }],
        pagination: { next: '2', hasMore: true },
      });
      const second = await harness.call('coql.query', { query, limit: 2, offset: '2' });
      expect(second).toMatchObject({
        ok: true,
        data: [{ Deal_Name: 'D100' }],
        pagination: { next: null, hasMore: false },
      });
      const sum = await harness.data('coql.query', {
        query: 'select SUM(Amount) as total, Stage from Deals where id is not null group by Stage',
      });
      expect(sum).toEqual([{ total: 600, Stage: "Can't say" }]);
    });
  });

  describe('what belongs to a record', () => {
    it('includes notes, which can be written and listed (SUITE-004)', async () => {
      const id = await lead();
      expect(await harness.data('notes.add', { module: 'Leads', id, text: 'Called', title: 'Call' })).toHaveProperty(
        'id',
      );
      expect(await harness.data('notes.list', { module: 'Leads', id })).toMatchObject([
        { Note_Content: 'Called', Note_Title: 'Call' },
      ]);
    });

    it('includes files, which are returned unchanged (SUITE-004)', async () => {
      const id = await lead();
      const file = {
        name: 'a b.txt',
        content_base64: Buffer.from('hello').toString('base64'),
        media_type: 'text/plain',
      };
      const made = await harness.data('attachments.upload', { module: 'Leads', id, file });
      expect(await harness.data('attachments.list', { module: 'Leads', id })).toMatchObject([
        { File_Name: 'a b.txt', Size: '5' },
      ]);
      const back = await harness.data('attachments.download', { module: 'Leads', id, attachment_id: idOf(made) });
      expect(back).toMatchObject({ name: 'a b.txt', mediaType: 'text/plain', size: 5 });
      expect(await textOf(back)).toBe('hello');
    });

    it('includes tags, which are added and removed by name (SUITE-004)', async () => {
      const id = await lead();
      expect(await harness.data('records.add_tags', { module: 'Leads', id, tags: ['vip', 'q3'] })).toMatchObject({
        tags: ['vip', 'q3'],
      });
      expect(await harness.data('records.remove_tags', { module: 'Leads', id, tags: ['q3'] })).toMatchObject({
        tags: ['vip'],
      });
      const tags = await harness.data('tags.list', { module: 'Leads' });
      expect(tags).toMatchObject([{ name: 'vip' }, { name: 'q3' }]);
      expect(await harness.data('tags.update', { id: idOf(tags), module: 'Leads', tags: ['VIP'] })).toMatchObject({
        name: 'VIP',
      });
      expect(await harness.data('tags.delete', { id: idOf(tags) })).toEqual({ id: idOf(tags) });
      expect(await harness.call('tags.create', { module: 'Leads', tags: ['q3', 'new'] })).toMatchObject({
        ok: true,
        warnings: [expect.stringContaining('Record 1 of 2')],
      });
    });

    it('includes related records, which can be linked, listed and unlinked (SUITE-004)', async () => {
      const deal = detailsId(
        await harness.data('records.create', { module: 'Deals', data: { Deal_Name: 'D', Stage: 'New' } }),
      );
      const product = detailsId(
        await harness.data('records.create', { module: 'Products', data: { Product_Name: 'P' } }),
      );
      const place = { module: 'Deals', id: deal, related_list: 'Products' };
      expect(await harness.data('related.link', { ...place, rid: product })).toEqual({ id: product });
      expect(await harness.data('related.list', place)).toMatchObject([{ id: product }]);
      expect(await harness.data('related.unlink', { ...place, rid: product })).toEqual({ id: product });
      expect(await harness.data('related.list', place)).toEqual([]);
    });

    it('includes the conversion of a lead, once (SUITE-004)', async () => {
      const id = await lead({ Company: 'Acme', Email: 'b@a.example' });
      const deal = { Deal_Name: 'First', Stage: 'New', Closing_Date: '2026-12-01', Pipeline: 'Standard' };
      const converted = await harness.data('leads.convert', { id, data: { Deals: deal } });
      expect(converted).toMatchObject({
        Contacts: { name: 'Burns' },
        Accounts: { name: 'Acme' },
        Deals: { name: 'First' },
      });
      expect(await harness.call('leads.convert', { id })).toMatchObject({ ok: false, reason: 'conflict' });
    });

    it('includes e-mails, which can be sent and listed page by page (SUITE-004)', async () => {
      const id = await lead();
      for (let at = 0; at < 12; at += 1) {
        const data = { from: { email: 'ada@crm.example' }, to: [{ email: 'b@a.example' }], subject: `No. ${at}` };
        await harness.data('emails.send', { module: 'Leads', id, data });
      }
      const first = await harness.call('emails.list', { module: 'Leads', id });
      if (!first.ok || !Array.isArray(first.data)) throw new Error('no list');
      const rest = await harness.data('emails.list', { module: 'Leads', id, page: first.pagination?.next });
      expect([first.data.length, first.pagination?.hasMore, Array.isArray(rest) ? rest.length : 0]).toEqual([
        10,
        true,
        2,
      ]);
      const stranger = { from: { email: 'eve@evil.example' }, to: [{ email: 'b@a.example' }] };
      expect(await harness.call('emails.send', { module: 'Leads', id, data: stranger })).toMatchObject({
        ok: false,
        reason: 'invalid_input',
      });
    });
  });

  describe('an export', () => {
    it('returns many records as CSV, piece by piece (SUITE-004)', async () => {
      const records = rounds(40_000, 200_000);
      harness.emulator.pretendRecords('Leads', records);
      const job = idOf(
        await harness.data('bulk.create', { query: { module: { api_name: 'Leads' }, fields: ['id', 'Last_Name'] } }),
      );
      expect(await harness.call('bulk.result', { job_id: job })).toMatchObject({ ok: false, reason: 'not_found' });
      const states: unknown[] = [];
      for (let at = 0; at < 3; at += 1) {
        const status = await harness.data('bulk.get', { job_id: job });
        states.push(typeof status === 'object' && status !== null && 'state' in status ? status.state : null);
      }
      expect(states).toEqual(['ADDED', 'IN PROGRESS', 'COMPLETED']);
      const file = await harness.data('bulk.result', { job_id: job });
      if (!isFileContent(file)) throw new Error('no file');
      expect([file.name, file.mediaType]).toEqual([`${job}.csv`, 'text/csv']);
      const seen = { lines: 0, largest: 0, last: '' };
      for await (const chunk of file.bytes) {
        seen.largest = Math.max(seen.largest, chunk.byteLength);
        const text = `${seen.last}${Buffer.from(chunk).toString()}`;
        const lines = text.split('\n');
        seen.last = lines.at(-2) ?? seen.last;
        seen.lines += lines.length - 1;
        seen.last = lines.at(-1) ?? '';
      }
      expect(seen.lines).toBe(records + 1);
      expect(seen.last).toBe('');
      expect(seen.largest).toBeLessThan(1_000_000);
    });

    describe('an export in one call', () => {
      const progress: { done: number; total: number | null; message: string }[] = [];
      const pauses: number[] = [];
      const clock = { ms: 0 };
      const recipe = exportRecipe({
        now: () => clock.ms,
        pause: async (ms) => {
          pauses.push(ms);
          clock.ms += ms;
        },
      });
      const run = (input: Readonly<Record<string, unknown>>, signal?: AbortSignal) =>
        recipe.run((name, rowInput) => harness.call(name, rowInput), recipe.input.parse(input), {
          connection: { id: '1', extra: {} },
          send: () => Promise.reject(new Error('The export sends no request of its own.')),
          onProgress: (status) => void progress.push(status),
          ...(signal === undefined ? {} : { signal }),
        });

      beforeEach(() => {
        progress.length = 0;
        pauses.length = 0;
        clock.ms = 0;
      });

      it('waits for the job, reports progress, and returns the CSV', async () => {
        const id = await lead({ Last_Name: 'Burns' });
        const outcome = await run({ module: 'Leads', fields: ['id', 'Last_Name'] });
        if (!outcome.ok) throw new Error(outcome.message);
        expect(await textOf(outcome.data)).toBe(`id,Last_Name\n${id},Burns\n`);
        expect(progress).toEqual([
          { done: 0, total: 600, message: 'The export is added' },
          { done: 1, total: 600, message: 'The export is in progress' },
        ]);
        expect(pauses).toEqual([1_000, 2_000]);
      });

      it('that takes longer than the wait returns the job, whose result can be fetched later', async () => {
        const outcome = await run({ module: 'Leads', fields: ['id'], wait: 0 });
        expect(outcome).toMatchObject({ ok: false, reason: 'conflict' });
        expect(pauses).toEqual([]);
        const { job_id: job } = z.object({ job_id: z.string() }).parse(outcome.ok ? null : outcome.details);
        for (let at = 0; at < 2; at += 1) await harness.data('bulk.get', { job_id: job });
        expect(await textOf(await harness.data('bulk.result', { job_id: job }))).toMatch(/^id\n/);
      });

      it('that is cancelled starts nothing more', async () => {
        const ending = new AbortController();
        ending.abort();
        const outcome = await run({ module: 'Leads', fields: ['id'] }, ending.signal);
        expect(outcome).toMatchObject({ ok: false, reason: 'conflict' });
        expect(pauses).toEqual([]);
        expect(harness.emulator.requests.filter((request) => request.includes('/result'))).toEqual([]);
      });

      it('continues when the provider is down for a moment', async () => {
        const down = { status: 503, times: 5, path: /bulk.*read\/\d+$/ };
        harness.emulator.failNext(down);
        const outcome = await run({ module: 'Leads', fields: ['id'] });
        expect(outcome.ok).toBe(true);
        expect(pauses).toEqual([1_000, 2_000, 4_000]);
      });

      it('of a missing module is refused at once', async () => {
        expect(await run({ module: 'Nothings' })).toMatchObject({ ok: false, reason: 'invalid_input' });
      });
    });

    it('of a small module contains what was requested, quoted where necessary', async () => {
      const id = await lead({ Last_Name: 'Burns, "B"' });
      const job = idOf(
        await harness.data('bulk.create', { query: { module: { api_name: 'Leads' }, fields: ['id', 'Last_Name'] } }),
      );
      for (let at = 0; at < 3; at += 1) await harness.data('bulk.get', { job_id: job });
      expect(await textOf(await harness.data('bulk.result', { job_id: job }))).toBe(
        `id,Last_Name\n${id},"Burns, ""B"""\n`,
      );
    });
  });

  it('the settings are lists, and the organization is one (SUITE-004)', async () => {
    expect(await harness.data('users.list')).toMatchObject([
      { email: 'ada@crm.example' },
      { email: 'ben@crm.example' },
    ]);
    expect(await harness.data('users.list', { type: 'CurrentUser' })).toHaveLength(1);
    expect(await harness.data('organization.get')).toMatchObject({ company_name: 'Emulated Ltd' });
    expect(await harness.data('modules.list')).toEqual(
      expect.arrayContaining([expect.objectContaining({ api_name: 'Deals' })]),
    );
    expect(await harness.data('modules.fields', { module: 'Leads' })).toEqual(
      expect.arrayContaining([expect.objectContaining({ api_name: 'Last_Name', system_mandatory: true })]),
    );
    expect(await harness.data('roles.list')).toMatchObject([{ name: 'CEO' }, { name: 'Sales' }]);
    expect(await harness.data('profiles.list')).toMatchObject([{ name: 'Administrator' }, { name: 'Standard' }]);
  });

  describe('notification channels', () => {
    const received: { token: unknown; operation: unknown; ids: unknown; module: unknown }[] = [];
    const receive = async (request: IncomingMessage, response: ServerResponse) => {
      received.push(JSON.parse((await buffer(request)).toString()));
      response.writeHead(200).end();
    };
    let receiver: LoopbackServer;
    let url = '';

    beforeEach(async () => {
      received.length = 0;
      receiver = await serveOnLoopback((request, response) => void receive(request, response));
      url = `${receiver.url}/webhooks/suite_crm`;
    });
    afterEach(() => receiver.close());

    const channel = (aheadMs: number) => ({
      channel_id: '68',
      events: ['Leads.create', 'Leads.edit'],
      notify_url: url,
      token: 'echo-me',
      channel_expiry: new Date(harness.emulator.state.clock.now() + aheadMs).toISOString(),
    });

    it('report changes with their token, and nothing that was not requested', async () => {
      expect(await harness.data('watch.create', { watch: [channel(6 * dayMs)] })).toMatchObject([
        { status: 'success' },
      ]);
      const id = await lead();
      await harness.data('records.update', { module: 'Leads', id, data: { City: 'Bern' } });
      await harness.data('records.delete', { module: 'Leads', id });
      await harness.data('records.create', { module: 'Vendors', data: { Vendor_Name: 'V' } });
      await harness.emulator.settled();
      expect(
        received
          .map(({ token, operation, ids, module }) => ({ token, operation, ids, module }))
          .sort((a, b) => String(a.operation).localeCompare(String(b.operation))),
      ).toEqual([
        { token: 'echo-me', operation: 'insert', ids: [id], module: 'Leads' },
        { token: 'echo-me', operation: 'update', ids: [id], module: 'Leads' },
      ]);
    });

    it('live for seven days at most, and then report nothing', async () => {
      const tooLong = await harness.call('watch.create', { watch: [channel(8 * dayMs)] });
      expect(tooLong).toMatchObject({
        ok: false,
        reason: 'invalid_input',
        message: expect.stringContaining('channel_expiry'),
      });
      await harness.data('watch.create', { watch: [channel(7 * dayMs - 60_000)] });
      harness.emulator.advance(7 * dayMs);
      await lead();
      await harness.emulator.settled();
      expect(received).toEqual([]);
      expect(await harness.data('watch.list')).toEqual([]);
      expect(await harness.call('watch.renew', { watch: [channel(dayMs)] })).toMatchObject({ ok: false });
    });

    it('are renewed, listed and closed', async () => {
      await harness.data('watch.create', { watch: [channel(dayMs)] });
      const before = harness.emulator.openChannels()[0]?.expiresAt ?? 0;
      harness.emulator.advance(dayMs / 2);
      expect(await harness.data('watch.renew', { watch: [channel(6 * dayMs)] })).toMatchObject([{ status: 'success' }]);
      expect((harness.emulator.openChannels()[0]?.expiresAt ?? 0) - before).toBeGreaterThan(5 * dayMs);
      expect(await harness.data('watch.list')).toMatchObject([{ channel_id: '68' }, { channel_id: '68' }]);
      expect(await harness.data('watch.delete', { channel_ids: ['68'] })).toMatchObject([{ status: 'success' }]);
      expect(harness.emulator.openChannels()).toEqual([]);
    });
  });

  describe('connections by OAuth', () => {
    it('are made at the data centre that the browser came back from, which is stored (SUITE-002, SUITE-006)', async () => {
      const record = await harness.connect('EU');
      expect(record.extra).toEqual({ api_domain: `${harness.emulator.url}/eu`, data_center: 'EU' });
      expect(record.refreshToken).toMatch(/^1000\./);
      expect(record.expiresAt).toBeGreaterThan(Date.now() + 3_500_000);
      await harness.data('users.list');
      expect(harness.emulator.requests.at(-1)).toMatch(/^GET \/eu\/crm\/v8\/users/);
    });

    it('are renewed on 401 at the same data centre, keeping the refresh token that was issued once (SUITE-006)', async () => {
      const before = await harness.connect('IN');
      harness.emulator.expireTokens();
      expect(await harness.call('users.list')).toMatchObject({ ok: true });
      const after = harness.record();
      expect(after.accessToken).not.toBe(before.accessToken);
      expect([after.refreshToken, after.extra]).toEqual([before.refreshToken, before.extra]);
      expect(harness.emulator.requests).toContain('POST /in/oauth/v2/token');
    });

    it('end when the grant is revoked, even if the answer says HTTP 200', async () => {
      await harness.connect('AU');
      harness.emulator.revokeGrants();
      expect(await harness.call('users.list')).toMatchObject({
        ok: false,
        reason: 'not_connected',
        details: 'refused',
      });
    });

    it('fail with a token of another data centre', async () => {
      const record = await harness.connect('EU');
      harness.keep({
        ...record,
        refreshToken: null,
        extra: { ...record.extra, api_domain: `${harness.emulator.url}/us` },
      });
      expect(await harness.call('users.list')).toMatchObject({ ok: false, details: 'refused' });
    });
  });
});

describe("the vendor's dialect only", () => {
  it('continues a list beyond 2000 records with page tokens, and ends (SUITE-011)', async () => {
    const harness = await openHarness({ dialect: 'zoho' });
    try {
      const many = Array.from({ length: 2_345 }, (_, at) => ({ Vendor_Name: `V${at}` }));
      for (let at = 0; at < many.length; at += 100) {
        await harness.data('records.create', { module: 'Vendors', data: many.slice(at, at + 100) });
      }
      const nexts: (string | null)[] = [];
      const seen = new Set<unknown>();
      let page: string | null = '1';
      while (page !== null) {
        const outcome = await harness.call('records.list', { module: 'Vendors', per_page: 200, page });
        if (!outcome.ok || !Array.isArray(outcome.data)) throw new Error('no list');
        for (const record of outcome.data) seen.add(record.id);
        page = outcome.pagination?.next ?? null;
        nexts.push(page);
      }
      expect(seen.size).toBe(2_345);
      expect(nexts.slice(0, 3)).toEqual(['2', '3', '4']);
      const token: unknown = expect.stringMatching(/^token:/);
      expect(nexts.slice(-3)).toEqual([token, token, null]);
    } finally {
      await harness.close();
    }
  });
});

describe('the rate limits of a plan', () => {
  it('allow as many concurrent requests as the lowest plan, 5, until the connection states another (LIMIT-004)', async () => {
    const inFlight = async (most: number, extra: Readonly<Record<string, unknown>>) => {
      const harness = await openHarness({ dialect: 'neutral', concurrency: 25 }, extra);
      try {
        const held = harness.emulator.hold(most);
        const calls = Promise.all(Array.from({ length: most + 10 }, () => harness.data('users.list')));
        await held.arrived;
        held.release();
        await calls;
        return harness.emulator.peak();
      } finally {
        await harness.close();
      }
    };
    expect(await inFlight(5, {})).toBe(5);
    expect(await inFlight(25, { plan: 'Ultimate' })).toBe(25);
  });
});
