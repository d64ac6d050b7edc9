import { z } from 'zod';
import type { InputOf } from '#adapters/services/requests/operation-table.ts';
import type { rows } from '#adapters/services/vault/rows.ts';
import { echoed } from '#domain/operations/input-error.ts';
import { type Failure, failed, type Outcome, succeeded } from '#domain/operations/outcome.ts';

const note = z.object({
  path: z.string(),
  content: z.string(),
  frontmatter: z.record(z.string(), z.unknown()),
  tags: z.array(z.string()),
  /** The value for `If-Match`; older servers do not send it. */
  version: z.string().optional(),
});

/** A note as the vault returns it. */
export type Note = z.output<typeof note>;

type Rows = typeof rows;

/** Calls a row of the vault. */
export type Call = <Name extends Extract<keyof Rows, string>>(
  name: Name,
  input: InputOf<Rows, Name>,
) => Promise<Outcome>;

/** Reads the note at the path. */
export async function readNote(call: Call, path: string): Promise<Outcome<Note>> {
  const outcome = await call('notes.read', { path, format: 'note' });
  if (!outcome.ok) return outcome;
  const parsed = note.safeParse(outcome.data);
  return parsed.success
    ? succeeded(parsed.data)
    : failed('unavailable', 'The vault answered with something that is not a note.');
}

/** The failure of a write to a note that is not at the expected revision, or has none; null when it is at it. */
export function otherRevision(expected: string, version: string | undefined): Failure | null {
  if (version === undefined) return noRevisions;
  if (expected.replace(/^"(.*)"$/, '$1') === version) return null;
  return failed(
    'conflict',
    `The note is not at the revision of if_match any more; it is at "${version}". Nothing was changed. Read it again, then decide what to change.`,
  );
}

/** The failure of a conditional write where the notes app states no revisions. */
export const noRevisions = failed(
  'rejected',
  'The notes app behind this connection states no revisions of notes, so if_match is not supported. Nothing was changed; leave it out.',
);

/** The failure of reading a folder as a note. */
export const isFolder = (path: string): Failure =>
  failed('invalid_input', `"${echoed(path)}" is a folder, not a note. vault_vault_list lists what is in it.`);

type SetOptions = Readonly<{ operation?: 'append' | 'replace'; if_match?: string | undefined }>;

/** Sets a frontmatter key, creating it if missing; `append` adds to an existing list. */
export function setKey(
  call: Call,
  path: string,
  key: string,
  value: InputOf<Rows, 'notes.patch'>['content'],
  { operation = 'replace', ...condition }: SetOptions = {},
): Promise<Outcome> {
  return call('notes.patch', {
    path,
    operation,
    target_type: 'frontmatter',
    target: key,
    create_target_if_missing: true,
    content: value,
    ...condition,
  });
}
