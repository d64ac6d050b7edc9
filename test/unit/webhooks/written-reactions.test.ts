import { afterAll, expect, it } from 'vitest';
import { ReactionThreads } from '#adapters/reactions/reaction-threads.ts';
import { maxChain } from '#application/reactions/endless-loops.ts';
import { EventsOfPeriod } from '#application/reactions/events-of-period.ts';
import { PlanReactions } from '#application/reactions/plan-reactions.ts';
import { RunSchedules } from '#application/reactions/run-schedules.ts';
import { scheduleSource } from '#application/reactions/schedule-source.ts';
import type { SalesCrmEvent } from '#domain/events/sales-crm-event.ts';
import type { ReactionNote, ReadReaction } from '#domain/reaction-notes/reaction-note.ts';
import { MemoryNoteLinks } from '#test/doubles/memory-note-links.ts';
import { MemoryReactionLog } from '#test/doubles/memory-reaction-log.ts';
import { trackerWebhookSource } from '#test/support/services/vendors.ts';
import { startAt, webhookHarness } from '#test/support/webhooks/webhook-harness.ts';
import { issuePayload, trackerSecret } from '#test/support/webhooks/webhook-tracker.ts';

const language = new ReactionThreads({
  senders: ['sales_crm', 'tracker'],
  folder: 'Reactions',
  checkCall: () => (name, input) => ({
    operation: name === 'tracker.issues.create' ? name : null,
    nearest: 'tracker.issues.create',
    errors: 'titel' in input ? [{ place: ['titel'], message: 'There is no argument `titel`.' }] : [],
  }),
  maxCpuMs: 1_500,
});
afterAll(() => language.close());

const event: SalesCrmEvent = {
  service: 'sales_crm',
  name: 'updated.deal',
  record: { service: 'sales_crm', kind: 'deal', id: '7' },
  occurredAt: startAt,
  deal: { id: '7', title: 'Acme', status: 'won', value: 5, currency: 'EUR' },
  current: { title: 'Acme', status: 'won', tags: Array.from({ length: 200 }, (_, index) => `tag ${index}`) },
  previous: { value: 3 },
};

async function read(text: string, path = 'Reactions/a.md'): Promise<ReadReaction | null> {
  const read = await language.read(path, text);
  if (!read.ok) throw new Error(read.failure.message);
  return read.value;
}

async function reactionOf(text: string, path?: string): Promise<ReactionNote> {
  const { reaction = null, faults = [] } = (await read(text, path)) ?? {};
  if (reaction === null) throw new Error(JSON.stringify(faults));
  return reaction;
}

const simple = (lines: string, body = '- {{ deal.title }}') =>
  `---\nreaction: on\nwhen: sales_crm.updated.deal\nnote: Log.md\n${lines}---\n${body}\n`;

/** Everybody may read everything. */
const reading = { admit: async () => new Map() };
/** The paths of the reactions that were set aside. */
const aside: string[] = [];

async function planned(reactions: readonly ReactionNote[], log = new MemoryReactionLog()) {
  return (await resultsOf(reactions, { log })).steps;
}

function resultsOf(
  reactions: readonly ReactionNote[],
  { log = new MemoryReactionLog(), off = [] }: Readonly<{ log?: MemoryReactionLog; off?: readonly ReactionNote[] }>,
) {
  const setAside = async ({ path }: Readonly<{ path: string }>) => void aside.push(path);
  const book = {
    isLoaded: true,
    load: async () => true,
    changesRead: async () => undefined,
    to: () => reactions,
    offTo: () => off,
    at: () => reactions[0] ?? null,
    setAside,
  };
  const eventsOf = async () => ({});
  const links = new MemoryNoteLinks();
  const plan = new PlanReactions({ book, language, log, links, reading, folder: 'Reactions', eventsOf });
  return plan.run(event, { seq: 1, planned: [] });
}

it('a reaction that takes too long or grows without end fails, and the next one still runs (WRITE-012)', async () => {
  const hanging = `deal.tags.all(a, deal.tags.all(b, deal.tags.all(c, deal.tags.all(d, a + b + c + d != "x"))))`;
  const endless =
    '{% assign a = "aaaaaaaaaa" %}{% for i in (1..1000) %}{% assign a = a | append: a %}{% endfor %}{{ a }}';
  const steps = await planned([
    await reactionOf(simple(`if: '${hanging}'\n`)),
    await reactionOf(simple('', endless), 'Reactions/b.md'),
    await reactionOf(simple(''), 'Reactions/c.md'),
  ]);
  expect(steps).toMatchObject([
    { do: 'tell', isFault: true, text: expect.stringContaining('took more than 1500 ms of processor time') },
    { do: 'tell', isFault: true, text: expect.stringContaining('limit exceeded') },
    { do: 'write', path: 'Log.md', entry: { text: '- Acme' } },
  ]);
  expect(aside).toEqual(['Reactions/a.md']);
}, 120_000);

it('the previous state of a record is the present one with the changes undone (WRITE-002)', async () => {
  expect(
    await planned([await reactionOf(simple('if: deal.status == "won" and previous.status != "won"\n'))]),
  ).toBeNull();
  expect(await planned([await reactionOf(simple('if: previous.value == 3 and deal.value == 5\n'))])).toHaveLength(1);
});

it('a plan says of each reaction without steps why: off, its condition, or nothing to do (WRITE-036)', async () => {
  const off = [await reactionOf(simple(''), 'Reactions/off.md')];
  const unmet = await reactionOf(simple('if: deal.value == 4\n'), 'Reactions/unmet.md');
  const idle = await reactionOf(simple('', '{% if false %}never{% endif %}'), 'Reactions/idle.md');
  const { steps, results } = await resultsOf([unmet, idle], { off });
  expect(steps).toEqual([]);
  expect(results).toEqual([
    { reaction: 'Reactions/off.md', result: 'off', outcome: 'it is off' },
    { reaction: 'Reactions/unmet.md', result: 'unmet', outcome: 'its condition is not met' },
    { reaction: 'Reactions/idle.md', result: 'ran', outcome: 'there is nothing to write or to call' },
  ]);
});

it('all errors are reported at once, each with its line, the causes first (WRITE-033)', async () => {
  const bad = await read(
    [
      '---',
      'reaction: perhaps',
      'when: [sales_crm.updated.deel, tracker.issue.create]',
      'if: deal.status = "won"',
      'note: ../Log.txt',
      'colour: red',
      'do:',
      '  - tracker.issues.creat: { title: x }',
      '  - tracker.issues.create: { titel: x }',
      '---',
      'fine',
      '{{ deal.title | shout }}',
    ].join('\n'),
  );
  const faults = bad?.faults;
  expect(faults?.map(({ line }) => line)).toEqual([2, 3, 4, 6, 8, 9, 12, 5, 5]);
  expect(faults?.[1]?.message).toContain('did you mean `sales_crm.updated.deal`');
  expect(await read('---\ntitle: no reaction\n---\n')).toBeNull();
});

it('a text that is one value keeps its type (WRITE-021)', async () => {
  const set =
    'set:\n  id: "{{ deal.id | plus: 0 }}"\n  value: "{{ deal.value }}"\n  link: "{{ deal.id | link: id }}"\n  text: "no {{ deal.value }}"\n';
  expect(await planned([await reactionOf(simple(set))])).toMatchObject([
    { frontmatter: { id: 7, value: 5, link: '7', text: 'no 5' } },
  ]);
});

it('an approval covers everything that has an effect, and nothing else (WRITE-004)', async () => {
  const digest = async (text: string, path?: string) => (await reactionOf(text, path)).digest;
  const text = simple('once: "{{ id }}"\n');
  expect(await digest(simple('once: "{{ id }}"\nreaction_status: ok\n# a comment\n'))).toBe(await digest(text));
  for (const other of [text.replace('Log', 'Lag'), text.replace('Acme', 'x').replace('- {{', '* {{'), simple('')]) {
    expect(await digest(other)).not.toBe(await digest(text));
  }
  expect(await digest(text, 'Reactions/b.md')).not.toBe(await digest(text));
  const hidden = simple('do:\nreaction_status: |\n  - tracker.issues.create: { title: x }\n');
  const open = simple('do:\n  - tracker.issues.create: { title: x }\n');
  expect(await digest(hidden)).not.toBe(await digest(open));
});

it('values build no path other than the one that is written, and none among the reactions (WRITE-001)', async () => {
  const own: SalesCrmEvent = { ...event, deal: { ...event.deal, title: '../../Reactions/evil' } };
  const reaction = await reactionOf(simple('').replace('Log.md', '"Deals/{{ deal.title }}.md"'));
  const book = {
    isLoaded: true,
    load: async () => true,
    changesRead: async () => undefined,
    to: () => [reaction],
    offTo: () => [],
    at: () => reaction,
    setAside: async () => undefined,
  };
  const log = new MemoryReactionLog();
  const plan = new PlanReactions({
    book,
    language,
    log,
    links: new MemoryNoteLinks(),
    reading,
    folder: 'Reactions',
    eventsOf: async () => ({}),
  });
  const { steps } = await plan.run(own, { seq: 1, planned: [] });
  expect(steps).toMatchObject([{ path: expect.stringMatching(/^Deals\/[^/]+\.md$/) }]);
  expect((await read(simple('').replace('Log.md', 'Reactions/evil.md')))?.faults).toHaveLength(1);
});

it('a reaction ignores the result of its own call, and a chain ends at eight (WRITE-014)', async () => {
  const log = new MemoryReactionLog();
  const call = { reaction: 'Reactions/a.md', operation: 'sales_crm.deals.create', seq: 1, at: startAt };
  const end = { state: 'done', outcome: '', record: { service: 'sales_crm', id: '7' }, at: startAt } as const;
  await log.begin({ ...call, key: 'k', depth: 1 });
  await log.end('k', end);
  const reactions = [await reactionOf(simple('')), await reactionOf(simple(''), 'Reactions/b.md')];
  expect(await planned(reactions, log)).toMatchObject([
    { do: 'tell', by: 'Reactions/a.md', isFault: false },
    { do: 'write', by: 'Reactions/b.md' },
  ]);
  await log.begin({ ...call, key: 'l', depth: maxChain, reaction: 'Reactions/c.md' });
  await log.end('l', { ...end, at: startAt + 1 });
  expect(await planned(reactions, log)).toMatchObject([
    { do: 'tell', isFault: true },
    { do: 'tell', isFault: true },
  ]);
});

it('a scheduled time runs once among servers; of missed times only the last, with the whole pause (WRITE-010, REACT-013)', async () => {
  const { inbox, clock } = webhookHarness();
  const log = new MemoryReactionLog();
  const text =
    '---\nreaction: on\nwhen: "schedule: 0 17 * * 5"\nzone: Europe/Vienna\nnote: W.md\n---\n{{ events.tracker.size }}\n';
  const reaction = await reactionOf(text);
  const book = { all: () => [{ path: reaction.path, isYaml: true, reaction, faults: [] }] };
  let isPaused = false;
  const gate = { reasonToPause: async () => (isPaused ? 'The automation user is deactivated.' : null) };
  const server = () => new RunSchedules({ book, language, log, inbox, gate, clock, onKept: () => {} });
  const [one, other] = [server(), server()];
  expect(await one.run()).toBe(0);
  clock.advance(3 * 7 * 86_400_000);
  isPaused = true;
  expect(await one.run()).toBe(0);
  isPaused = false;
  expect((await Promise.all([one.run(), other.run()])).reduce((left, right) => left + right)).toBe(1);
  expect(await one.run()).toBe(0);
  const entries = await inbox.list({ limit: 10 });
  expect(entries).toHaveLength(1);
  const body: unknown = JSON.parse((await inbox.body(entries[0] ?? { seq: 0, service: '', deliveryId: '' })) ?? '');
  expect(body).toEqual({ reaction: reaction.path, from: startAt, due: Date.UTC(2026, 1, 6, 16) });
});

it('a scheduled reaction sees the events of its period by service (WRITE-011)', async () => {
  const { inbox, clock, deliver } = webhookHarness();
  await deliver(issuePayload(startAt));
  const events = new EventsOfPeriod(inbox, [trackerWebhookSource({ secrets: [trackerSecret], dialect: 'neutral' })]);
  const read = scheduleSource.read({ reaction: 'Reactions/a.md', from: startAt - 1, due: clock.now() + 1 }, 0);
  if (!read.ok) throw new Error(read.failure.detail);
  const of = (from: number) => events.of({ ...read.value, from } as Parameters<EventsOfPeriod['of']>[0]);
  expect((await of(startAt - 1))['events']).toMatchObject({ tracker: [{ event: 'issue.create', kind: 'issue' }] });
  expect((await of(startAt + 1))['events']).toEqual({ tracker: [] });
});
