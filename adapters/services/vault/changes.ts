import { z } from 'zod';
import type { ChangeRule, ChangeRules, ReverseCall, RuledPlan } from '#adapters/services/changes/change-rule.ts';
import type { CallRow } from '#adapters/services/requests/operation-table.ts';
import type { Inputs } from '#adapters/services/requests/wire-request.ts';
import { noteBefore, notesUndo } from '#adapters/services/vault/details/note-undo.ts';
import { planOfNotes } from '#adapters/services/vault/operations/local-plan.ts';
import type { NoteBytes } from '#application/vault/planned-notes.ts';
import { type Failure, failed } from '#domain/operations/outcome.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';

const inputs = z.object({ path: z.string(), content: z.string().default('') });
const note = z.object({ content: z.string(), version: z.string().optional() });

/** A note of a notes app: its bytes, null where there is none, and its version, where the app states one. */
type ReadNote = Readonly<{ bytes: Buffer | null; version: string | undefined }>;

async function readNote(path: string, read: CallRow): Promise<Result<ReadNote, Failure>> {
  const answer = await read('notes.read', { path, format: 'note' });
  if (!answer.ok) return answer.reason === 'not_found' ? ok({ bytes: null, version: undefined }) : err(answer);
  const parsed = note.safeParse(answer.data);
  if (!parsed.success) return err(failed('rejected', 'What is there is no note.', { sent: 'yes' }));
  return ok({ bytes: Buffer.from(parsed.data.content), version: parsed.data.version });
}

/** The text of a note after its row, given that before. */
type After = (before: Buffer | null, content: string) => Buffer | null;

const appended: After = (before, content) => {
  const isJoined = before === null || before.length === 0 || before.at(-1) === 0x0a;
  return Buffer.concat([before ?? Buffer.alloc(0), Buffer.from(isJoined ? '' : '\n'), Buffer.from(content)]);
};

/** A change of a whole note in a connected notes app, which is read first. */
function wholeNote(after: After): ChangeRule {
  return {
    plan: async (input: Inputs, read: CallRow): Promise<RuledPlan> => {
      const { path, content } = inputs.parse(input);
      const found = await readNote(path, read);
      if (!found.ok) {
        const irreversible = `The note could not be read before it is changed: ${found.failure.message}`;
        const unread = { kind: 'text' as const, path, before: null, after: after(null, content)?.toString() ?? null };
        return { differences: [unread], state: '', irreversible, undo: () => null };
      }
      const { bytes: before } = found.value;
      const changed: NoteBytes = { path, before, after: after(before, content) };
      return planOfNotes([changed]);
    },
    takeBack: async (undo, read, isForced) => {
      const kept = notesUndo.safeParse(undo);
      const one = kept.success ? kept.data.notes[0] : undefined;
      if (one === undefined) return err(failed('invalid_input', 'What was kept of this change is not of a vault.'));
      const found = await readNote(one.path, read);
      if (!found.ok) return found;
      const { bytes: current, version } = found.value;
      const back = noteBefore(one, current, isForced);
      if (!back.ok) return err(failed('conflict', `${back.failure}. Nothing was taken back.`));
      return ok(
        back.value === current ? [] : [reverseCall(one.path, back.value, { isThere: current !== null, version })],
      );
    },
  };
}

function reverseCall(
  path: string,
  bytes: Uint8Array | null,
  { isThere, version }: Readonly<{ isThere: boolean; version: string | undefined }>,
): ReverseCall {
  const match = version === undefined ? {} : { if_match: `"${version}"` };
  if (bytes === null) return { name: 'notes.delete', input: { path, ...match } };
  const condition = isThere ? match : { if_none_match: '*' };
  return { name: 'notes.put', input: { path, content: Buffer.from(bytes).toString('utf8'), ...condition } };
}

/** The changes of a connected notes app that are taken back: those of whole notes. The team's vault has its own. */
export const changeRules: ChangeRules = {
  'notes.put': wholeNote((_, content) => Buffer.from(content)),
  'notes.append': wholeNote(appended),
  'notes.delete': wholeNote(() => null),
};
