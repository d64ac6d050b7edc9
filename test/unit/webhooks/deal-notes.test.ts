import { describe, expect, it } from 'vitest';
import type { RecordNames } from '#application/ports/record-names.ts';
import { ok } from '#domain/shared/result.ts';
import { webhookHarness } from '#test/support/webhooks/webhook-harness.ts';
import { dealPayload, salesCrmDelivery } from '#test/support/webhooks/webhook-senders.ts';

const path = 'Deals/Sample deal.md';
type Harness = ReturnType<typeof webhookHarness>;

const noteAt = async (harness: Harness, at = path) => {
  const read = await harness.vault.read(at);
  if (!read.ok || read.value === null) throw new Error(`no note at ${at}, but ${harness.vault.paths.join(', ')}`);
  return read.value;
};
const deal = (harness: Harness, ...payload: Parameters<typeof dealPayload>) =>
  harness.take(salesCrmDelivery(dealPayload(...payload)));

describe('updated.deal', () => {
  it('creates the note from the template: status, value, the id as text, and a dated line under History (REACT-001, REACT-006)', async () => {
    const harness = webhookHarness();
    await deal(harness);
    expect(harness.vault.paths).toEqual([path]);
    const { content, frontmatter } = await noteAt(harness);
    expect(frontmatter).toEqual({
      sales_crm_deal_id: '8',
      title: 'Sample deal',
      status: 'won',
      value: 112,
      currency: 'EUR',
    });
    expect(content).toContain('# Deal\n');
    expect(content).toMatch(
      /## History\n- 2026-01-14 18:16 UTC: status open → won, value 100 → 112 \^evt-[0-9a-f]{16}\n/,
    );
  });

  it('updates status and value, and says which note changed and how (REACT-001)', async () => {
    const harness = webhookHarness();
    await deal(harness);
    await deal(harness, { status: 'lost', value: 90 }, { status: 'won', value: 112 }, '2026-01-15T08:00:00Z');
    expect((await noteAt(harness)).frontmatter).toMatchObject({ status: 'lost', value: 90 });
    expect((await noteAt(harness)).content.match(/\^evt-/g)).toHaveLength(2);
    expect(await harness.inbox.list({ limit: 1 })).toMatchObject([
      { state: 'done', outcome: `updated ${path}: status, value, History` },
    ]);
  });

  it.each([
    ['returns a version', (content: string): string | null => content, ['replace']],
    ['returns no version', () => null, ['set status', 'set value', 'append under History']],
  ])(
    'is one conditional write if the vault %s, else a patch for each key (REACT-014)',
    async (_, versionOf, expected) => {
      const written: string[] = [];
      const harness = webhookHarness((vault) => ({
        read: async (at) => {
          const read = await vault.read(at);
          return read.ok && read.value !== null ? ok({ ...read.value, version: versionOf(read.value.content) }) : read;
        },
        create: (at, content) => vault.create(at, content),
        append: (at, markdown) => vault.append(at, markdown),
        findByFrontmatter: (key, value) => vault.findByFrontmatter(key, value),
        setFrontmatter: (at, key, value) => {
          written.push(`set ${key}`);
          return vault.setFrontmatter(at, key, value);
        },
        appendUnderHeading: (at, heading, markdown) => {
          written.push(`append under ${heading.at(-1)}`);
          return vault.appendUnderHeading(at, heading, markdown);
        },
        replace: (at, content, version) => {
          written.push('replace');
          return vault.replace(at, content, version);
        },
      }));
      await deal(harness);
      await deal(harness, { status: 'lost', value: 90 }, { status: 'won', value: 112 }, '2026-01-15T08:00:00Z');
      expect(written).toEqual(expected);
      expect((await noteAt(harness)).frontmatter).toMatchObject({ status: 'lost', value: 90 });
    },
  );

  it('leaves unchanged what was not sent', async () => {
    const harness = webhookHarness();
    await deal(harness);
    const meta = { action: 'updated', entity: 'deal', entity_id: '8', id: 'e2', timestamp: '2026-01-15T08:00:00Z' };
    await harness.take(salesCrmDelivery({ event: 'updated.deal', meta, data: { id: 8, status: 'lost' } }));
    expect((await noteAt(harness)).frontmatter).toMatchObject({ status: 'lost', value: 112, title: 'Sample deal' });
  });

  it('leaves the same note when it is applied twice (REACT-007)', async () => {
    const harness = webhookHarness();
    await deal(harness);
    const { content } = await noteAt(harness);
    const again = dealPayload();
    await harness.take(salesCrmDelivery({ ...again, meta: { ...Object(again['meta']), id: 'another' } }));
    expect((await noteAt(harness)).content).toBe(content);
    expect(await harness.inbox.list({ limit: 1 })).toMatchObject([{ outcome: `unchanged ${path}` }]);
  });

  it('overwrites nothing if it is late, and is added to the history (REACT-008)', async () => {
    const harness = webhookHarness();
    await deal(harness, { status: 'lost' }, {}, '2026-01-15T08:00:00Z');
    await deal(harness, { status: 'open' }, { status: 'new' }, '2026-01-14T08:00:00Z');
    const { content, frontmatter } = await noteAt(harness);
    expect(frontmatter).toMatchObject({ status: 'lost' });
    expect(content).toContain('2026-01-14 08:00 UTC: status new → open');
  });

  it('adds its line by its time if it is late (REACT-008)', async () => {
    const harness = webhookHarness();
    for (const day of ['14', '17', '16', '15'])
      await deal(harness, { status: day }, { status: 'x' }, `2026-01-${day}T08:00:00Z`);
    const days = async () =>
      [...(await noteAt(harness)).content.matchAll(/^- 2026-01-(\d\d) .*\^evt-\w+$/gm)].map(([, at]) => at);
    expect(await days()).toEqual(['14', '15', '16', '17']);
    expect((await noteAt(harness)).frontmatter).toMatchObject({ status: '17' });
    const { content } = await noteAt(harness);
    await deal(harness, { status: '15' }, { status: 'x' }, '2026-01-15T08:00:00Z');
    expect((await noteAt(harness)).content).toBe(content);
  });

  it('adds its line on top if a person keeps the newest on top', async () => {
    const harness = webhookHarness();
    for (const day of ['14', '16']) await deal(harness, {}, { status: 'x' }, `2026-01-${day}T08:00:00Z`);
    const { content } = await noteAt(harness);
    const turned = content.replace(/(- .*\n)(- .*\n)/, '$2$1  - what I said then\n');
    harness.vault.write(path, turned);
    for (const day of ['17', '15']) await deal(harness, {}, { status: 'x' }, `2026-01-${day}T08:00:00Z`);
    const history = (await noteAt(harness)).content.split('## History\n')[1] ?? '';
    expect(history.match(/-(1\d) |what I said/g)).toEqual(['-17 ', '-16 ', '-15 ', '-14 ', 'what I said']);
  });

  it('restores History under the note’s title', async () => {
    const harness = webhookHarness();
    await deal(harness);
    harness.vault.write(path, (await noteAt(harness)).content.replace(/## History[\s\S]*$/, 'my last words\n'));
    await deal(harness, { status: 'lost' }, {}, '2026-01-15T08:00:00Z');
    expect((await noteAt(harness)).content).toMatch(/my last words\n\n?## History\n- 2026-01-15/);
  });

  it.each(['', '  ', '/:*?', '\u200b', null])('creates a note named by its id for the title %j', async (title) => {
    const harness = webhookHarness();
    await deal(harness, { title });
    expect(harness.vault.paths).toEqual(['Deals/Deal 8.md']);
    expect((await noteAt(harness, 'Deals/Deal 8.md')).content).toMatch(/# Deal\n\n\S/);
  });

  it('finds the note that a person moved, and one whose id a program turned into a number (NOTE-002)', async () => {
    const harness = webhookHarness();
    await deal(harness);
    const { content } = await noteAt(harness);
    harness.vault.write(path, null);
    harness.vault.write('Old/Mine.md', content.replace('"8"', '8').replace('## Notes\n', '## Notes\n\nMy thoughts.\n'));
    await deal(harness, { status: 'lost' }, {}, '2026-01-15T08:00:00Z');
    expect(harness.vault.paths).toEqual(['Old/Mine.md']);
    const after = await noteAt(harness, 'Old/Mine.md');
    expect(after.frontmatter).toMatchObject({ status: 'lost' });
    expect(after.content).toContain('My thoughts.');
  });

  it('says "updated" if it does not contain what changed, and adds no Markdown from its texts', async () => {
    const harness = webhookHarness();
    await deal(harness, { title: '# [[evil]] ^evt-0' }, { status: 'won', value: 112 });
    const [only = ''] = harness.vault.paths;
    expect(only).toBe('Deals/evil evt-0.md');
    expect((await noteAt(harness, only)).content).toContain(': updated ^evt-');
    expect((await noteAt(harness, only)).content).toContain(String.raw`\# \[\[evil\]\] \^evt-0`);
  });

  it('names other fields that changed, except those that always do', async () => {
    const harness = webhookHarness();
    await deal(
      harness,
      { owner_id: 2, update_time: 'b', probability: 5 },
      {
        status: 'won',
        value: 112,
        owner_id: 1,
        update_time: 'a',
        probability: 4,
      },
    );
    expect((await noteAt(harness)).content).toMatch(/UTC: owner and probability changed \^evt/);
  });

  describe('updated.deal with another stage', () => {
    const names = new Map([
      ['stage 2', 'Qualified'],
      ['stage 3', 'Won # soon'],
      ['pipeline 1', 'Sales'],
    ]);
    const known: RecordNames = {
      of: async (wanted) => (ref) =>
        wanted.some(({ kind, id }) => kind === ref.kind && id === ref.id)
          ? (names.get(`${ref.kind} ${ref.id}`) ?? null)
          : null,
    };
    const silent = { status: 'won', value: 112 };
    const line = async (harness: Harness) => /UTC: (.*) \^evt/.exec((await noteAt(harness)).content)?.[1];

    it('names the stages and pipelines', async () => {
      const harness = webhookHarness(undefined, undefined, known);
      await deal(harness, { stage_id: 3, pipeline_id: 1 }, { ...silent, stage_id: 2, pipeline_id: 4 });
      expect(await line(harness)).toBe(String.raw`stage Qualified → Won \# soon, pipeline 4 → Sales`);
    });

    it('gives their ids if the names are unknown', async () => {
      const harness = webhookHarness();
      await deal(harness, { stage_id: 3 }, { ...silent, stage_id: 2 });
      expect(await line(harness)).toBe('stage 2 → 3');
    });

    it('uses the names that were sent along, and requests none', async () => {
      const asked: unknown[] = [];
      const nobody: RecordNames = {
        of: async (wanted) => {
          asked.push(...wanted);
          return () => null;
        },
      };
      const harness = webhookHarness(undefined, undefined, nobody);
      const stages = { current: { id: 3, name: 'Won' }, previous: { value: 2, name: 'Qualified' } };
      await deal(harness, { stage_id: stages.current }, { ...silent, stage_id: stages.previous });
      await deal(harness, { probability: 5 }, { ...silent, probability: 4 }, '2026-01-15T08:00:00Z');
      expect(await line(harness)).toBe('stage Qualified → Won');
      expect(asked).toEqual([]);
    });

    it('adds its line once, even if the names are known only at the second delivery', async () => {
      const late = { isKnown: false };
      const later: RecordNames = {
        of: async (wanted) => (late.isKnown ? await known.of(wanted) : () => null),
      };
      const harness = webhookHarness(undefined, undefined, later);
      await deal(harness, { stage_id: 3 }, { ...silent, stage_id: 2 });
      late.isKnown = true;
      expect(await harness.deliveries.replay(1)).toBe(true);
      await harness.drain.run();
      expect((await noteAt(harness)).content.match(/\^evt-/g)).toHaveLength(1);
    });
  });

  it.each(['added', 'deleted', 'merged'])(
    'for %s.deal does not exist: it is kept without a reaction (REACT-012)',
    async (action) => {
      const harness = webhookHarness();
      await harness.take(salesCrmDelivery({ event: `${action}.deal`, current: { id: 8, title: 'A' } }));
      expect(harness.vault.paths).toEqual([]);
      expect(await harness.inbox.list({ limit: 1 })).toMatchObject([{ event: `${action}.deal`, state: 'ignored' }]);
    },
  );
});
