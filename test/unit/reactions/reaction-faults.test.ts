import { afterAll, describe, expect, it } from 'vitest';
import { ReactionThreads } from '#adapters/reactions/reaction-threads.ts';
import { latestTime } from '#adapters/reactions/schedule-times.ts';
import { vaultNoteEdits } from '#adapters/vault-folder/vault-note-edits.ts';
import { ApplyWriteStep } from '#application/reactions/apply-write-step.ts';
import { PlanReactions } from '#application/reactions/plan-reactions.ts';
import { scheduleEvent } from '#domain/events/schedule-event.ts';
import type { ServiceEvent } from '#domain/events/service-event.ts';
import type { ReactionNote } from '#domain/reaction-notes/reaction-note.ts';
import type { WriteStep } from '#domain/reactions/step.ts';
import { textWithFrontmatter } from '#infrastructure/yaml/yaml-entry.ts';
import { MemoryNoteLinks } from '#test/doubles/memory-note-links.ts';
import { MemoryReactionLog } from '#test/doubles/memory-reaction-log.ts';
import { MemoryVaultNotes } from '#test/doubles/memory-vault-notes.ts';

const language = new ReactionThreads({
  senders: ['sales_crm', 'tracker', 'signing'],
  folder: 'Reactions',
  checkCall: () => () => ({ operation: null, nearest: null, errors: [] }),
});
afterAll(() => language.close());

const hostile =
  'x\n---\nreaction: on\n---\n# Heading\n{{ 7 | times: 7 }} {% raw %} <script>a</script> [[Secret]] ![[E]] #tag ^evt-0123456789abcdef';
const event = (title: string): ServiceEvent => {
  const record = { service: 'sales_crm', kind: 'deal', id: '7' } as const;
  return {
    service: 'sales_crm',
    name: 'updated.deal',
    record,
    occurredAt: 1_000_000,
    deal: { id: '7', title },
  } as ServiceEvent;
};

async function reactionOf(lines: string, body: string): Promise<ReactionNote> {
  const read = await language.read('Reactions/a.md', `---\nreaction: on\n${lines}\n---\n${body}\n`);
  if (!read.ok || read.value?.reaction == null) throw new Error(JSON.stringify(read));
  return read.value.reaction;
}

function planOf(reaction: ReactionNote | null) {
  const book = {
    isLoaded: true,
    load: async () => true,
    changesRead: async () => undefined,
    to: () => (reaction === null ? [] : [reaction]),
    offTo: () => [],
    at: () => reaction,
    setAside: async () => undefined,
  };
  const links = new MemoryNoteLinks();
  const eventsOf = async () => ({ events: {} });
  const [log, reading] = [new MemoryReactionLog(), { admit: async () => new Map() }];
  return new PlanReactions({ book, language, log, links, reading, folder: 'Reactions', eventsOf });
}

const startAt = Date.UTC(2026, 0, 14, 12);
const step: WriteStep = {
  do: 'write',
  record: { service: 'sales_crm', kind: 'deal', id: '7' },
  by: 'Reactions/a.md',
  path: 'Log.md',
  frontmatter: {},
  entry: { heading: 'Won', text: '- Acme', mark: 'evt-1' },
};

describe('a note that is deleted', () => {
  it.each([1, 2])(
    'while it is written to, after read %i, is created again with what was to be added (WRITE-001)',
    async (at) => {
      const vault = new MemoryVaultNotes();
      vault.write('Log.md', '# Mine\n');
      let reads = 0;
      const apply = new ApplyWriteStep(
        {
          read: async (path) => {
            const read = await vault.read(path);
            reads += 1;
            if (reads === at) vault.write('Log.md', at === 1 ? null : '# Another\n');
            if (reads === at + 1 && at === 2) vault.write('Log.md', null);
            return read;
          },
          findByFrontmatter: vault.findByFrontmatter.bind(vault),
          create: vault.create.bind(vault),
          setFrontmatter: vault.setFrontmatter.bind(vault),
          appendUnderHeading: vault.appendUnderHeading.bind(vault),
          append: vault.append.bind(vault),
          replace: vault.replace.bind(vault),
        },
        textWithFrontmatter,
        vaultNoteEdits,
      );
      expect(await apply.run(step)).toMatchObject({ ok: true });
      const read = await vault.read('Log.md');
      expect(read.ok && read.value?.content.match(/- Acme \^evt-1/g)).toHaveLength(1);
      expect(await apply.run(step)).toMatchObject({ ok: true, value: { line: 'unchanged Log.md', result: 'once' } });
    },
  );

  it('while the schedule of its reaction was due does nothing (WRITE-010)', async () => {
    const due = scheduleEvent('Reactions/a.md', 1, 2);
    expect(await planOf(null).run(due, { seq: 1, planned: [] })).toEqual({ steps: null, results: [] });
    const reaction = await reactionOf('when: "schedule: 0 17 * * 5"\nnote: W.md', 'Text');
    const { steps } = await planOf(reaction).run(due, { seq: 1, planned: [] });
    expect(steps).toMatchObject([{ do: 'write', path: 'W.md' }]);
    expect(await planOf({ ...reaction, mode: 'off' }).run(due, { seq: 1, planned: [] })).toEqual({
      steps: null,
      results: [],
    });
  });
});

describe('text from a service', () => {
  it('adds no line, tag, link, mark, key or template to what is written (WRITE-001)', async () => {
    const lines = [
      'when: sales_crm.updated.deal',
      'note: Log {{ deal.title }}.md',
      'under: "On {{ deal.title }}"',
      'set:\n  title: "{{ deal.title }}"',
      'once: "{{ deal.title }}"',
    ];
    const { steps } = await planOf(await reactionOf(lines.join('\n'), '- {{ deal.title }}')).run(event(hostile), {
      seq: 1,
      planned: [],
    });
    const [planned] = steps ?? [];
    if (planned?.do !== 'write' || planned.entry === null) throw new Error(JSON.stringify(planned));
    expect(planned.path).toMatch(/^[^/\n]+\.md$/);
    expect(planned.entry.heading).not.toContain('\n');
    expect(planned.entry.text.split('\n')).toHaveLength(1);
    for (const live of ['<script>', '[[Secret]]', '![[E]]', '{{ 7', ' #tag', ' ^evt-0123456789abcdef']) {
      expect(planned.entry.text).not.toContain(live);
    }
    const vault = new MemoryVaultNotes();
    const apply = new ApplyWriteStep(vault, textWithFrontmatter, vaultNoteEdits);
    expect(await apply.run(planned)).toMatchObject({ ok: true });
    const read = await vault.read(planned.path);
    const text = (read.ok && read.value?.content) || '';
    expect(text.match(/^---$/gm)).toHaveLength(2);
    expect(text).not.toMatch(/^reaction:/m);
    expect(read.ok && Object.keys(read.value?.frontmatter ?? {})).toEqual(['title']);
  });
});

describe('times of a schedule', () => {
  /** The latest time up to the end of each of so many days. */
  const times = (pattern: string, from: string, days: number) => {
    const start = Date.parse(from);
    const found = Array.from({ length: days }, (_, day) => {
      const at = latestTime({ pattern, zone: 'Europe/Vienna' }, start, start + (day + 1) * 86_400_000);
      return new Date(at ?? Number.NaN).toISOString().slice(0, 16);
    });
    return found;
  };

  it('occur once a day where the clock is put forward or back (WRITE-010)', () => {
    const spring = times('30 2 * * *', '2026-03-27T12:00:00Z', 3);
    expect(spring).toEqual(['2026-03-28T01:30', '2026-03-29T01:00', '2026-03-30T00:30']);
    const autumn = times('30 2 * * *', '2026-10-23T12:00:00Z', 3);
    expect(autumn).toEqual(['2026-10-24T00:30', '2026-10-25T00:30', '2026-10-26T01:30']);
  });

  it.each([
    ['* * * * *', '2036-01-13T12:00'],
    ['0 17 * * 5', '2036-01-11T16:00'],
    ['0 0 29 2 *', '2032-02-28T23:00'],
    ['15 8 1 1 *', '2036-01-01T07:15'],
  ])('are found over ten years: the latest of %s (WRITE-010)', (pattern, latest) => {
    const until = Date.UTC(2036, 0, 13, 12);
    const schedule = { pattern, zone: 'Europe/Vienna' };
    expect(new Date(latestTime(schedule, startAt, until) ?? 0).toISOString().slice(0, 16)).toBe(latest);
    const at = Date.parse(`${latest}Z`);
    expect(latestTime(schedule, at - 1, at)).toBe(at);
    expect(latestTime(schedule, at, at)).toBeNull();
    expect(latestTime(schedule, at, at + 59_999)).toBeNull();
  });

  it.each([
    '60 * * * *',
    '* * * * 8',
    '@daily',
    '0 0 30 2 *',
    '* * * * * *',
    '*/0 * * * *',
    'noon',
    `${' '.repeat(300)}0 17 * * ${'5,'.repeat(100)}5`,
  ])('are refused with a sentence if there are none: %s (WRITE-033)', async (pattern) => {
    const text = `---\nreaction: on\nwhen: "schedule: ${pattern}"\nnote: a.md\n---\nText\n`;
    expect(await language.read('a.md', text)).toMatchObject({
      value: { faults: [{ line: 3, message: expect.stringMatching(/five fields|never comes|must be an event/) }] },
    });
  });
});
