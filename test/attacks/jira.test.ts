import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { conditionOf } from '#adapters/services/tracker/details/query-condition.ts';
import { toAdf } from '#adapters/services/tracker/jira/adf-from-markdown.ts';
import { toMarkdown } from '#adapters/services/tracker/jira/adf-to-markdown.ts';
import { type Columns, jql } from '#adapters/services/tracker/jira/jql.ts';
import { succeeded } from '#domain/operations/outcome.ts';
import type { Delivery } from '#domain/webhooks/delivery.ts';
import { rounds } from '#test/support/form.ts';
import { trackerWebhookSource } from '#test/support/services/vendors.ts';
import { sentTo } from '#test/support/webhooks/sent-to.ts';

const columns: Columns = {
  title: { column: { kind: 'text', fields: ['summary'] } },
  label: { field: 'labels', find: async (filter) => succeeded([{ id: String(filter['eq']) }]) },
  id: { column: { kind: 'id', field: 'issuekey' } },
  dueDate: { column: { kind: 'day', field: 'duedate' } },
};

const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc
    .array(
      fc.constantFrom(
        '"',
        '\\',
        "'",
        ')',
        '(',
        ' OR ',
        ' AND ',
        'project = X',
        ' ORDER BY ',
        '~',
        '\n',
        '\0',
        '\u2028',
        'a',
        '*',
        '-- ',
      ),
      { maxLength: 12 },
    )
    .map((parts) => parts.join('')),
);

/** A query with every quoted value replaced, so that only what is not quoted is left. */
const bones = (query: unknown) => String(query).replaceAll(/"(?:\\.|[^"\\])*"/g, '?');

describe('a value in a filter', () => {
  it('stays one quoted value of the query, whatever it contains (JIRA-004)', async () => {
    await fc.assert(
      fc.asyncProperty(hostile, async (text) => {
        const title = await conditionOf({ title: { contains: `x${text}` } }, columns, jql);
        expect(bones(title.ok && title.data)).toBe('summary ~ ?');
        const label = await conditionOf({ label: { eq: text } }, columns, jql);
        expect(bones(label.ok && label.data)).toBe('labels IN (?)');
        const id = await conditionOf({ id: { eq: text } }, columns, jql);
        expect(id.ok ? bones(id.data) : 'refused').toMatch(/^(?:issuekey = \?|refused)$/);
        const day = await conditionOf({ dueDate: { lt: text } }, columns, jql);
        expect(day.ok ? bones(day.data) : 'refused').toMatch(/^(?:duedate < \?|refused)$/);
      }),
      { numRuns: rounds(300, 20_000) },
    );
  });

  it.each([
    ['a member of every object', { __proto__: null, constructor: { eq: 'x' } }],
    ['a comparator of every object', { title: { toString: 'x' } }],
    ['a list in place of a comparison', { title: ['x'] }],
    ['an object in place of a value', { id: { eq: { toString: 'x' } } }],
    ['more conditions than a person writes', { or: Array.from({ length: 201 }, () => ({ title: { contains: 'x' } })) }],
  ])('is refused: %s (JIRA-004)', async (_, filter) => {
    expect(await conditionOf(filter, columns, jql)).toMatchObject({ ok: false, reason: 'invalid_input' });
  });
});

const secret = 'the secret of the webhooks';
const now = Date.parse('2026-11-24T12:00:00Z');
const body = Buffer.from(
  JSON.stringify({ timestamp: now, webhookEvent: 'jira:issue_created', issue: { id: '1', key: 'ENG-1', fields: {} } }),
);
const proof = createHmac('sha256', secret).update('address of webhooks').digest('hex');
const signature = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
const source = trackerWebhookSource({ secrets: ['a newer secret', secret], dialect: 'jira' });
const delivery = (more: Partial<Delivery>): Delivery => ({
  ...sentTo('tracker'),
  headers: {},
  query: {},
  body,
  ...more,
});

describe('a delivery that says it is from Jira', () => {
  it('is verified by its signature, or by the proof in its address (JIRA-009)', () => {
    expect(source.verify(delivery({ headers: { 'x-hub-signature': signature } }), now)).toMatchObject({
      ok: true,
      value: { secret: 1 },
    });
    expect(source.verify(delivery({ query: { proof } }), now)).toMatchObject({ ok: true, value: { secret: 1 } });
  });

  it.each([
    ['without either', {}, 'unsigned'],
    ['with the secret itself in its address', { query: { proof: secret } }, 'bad_signature'],
    ['with the proof twice', { query: { proof: [proof, proof] } }, 'unsigned'],
    ['with the signature twice', { headers: { 'x-hub-signature': [signature, signature] } }, 'unsigned'],
    [
      'with a signature of another body',
      { headers: { 'x-hub-signature': signature }, body: Buffer.from('{}') },
      'bad_signature',
    ],
    [
      'with a wrong signature besides the right proof',
      { headers: { 'x-hub-signature': `sha256=${'0'.repeat(64)}` }, query: { proof } },
      'bad_signature',
    ],
    [
      'with a signature by another method',
      { headers: { 'x-hub-signature': 'sha1=0000' }, query: { proof } },
      'unsigned',
    ],
    ['with the proof as its signature', { headers: { 'x-hub-signature': `sha256=${proof}` } }, 'bad_signature'],
    ['without a time', { query: { proof }, body: Buffer.from('{"webhookEvent":"jira:issue_created"}') }, 'stale'],
  ])('is refused %s (JIRA-009)', (_, more, reason) => {
    expect(source.verify(delivery(more), now)).toMatchObject({ ok: false, failure: { reason } });
  });

  it('is refused a day later (JIRA-009)', () => {
    expect(source.verify(delivery({ query: { proof } }), now + 25 * 3_600_000)).toMatchObject({
      ok: false,
      failure: { reason: 'stale' },
    });
  });

  it.each([
    ['created', { webhookEvent: 'jira:issue_created' }, { name: 'issue.create', changed: [] }],
    [
      'changed',
      {
        webhookEvent: 'jira:issue_updated',
        user: { accountId: 'a1', displayName: 'Ann' },
        changelog: {
          items: [{ field: 'status', fieldId: 'status' }, { field: 'IssueParentAssociation' }, { field: 'Rank' }],
        },
      },
      { name: 'issue.update', changed: ['state', 'project'], actor: { id: 'a1', name: 'Ann' } },
    ],
    ['removed', { webhookEvent: 'jira:issue_deleted' }, { name: 'issue.remove' }],
  ])('is an event of an issue that was %s (JIRA-009)', (_, payload, expected) => {
    const issue = {
      id: 10_001,
      key: 'ENG-2',
      self: 'https://acme.atlassian.net/rest/api/2/issue/10001',
      fields: {
        summary: 'Fix',
        description: 'h1. wiki',
        priority: { name: 'High' },
        status: { id: '3', name: 'In Progress' },
        labels: ['Bug'],
        parent: { id: '9', key: 'ENG-1', fields: { summary: 'Web', issuetype: { hierarchyLevel: 1 } } },
      },
    };
    expect(source.read({ timestamp: now, issue, ...payload }, 0)).toMatchObject({
      ok: true,
      value: {
        record: { service: 'tracker', kind: 'issue', id: '10001' },
        occurredAt: now,
        issue: {
          identifier: 'ENG-2',
          title: 'Fix',
          description: 'h1. wiki',
          priority: 2,
          priorityName: 'High',
          state: 'In Progress',
          labels: ['Bug'],
          project: { id: '9', name: 'Web' },
          url: 'https://acme.atlassian.net/browse/ENG-2',
        },
        ...expected,
      },
    });
  });

  it('is an event of a comment, and links no other host (JIRA-009)', () => {
    const comment = { timestamp: now, webhookEvent: 'comment_created', comment: { id: '7', body: 'x' } };
    expect(source.read(comment, 0)).toMatchObject({
      ok: true,
      value: { name: 'issue_comment.create', record: { kind: 'issue_comment', id: '7' } },
    });
    const forged = {
      timestamp: now,
      webhookEvent: 'jira:issue_created',
      issue: { id: '1', key: 'ENG-1', self: 'https://acme.atlassian.net.evil.example/x' },
    };
    expect(source.read(forged, 0)).toMatchObject({ ok: true, value: { issue: { url: null } } });
    expect(source.read({ webhookEvent: 'toString' }, 0)).toMatchObject({ ok: false, failure: { reason: 'unknown' } });
    expect(source.read({ webhookEvent: 'jira:issue_created' }, 0)).toMatchObject({
      ok: false,
      failure: { reason: 'unreadable' },
    });
  });
});

describe('a hostile text', () => {
  it('is not converted to a document when it is too long or too deep (JIRA-001)', () => {
    expect(toAdf('x'.repeat(32_768))).toMatchObject({ ok: false, reason: 'too_large' });
    expect(toAdf('>'.repeat(20_000))).toMatchObject({ ok: false, reason: 'invalid_input' });
    expect(toAdf('[a](javascript:alert%281%29)')).toMatchObject({
      ok: true,
      data: { content: [{ content: [{ text: '[a](javascript:alert%281%29)' }] }] },
    });
  });

  it('of a document is converted as far as it is of a document’s size, and links run no script (JIRA-001)', () => {
    let deep: unknown = { type: 'paragraph', content: [{ type: 'text', text: 'x' }] };
    for (let level = 0; level < 5_000; level += 1) deep = { type: 'blockquote', content: [deep] };
    expect(toMarkdown({ type: 'doc', version: 1, content: [deep] })?.length).toBeLessThan(1_000);
    const wide = Array.from({ length: 100_000 }, () => ({ type: 'rule' }));
    expect(toMarkdown({ type: 'doc', version: 1, content: wide })?.split('---')).toHaveLength(20_000);
    const link = { type: 'text', text: 'a', marks: [{ type: 'link', attrs: { href: ' javascript:alert(1)' } }] };
    expect(toMarkdown({ type: 'doc', content: [{ type: 'paragraph', content: [link] }] })).toBe('a');
    expect(toMarkdown({ type: 'doc', content: [null, 1, { type: 7 }, { type: 'x', content: 'y' }] })).toBe('');
  });

  it('of a table is no larger than its cells, however far they span, and however wide one row is (JIRA-001)', () => {
    const row = (count: number, attrs: object) => ({
      type: 'tableRow',
      content: Array.from({ length: count }, () => ({ type: 'tableCell', attrs, content: [] })),
    });
    const table = (content: readonly object[]) => toMarkdown({ type: 'doc', content: [{ type: 'table', content }] });
    const spanning = Array.from({ length: 100 }, () => row(100, { colspan: 100, rowspan: 100 }));
    expect(table(spanning)?.length).toBeLessThan(300_000);
    const wide = [row(9_000, {}), ...Array.from({ length: 9_000 }, () => row(0, {}))];
    expect(table(wide)?.length).toBeLessThan(300_000);
  });
});
