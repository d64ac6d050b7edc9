import { describe, expect, it } from 'vitest';
import type { RecordNames } from '#application/ports/record-names.ts';
import { webhookHouse } from '#test/support/webhook-house.ts';
import { dealPayload, salesCrmDelivery } from '#test/support/webhook-senders.ts';

const path = 'Deals/Sample deal.md';
type House = ReturnType<typeof webhookHouse>;

const noteAt = async (house: House, at = path) => {
  const read = await house.vault.read(at);
  if (!read.ok || read.value === null) throw new Error(`no note at ${at}, but ${house.vault.paths.join(', ')}`);
  return read.value;
};
const deal = (house: House, ...payload: Parameters<typeof dealPayload>) =>
  house.take(salesCrmDelivery(dealPayload(...payload)));

describe('updated.deal', () => {
  it('makes the note from the template: status, value, the id as text, and a dated line under History (REACT-001, REACT-006)', async () => {
    const house = webhookHouse();
    await deal(house);
    expect(house.vault.paths).toEqual([path]);
    const { content, frontmatter } = await noteAt(house);
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
    const house = webhookHouse();
    await deal(house);
    await deal(house, { status: 'lost', value: 90 }, { status: 'won', value: 112 }, '2026-01-15T08:00:00Z');
    expect((await noteAt(house)).frontmatter).toMatchObject({ status: 'lost', value: 90 });
    expect((await noteAt(house)).content.match(/\^evt-/g)).toHaveLength(2);
    expect(await house.inbox.list({ limit: 1 })).toMatchObject([
      { state: 'done', outcome: `updated ${path}: status, value, History` },
    ]);
  });

  it('leaves what was not sent as it is', async () => {
    const house = webhookHouse();
    await deal(house);
    const meta = { action: 'updated', entity: 'deal', entity_id: '8', id: 'e2', timestamp: '2026-01-15T08:00:00Z' };
    await house.take(salesCrmDelivery({ event: 'updated.deal', meta, data: { id: 8, status: 'lost' } }));
    expect((await noteAt(house)).frontmatter).toMatchObject({ status: 'lost', value: 112, title: 'Sample deal' });
  });

  it('applied twice leaves the same note (REACT-007)', async () => {
    const house = webhookHouse();
    await deal(house);
    const { content } = await noteAt(house);
    const again = dealPayload();
    await house.take(salesCrmDelivery({ ...again, meta: { ...Object(again['meta']), id: 'another' } }));
    expect((await noteAt(house)).content).toBe(content);
    expect(await house.inbox.list({ limit: 1 })).toMatchObject([{ outcome: `unchanged ${path}` }]);
  });

  it('that comes late overwrites nothing, and is told in the history (REACT-008)', async () => {
    const house = webhookHouse();
    await deal(house, { status: 'lost' }, {}, '2026-01-15T08:00:00Z');
    await deal(house, { status: 'open' }, { status: 'new' }, '2026-01-14T08:00:00Z');
    const { content, frontmatter } = await noteAt(house);
    expect(frontmatter).toMatchObject({ status: 'lost' });
    expect(content).toContain('2026-01-14 08:00 UTC: status new → open');
  });

  it('that comes late has its line where it belongs by its time (REACT-008)', async () => {
    const house = webhookHouse();
    for (const day of ['14', '17', '16', '15'])
      await deal(house, { status: day }, { status: 'x' }, `2026-01-${day}T08:00:00Z`);
    const days = async () =>
      [...(await noteAt(house)).content.matchAll(/^- 2026-01-(\d\d) .*\^evt-\w+$/gm)].map(([, at]) => at);
    expect(await days()).toEqual(['14', '15', '16', '17']);
    expect((await noteAt(house)).frontmatter).toMatchObject({ status: '17' });
    const { content } = await noteAt(house);
    await deal(house, { status: '15' }, { status: 'x' }, '2026-01-15T08:00:00Z');
    expect((await noteAt(house)).content).toBe(content);
  });

  it('has its line on top where a person has the newest on top', async () => {
    const house = webhookHouse();
    for (const day of ['14', '16']) await deal(house, {}, { status: 'x' }, `2026-01-${day}T08:00:00Z`);
    const { content } = await noteAt(house);
    const turned = content.replace(/(- .*\n)(- .*\n)/, '$2$1  - what I said then\n');
    house.vault.write(path, turned);
    for (const day of ['17', '15']) await deal(house, {}, { status: 'x' }, `2026-01-${day}T08:00:00Z`);
    const history = (await noteAt(house)).content.split('## History\n')[1] ?? '';
    expect(history.match(/-(1\d) |what I said/g)).toEqual(['-17 ', '-16 ', '-15 ', '-14 ', 'what I said']);
  });

  it('has History made anew under the note’s title, as it was', async () => {
    const house = webhookHouse();
    await deal(house);
    house.vault.write(path, (await noteAt(house)).content.replace(/## History[\s\S]*$/, 'my last words\n'));
    await deal(house, { status: 'lost' }, {}, '2026-01-15T08:00:00Z');
    expect((await noteAt(house)).content).toMatch(/my last words\n\n?## History\n- 2026-01-15/);
  });

  it.each(['', '  ', '/:*?', '\u200b', null])('makes a note by its id for the title %j', async (title) => {
    const house = webhookHouse();
    await deal(house, { title });
    expect(house.vault.paths).toEqual(['Deals/Deal 8.md']);
    expect((await noteAt(house, 'Deals/Deal 8.md')).content).toMatch(/# Deal\n\n\S/);
  });

  it('finds the note that a person moved, and one whose id a program turned into a number (NOTE-002)', async () => {
    const house = webhookHouse();
    await deal(house);
    const { content } = await noteAt(house);
    house.vault.write(path, null);
    house.vault.write('Old/Mine.md', content.replace('"8"', '8').replace('## Notes\n', '## Notes\n\nMy thoughts.\n'));
    await deal(house, { status: 'lost' }, {}, '2026-01-15T08:00:00Z');
    expect(house.vault.paths).toEqual(['Old/Mine.md']);
    const after = await noteAt(house, 'Old/Mine.md');
    expect(after.frontmatter).toMatchObject({ status: 'lost' });
    expect(after.content).toContain('My thoughts.');
  });

  it('says "updated" when it does not tell what changed, and takes no Markdown from its texts', async () => {
    const house = webhookHouse();
    await deal(house, { title: '# [[evil]] ^evt-0' }, { status: 'won', value: 112 });
    const [only = ''] = house.vault.paths;
    expect(only).toBe('Deals/evil evt-0.md');
    expect((await noteAt(house, only)).content).toContain(': updated ^evt-');
    expect((await noteAt(house, only)).content).toContain(String.raw`\# \[\[evil\]\] \^evt-0`);
  });

  it('names other fields that changed, and not those that always do', async () => {
    const house = webhookHouse();
    await deal(
      house,
      { owner_id: 2, update_time: 'b', probability: 5 },
      {
        status: 'won',
        value: 112,
        owner_id: 1,
        update_time: 'a',
        probability: 4,
      },
    );
    expect((await noteAt(house)).content).toMatch(/UTC: owner and probability changed \^evt/);
  });

  describe('that goes to another stage', () => {
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
    const line = async (house: House) => /UTC: (.*) \^evt/.exec((await noteAt(house)).content)?.[1];

    it('tells the stages and pipelines by name', async () => {
      const house = webhookHouse(undefined, undefined, known);
      await deal(house, { stage_id: 3, pipeline_id: 1 }, { ...silent, stage_id: 2, pipeline_id: 4 });
      expect(await line(house)).toBe(String.raw`stage Qualified → Won \# soon, pipeline 4 → Sales`);
    });

    it('tells them by id where the name is not known', async () => {
      const house = webhookHouse();
      await deal(house, { stage_id: 3 }, { ...silent, stage_id: 2 });
      expect(await line(house)).toBe('stage 2 → 3');
    });

    it('takes the names that were sent along, and asks nobody', async () => {
      const asked: unknown[] = [];
      const nobody: RecordNames = {
        of: async (wanted) => {
          asked.push(...wanted);
          return () => null;
        },
      };
      const house = webhookHouse(undefined, undefined, nobody);
      const stages = { current: { id: 3, name: 'Won' }, previous: { value: 2, name: 'Qualified' } };
      await deal(house, { stage_id: stages.current }, { ...silent, stage_id: stages.previous });
      await deal(house, { probability: 5 }, { ...silent, probability: 4 }, '2026-01-15T08:00:00Z');
      expect(await line(house)).toBe('stage Qualified → Won');
      expect(asked).toEqual([]);
    });

    it('has its line once, though the names are known only when it comes again', async () => {
      const late = { isKnown: false };
      const later: RecordNames = {
        of: async (wanted) => (late.isKnown ? await known.of(wanted) : () => null),
      };
      const house = webhookHouse(undefined, undefined, later);
      await deal(house, { stage_id: 3 }, { ...silent, stage_id: 2 });
      late.isKnown = true;
      expect(await house.deliveries.replay(1)).toBe(true);
      await house.drain.run();
      expect((await noteAt(house)).content.match(/\^evt-/g)).toHaveLength(1);
    });
  });

  it.each(['added', 'deleted', 'merged'])('%s.deal is kept and has no reaction (REACT-012)', async (action) => {
    const house = webhookHouse();
    await house.take(salesCrmDelivery({ event: `${action}.deal`, current: { id: 8, title: 'A' } }));
    expect(house.vault.paths).toEqual([]);
    expect(await house.inbox.list({ limit: 1 })).toMatchObject([{ event: `${action}.deal`, state: 'ignored' }]);
  });
});
