import { expect, it } from 'vitest';
import type { UsersQuery } from '#application/ports/users.ts';
import { ReadingRights } from '#application/reactions/reading-rights.ts';
import type { ReactionNote } from '#domain/reaction-notes/reaction-note.ts';
import type { User } from '#domain/users/user.ts';
import { userStateOf } from '#domain/users/user-state.ts';
import { SettableClock } from '#test/contracts/kit/settable-clock.ts';
import { MemoryReactionLog } from '#test/doubles/memory-reaction-log.ts';
import { MemoryServerFacts } from '#test/doubles/memory-server-facts.ts';

const reaction = (name: string, service = 'tracker'): ReactionNote => ({
  path: `Reactions/${name}.md`,
  digest: `digest of ${name}`,
  mode: 'on',
  triggers: [{ kind: 'event', service, name: 'issue.create' }],
  condition: null,
  note: 'Log.md',
  under: null,
  once: null,
  set: {},
  calls: [],
  body: 'text',
});
const user = (id: number, permissions: readonly string[], more: Partial<User> = {}): User => ({
  id,
  email: `${id}@example.com`,
  permissions,
  isAdmin: false,
  signedOutBefore: null,
  ...more,
});
const all = ['vault', 'tracker'];

function rights(people: readonly User[], held: readonly ReactionNote[] = []) {
  const [log, facts] = [new MemoryReactionLog(), new MemoryServerFacts()];
  const book = {
    isLoaded: true,
    all: () => held.map((one) => ({ path: one.path, isYaml: true, reaction: one, faults: [] })),
  };
  const users = {
    page: async ({ state, permission = '', without = '' }: UsersQuery) =>
      people.filter(
        (one) =>
          userStateOf(one) === state && one.permissions.includes(permission) && !one.permissions.includes(without),
      ),
  };
  const clock = new SettableClock(1);
  const open = () => new ReadingRights({ book, log, users, facts, senders: ['tracker'], clock });
  return { log, open };
}

it('reactions that ran before the permission was needed keep it, and the others have none (WRITE-034)', async () => {
  const [ran, new_] = [reaction('ran'), reaction('new')];
  const { log, open } = rights([user(1, all), user(2, ['vault'])], [ran, new_]);
  await log.noteRuns([{ reaction: ran.path, seq: 1, at: 1, result: 'ran', outcome: '' }]);
  expect([...(await open().admit([ran, new_]))]).toEqual([[new_.path, ['tracker']]]);
  await log.noteRuns([{ reaction: new_.path, seq: 1, at: 1, result: 'ran', outcome: '' }]);
  expect([...(await open().admit([ran, new_]))]).toEqual([[new_.path, ['tracker']]]);
});

it.each([
  ['a user without the vault', user(2, [])],
  ['a user who is deactivated', user(2, ['vault'], { deactivatedAt: 1 })],
])('%s does not count as a run (WRITE-034)', async (_, person) => {
  expect(
    (
      await rights([user(1, all), person])
        .open()
        .waiting([reaction('a')])
    ).size,
  ).toBe(0);
});

it('looking at a reaction does not let it run later (WRITE-034)', async () => {
  const people = [user(1, all)];
  const { open } = rights(people);
  expect((await open().waiting([reaction('a')])).size).toBe(0);
  people.push(user(2, ['vault']));
  expect((await open().admit([reaction('a')])).size).toBe(1);
});
