import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SqlAllowedOperations } from '#adapters/persistence/sql-allowed-operations.ts';
import { SqlApprovals } from '#adapters/persistence/sql-approvals.ts';
import { SqlKeptChanges } from '#adapters/persistence/sql-kept-changes.ts';
import { grantsWithChoices, usersWithChanges } from '#adapters/stores/gone-with.ts';
import { approvalContext, keptContext, sealedApprovals, sealedKeptChanges } from '#adapters/stores/sealed-changes.ts';
import { sealedRows } from '#adapters/stores/sealed-values.ts';
import type { Approval } from '#domain/changes/approval.ts';
import type { KeptChange } from '#domain/changes/kept-change.ts';
import { failed } from '#domain/operations/outcome.ts';
import { AesGcmBox } from '#infrastructure/crypto/aes-gcm-box.ts';
import { deriveKey } from '#infrastructure/crypto/derive-key.ts';
import { MemoryGrants } from '#test/doubles/memory-grants.ts';
import { MemoryUsers } from '#test/doubles/memory-users.ts';
import { openTestSqlite, type TestDatabase } from '#test/support/persistence/test-database.ts';

const keyOf = (secret: string) => deriveKey(`${secret}, a secret for the tests, long enough`, 'changes and approvals');
const box = new AesGcmBox([keyOf('current')]);
const difference = {
  kind: 'record',
  id: '42',
  title: 'Harbour crane',
  fields: [{ field: 'value', before: 'private before', after: 'private after' }],
} as const;

const change: KeptChange = {
  id: 'kept-1',
  userId: 7,
  grantId: 'G1',
  app: 'App',
  service: 'sales_crm',
  operation: 'deals.update',
  effect: 'change',
  recordId: '42',
  at: 5,
  account: 'acme',
  state: 'begun',
  undoneAt: null,
  undoOf: null,
  partOf: null,
  content: { differences: [difference], undo: { values: { value: 1 } }, irreversible: null, explain: 'private words' },
};
const approval: Approval = {
  id: 'approval-1',
  userId: 7,
  grantId: 'G1',
  app: 'App',
  service: 'sales_crm',
  operation: 'deals.update',
  effect: 'change',
  at: 5,
  expiresAt: 50,
  state: 'waiting',
  decidedAt: null,
  digest: 'd',
  inputDigest: 'i',
  content: {
    input: { id: 42, value: 'private input' },
    undoOf: null,
    differences: [difference],
    explain: 'private words',
    irreversible: null,
  },
  comment: null,
  outcome: null,
};

let opened: TestDatabase;
beforeEach(async () => {
  opened = await openTestSqlite();
});
afterEach(() => opened.close());

const keptWith = (by: AesGcmBox) => sealedKeptChanges(new SqlKeptChanges(opened.database), by);
const approvalsWith = (by: AesGcmBox) => sealedApprovals(new SqlApprovals(opened.database), by);
const stored = async (table: string) =>
  JSON.stringify(await opened.database.em.fork().execute(`select * from ${table}`));

describe('kept changes at rest', () => {
  it('are encrypted, and read as they were (UNDO-002)', async () => {
    const kept = keptWith(box);
    await kept.keep(change);
    await kept.keep({
      ...change,
      id: 'kept-2',
      content: { ...change.content, undo: null, irreversible: 'private reason' },
    });
    expect(await stored('kept_changes')).not.toMatch(/private|Harbour/);
    expect(await kept.find('kept-1')).toEqual(change);
    const [second, first] = await kept.list({ limit: 10 });
    expect([first?.irreversible, second?.irreversible]).toEqual([null, 'private reason']);
    expect((await kept.summaries(['kept-2']))[0]?.irreversible).toBe('private reason');
    await kept.settle('kept-1', { recordId: '43', content: { ...change.content, undo: { made: 43 } } });
    expect(await kept.find('kept-1')).toMatchObject({ recordId: '43', state: 'kept', content: { undo: { made: 43 } } });
    expect(await stored('kept_changes')).not.toMatch(/private|made/);
    await kept.keep({ ...change, id: 'kept-3' });
    await kept.settle('kept-3', { recordId: '44' });
    expect(await kept.find('kept-3')).toEqual({ ...change, id: 'kept-3', recordId: '44', state: 'kept' });
  });

  it('cannot be taken back where they were encrypted with another key, or copied from another row (UNDO-002)', async () => {
    await keptWith(new AesGcmBox([keyOf('lost')])).keep(change);
    const kept = keptWith(box);
    const nothing = { differences: [], undo: null, explain: null, irreversible: expect.stringMatching(/encrypted/) };
    expect((await kept.find('kept-1'))?.content).toEqual(nothing);
    await kept.keep({ ...change, id: 'kept-2' });
    await kept.keep({ ...change, id: 'kept-3' });
    const copy =
      "update kept_changes set content = (select content from kept_changes where id = 'kept-2') where id = 'kept-3'";
    await opened.database.em.fork().execute(copy);
    expect((await kept.find('kept-3'))?.content).toEqual(nothing);
    expect((await kept.find('kept-2'))?.content).toEqual(change.content);
  });
});

describe('approvals at rest', () => {
  it('are encrypted, and read as they were (UNDO-002)', async () => {
    const approvals = approvalsWith(box);
    await approvals.keep(approval);
    expect(await approvals.find('approval-1')).toEqual(approval);
    await approvals.keep({ ...approval, id: 'approval-2', digest: 'another' });
    expect(
      await approvals.move('approval-2', 'waiting', { state: 'refused', decidedAt: 9, comment: 'private no' }),
    ).toBe(true);
    expect(await approvals.move('approval-1', 'waiting', { state: 'running', decidedAt: 9 })).toBe(true);
    const outcome = failed('rejected', 'private outcome', { sent: 'yes' });
    expect(await approvals.end('approval-1', outcome, 99)).toBe(true);
    expect(await stored('approvals')).not.toMatch(/private|Harbour/);
    const [refused, done] = await approvals.list({ userId: 7, limit: 10 });
    expect(refused).toMatchObject({ id: 'approval-2', state: 'refused', comment: 'private no' });
    expect(done).toEqual({ ...approval, state: 'done', decidedAt: 9, outcome, expiresAt: 99 });
  });

  it('cannot be decided where they were encrypted with another key (UNDO-002)', async () => {
    await approvalsWith(new AesGcmBox([keyOf('lost')])).keep(approval);
    expect(await approvalsWith(box).find('approval-1')).toBeNull();
    expect(await approvalsWith(box).list({ userId: 7, limit: 10 })).toEqual([]);
  });
});

describe('a key rotation', () => {
  it('re-encrypts kept changes and approvals, and counts what it cannot read (UNDO-003)', async () => {
    const former = new AesGcmBox([keyOf('former')]);
    const rotated = new AesGcmBox([keyOf('current'), keyOf('former')]);
    const rows = Array.from({ length: 12 }, (_, n) => ({ ...change, id: `kept-${n}` }));
    for (const one of rows) await keptWith(former).keep(one);
    await keptWith(new AesGcmBox([keyOf('lost')])).keep({ ...change, id: 'lost' });
    await approvalsWith(former).keep({ ...approval, comment: 'no', outcome: failed('rejected', 'no') });
    const signal = new AbortController().signal;
    const kept = sealedRows('kept changes', new SqlKeptChanges(opened.database), {
      box: rotated,
      contextOf: keptContext,
    });
    expect(await kept.reencrypt(() => {}, signal)).toEqual({ reencrypted: 12, unreadable: 1, total: 13 });
    expect(await keptWith(box).find('kept-7')).toEqual({ ...change, id: 'kept-7' });
    const approvals = sealedRows('approvals', new SqlApprovals(opened.database), {
      box: rotated,
      contextOf: approvalContext,
    });
    expect(await approvals.reencrypt(() => {}, signal)).toEqual({ reencrypted: 3, unreadable: 0, total: 3 });
    expect(await approvalsWith(box).find('approval-1')).toMatchObject({ content: approval.content, comment: 'no' });
    expect(await kept.count()).toEqual([
      { keyId: box.keyId, isCurrent: true, isKnown: true, values: 12 },
      { keyId: new AesGcmBox([keyOf('lost')]).keyId, isCurrent: false, isKnown: false, values: 1 },
    ]);
  });
});

describe('what goes with whom', () => {
  const allowed = { userId: 7, grantId: 'G1', service: 'tracker', operation: 'issues.update', at: 1 };
  const grant = {
    id: 'G1',
    userId: 7,
    clientId: 'c',
    clientName: 'App',
    scope: '*',
    switchedOff: [],
    since: 1,
    ask: null,
    lastUsedAt: null,
  };

  it('revoking an app removes its approvals and what is always allowed to it (UNDO-004)', async () => {
    const approvals = approvalsWith(box);
    const always = new SqlAllowedOperations(opened.database);
    const grants = grantsWithChoices(new MemoryGrants(), [approvals, always]);
    await grants.keep(grant);
    await approvals.keep(approval);
    await approvals.keep({ ...approval, id: 'approval-2', grantId: 'G2' });
    await always.keep(allowed);
    await always.keep({ ...allowed, grantId: 'G2' });
    expect(await grants.remove(8, 'G1')).toBe(false);
    expect(await approvals.find('approval-1')).not.toBeNull();
    expect(await grants.remove(7, 'G1')).toBe(true);
    expect((await approvals.list({ userId: 7, limit: 10 })).map(({ id }) => id)).toEqual(['approval-2']);
    expect((await always.list(7)).map(({ grantId }) => grantId)).toEqual(['G2']);
  });

  it('deactivating a user removes their kept changes, approvals and choices (UNDO-005)', async () => {
    const [kept, approvals] = [keptWith(box), approvalsWith(box)];
    const always = new SqlAllowedOperations(opened.database);
    const users = usersWithChanges(new MemoryUsers(), { kept, choices: [approvals, always] });
    const added = await users.add({ email: 'ada@example.org', passwordHash: '', permissions: [], isAdmin: false });
    const userId = added.ok ? added.value.id : 0;
    await kept.keep({ ...change, userId });
    await kept.keep({ ...change, id: 'other', userId: userId + 1 });
    await approvals.keep({ ...approval, userId });
    await always.keep({ ...allowed, userId });
    await users.change(userId, { timeZone: 'UTC' });
    expect(await kept.find('kept-1')).not.toBeNull();
    await users.change(userId, { deactivatedAt: 9 });
    expect((await kept.list({ limit: 10 })).map(({ id }) => id)).toEqual(['other']);
    expect(await approvals.find('approval-1')).toBeNull();
    expect(await always.list(userId)).toEqual([]);
  });
});
