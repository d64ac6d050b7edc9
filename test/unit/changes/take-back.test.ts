import { beforeEach, describe, expect, it } from 'vitest';
import { sealedKeptChanges } from '#adapters/stores/sealed-changes.ts';
import { TakeBack } from '#application/changes/take-back.ts';
import type { KeptChanges } from '#application/ports/kept-changes.ts';
import type { UndoCall } from '#application/ports/service-gateway.ts';
import type { KeptChange } from '#domain/changes/kept-change.ts';
import { failed, type Outcome, succeeded } from '#domain/operations/outcome.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import { guest, type User } from '#domain/users/user.ts';
import { MemoryKeptChanges } from '#test/doubles/memory-kept-changes.ts';
import { MemoryLeases } from '#test/doubles/memory-leases.ts';
import { testBox } from '#test/support/persistence/test-database.ts';

const person: User = { ...guest, id: 7, permissions: ['tracker'] };
const asApp = (grantId: string | null): User => ({ ...person, app: { grantId, name: 'App' } });
const dayMs = 86_400_000;

let kept: KeptChanges;
let leases: MemoryLeases;
let now: number;
let account: Result<string, ReturnType<typeof failed>>;
let undone: UndoCall[];
let answer: () => Promise<Outcome>;
let count = 0;

const change = (more: Partial<KeptChange> = {}): KeptChange => ({
  id: 'one',
  userId: 7,
  grantId: 'G1',
  app: 'App',
  service: 'tracker',
  operation: 'issues.update',
  effect: 'change',
  recordId: 'I1',
  at: now - 1_000,
  account: 'acme',
  state: 'kept',
  undoneAt: null,
  undoOf: null,
  partOf: null,
  content: { differences: [], undo: { title: 'Old' }, irreversible: null, explain: null },
  ...more,
});

beforeEach(() => {
  kept = sealedKeptChanges(new MemoryKeptChanges(), testBox);
  now = 10 * dayMs;
  leases = new MemoryLeases({ now: () => now });
  account = ok('acme');
  undone = [];
  answer = async () => succeeded({});
});

const nextOwner = () => {
  count += 1;
  return `owner ${count}`;
};
const takeBack = () =>
  new TakeBack({
    kept,
    undo: async (_, call) => {
      undone.push(call);
      return answer();
    },
    accountOf: async () => account,
    leases,
    clock: { now: () => now },
    random: { token: nextOwner },
    names: { of: () => 'Tracker' },
    keepMs: 7 * dayMs,
  });
const stateOf = async (id = 'one') => (await kept.find(id))?.state;
const reasonOf = (outcome: Outcome) => (outcome.ok ? 'ok' : outcome.reason);

describe('who takes a change back', () => {
  it.each([
    ['a person, their own', person, 'ok'],
    ['the app that made it', asApp('G1'), 'ok'],
    ['another app', asApp('G2'), 'not_found'],
    ['an app of no known grant', asApp(null), 'not_found'],
    ['another person', { ...person, id: 8 }, 'not_found'],
  ])('%s (UNDO-052)', async (_, user, reason) => {
    await kept.keep(change());
    expect(reasonOf(await takeBack().run(user, 'one'))).toBe(reason);
    expect(undone.length).toBe(reason === 'ok' ? 1 : 0);
  });

  it('nobody after the time for which it is kept (UNDO-001)', async () => {
    await kept.keep(change({ at: now - 7 * dayMs - 1 }));
    expect(reasonOf(await takeBack().run(person, 'one'))).toBe('not_found');
    expect(await takeBack().list(person, 0)).toEqual([]);
  });
});

describe('a change is not taken back', () => {
  it.each([
    ['twice', { state: 'undone' as const, undoneAt: 1 }, 'conflict'],
    ['while it is being made', { state: 'begun' as const }, 'conflict'],
    [
      'where nothing was kept for it',
      { content: { differences: [], undo: null, irreversible: 'It was sent.', explain: null } },
      'rejected',
    ],
  ])('%s (UNDO-052, UNDO-061)', async (_, more, reason) => {
    await kept.keep(change(more));
    const before = await stateOf();
    expect(reasonOf(await takeBack().run(person, 'one', { isForced: true }))).toBe(reason);
    expect([undone, await stateOf()]).toEqual([[], before]);
  });

  it('over another account, not even by force, nor without a connection (UNDO-060)', async () => {
    await kept.keep(change());
    account = ok('other');
    const outcome = await takeBack().run(person, 'one', { isForced: true });
    expect(outcome).toMatchObject({ reason: 'forbidden', message: expect.stringContaining('another account') });
    account = err(failed('not_connected', 'no'));
    expect(reasonOf(await takeBack().run(person, 'one', { asked: { isDry: true } }))).toBe('not_connected');
    expect([undone, await stateOf()]).toEqual([[], 'kept']);
  });
});

describe('a taking back that does not end well', () => {
  it('leaves the change as it was when nothing was done (UNDO-061)', async () => {
    await kept.keep(change());
    for (const sent of ['no', 'yes'] as const) {
      answer = async () => failed('conflict', 'Somebody changed it.', { sent });
      expect(reasonOf(await takeBack().run(person, 'one'))).toBe('conflict');
      expect(await stateOf()).toBe('kept');
    }
  });

  it('leaves a change of which a part was left to be taken back, by force (UNDO-064)', async () => {
    await kept.keep(change());
    answer = async () => ({ ...succeeded({}), warnings: ['The value was left as it is.'], isPartial: true });
    expect(await takeBack().run(person, 'one')).toMatchObject({ ok: true, isPartial: true });
    expect(await kept.find('one')).toMatchObject({ state: 'kept', undoneAt: now });
    answer = async () => failed('conflict', 'Somebody changed it.', { sent: 'yes' });
    expect(reasonOf(await takeBack().run(person, 'one'))).toBe('conflict');
    expect(await kept.find('one')).toMatchObject({ state: 'kept', undoneAt: now });
    answer = async () => succeeded({});
    expect(reasonOf(await takeBack().run(person, 'one', { isForced: true }))).toBe('ok');
    expect([undone.at(-1)?.isForced, await stateOf()]).toEqual([true, 'undone']);
  });

  it('does not count what it took back in part as being there again (UNDO-064)', async () => {
    await kept.keep(change({ state: 'undone', undoneAt: 1 }));
    await kept.keep(change({ id: 'two', undoOf: 'one' }));
    answer = async () => ({ ...succeeded({}), isPartial: true });
    await takeBack().run(person, 'two');
    expect(await stateOf()).toBe('undone');
    answer = async () => succeeded({});
    await takeBack().run(person, 'two', { isForced: true });
    expect(await stateOf()).toBe('kept');
  });

  it('can be tried again when it is not known what it did (UNDO-061)', async () => {
    await kept.keep(change());
    answer = async () => failed('unavailable', 'No answer.', { sent: 'unknown' });
    await takeBack().run(person, 'one');
    expect(await stateOf()).toBe('undoing');
    answer = async () => succeeded({});
    expect(reasonOf(await takeBack().run(person, 'one'))).toBe('ok');
    expect(await kept.find('one')).toMatchObject({ state: 'undone', undoneAt: now });
  });

  it('can be tried again a minute after its server was killed, and not before (UNDO-061)', async () => {
    await kept.keep(change());
    answer = () => new Promise(() => {});
    void takeBack().run(person, 'one');
    await expect.poll(() => stateOf()).toBe('undoing');
    answer = async () => succeeded({});
    expect(reasonOf(await takeBack().run(person, 'one'))).toBe('conflict');
    now += 60_001;
    expect(reasonOf(await takeBack().run(person, 'one'))).toBe('ok');
    expect(undone).toHaveLength(2);
  });

  it('of a change whose server was killed counts it as made after a minute (UNDO-061)', async () => {
    await kept.keep(change({ state: 'begun', at: now - 60_000 }));
    expect(reasonOf(await takeBack().run(person, 'one'))).toBe('ok');
    expect(await stateOf()).toBe('undone');
  });
});

describe('what is passed on', () => {
  it('is what was kept, the name of the change, and what the caller asks (UNDO-050)', async () => {
    await kept.keep(change());
    await takeBack().run(person, 'one', { isForced: true, asked: { explain: 'why' } });
    expect(undone[0]).toMatchObject({
      service: 'tracker',
      name: 'issues.update',
      undo: { title: 'Old' },
      isForced: true,
      asked: { explain: 'why', undoOf: 'one' },
    });
  });

  it('an approval fetches the outcome also of a change that was taken back by it (UNDO-062)', async () => {
    await kept.keep(change({ state: 'undone', undoneAt: 1 }));
    expect(reasonOf(await takeBack().run(asApp('G1'), 'one', { asked: { approval: 'A1' } }))).toBe('ok');
    expect(undone[0]?.asked).toEqual({ approval: 'A1', undoOf: 'one' });
    expect(await stateOf()).toBe('undone');
  });

  it('since a time, the latest first, without what took another back (UNDO-051)', async () => {
    await kept.keep(change({ id: 'a', at: now - 30 }));
    await kept.keep(change({ id: 'b', at: now - 20, state: 'undone', undoneAt: 1 }));
    await kept.keep(change({ id: 'c', at: now - 15, undoOf: 'b' }));
    await kept.keep(change({ id: 'd', at: now - 10 }));
    await kept.keep(change({ id: 'early', at: now - 31 }));
    await kept.keep(change({ id: 'other', at: now - 5, grantId: 'G2' }));
    const taken = await takeBack().since(asApp('G1'), now - 30);
    expect(taken.map(({ change: one }) => one.id)).toEqual(['d', 'a']);
  });
});
