import { z } from 'zod';
import { withWarnings } from '#adapters/services/answers/read-answers.ts';
import { recipesOver } from '#adapters/services/requests/recipe-rows.ts';
import {
  content,
  date,
  effectOfMode,
  effectOfPatch,
  folderPath,
  format,
  if_match,
  patchContent,
  path,
  period,
} from '#adapters/services/vault/inputs.ts';
import { folder, frontmatter, keySet, noteWritten, partChanged } from '#adapters/services/vault/outputs.ts';
import { editRecipes } from '#adapters/services/vault/recipes/edits.ts';
import { searchRecipes } from '#adapters/services/vault/recipes/found-notes.ts';
import { from, partOf } from '#adapters/services/vault/recipes/long-text.ts';
import { isFolder, readNote, setKey } from '#adapters/services/vault/recipes/note-calls.ts';
import { patchPart } from '#adapters/services/vault/recipes/patch-part.ts';
import { pathIn } from '#adapters/services/vault/recipes/periodic-folder.ts';
import { sectionRecipes } from '#adapters/services/vault/recipes/section.ts';
import { tagRecipes } from '#adapters/services/vault/recipes/tags.ts';
import { vaultWideRecipes } from '#adapters/services/vault/recipes/vault-wide.ts';
import { versionRecipes } from '#adapters/services/vault/recipes/versions.ts';
import { rows } from '#adapters/services/vault/rows.ts';
import { failed, type Outcome, succeeded, withRevision } from '#domain/operations/outcome.ts';
import { inLists } from '#infrastructure/json-schema/tool-schema.ts';

const recipe = recipesOver(rows);

const dayOf = (text: string) => {
  const [year = 0, month = 0, day = 0] = text.split('-').map(Number);
  return { year, month, day };
};

/** The answer of a write: which note it was, what was done and, where the vault states one, its revision. */
function writtenTo(place: string | null, change: 'created' | 'appended' | 'overwritten', written: Outcome): Outcome {
  if (!written.ok) return written;
  const path = place === null ? {} : { path: place };
  const revision = written.revision === undefined ? {} : { revision: written.revision };
  return withWarnings(succeeded({ ...path, change, ...revision }), written.warnings ?? []);
}

const key = z.string().min(1).describe('A key of the frontmatter, such as "status"').meta(inLists('Such as "status"'));

/** Tools that take several requests, or choose between two (TOOL-001). */
export const recipes = {
  'notes.read_part': recipe(
    'read',
    'Reads a note by its path with its ending; a missing one is the error not_found. Find paths with vault_search or vault_vault_list; for properties alone use vault_frontmatter_get, for a part vault_note_section',
    { path, format, from },
    { tool: 'vault_note_read', standsFor: ['notes.read', 'files.read', 'active.read'], title: 'Reads a note' },
    async (call, { from: begin, ...input }) => {
      if (input.path.endsWith('/')) return isFolder(input.path);
      const read = await call('notes.read', input);
      return read.ok ? partOf(read, begin) : read;
    },
  ),

  'notes.write': recipe(
    'add',
    'Writes a note: creates one with its folders, appends to one, or overwrites one; the mode create fails with conflict if it exists. To change a part use vault_note_patch, for one property vault_frontmatter_set',
    {
      path,
      content,
      mode: z
        .enum(['create', 'append', 'overwrite'])
        .default('create')
        .describe('create: only if it does not exist; append: at the end; overwrite: replaces the content')
        .meta(inLists('overwrite replaces the content')),
      if_match,
    },
    {
      tool: 'vault_note_write',
      standsFor: ['notes.append', 'notes.put', 'active.append', 'active.put'],
      output: noteWritten,
      effectBy: effectOfMode,
    },
    async (call, { mode, ...text }) => {
      if (mode === 'append') return writtenTo(text.path, 'appended', await call('notes.append', text));
      if (mode === 'overwrite') return writtenTo(text.path, 'overwritten', await call('notes.put', text));
      const isThere = failed(
        'conflict',
        `There is a note at "${text.path}" already. Use the mode "append" or "overwrite", or another path.`,
      );
      const there = await call('notes.read', { path: text.path });
      if (there.ok) return isThere;
      if (there.reason !== 'not_found') return there;
      // Another writer may create it in the meantime: servers that support the condition then reject, older ones ignore
      // it.
      const made = await call('notes.put', { ...text, if_none_match: '*' });
      if (!made.ok && made.reason === 'conflict' && text.if_match === undefined) return isThere;
      return writtenTo(text.path, 'created', made);
    },
  ),

  'notes.patch_part': recipe(
    'lose',
    'Changes a part of a note: adds to or replaces the content under a heading, at a block or in a frontmatter key; the rest stays. vault_note_read with the format document_map lists the places. For a whole note use vault_note_write',
    {
      path,
      target: z
        .string()
        .min(1)
        .describe(
          'A heading, bare ("History"), by its path ("Deal::History") or, if repeated, by place ("History#2"); a block id ("^id"); or a frontmatter key',
        ),
      content: patchContent,
      target_type: z
        .enum(['heading', 'block', 'frontmatter'])
        .default('heading')
        .describe('What kind of place the target is'),
      operation: z
        .enum(['append', 'prepend', 'replace'])
        .optional()
        .describe('What to do with the content; append by default, replace for a frontmatter key'),
      create_target_if_missing: z.boolean().default(false).describe('Whether to create a missing heading or key'),
      if_match,
    },
    {
      tool: 'vault_note_patch',
      standsFor: ['notes.patch', 'active.patch', 'periodic.patch', 'periodic_dated.patch'],
      output: partChanged,
      effectBy: effectOfPatch,
    },
    patchPart,
  ),

  'folders.contents': recipe(
    'read',
    'Lists the files and folders in a folder: names inside it only, folders with a slash at the end, not paged. By words use vault_search',
    { dir_path: z.string().default('').describe('Such as "Deals"; empty for the root') },
    { tool: 'vault_vault_list', standsFor: ['folders.root', 'folders.list'], output: folder },
    async (call, input) => {
      const folder = folderPath(input.dir_path);
      return folder === '' ? call('folders.root', {}) : call('folders.list', { dir_path: folder });
    },
  ),

  'periodic.read_any': recipe(
    'read',
    'Reads the daily, weekly, monthly, quarterly or yearly note: the current one, or that of a day. A missing one is the error not_found. For others use vault_note_read',
    { period, date: date.optional(), format },
    {
      tool: 'vault_periodic_read',
      standsFor: ['periodic.read', 'periodic_dated.read'],
      title: 'Reads a periodic note',
    },
    async (call, { date: day, ...input }) =>
      day === undefined ? call('periodic.read', input) : call('periodic_dated.read', { ...input, ...dayOf(day) }),
  ),

  'periodic.write': recipe(
    'change',
    'Appends to or overwrites the daily, weekly, monthly, quarterly or yearly note: the current one, or that of a day, creating it if missing. Returns its path. For others use vault_note_write',
    {
      period,
      content,
      date: date.optional(),
      mode: z
        .enum(['append', 'overwrite'])
        .default('append')
        .describe('append: at the end; overwrite: replaces the content'),
      if_match,
    },
    {
      tool: 'vault_periodic_write',
      standsFor: ['periodic.append', 'periodic.put', 'periodic_dated.append', 'periodic_dated.put'],
      title: 'Writes a periodic note',
      output: noteWritten,
      effectBy: effectOfMode,
    },
    async (call, { date: day, mode, period: kind, ...text }) => {
      const asked = { period: kind };
      const at = { ...asked, ...dayOf(day ?? '') };
      const current = mode === 'append' ? ('periodic.append' as const) : ('periodic.put' as const);
      const dated = mode === 'append' ? ('periodic_dated.append' as const) : ('periodic_dated.put' as const);
      const written =
        day === undefined ? await call(current, { ...asked, ...text }) : await call(dated, { ...at, ...text });
      if (!written.ok) return written;
      const change = mode === 'append' ? ('appended' as const) : ('overwritten' as const);
      if (written.path !== undefined) return writtenTo(written.path, change, written);
      const format = 'note' as const;
      const read =
        day === undefined
          ? call('periodic.read', { ...asked, format })
          : call('periodic_dated.read', { ...at, format });
      return writtenTo(pathIn(await read), change, written);
    },
  ),

  'frontmatter.get': recipe(
    'read',
    "Reads a note's frontmatter, its properties such as status: all, or one key. A missing note or key is the error not_found. For the text use vault_note_read",
    { path, key: key.optional() },
    { tool: 'vault_frontmatter_get', output: frontmatter },
    async (call, input) => {
      const read = await readNote(call, input.path);
      if (!read.ok) return read;
      const { frontmatter: known, version } = read.data;
      if (input.key === undefined) return withRevision(succeeded(known), version);
      if (!Object.hasOwn(known, input.key)) {
        const keys = Object.keys(known).join(', ');
        return failed(
          'not_found',
          `The note has no key "${input.key}". ${keys === '' ? 'It has none.' : `It has: ${keys}.`}`,
        );
      }
      return withRevision(succeeded({ [input.key]: known[input.key] }), version);
    },
  ),

  'frontmatter.set': recipe(
    'lose',
    "Sets one key of a note's frontmatter, creating it if missing; other keys and the text stay unchanged. For tags use vault_tags_add, for the text vault_note_patch",
    { path, key, value: patchContent.describe('Any JSON value, such as "won", 12.5 or ["a", "b"]'), if_match },
    { tool: 'vault_frontmatter_set', output: keySet, isIdempotent: true },
    async (call, { if_match, ...input }) => {
      const set = await setKey(call, input.path, input.key, input.value, { if_match });
      return set.ok ? succeeded({ ...input, revision: set.revision }) : set;
    },
  ),

  ...searchRecipes,
  ...tagRecipes,
  ...editRecipes,
  ...sectionRecipes,
  ...vaultWideRecipes,
  ...versionRecipes,
} as const;
