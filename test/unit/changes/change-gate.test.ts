import { beforeEach, describe, expect, it } from 'vitest';
import { LineDifferences } from '#adapters/differences/line-differences.ts';
import { sealedApprovals, sealedKeptChanges } from '#adapters/stores/sealed-changes.ts';
import { AskApproval } from '#application/approvals/ask-approval.ts';
import { DecideApproval, type RunAllowed } from '#application/approvals/decide-approval.ts';
import { ChangeGate, type MakeChange } from '#application/changes/change-gate.ts';
import { KeepChange } from '#application/changes/keep-change.ts';
import type { AllowedAlways } from '#application/ports/approval-policy.ts';
import type { Approvals } from '#application/ports/approvals.ts';
import type { KeptChanges } from '#application/ports/kept-changes.ts';
import type { AskChoice } from '#domain/changes/ask-policy.ts';
import type { PlannedChange } from '#domain/changes/planned-change.ts';
import { failed, type Outcome, succeeded } from '#domain/operations/outcome.ts';
import { guest, type User } from '#domain/users/user.ts';
import { MemoryApprovals } from '#test/doubles/memory-approvals.ts';
import { MemoryGrants } from '#test/doubles/memory-grants.ts';
import { MemoryKeptChanges } from '#test/doubles/memory-kept-changes.ts';
import { testBox } from '#test/support/persistence/test-database.ts';

const call = { service: 'tracker', name: 'issues.update', input: { id: 'I1', title: 'New' } };
const person: User = { ...guest, id: 7, permissions: ['tracker'] };
const asApp = (ask: AskChoice | null, grantId = 'G1'): User => ({ ...person, app: { grantId, name: 'App', ask } });

let approvals: Approvals;
let kept: KeptChanges;
let grants: MemoryGrants;
let allowed: AllowedAlways[];
let floors: string[];
let now: number;
let record: { title: string };
let made: number;

beforeEach(async () => {
  approvals = sealedApprovals(new MemoryApprovals(), testBox);
  kept = sealedKeptChanges(new MemoryKeptChanges(), testBox);
  grants = new MemoryGrants();
  [allowed, floors, now, made] = [[], [], 1_000_000, 0];
  record = { title: 'Old' };
  for (const id of ['G1', 'G2']) {
    await grants.keep({
      id,
      userId: 7,
      clientId: 'c',
      clientName: 'App',
      scope: '*',
      switchedOff: [],
      since: now,
      ask: null,
      lastUsedAt: null,
    });
  }
});

let count = 0;
const nextId = () => {
  count += 1;
  return count;
};
const ports = {
  floor: { asks: (service: string, effect: string) => floors.includes(`${service} ${effect}`) },
  clock: { now: () => now },
  differences: new LineDifferences(),
  random: { token: (bytes: number) => Buffer.alloc(bytes, `${nextId()}.`).toString('base64url') },
};
const gate = (keepMs = 1) =>
  new ChangeGate({
    asking: new AskApproval({
      approvals,
      allowed: { list: async () => allowed },
      ...ports,
      baseUrl: 'https://portolan.example',
    }),
    keeping: new KeepChange({ kept, ...ports, keepMs }),
    differences: ports.differences,
  });
const runsAllowed: RunAllowed = async (user, allowedCall, one) =>
  (await gate().runAllowed(user, allowedCall, { allowed: one, make: change() })).outcome;
const decide = (run = runsAllowed) =>
  new DecideApproval({
    note: async () => undefined,
    approvals,
    allowed: { keep: async (one) => void allowed.push(one) },
    ...ports,
    grants,
    users: { find: async () => person },
    services: ['tracker'],
    reactions: null,
    run,
  });

/** An operation that changes the record's title. */
const change =
  (effect: PlannedChange['effect'] = 'change', answer: Outcome = succeeded({ id: 'I1' })): MakeChange =>
  async (onPlanned) => {
    const before = record.title;
    const ended = await onPlanned({
      input: { id: 'I1', title: 'New' },
      effect,
      account: 'A',
      state: before,
      differences: [
        { kind: 'record', id: 'I1', title: 'Login fails', fields: [{ field: 'title', before, after: 'New' }] },
      ],
      irreversible: null,
      undo: () => ({ title: before }),
    });
    if (ended !== null) return ended;
    made += 1;
    if (answer.ok) record = { title: 'New' };
    return answer;
  };

const approvalIn = (outcome: Outcome): string => {
  expect(outcome).toMatchObject({ ok: false, reason: 'approval_required', sent: 'no' });
  return outcome.ok ? '' : (outcome.approval?.id ?? '');
};
const yes = { isAllowed: true, comment: null, isAlways: false };

describe('a change of an app', () => {
  it('is made and kept, with the previous values, where nothing is asked', async () => {
    const { outcome, keptId } = await gate().run(asApp(null), call, change());
    expect(outcome).toMatchObject({ ok: true });
    expect(await kept.find(keptId ?? '')).toMatchObject({
      state: 'kept',
      userId: 7,
      grantId: 'G1',
      recordId: 'I1',
      content: { undo: { title: 'Old' }, explain: null },
    });
  });

  it('is not kept when it was certainly not made', async () => {
    for (const sent of ['no', 'yes'] as const) {
      const refused = failed('conflict', 'No.', { sent });
      expect(await gate().run(asApp(null), call, change('change', refused))).toEqual({
        outcome: refused,
        keptId: null,
      });
    }
    expect(await kept.list({ limit: 10 })).toEqual([]);
  });

  it('stays kept as begun when nobody knows whether it was made', async () => {
    const lost = failed('unavailable', 'Gone.', { sent: 'unknown' });
    const { keptId } = await gate().run(asApp(null), call, change('change', lost));
    expect(await kept.find(keptId ?? '')).toMatchObject({ state: 'begun', content: { undo: { title: 'Old' } } });
  });

  it('is shown with the difference, and not made, in a dry run (ASK-002)', async () => {
    const { outcome } = await gate().run(asApp('change'), { ...call, asked: { isDry: true } }, change());
    expect(outcome).toMatchObject({
      ok: true,
      data: {
        dry: true,
        changes: [{ record: 'Login fails', id: 'I1', fields: [{ field: 'title', before: 'Old', after: 'New' }] }],
        can_be_taken_back: true,
      },
    });
    expect([made, await kept.list({ limit: 10 })]).toEqual([0, []]);
  });
});

describe('what cannot be taken back', () => {
  const large: MakeChange = (onPlanned) =>
    change()((plan) => onPlanned({ ...plan, undo: () => ({ text: 'x'.repeat(8 * 1024 * 1024) }) }));

  it.each([
    ['what is too large to be kept', 1, large, /too large to be kept/],
    ['anything where nothing is kept', 0, change(), /UNDO_DAYS=0/],
  ])('is said before it is made: %s (VER-011)', async (_, keepMs, make, whyNot) => {
    const { outcome } = await gate(keepMs).run(asApp(null), { ...call, asked: { isDry: true } }, make);
    expect(outcome).toMatchObject({ data: { can_be_taken_back: false, why_not: expect.stringMatching(whyNot) } });
    const asked = await gate(keepMs).run(asApp('change'), call, make);
    expect(await approvals.find(approvalIn(asked.outcome))).toMatchObject({
      content: { irreversible: expect.stringMatching(whyNot) },
    });
    expect(made).toBe(0);
  });
});

describe('a change of a record that is not there', () => {
  const missing = failed('not_found', 'There is no such issue (any more).', { sent: 'no' });
  const lost: MakeChange = (onPlanned) => change()((plan) => onPlanned({ ...plan, missing }));

  it('is not shown by a dry run, which says that there is none (UNDO-021)', async () => {
    const { outcome } = await gate().run(asApp(null), { ...call, asked: { isDry: true } }, lost);
    expect([outcome, made]).toEqual([missing, 0]);
  });

  it('is asked of nobody (UNDO-021)', async () => {
    const { outcome } = await gate().run(asApp('change'), call, lost);
    expect([outcome, await approvals.list({ userId: 7, limit: 10 }), made]).toEqual([missing, [], 0]);
  });

  it('is left to the service where nothing is asked (UNDO-021)', async () => {
    await gate().run(asApp(null), call, lost);
    expect(made).toBe(1);
  });
});

describe('a change that its user wants to be asked about', () => {
  it('waits at a page, and is the same question when it is called again (ASK-003, ASK-004)', async () => {
    const { outcome } = await gate().run(asApp('change'), call, change());
    const id = approvalIn(outcome);
    expect(id.length).toBeGreaterThanOrEqual(20);
    expect(outcome).toMatchObject({ approval: { url: `https://portolan.example/approvals/${id}` } });
    expect(approvalIn((await gate().run(asApp('change'), call, change())).outcome)).toBe(id);
    expect(made).toBe(0);
  });

  it('is made once, when it is allowed; the next call fetches the outcome (ASK-005)', async () => {
    const id = approvalIn((await gate().run(asApp('change'), call, change())).outcome);
    expect(await decide().run(person, id, yes)).toMatchObject({ ok: true, value: { outcome: { ok: true } } });
    expect(made).toBe(1);
    expect(await decide().run(person, id, yes)).toMatchObject({ ok: false, failure: { reason: 'conflict' } });
    const again = await gate().run(asApp('change'), { ...call, asked: { approval: id } }, change());
    expect([again.outcome, made]).toMatchObject([{ ok: true, data: { id: 'I1' } }, 1]);
  });

  it('is declined with the comment of the person who refused (ASK-006)', async () => {
    const id = approvalIn((await gate().run(asApp('change'), call, change())).outcome);
    await decide().run(person, id, { isAllowed: false, comment: 'Not today', isAlways: false });
    const { outcome } = await gate().run(asApp('change'), { ...call, asked: { approval: id } }, change());
    expect(outcome).toMatchObject({ reason: 'declined', message: expect.stringContaining('Not today') });
    expect(made).toBe(0);
  });

  it('is asked again when the record changed since (ASK-007)', async () => {
    const id = approvalIn((await gate().run(asApp('change'), call, change())).outcome);
    record = { title: 'By hand' };
    const decided = await decide().run(person, id, yes);
    expect(decided).toMatchObject({
      value: { outcome: { reason: 'approval_required' }, state: 'waiting' },
    });
    expect(made).toBe(0);
    await decide().run(person, id, yes);
    expect(made).toBe(1);
  });

  it('expires after 24 hours (ASK-008)', async () => {
    const id = approvalIn((await gate().run(asApp('change'), call, change())).outcome);
    const fetched = async () =>
      (await gate().run(asApp('change'), { ...call, asked: { approval: id } }, change())).outcome;
    now += 24 * 60 * 60_000 - 1;
    expect(await fetched()).toMatchObject({ reason: 'approval_required' });
    now += 1;
    expect(await decide().run(person, id, yes)).toMatchObject({ failure: { reason: 'expired' } });
    expect([await fetched(), made]).toMatchObject([{ reason: 'expired' }, 0]);
  });

  it('cannot be fetched by another app, for other inputs, or decided by another person (ASK-009)', async () => {
    const id = approvalIn((await gate().run(asApp('change'), call, change())).outcome);
    const asked = { approval: id };
    expect((await gate().run(asApp('change', 'G2'), { ...call, asked }, change())).outcome).toMatchObject({
      reason: 'not_found',
    });
    const other = { ...call, input: { id: 'I1', title: 'Other' }, asked };
    expect((await gate().run(asApp('change'), other, change())).outcome).toMatchObject({ reason: 'invalid_input' });
    expect(await decide().run({ ...person, id: 8 }, id, yes)).toMatchObject({ failure: { reason: 'not_found' } });
    expect(made).toBe(0);
  });

  it('is not made for an app that was revoked meanwhile (ASK-010)', async () => {
    const id = approvalIn((await gate().run(asApp('change'), call, change())).outcome);
    await grants.remove(7, 'G1');
    expect(await decide().run(person, id, yes)).toMatchObject({ failure: { reason: 'forbidden' } });
    expect(made).toBe(0);
  });

  it('is made under the rights that the app has when it is allowed (ASK-010)', async () => {
    const id = approvalIn((await gate().run(asApp('change'), call, change())).outcome);
    await grants.change(7, 'G1', { scope: 'tracker:read' });
    let rights: unknown = null;
    const noteRights: RunAllowed = async ({ permissions, withheld, app }) => {
      rights = { permissions, readOnly: withheld?.readOnly, grantId: app?.grantId };
      return failed('forbidden', 'This app may only read.');
    };
    await decide(noteRights).run(person, id, yes);
    expect(rights).toEqual({ permissions: ['tracker'], readOnly: ['tracker'], grantId: 'G1' });
  });

  it('is listed among 25 at a time (ASK-014)', async () => {
    for (let index = 0; index < 27; index += 1) {
      now += 1;
      await gate().run(asApp('change'), { ...call, input: { id: 'I1', title: `Title ${index}` } }, change());
    }
    const first = await decide().waiting(person);
    const second = await decide().waiting(person, first.next);
    expect([first.changes.length, second.changes.length, second.next]).toEqual([25, 2, null]);
    expect(new Set([...first.changes, ...second.changes].map(({ id }) => id)).size).toBe(27);
  });

  it('ends when it is refused before it is planned, as for a right that is gone', async () => {
    const id = approvalIn((await gate().run(asApp('change'), call, change())).outcome);
    const gone = failed('forbidden', 'You may not use the Tracker.');
    const decided = await decide(async () => gone).run(person, id, yes);
    expect(decided).toMatchObject({ value: { outcome: gone, state: 'done' } });
    expect((await gate().run(asApp('change'), { ...call, asked: { approval: id } }, change())).outcome).toEqual(gone);
  });

  it('is not asked again once it is always allowed, unless an administrator has it asked (ASK-011)', async () => {
    const id = approvalIn((await gate().run(asApp('change'), call, change())).outcome);
    await decide().run(person, id, { ...yes, isAlways: true });
    expect((await gate().run(asApp('change'), call, change())).outcome).toMatchObject({ ok: true });
    floors = ['tracker change'];
    approvalIn((await gate().run(asApp('change'), call, change())).outcome);
    expect(made).toBe(2);
  });

  it('that reaches other people is never always allowed, whatever its user sends (ASK-011)', async () => {
    await gate().run(asApp('lose'), call, change('reach'));
    const [waiting] = await approvals.list({ userId: 7, limit: 10 });
    const run: RunAllowed = async (user, allowedCall, one) =>
      (await gate().runAllowed(user, allowedCall, { allowed: one, make: change('reach') })).outcome;
    const decided = await decide(run).run(person, waiting?.id ?? '', {
      isAllowed: true,
      comment: null,
      isAlways: true,
    });
    expect(decided).toMatchObject({ ok: true, value: { outcome: { ok: true } } });
    expect([allowed, made]).toEqual([[], 1]);
    const again = await gate().run(asApp('lose'), call, change('reach'));
    expect(again.outcome).toMatchObject({ ok: false, reason: 'approval_required' });
  });

  it('waits at most 50 times for an app (ASK-012)', async () => {
    for (let at = 0; at < 50; at += 1) {
      record = { title: `Old ${at}` };
      approvalIn((await gate().run(asApp('change'), call, change())).outcome);
    }
    record = { title: 'One too many' };
    expect((await gate().run(asApp('change'), call, change())).outcome).toMatchObject({ reason: 'rate_limited' });
  });
});
