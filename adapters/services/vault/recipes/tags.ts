import { recipesOver } from '#adapters/services/requests/recipe-rows.ts';
import { if_match, path, tags } from '#adapters/services/vault/inputs.ts';
import { noteTags, tagsLeft, tagsSet } from '#adapters/services/vault/outputs.ts';
import { type Call, type Note, otherRevision, readNote, setKey } from '#adapters/services/vault/recipes/note-calls.ts';
import { rows } from '#adapters/services/vault/rows.ts';
import { type Outcome, succeeded, withRevision } from '#domain/operations/outcome.ts';
import { KeyedQueue } from '#infrastructure/concurrency/keyed-queue.ts';

const recipe = recipesOver(rows);

/** Serialises changes of one note's tags within this process. */
const inOrder = new KeyedQueue();
const maxTries = 10;

/** The tags in a frontmatter value; a string may hold several. */
function tagsIn(value: unknown): readonly string[] {
  const list = Array.isArray(value) ? value.map(String) : typeof value === 'string' ? value.split(/[\s,]+/) : [];
  return list.map((tag) => tag.replace(/^#/, '')).filter((tag) => tag !== '');
}

type TagChange = Readonly<{
  before: readonly string[];
  after: readonly string[];
  /** The tags to add; null when removing tags. */
  added: readonly string[] | null;
  result: Readonly<Record<string, unknown>>;
}>;

/**
 * Reads, decides and writes without losing concurrent changes: serialised within this process; against other writers by
 * the note's version where the server provides it (a changed note is read again), else by letting the server append to
 * the list.
 */
function changeTags(
  call: Call,
  connection: string,
  { path: notePath, if_match: expected }: Readonly<{ path: string; if_match?: string | undefined }>,
  decide: (note: Note) => TagChange,
): Promise<Outcome> {
  return inOrder.run(`${connection}:${notePath}`, async () => {
    for (let attempt = 1; ; attempt += 1) {
      const read = await readNote(call, notePath);
      if (!read.ok) return read;
      const refused = expected === undefined ? null : otherRevision(expected, read.data.version);
      if (refused !== null) return refused;
      const { before, after, added, result } = decide(read.data);
      if (after.length === before.length) return succeeded({ ...result, revision: read.data.version });
      const { version, frontmatter } = read.data;
      const isList = frontmatter['tags'] === undefined || Array.isArray(frontmatter['tags']);
      const isMerged = version === undefined && added !== null && isList;
      const done = isMerged
        ? await setKey(call, notePath, 'tags', [...added], { operation: 'append' })
        : await setKey(call, notePath, 'tags', [...after], version === undefined ? {} : { if_match: `"${version}"` });
      if (done.ok) return succeeded({ ...result, revision: done.revision });
      if (done.reason !== 'conflict' || version === undefined || attempt === maxTries) return done;
    }
  });
}

/** The tools for tags (VAULT-006). */
export const tagRecipes = {
  'tags.list': recipe(
    'read',
    'Lists the tags of a note, from frontmatter and text. For the notes with a tag use vault_search_advanced',
    { path },
    { tool: 'vault_tags_list', output: noteTags },
    async (call, input) => {
      const read = await readNote(call, input.path);
      if (!read.ok) return read;
      return withRevision(succeeded({ path: input.path, tags: read.data.tags }), read.data.version);
    },
  ),

  'tags.add': recipe(
    'change',
    "Adds tags to a note's frontmatter; the others stay. Returns all its tags. For other properties use vault_frontmatter_set",
    { path, tags, if_match },
    { tool: 'vault_tags_add', output: tagsSet, isIdempotent: true },
    (call, input, { connection }) =>
      changeTags(call, connection.id, input, ({ frontmatter }) => {
        const before = tagsIn(frontmatter['tags']);
        const added = [...new Set(input.tags)].filter((tag) => !before.includes(tag));
        const after = [...before, ...added];
        return { before, after, added, result: { path: input.path, tags: after } };
      }),
  ),

  'tags.remove': recipe(
    'lose',
    "Removes tags from a note's frontmatter; the others stay. Those in the text stay and are listed as stillInText: remove them with vault_note_patch",
    { path, tags, if_match },
    { tool: 'vault_tags_remove', output: tagsLeft, isIdempotent: true },
    (call, input, { connection }) =>
      changeTags(call, connection.id, input, (note) => {
        const before = tagsIn(note.frontmatter['tags']);
        const after = before.filter((tag) => !input.tags.includes(tag));
        const inText = input.tags.filter((tag) => note.tags.includes(tag) && !before.includes(tag));
        const result = { path: input.path, tags: after, ...(inText.length === 0 ? {} : { stillInText: inText }) };
        return { before, after, added: null, result };
      }),
  ),
} as const;
