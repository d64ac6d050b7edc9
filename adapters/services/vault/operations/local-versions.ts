import type { z } from 'zod';
import type { BeforeWrite, OnChange } from '#adapters/services/requests/operation-table.ts';
import { countLines } from '#adapters/services/vault/details/line-hunks.ts';
import {
  maxVersions,
  type NoteHistory,
  type NoteVersion,
  NoteVersions,
} from '#adapters/services/vault/details/note-versions.ts';
import { refusedFor } from '#adapters/services/vault/operations/local-outcomes.ts';
import { notesPlanned, revisionOf } from '#adapters/services/vault/operations/local-plan.ts';
import { isFolder } from '#adapters/services/vault/recipes/note-calls.ts';
import type { versionRecipes } from '#adapters/services/vault/recipes/versions.ts';
import type { Vault } from '#application/vault/vault.ts';
import { digestOfJson } from '#domain/changes/change-digest.ts';
import { conditionOf, versionOf } from '#domain/notes/conditions.ts';
import { maxNote } from '#domain/notes/sizes.ts';
import { vaultPathOf } from '#domain/notes/vault-path.ts';
import { type Failure, failed, type Outcome, succeeded } from '#domain/operations/outcome.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';

type InputOf<Name extends keyof typeof versionRecipes> = z.output<(typeof versionRecipes)[Name]['input']>;

/** A note that an input names; `bytes` are null when it is not there. */
type Place = Readonly<{ path: string; bytes: Uint8Array | null }>;

/** The operations on earlier versions of the notes of the team's vault. */
export function localVersions(vault: Vault, history: NoteHistory) {
  const versions = new NoteVersions(vault, history);
  return {
    versions: async ({ path: given, limit, cursor }: InputOf<'notes.versions'>): Promise<Outcome> => {
      const place = await placeOf(vault, given);
      if (!place.ok) return place.failure;
      const { path, bytes } = place.value;
      const from = Number(cursor ?? 0);
      const page: unknown[] = [];
      let count = 0;
      for await (const version of versions.of(path, bytes)) {
        count += 1;
        if (count > Math.min(from + limit, maxVersions)) break;
        if (count > from) page.push(await itemOf(version, { vault, history }));
      }
      if (count === 0 && bytes === null) return refusedFor({ reason: 'not_found' });
      const end = from + page.length;
      const next = count > end && end < maxVersions ? String(end) : null;
      return succeeded(page, { next, hasMore: next !== null });
    },

    restore: async (
      { path: given, version }: InputOf<'notes.restore'>,
      onChange: OnChange,
      beforeWrite?: BeforeWrite,
    ): Promise<Outcome> => {
      const place = await placeOf(vault, given);
      if (!place.ok) return place.failure;
      const { path, bytes } = place.value;
      if (version === undefined && bytes !== null) return isThere(path);
      const text = await textMeant(versions, place.value, version);
      if (!text.ok) return text.failure;
      const noneMatch = version === undefined ? '*' : undefined;
      const state = digestOfJson([path, revisionOf(bytes), versionOf(text.value)]);
      const written = await vault.put(path, text.value, {
        condition: conditionOf({ match: undefined, noneMatch }),
        planned: notesPlanned(beforeWrite, { state }),
      });
      if (!written.ok)
        return written.failure.reason === 'condition_failed' ? isThere(path) : refusedFor(written.failure);
      onChange({ path, kind: bytes === null ? 'made' : 'changed' });
      return succeeded({ path, change: 'restored', revision: versionOf(written.value) });
    },
  };
}

const keepsNone = failed('rejected', 'This server keeps neither versions nor deleted notes (UNDO_DAYS=0).');

const isThere = (path: string): Failure =>
  failed(
    'conflict',
    `There is a note at "${path}", which is not overwritten without a version: vault_note_versions lists them.`,
  );

const unknownVersion = failed('not_found', 'The note has no such version; vault_note_versions lists them.');

const changedSince = failed(
  'conflict',
  'The note was changed by hand since, so the text of this version is not known. Nothing was changed.',
);

const wasMade = failed('rejected', 'Before this change there was no note; vault_note_delete deletes it.');

async function placeOf(vault: Vault, given: string): Promise<Result<Place, Failure>> {
  if (vault.keepDeletedMs === 0) return err(keepsNone);
  const place = vaultPathOf(given);
  if (!place.ok) return err(refusedFor(place.failure));
  const { path, endsInSlash } = place.value;
  if (endsInSlash || path === '') return err(isFolder(given));
  const read = await vault.read(path);
  if (read.ok) return ok({ path, bytes: read.value.bytes });
  const { reason } = read.failure;
  if (reason === 'not_found') return ok({ path, bytes: null });
  return err(reason === 'is_folder' ? isFolder(given) : refusedFor(read.failure));
}

/** The text of a version; without one, that of the note when it was last deleted. */
async function textMeant(
  versions: NoteVersions,
  { path, bytes }: Place,
  wanted: string | undefined,
): Promise<Result<Uint8Array, Failure>> {
  const newer: NoteVersion[] = [];
  for await (const version of versions.of(path, bytes)) {
    newer.push(version);
    const isMeant = wanted === undefined ? changeOf(version) === 'deleted' && version.isKnown : version.id === wanted;
    if (isMeant) {
      if (changeOf(version) === 'made') return err(wasMade);
      const text = version.isKnown ? await versions.textOf(newer, bytes) : null;
      return text === null ? err(changedSince) : ok(text);
    }
    if (newer.length >= maxVersions) break;
  }
  return err(wanted === undefined ? refusedFor({ reason: 'not_found' }) : unknownVersion);
}

type Change = 'made' | 'changed' | 'moved' | 'deleted';

/** What was done to the note then; null when nothing was kept of it. */
function changeOf({ undo, head }: NoteVersion): Change | null {
  if (undo === null) return head === null ? 'deleted' : null;
  if (undo.was === null) return 'made';
  if (undo.is === null) return 'deleted';
  return undo.to === undefined || undo.to === undo.path ? 'changed' : 'moved';
}

/** A version as it is listed. */
async function itemOf(version: NoteVersion, { vault, history }: Readonly<{ vault: Vault; history: NoteHistory }>) {
  const { id, at, head, isKnown, isChangedSince } = version;
  const who = head === null ? null : await history.whoIs(head.userId);
  const change = changeOf(version);
  const isRestorable = isKnown && change !== 'made';
  return {
    id,
    at: new Date(at).toISOString(),
    ...(change === null ? {} : { change }),
    ...(who === null ? {} : { user: who.name ?? who.email, email: who.email }),
    ...(head?.app == null ? {} : { app: head.app }),
    ...(await linesOf(version, vault)),
    restorable: isRestorable,
    ...(isChangedSince ? { since: 'changed by hand since' } : {}),
  };
}

/** How many lines came and went, as far as that is known. */
async function linesOf({ path, undo, head, trashId }: NoteVersion, vault: Vault) {
  if (undo !== null) {
    const { was, is, hunks = [], lines = 0 } = undo;
    if (was === null) return { added: lines, removed: 0 };
    if (is === null) return { added: 0, removed: lines };
    const [added, removed] = [hunks.map(({ count }) => count), hunks.map((hunk) => hunk.lines.length)];
    return { added: sum(added), removed: sum(removed) };
  }
  if (head !== null || trashId === null) return {};
  const bytes = await vault.trash.read(path, trashId);
  return bytes === null || bytes.length > maxNote ? {} : { added: 0, removed: countLines(bytes) };
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);
