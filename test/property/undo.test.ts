import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { UndoApp } from '#test/support/changes/undo-app.ts';
import { rounds } from '#test/support/form.ts';

// Random changes of all services by tools, taken back the latest first, leave everything as it was before them.

let world: UndoApp;
let app: string;
const ids: Record<'deal' | 'person' | 'issue' | 'account', string | number> = {
  deal: 0,
  person: 0,
  issue: '',
  account: '',
};
const notes = ['Plan.md', 'Harbour/Crane.md'] as const;

const idSchema = z.looseObject({ id: z.union([z.number(), z.string()]) });
const records = z.looseObject({ data: z.array(z.looseObject({ details: z.looseObject({ id: z.string() }) })) });

beforeAll(async () => {
  world = await UndoApp.start();
  await world.services.connect(world.person);
  app = await world.app({ name: 'Scribe' });
  const made = async (name: string, args: object) => idSchema.parse(await world.made(app, name, args)).id;
  ids.deal = await made('sales_crm_deal_create', { title: 'Harbour crane', value: 900 });
  ids.person = await made('sales_crm_person_create', { name: 'Ada Lovelace' });
  ids.issue = await made('tracker_issue_create', { title: 'Crane cannot lift', team: 'ENG', priority: 2 });
  const accounts = { module: 'Accounts', data: [{ Account_Name: 'Harbour Works', Phone: '1' }] };
  ids.account = records.parse(await world.made(app, 'suite_record_create', accounts)).data[0]?.details.id ?? '';
  for (const path of notes) {
    await world.made(app, 'vault_note_write', { path, content: `# ${path}\n\nFirst line.\n\nSecond line.\n` });
  }
});
afterAll(() => world.stop());

const word = fc
  .string({ minLength: 1, maxLength: 12, unit: fc.constantFrom(...'abcXYZ äß€'.split('')) })
  .map((text) => `w${text}w`);
const note = fc.constantFrom(...notes);
const change = fc.oneof(
  fc
    .integer({ min: 1, max: 9_999 })
    .map((value) => ['sales_crm_deal_update', () => ({ id: ids.deal, value })] as const),
  word.map((title) => ['sales_crm_deal_update', () => ({ id: ids.deal, title })] as const),
  word.map((name) => ['sales_crm_person_update', () => ({ id: ids.person, name })] as const),
  word.map((title) => ['sales_crm_deal_create', () => ({ title })] as const),
  word.map((title) => ['tracker_issue_update', () => ({ id: ids.issue, title })] as const),
  fc
    .integer({ min: 0, max: 4 })
    .map((priority) => ['tracker_issue_update', () => ({ id: ids.issue, priority })] as const),
  word.map(
    (phone) =>
      ['suite_record_update', () => ({ module: 'Accounts', id: ids.account, data: [{ Phone: phone }] })] as const,
  ),
  fc
    .tuple(note, word)
    .map(([path, text]) => ['vault_note_write', () => ({ path, content: `${text}\n\nMore.\n` })] as const),
  fc
    .tuple(note, word)
    .map(([path, text]) => ['vault_tags_add', () => ({ path, tags: [text.replaceAll(/[^a-zA-Z]/g, '')] })] as const),
  note.map((path) => ['vault_note_delete', () => ({ path })] as const),
);

/** All that the changes concern, as the services have it. */
async function state(): Promise<unknown> {
  const one = async (name: string, args: object, members: readonly string[]) => {
    const { data } = await world.call(app, name, args);
    const inner = z.looseObject({ data: z.array(z.looseObject({})) }).safeParse(data);
    const record = inner.success ? (inner.data.data[0] ?? {}) : data;
    return members.map((member) => record[member] ?? null);
  };
  const text = async (path: string) => {
    const encoded = path.split('/').map(encodeURIComponent).join('/');
    const answer = await fetch(`${world.server.origin}/api/vault/vault/${encoded}`, {
      headers: { authorization: `Bearer ${app}`, accept: 'text/markdown' },
    });
    return answer.ok ? answer.text() : null;
  };
  const deals = z
    .looseObject({ items: z.array(z.unknown()).optional(), data: z.array(z.unknown()).optional() })
    .parse((await world.call(app, 'sales_crm_deals_list', { fields: 'id' })).data);
  return {
    deal: await one('sales_crm_deal_get', { id: ids.deal }, ['title', 'value']),
    person: await one('sales_crm_person_get', { id: ids.person }, ['name']),
    issue: await one('tracker_issue_get', { id: ids.issue }, ['title', 'priority']),
    account: await one('suite_record_get', { module: 'Accounts', id: ids.account }, ['Phone', 'Account_Name']),
    notes: await Promise.all(notes.map(text)),
    deals,
  };
}

const taken = z.object({
  taken_back: z.array(z.looseObject({})),
  refused: z.array(z.looseObject({ reason: z.string(), message: z.string(), operation: z.string() })),
});

it('30 random changes taken back in order leave services and vault as they were (UNDO-063)', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { minLength: 30, maxLength: 30 }), async (changes) => {
      const before = await state();
      expect(JSON.stringify(before)).not.toContain('null');
      const since = new Date().toISOString();
      let made = 0;
      for (const [tool, args] of changes) {
        const { isError } = await world.call(app, tool, args());
        if (!isError) made += 1;
      }
      expect(made).toBeGreaterThan(10);
      const { taken_back: done, refused } = taken.parse((await world.call(app, 'workspace_undo', { since })).data);
      expect(refused).toEqual([]);
      expect(done.length).toBeGreaterThan(10);
      expect(await state()).toEqual(before);
    }),
    { numRuns: rounds(2, 20), seed: 29 },
  );
});
