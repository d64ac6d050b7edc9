import { z } from 'zod';
import { type InputOf, recipesOver } from '#adapters/services/operation-table.ts';
import { resolveHeading } from '#adapters/services/vault/heading.ts';
import { content, date, format, patchContent, path, period, tags } from '#adapters/services/vault/inputs.ts';
import { rows } from '#adapters/services/vault/rows.ts';
import { failed, type Outcome, succeeded } from '#domain/operations/outcome.ts';

const recipe = recipesOver(rows);

const note = z.object({
  path: z.string(),
  content: z.string(),
  frontmatter: z.record(z.string(), z.unknown()),
  tags: z.array(z.string()),
});

type Note = z.output<typeof note>;
type Rows = typeof rows;
type Call = <Name extends Extract<keyof Rows, string>>(name: Name, input: InputOf<Rows, Name>) => Promise<Outcome>;

async function readNote(call: Call, notePath: string): Promise<Outcome<Note>> {
  const outcome = await call('notes.read', { path: notePath, format: 'note' });
  if (!outcome.ok) return outcome;
  const parsed = note.safeParse(outcome.data);
  return parsed.success
    ? succeeded(parsed.data)
    : failed('unavailable', 'The vault answered with something that is no note.');
}

/** The tags in a frontmatter value, where one text may hold several. */
function tagsIn(value: unknown): readonly string[] {
  const list = Array.isArray(value) ? value.map(String) : typeof value === 'string' ? value.split(/[\s,]+/) : [];
  return list.map((tag) => tag.replace(/^#/, '')).filter((tag) => tag !== '');
}

const setKey = (call: Call, notePath: string, key: string, value: z.output<typeof patchContent>): Promise<Outcome> =>
  call('notes.patch', {
    path: notePath,
    operation: 'replace',
    target_type: 'frontmatter',
    target: key,
    create_target_if_missing: true,
    content: value,
  });

const dayOf = (text: string) => {
  const [year = 0, month = 0, day = 0] = text.split('-').map(Number);
  return { year, month, day };
};

const key = z.string().min(1).describe('A key of the frontmatter');

/** Tools that take several requests, or choose between two (contract, Planned MCP tools: vault). */
export const recipes = {
  'notes.write': recipe(
    'destroy',
    'Writes a note: makes a new one, appends to one, or overwrites one',
    {
      path,
      content,
      mode: z
        .enum(['create', 'append', 'overwrite'])
        .default('create')
        .describe('create: only when there is none yet; append: at the end; overwrite: in place of what is there'),
    },
    { tool: 'vault_note_write' },
    async (call, input) => {
      const text = { path: input.path, content: input.content };
      if (input.mode === 'append') return call('notes.append', text);
      if (input.mode === 'create') {
        const there = await call('notes.read', { path: input.path });
        if (there.ok) {
          return failed(
            'conflict',
            `There is a note at "${input.path}" already. Use the mode "append" or "overwrite", or another path.`,
          );
        }
        if (there.reason !== 'not_found') return there;
      }
      return call('notes.put', text);
    },
  ),

  'notes.patch_part': recipe(
    'destroy',
    'Changes a part of a note: under a heading, at a block or in the frontmatter',
    {
      path,
      target: z
        .string()
        .min(1)
        .describe(
          'A heading, bare ("History") or by its path ("Deal::History"); a block id without "^"; or a frontmatter key',
        ),
      content: patchContent,
      target_type: z
        .enum(['heading', 'block', 'frontmatter'])
        .default('heading')
        .describe('What kind of place the target is'),
      operation: z.enum(['append', 'prepend', 'replace']).default('append').describe('What is done with the content'),
      create_target_if_missing: z.boolean().default(false).describe('Whether a missing heading or key is made'),
    },
    { tool: 'vault_note_patch' },
    async (call, { target, ...input }) => {
      if (input.target_type !== 'heading') return call('notes.patch', { ...input, target });
      const map = await call('notes.read', { path: input.path, format: 'document_map' });
      if (!map.ok) return map;
      const full = resolveHeading(target, map.data);
      return full.ok ? call('notes.patch', { ...input, target: full.data }) : full;
    },
  ),

  'folders.contents': recipe(
    'read',
    'Lists the files and folders in a folder of the vault; folders end with a slash',
    { dir_path: z.string().default('').describe('Path of the folder, such as "Deals"; empty for the root') },
    { tool: 'vault_vault_list' },
    async (call, input) => {
      const folder = input.dir_path.replace(/^\/+|\/+$/g, '');
      return folder === '' ? call('folders.root', {}) : call('folders.list', { dir_path: folder });
    },
  ),

  'periodic.read_any': recipe(
    'read',
    'Reads a periodic note: the current one, or the one of a day',
    { period, date: date.optional(), format },
    { tool: 'vault_periodic_read' },
    async (call, { date: day, ...input }) =>
      day === undefined ? call('periodic.read', input) : call('periodic_dated.read', { ...input, ...dayOf(day) }),
  ),

  'periodic.write': recipe(
    'destroy',
    'Writes a periodic note: appends to it, or overwrites it; made when it is missing',
    {
      period,
      content,
      date: date.optional(),
      mode: z
        .enum(['append', 'overwrite'])
        .default('append')
        .describe('append: at the end; overwrite: in place of what is there'),
    },
    { tool: 'vault_periodic_write' },
    async (call, { date: day, mode, ...input }) => {
      if (day === undefined) return mode === 'append' ? call('periodic.append', input) : call('periodic.put', input);
      const dated = { ...input, ...dayOf(day) };
      return mode === 'append' ? call('periodic_dated.append', dated) : call('periodic_dated.put', dated);
    },
  ),

  'frontmatter.get': recipe(
    'read',
    "Reads a note's frontmatter, whole or one key of it",
    { path, key: key.optional() },
    { tool: 'vault_frontmatter_get' },
    async (call, input) => {
      const read = await readNote(call, input.path);
      if (!read.ok) return read;
      const { frontmatter } = read.data;
      if (input.key === undefined) return succeeded(frontmatter);
      if (!Object.hasOwn(frontmatter, input.key)) {
        const keys = Object.keys(frontmatter).join(', ');
        return failed(
          'not_found',
          `The note has no key "${input.key}". ${keys === '' ? 'It has none.' : `It has: ${keys}.`}`,
        );
      }
      return succeeded({ [input.key]: frontmatter[input.key] });
    },
  ),

  'frontmatter.set': recipe(
    'destroy',
    "Sets one key of a note's frontmatter; the other keys stay as they are",
    { path, key, value: patchContent.describe('Any JSON value') },
    { tool: 'vault_frontmatter_set', isIdempotent: true },
    async (call, input) => {
      const done = await setKey(call, input.path, input.key, input.value);
      return done.ok ? succeeded({ path: input.path, [input.key]: input.value }) : done;
    },
  ),

  'tags.list': recipe(
    'read',
    'Lists the tags of a note, from its frontmatter and its text',
    { path },
    { tool: 'vault_tags_list' },
    async (call, input) => {
      const read = await readNote(call, input.path);
      return read.ok ? succeeded({ path: input.path, tags: read.data.tags }) : read;
    },
  ),

  'tags.add': recipe(
    'write',
    "Adds tags to a note's frontmatter; those that are there already stay once",
    { path, tags },
    { tool: 'vault_tags_add', isIdempotent: true },
    async (call, input) => {
      const read = await readNote(call, input.path);
      if (!read.ok) return read;
      const before = tagsIn(read.data.frontmatter['tags']);
      const after = [...new Set([...before, ...input.tags])];
      if (after.length === before.length) return succeeded({ path: input.path, tags: after });
      const done = await setKey(call, input.path, 'tags', after);
      return done.ok ? succeeded({ path: input.path, tags: after }) : done;
    },
  ),

  'tags.remove': recipe(
    'destroy',
    "Removes tags from a note's frontmatter; tags written in the text stay and are told",
    { path, tags },
    { tool: 'vault_tags_remove', isIdempotent: true },
    async (call, input) => {
      const read = await readNote(call, input.path);
      if (!read.ok) return read;
      const before = tagsIn(read.data.frontmatter['tags']);
      const after = before.filter((tag) => !input.tags.includes(tag));
      const inText = input.tags.filter((tag) => read.data.tags.includes(tag) && !before.includes(tag));
      const result = { path: input.path, tags: after, ...(inText.length === 0 ? {} : { stillInText: inText }) };
      if (after.length === before.length) return succeeded(result);
      const done = await setKey(call, input.path, 'tags', after);
      return done.ok ? succeeded(result) : done;
    },
  ),
} as const;
