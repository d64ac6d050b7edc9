import { contains, equal, holds, matches } from '#test/kit/checks.ts';
import { type Clause, portolan } from '#test/kit/clause.ts';
import { dealUpdated, issueEvent, issueOf } from '#test/kit/deliveries.ts';
import { has, newNumber, note, sent } from '#test/kit/notes.ts';

const needs = ['login', 'service:vault'] as const;
const deals = [...needs, 'secret:sales_crm'] as const;
const issues = [...needs, 'secret:tracker'] as const;

/** Clauses on the notes of reactions: their paths, and what must never be in them. */
export const notes: readonly Clause[] = [
  portolan(
    'NOTE-001/unsafe',
    'characters that are unsafe in a path are replaced',
    async (kit) => {
      const id = newNumber();
      await sent(kit, 'sales_crm', dealUpdated({ id, title: `A/../B:${id}\\*?`, status: 'open', value: 1 }));
      const { path } = await note(kit, String(id), ({ keys }) => String(keys['sales_crm_deal_id']) === String(id));
      matches(path, /^Deals\/[^/\\:*?]+\.md$/, 'the path');
    },
    deals,
  ),
  portolan(
    'NOTE-001/empty',
    'an empty title gives way to the id',
    async (kit) => {
      const id = newNumber();
      await sent(kit, 'sales_crm', dealUpdated({ id, title: '', status: 'open', value: 1 }));
      const { path } = await note(kit, String(id), ({ keys }) => String(keys['sales_crm_deal_id']) === String(id));
      contains(path, String(id), 'the path');
    },
    deals,
  ),
  portolan(
    'NOTE-002',
    'a note that a person moved is found by the id in its frontmatter',
    async (kit) => {
      const id = newNumber();
      await sent(kit, 'sales_crm', dealUpdated({ id, title: `Moved ${id}`, status: 'open', value: 1 }));
      const { path } = await note(kit, `Moved ${id}`, has('status', 'open'));
      await kit.quiet('vault');
      const text = kit.emulators.vault.notes.get(path) ?? '';
      kit.emulators.vault.notes.delete(path);
      kit.emulators.vault.notes.set(`Archive/Elsewhere ${id}.md`, text);
      await sent(
        kit,
        'sales_crm',
        dealUpdated({ id, title: `Moved ${id}`, status: 'lost', value: 1 }, {}, Date.now() + 5),
      );
      const found = await note(kit, `Moved ${id}`, has('status', 'lost'));
      equal(found.path, `Archive/Elsewhere ${id}.md`, 'the path');
      equal(kit.emulators.vault.notes.has(path), false, 'a new note at the old path:');
    },
    deals,
  ),
  portolan(
    'NOTE-005',
    'text of a service runs, embeds and links nothing in a note',
    async (kit) => {
      const number = newNumber();
      const description =
        '<script>alert(1)</script>\n\n![[Secret]]\n\n<% tp.file.cursor() %>\n\n```dataviewjs\ndv.pages()\n```\n';
      await sent(kit, 'tracker', issueEvent('create', issueOf(number, { description })));
      const { text } = await note(kit, `KIT-${number}`, ({ keys }) => keys['tracker_issue_id'] !== undefined);
      for (const part of [/(?<!\\)<script/, /(?<!\\)!\[\[/, /(?<!\\)<%/, /^[>\s]*```\s*dataviewjs/m]) {
        holds(!part.test(text), `a note without ${String(part)}`, text);
      }
    },
    issues,
  ),
  portolan(
    'NOTE-008',
    'a new note never takes the path of another',
    async (kit) => {
      const id = newNumber();
      const path = `Deals/Taken ${id}.md`;
      kit.emulators.vault.notes.set(path, 'A note of a person.\n');
      await sent(kit, 'sales_crm', dealUpdated({ id, title: `Taken ${id}`, status: 'open', value: 1 }));
      const made = await note(kit, `Taken ${id}`, ({ keys }) => String(keys['sales_crm_deal_id']) === String(id));
      holds(made.path !== path, 'another path', made.path);
      equal(kit.emulators.vault.notes.get(path), 'A note of a person.\n', 'the note of a person');
    },
    deals,
  ),
];
