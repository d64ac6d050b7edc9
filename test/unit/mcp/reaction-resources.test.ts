import { expect, it } from 'vitest';
import { reactionResources, reactionUri } from '#adapters/mcp/resources/reaction-resources.ts';
import type { ManageReactions, ShownReaction } from '#application/reactions/manage-reactions.ts';
import { ReactionOutcomes } from '#application/reactions/reaction-outcomes.ts';
import { guest, type User } from '#domain/users/user.ts';
import { contextOf } from '#test/support/mcp/mcp-context.ts';

const path = 'Reactions/a b.md';
const uri = 'portolan://reactions/Reactions/a%20b.md';
const count = { reaction: path, at: 0, outcome: 'x'.repeat(2_000), isFault: true, runs: 3, faults: 1 };
const faults = Array.from({ length: 500 }, (_, line) => ({ line, message: 'y'.repeat(100) }));
const shown: ShownReaction = {
  path,
  isYaml: true,
  reaction: null,
  faults,
  count,
  approval: null,
  refusal: null,
  closed: [],
  open: [],
};
const reaction = {
  path,
  digest: 'd',
  mode: 'dry',
  triggers: [],
  condition: null,
  note: 'a.md',
  under: null,
  once: null,
  set: {},
  calls: [],
  body: 'Text',
} as const;

let isFaulty = false;
const tried = { seq: 1, event: 'a.b', at: 0, isMet: true, changes: ['what came of the past'], ending: 'ok' };
const reactions: Pick<ManageReactions, 'list' | 'show' | 'try'> = {
  list: async () => [shown],
  show: async (of) => (of !== path ? null : isFaulty ? shown : { ...shown, reaction, faults: [] }),
  try: async () => [tried],
};
const outcomes = new ReactionOutcomes({ book: { all: () => [shown] }, reactions });
const source = reactionResources({ outcomes, isWriter: async ({ id }) => id === 7 });

const member: User = { ...guest, id: 7, permissions: ['vault'] };
const admin: User = { ...member, id: 1, isAdmin: true };
const seen = async (user: User) => ({
  listed: (await source.list(contextOf(user), null))?.entries.map((entry) => entry.uri),
  text: (await source.read(contextOf(user), uri))?.map((content) => ('text' in content ? content.text : ''))[0],
});

it('the resource is for users who can write reactions; the results are for administrators (WRITE-019)', async () => {
  expect(await seen(admin)).toEqual({ listed: [uri], text: expect.stringContaining('what came of the past') });
  const { listed, text } = await seen(member);
  expect(listed).toEqual([uri]);
  expect(text).toContain('3 runs, 1 fault');
  expect(text).not.toContain('what came of the past');
  const withheld = { services: [], changes: true } as const;
  expect((await seen({ ...admin, withheld })).text).not.toContain('what came of the past');
});

it.each([
  ['works in a vault of their own', { ...member, id: 8 }],
  ['may not use the vault', { ...admin, permissions: [] }],
  ['is a guest', guest],
] as const)('the resource is hidden from a user who %s (WRITE-019)', async (_, user) => {
  expect(await seen(user)).toEqual({ listed: [], text: undefined });
  expect(await source.complete(contextOf(user), 'portolan://reactions/{+path}', 'R')).toEqual([]);
});

it('the resource is bounded, and has one address (WRITE-019)', async () => {
  isFaulty = true;
  expect((await seen(admin)).text?.length).toBeLessThanOrEqual(24_000);
  isFaulty = false;
  expect(reactionUri(path)).toBe(uri);
  expect(source.addressOf({ user: member }, uri)).toBe(uri);
  expect(source.addressOf({ user: guest }, uri)).toBeNull();
  for (const other of ['portolan://reactions/%', 'portolan://connections', 'portolan://reactions/none.md']) {
    expect(await source.read(contextOf(admin), other)).toBeNull();
  }
  expect(await source.complete(contextOf(member), 'portolan://reactions/{+path}', 'Reac')).toEqual([path]);
  expect(await source.complete(contextOf(member), 'vault://{+path}', 'Reac')).toBeNull();
});
