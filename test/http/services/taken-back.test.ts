import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type ChangeStage, openStage } from '#test/support/services/change-stages.ts';
import type { Changes } from '#test/support/services/taken-back.ts';

const withId = z.looseObject({ id: z.union([z.string(), z.number()]) });
const results = z.array(z.looseObject({ details: withId })).min(1);
const many = z.array(withId);
const record = z.looseObject({});

/** The records as they are kept, save for their times. */
const lasting = (stage: ChangeStage) =>
  JSON.parse(
    JSON.stringify(stage.state(), (name, value) =>
      /^(?:updatedAt|modifiedAt|Modified_Time|startedAt|completedAt|canceledAt|updated|trashed)$/.test(name)
        ? undefined
        : value,
    ),
  );

describe.each(['neutral', 'zoho'] as const)('a change in the suite CRM, %s', (dialect) => {
  let stage: ChangeStage;
  let crm: Changes;

  beforeEach(async () => {
    stage = await openStage(`suite_crm ${dialect}`);
    crm = stage.changes;
  });
  afterEach(() => stage.close());

  const created = async (module: string, data: object) =>
    String(results.parse(await crm.data('records.create', { module, data }))[0]?.details.id);
  const deal = async (id: unknown) => record.parse(await crm.data('records.get', { module: 'Deals', id }));

  it('of a record is taken back, look-ups and empty values too; an edit by hand stays (UNDO-022, UNDO-023)', async () => {
    const account = await created('Accounts', { Account_Name: 'Acme' });
    const other = await created('Accounts', { Account_Name: 'Bcme' });
    const id = await created('Deals', { Deal_Name: 'Acme', Stage: 'Qualification', Account_Name: { id: account } });
    const data = { Amount: 1_200, Stage: 'Closed Won', Account_Name: { id: other } };
    const change = await crm.make('records.update', { module: 'Deals', id, data });
    expect(change.plan).toMatchObject({
      differences: [
        {
          id,
          title: 'Acme',
          fields: expect.arrayContaining([{ field: 'Stage', before: 'Qualification', after: 'Closed Won' }]),
        },
      ],
      irreversible: null,
    });
    await crm.data('records.update', { module: 'Deals', id, data: { Closing_Date: '2026-12-31' } });
    expect(await crm.takeBack(change)).toMatchObject({ ok: true });
    expect(await deal(id)).toMatchObject({
      Stage: 'Qualification',
      Amount: null,
      Account_Name: { id: account },
      Closing_Date: '2026-12-31',
    });
    const again = await crm.make('records.update', { module: 'Deals', id, data: { Stage: 'Closed Won' } });
    await crm.data('records.update', { module: 'Deals', id, data: { Stage: 'Closed Lost' } });
    expect(await crm.takeBack(again)).toMatchObject({
      ok: false,
      reason: 'conflict',
      message: expect.stringContaining('Stage'),
    });
    expect(await crm.takeBack(again, { isForced: true })).toMatchObject({ ok: true });
    expect(await deal(id)).toMatchObject({ Stage: 'Qualification' });
  });

  it('that deletes a record says that it is made again with a new id, and is (UNDO-025)', async () => {
    const id = await created('Deals', { Deal_Name: 'Acme', Stage: 'Qualification', Amount: 900 });
    const change = await crm.make('records.delete', { module: 'Deals', id });
    expect(change.plan).toMatchObject({
      differences: [{ title: 'Acme' }],
      irreversible: expect.stringContaining('a new id'),
    });
    expect(await crm.call('records.get', { module: 'Deals', id })).toMatchObject({ ok: false });
    expect(await crm.takeBack(change)).toMatchObject({ ok: true });
    const [back] = many.parse(
      await crm.data('records.list', { module: 'Deals', fields: ['Deal_Name', 'Stage', 'Amount'] }),
    );
    expect(back).toMatchObject({ Deal_Name: 'Acme', Stage: 'Qualification', Amount: 900 });
    expect(
      await crm.takeBack({ ...change, undo: { ...change.undo, key: { module: 'Deals', id: back?.id } } }),
    ).toMatchObject({ ok: true, data: null });
  });

  it('that makes records deletes them, unless somebody changed one since (UNDO-024)', async () => {
    const data = [{ Last_Name: 'Burns' }, { Last_Name: 'Ng' }];
    const change = await crm.make('records.create', { module: 'Leads', data });
    const [first] = results.parse(change.outcome.ok ? change.outcome.data : null);
    await crm.data('records.update', { module: 'Leads', id: first?.details.id, data: { Last_Name: 'Burnes' } });
    expect(await crm.takeBack(change)).toMatchObject({
      ok: false,
      reason: 'conflict',
      message: expect.stringContaining('Last_Name'),
    });
    expect(stage.state()['Leads']).toHaveLength(2);
    await crm.data('records.update', { module: 'Leads', id: first?.details.id, data: { Last_Name: 'Burns' } });
    expect(await crm.takeBack(change)).toMatchObject({ ok: true });
    expect(stage.state()['Leads']).toEqual([]);
  });

  it('of tags takes back only its own, over_write too (UNDO-022)', async () => {
    const id = await created('Deals', { Deal_Name: 'Acme', Stage: 'Qualification' });
    const at = { module: 'Deals', id };
    await crm.data('records.add_tags', { ...at, tags: ['q3', 'hot'] });
    const change = await crm.make('records.add_tags', { ...at, tags: ['q3', 'vip'], over_write: true });
    expect(change.plan.differences).toMatchObject([
      { title: 'Acme', fields: [{ before: ['q3', 'hot'], after: ['q3', 'vip'] }] },
    ]);
    await crm.data('records.add_tags', { ...at, tags: ['by hand'] });
    expect(await crm.takeBack(change)).toMatchObject({ ok: true });
    expect(await deal(id)).toMatchObject({ Tag: [{ name: 'q3' }, { name: 'by hand' }, { name: 'hot' }] });
    const gone = await crm.make('records.remove_tags', { ...at, tags: ['q3', 'nothing'] });
    expect(await crm.takeBack(gone)).toMatchObject({ ok: true });
    expect(JSON.stringify((await deal(id))['Tag'])).toContain('"q3"');
  });

  it('of a note and of a link is taken back (UNDO-022, UNDO-024)', async () => {
    const id = await created('Deals', { Deal_Name: 'Acme', Stage: 'Qualification' });
    const product = await created('Products', { Product_Name: 'Licence' });
    const note = await crm.make('notes.add', { module: 'Deals', id, text: 'Called' });
    expect(stage.state()['Notes']).toHaveLength(1);
    expect(await crm.takeBack(note)).toMatchObject({ ok: true });
    expect(stage.state()['Notes']).toEqual([]);
    const place = { module: 'Deals', id, related_list: 'Products' };
    const link = await crm.make('related.link', { ...place, rid: product });
    expect(await crm.data('related.list', place)).toMatchObject([{ id: product }]);
    expect(await crm.takeBack(link)).toMatchObject({ ok: true });
    expect(await crm.data('related.list', place)).toEqual([]);
  });
});

describe.each(['neutral', 'linear', 'jira'] as const)('a change in the tracker, %s', (dialect) => {
  let stage: ChangeStage;
  let tracker: Changes;
  let teamId: string;

  beforeEach(async () => {
    stage = await openStage(`tracker ${dialect}`);
    tracker = stage.changes;
    teamId = String(many.parse(await tracker.data('teams.list', {})).find((team) => team['key'] === 'ENG')?.id);
  });
  afterEach(() => stage.close());

  const issue = async (id: unknown) => record.parse(await tracker.data('issues.get', { id }));
  const made = async (name: string, input: object) => String(withId.parse(await tracker.data(name, { ...input })).id);
  const userNamed = async (name: RegExp) =>
    String(
      many
        .parse(await tracker.data('users.list', {}))
        .find((one) => name.test(String(one['name'] ?? one['displayName'])))?.id,
    );

  it('of an issue is planned with names, and taken back; an edit by hand stays (UNDO-020, UNDO-022, UNDO-023)', async () => {
    const id = await made('issues.create', { teamId, title: 'Fix login', description: 'It *fails*', priority: 3 });
    const before = await issue(id);
    const change = await tracker.make('issues.change', {
      issue: before['identifier'],
      state: 'In Progress',
      title: 'Fix the login',
      assignee: await userNamed(/ann/i),
      dueDate: '2030-01-01',
    });
    const state = z.looseObject({ name: z.string() }).parse(before['state']);
    expect(change.plan).toMatchObject({
      differences: [
        {
          title: `${String(before['identifier'])} Fix login`,
          fields: expect.arrayContaining([
            { field: 'Title', before: 'Fix login', after: 'Fix the login' },
            { field: 'State', before: state.name, after: dialect === 'jira' ? '3' : 'In Progress' },
          ]),
        },
      ],
      irreversible: null,
    });
    expect(await issue(id)).toMatchObject({
      title: 'Fix the login',
      state: { name: 'In Progress' },
      dueDate: '2030-01-01',
    });
    await tracker.data('issues.update', { id, description: 'It always fails' });
    expect(await tracker.takeBack(change)).toMatchObject({ ok: true });
    expect(await issue(id)).toMatchObject({
      title: 'Fix login',
      state: before['state'],
      assignee: null,
      dueDate: null,
      priority: 3,
      description: 'It always fails',
    });
    const titled = await tracker.make('issues.update', { id, title: 'A' });
    await tracker.data('issues.update', { id, title: 'B' });
    expect(await tracker.takeBack(titled)).toMatchObject({
      ok: false,
      reason: 'conflict',
      message: expect.stringContaining('Title'),
    });
    expect(await tracker.takeBack(titled, { isForced: true })).toMatchObject({ ok: true });
    expect(await issue(id)).toMatchObject({ title: 'Fix login' });
  });

  it('of labels takes back its own only (UNDO-022)', async () => {
    const labels = many.parse(await tracker.data('labels.list', {})).map((one) => String(one.id));
    const [bug = '', other = ''] =
      dialect === 'jira' ? ['bug', 'backend'] : labels.filter((_, index) => index !== 0).toReversed();
    const id = await made('issues.create', { teamId, title: 'Fix login' });
    const change = await tracker.make('issues.update', { id, addedLabelIds: [bug] });
    await tracker.data('issues.update', { id, addedLabelIds: [other] });
    expect(await tracker.takeBack(change)).toMatchObject({ ok: true });
    expect(many.parse((await issue(id))['labels']).map((one) => one.id)).toEqual([other]);
  });

  it('that archives an issue is taken back (UNDO-024)', async () => {
    const id = await made('issues.create', { teamId, title: 'Fix login' });
    const before = lasting(stage);
    const change = await tracker.make('issues.archive', { id });
    expect(change.plan).toMatchObject({
      differences: [{ fields: [{ field: 'Archived', before: false, after: true }] }],
      irreversible: null,
    });
    expect(await tracker.takeBack(change)).toMatchObject({ ok: true });
    expect(lasting(stage)).toEqual(before);
  });

  it('that adds an issue archives it, unless somebody changed it (UNDO-024)', async () => {
    const change = await tracker.make('issues.make', { team: teamId, title: 'Fix login' });
    const { id } = withId.parse(change.outcome.ok ? change.outcome.data : null);
    await tracker.data('issues.update', { id, title: 'Fix logout' });
    expect(await tracker.takeBack(change)).toMatchObject({
      ok: false,
      reason: 'conflict',
      message: expect.stringContaining('Title'),
    });
    await tracker.data('issues.update', { id, title: 'Fix login' });
    expect(await tracker.takeBack(change)).toMatchObject({ ok: true });
  });

  it('of a comment is taken back: its text, and its deletion (UNDO-022, UNDO-025)', async () => {
    const issueId = await made('issues.create', { teamId, title: 'Fix login' });
    const id = await made('comments.create', { issueId, body: 'Seen it' });
    const change = await tracker.make('comments.update', { id, body: 'Seen it twice' });
    expect(change.plan.differences).toMatchObject([
      { fields: [{ field: 'Body', before: 'Seen it', after: 'Seen it twice' }] },
    ]);
    expect(await tracker.takeBack(change)).toMatchObject({ ok: true });
    expect(await tracker.data('comments.list', { issueId })).toMatchObject([{ id, body: 'Seen it' }]);
    const gone = await tracker.make('comments.delete', { id });
    expect(gone.plan.irreversible).toContain('a new id');
    expect(await tracker.takeBack(gone)).toMatchObject({ ok: true });
    expect(await tracker.data('comments.list', { issueId })).toMatchObject([{ body: 'Seen it' }]);
  });
});

describe.each(['neutral', 'pandadoc'] as const)('a change in the signing service, %s', (dialect) => {
  let stage: ChangeStage;
  let signing: Changes;

  beforeEach(async () => {
    stage = await openStage(`signing ${dialect}`);
    signing = stage.changes;
  });
  afterEach(() => stage.close());

  const drafted = async () => {
    const recipients = [{ email: 'ann@example.com', first_name: 'Ann', role: 'Client' }];
    const input = {
      template_uuid: 'tpl-nda',
      name: 'NDA of Acme',
      recipients,
      tags: ['nda'],
      metadata: { deal: '8' },
      wait: 5,
    };
    return signing.make('documents.create_ready', input);
  };
  const idIn = (outcome: unknown) => String(z.looseObject({ data: withId }).parse(outcome).data.id);

  it('of a draft is taken back: name, tags, data and recipients (UNDO-022)', async () => {
    const id = idIn((await drafted()).outcome);
    const change = await signing.make('documents.update', {
      id,
      name: 'NDA of Bcme',
      tags: ['b'],
      metadata: { deal: '9' },
      recipients: [{ email: 'bob@example.com', first_name: 'Bob', role: 'Client' }],
    });
    expect(change.plan).toMatchObject({ differences: [{ title: 'NDA of Acme' }], irreversible: null });
    expect(await signing.takeBack(change)).toMatchObject({ ok: true });
    expect(await signing.data('documents.details', { id })).toMatchObject({
      name: 'NDA of Acme',
      tags: ['nda'],
      metadata: { deal: '8' },
      recipients: [{ email: 'ann@example.com', first_name: 'Ann' }],
    });
  });

  it('that makes a document is taken back until it is sent; sending says before that it cannot be (UNDO-024, UNDO-026)', async () => {
    const first = await drafted();
    expect(await signing.takeBack(first)).toMatchObject({ ok: true });
    expect(stage.state()['documents']).toEqual([]);
    const second = await drafted();
    const sent = await signing.make('documents.send_draft', { id: idIn(second.outcome) });
    expect(sent.plan).toMatchObject({
      differences: [{ title: 'NDA of Acme' }],
      irreversible: expect.stringContaining('cannot be recalled'),
    });
    expect(await signing.takeBack(second)).toMatchObject({ ok: false, reason: 'conflict' });
    expect(stage.state()['documents']).toHaveLength(1);
  });

  it('of a recipient, a folder and a link is taken back (UNDO-022, UNDO-024, UNDO-025)', async () => {
    const id = idIn((await drafted()).outcome);
    const details = z.looseObject({ recipients: many }).parse(await signing.data('documents.details', { id }));
    const rid = details.recipients[0]?.id;
    const renamed = await signing.make('recipients.update', { id, rid, first_name: 'Anna', company: 'Acme' });
    expect(await signing.takeBack(renamed)).toMatchObject({ ok: true });
    expect(await signing.data('recipients.list', { id })).toMatchObject([{ first_name: 'Ann', company: '' }]);
    const folder = await signing.make('folders.rename', { id: 'folder-contracts', name: 'Old contracts' });
    expect(await signing.takeBack(folder)).toMatchObject({ ok: true });
    expect(stage.state()['folders']).toMatchObject([{ name: 'Contracts' }]);
    const link = await signing.make('linked_objects.create', {
      id,
      provider: 'pipedrive',
      entity_type: 'deal',
      entity_id: '8',
    });
    expect(await signing.takeBack(link)).toMatchObject({ ok: true });
    expect(stage.state()['documents']).toMatchObject([{ linkedObjects: [] }]);
  });
});
