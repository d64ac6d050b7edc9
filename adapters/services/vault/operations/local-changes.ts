import type { z } from 'zod';
import type { BeforeWrite, OnChange } from '#adapters/services/requests/operation-table.ts';
import { outcomeOf, refusedFor } from '#adapters/services/vault/operations/local-outcomes.ts';
import { notesPlanned } from '#adapters/services/vault/operations/local-plan.ts';
import { missingPart } from '#adapters/services/vault/recipes/missing-part.ts';
import { isFolder } from '#adapters/services/vault/recipes/note-calls.ts';
import type { vaultWideRecipes } from '#adapters/services/vault/recipes/vault-wide.ts';
import type { VaultFailure } from '#application/vault/problems.ts';
import type { Vault } from '#application/vault/vault.ts';
import type { ChangedNotes, VaultChanges } from '#application/vault/vault-changes.ts';
import { conditionOf } from '#domain/notes/conditions.ts';
import { isNote, vaultPathOf } from '#domain/notes/vault-path.ts';
import { failed, type Outcome, succeeded } from '#domain/operations/outcome.ts';
import { ok, type Result } from '#domain/shared/result.ts';

type Recipes = typeof vaultWideRecipes;
type InputOf<Name extends keyof Recipes> = z.output<Recipes[Name]['input']>;

/** The maximum number of notes, and of places that were left, that an answer lists. */
const maxListed = 50;

/** What an answer says of a change of several notes. */
const summary = ({ notes, count, left }: ChangedNotes) => ({
  count,
  notes: notes.slice(0, maxListed),
  ...(notes.length > maxListed ? { moreNotes: notes.length - maxListed } : {}),
  left: left.slice(0, maxListed),
  ...(left.length > maxListed ? { moreLeft: left.length - maxListed } : {}),
});

/** The operations on the team's vault that reach beyond one note. */
export function localChanges(vault: Vault, changes: VaultChanges) {
  return {
    move: async (
      { path: given, to, if_match }: InputOf<'notes.move'>,
      onChange: OnChange,
      beforeWrite?: BeforeWrite,
    ): Promise<Outcome> => {
      const place = vaultPathOf(given);
      if (!place.ok) return refusedFor(place.failure);
      const from = place.value.path;
      if (place.value.endsInSlash) return isFolder(given);
      const target = await newPath(vault, from, to);
      if (!target.ok) return refusedFor(target.failure);
      const moved = await changes.move(
        { from, to: target.value },
        conditionOf({ match: if_match, noneMatch: undefined }),
        notesPlanned(beforeWrite),
      );
      if (!moved.ok) {
        const { reason } = moved.failure;
        return reason === 'is_folder'
          ? isFolder(given)
          : reason === 'taken'
            ? taken(target.value)
            : refusedFor(moved.failure);
      }
      onChange({ path: from, kind: 'gone' });
      onChange({ path: target.value, kind: 'made' });
      changedNotes(moved.value, onChange);
      return succeeded({ path: target.value, from, ...summary(moved.value), revision: moved.value.revision });
    },
    renameHeading: async (
      input: InputOf<'headings.rename'>,
      onChange: OnChange,
      beforeWrite?: BeforeWrite,
    ): Promise<Outcome> => {
      const { path: given, target, title, if_match } = input;
      const place = vaultPathOf(given);
      if (!place.ok) return refusedFor(place.failure);
      const { path, endsInSlash } = place.value;
      if (endsInSlash) return isFolder(given);
      const condition = conditionOf({ match: if_match, noneMatch: undefined });
      const renamed = await changes.renameHeading(path, { target, title }, condition, notesPlanned(beforeWrite));
      if (!renamed.ok) return refusedRename(given, renamed.failure);
      if (renamed.value === null) {
        const file = await vault.read(path);
        const map = file.ok ? outcomeOf(await vault.map(file.value)) : refusedFor(file.failure);
        return map.ok ? missingPart('heading', target, map.data, '') : map;
      }
      changedNotes(renamed.value, onChange);
      const { address, revision } = renamed.value;
      return succeeded({ path, target: address, ...summary(renamed.value), revision });
    },
    renameTag: async (
      rename: InputOf<'tags.rename'>,
      onChange: OnChange,
      beforeWrite?: BeforeWrite,
    ): Promise<Outcome> => {
      const renamed = await changes.renameTag(rename, notesPlanned(beforeWrite));
      if (!renamed.ok) return refusedFor(renamed.failure);
      if (renamed.value.notes.length === 0 && renamed.value.left.length === 0) {
        return failed('not_found', `No note has the tag "${rename.tag}". Nothing was changed.`);
      }
      changedNotes(renamed.value, onChange);
      return succeeded({ ...rename, ...summary(renamed.value) });
    },
  };
}

function changedNotes({ notes }: ChangedNotes, onChange: OnChange): void {
  for (const path of notes) onChange({ path, kind: 'changed' });
}

const taken = (path: string): Outcome =>
  failed('conflict', `There is a file at "${path}" already. Nothing was moved; choose another path.`, { sent: 'yes' });

function refusedRename(given: string, failure: VaultFailure): Outcome {
  if (failure.reason === 'is_folder') return isFolder(given);
  const isUnclear = failure.reason === 'ambiguous-target';
  return isUnclear ? failed('invalid_input', failure.detail ?? '', { sent: 'yes' }) : refusedFor(failure);
}

/** The path to move to: in a folder the name stays, and a note stays a note. */
async function newPath(vault: Vault, from: string, given: string): Promise<Result<string, VaultFailure>> {
  const place = vaultPathOf(given);
  if (!place.ok) return place;
  const { path, endsInSlash } = place.value;
  const name = from.slice(from.lastIndexOf('/') + 1);
  if (endsInSlash) return ok(path === '' ? name : `${path}/${name}`);
  if (!isNote(from) || isNote(path)) return ok(path);
  return (await vault.list(path)).ok ? ok(`${path}/${name}`) : ok(`${path}.md`);
}
