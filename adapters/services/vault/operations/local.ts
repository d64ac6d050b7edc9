import type { z } from 'zod';
import { withWarnings } from '#adapters/services/answers/read-answers.ts';
import type { BeforeWrite, LocalOperation, OnChange } from '#adapters/services/requests/operation-table.ts';
import { undoName } from '#adapters/services/requests/operation-table.ts';
import { deletionOf } from '#adapters/services/vault/details/deleted-for-good.ts';
import { type NoteHistory, noHistory } from '#adapters/services/vault/details/note-versions.ts';
import { localChanges } from '#adapters/services/vault/operations/local-changes.ts';
import { emptied, outcomeOf, refused, refusedFor } from '#adapters/services/vault/operations/local-outcomes.ts';
import { notesPlanned } from '#adapters/services/vault/operations/local-plan.ts';
import {
  readAsNote,
  readFile,
  readSection,
  readWhole,
  textOf,
} from '#adapters/services/vault/operations/local-reading.ts';
import { localUndo } from '#adapters/services/vault/operations/local-undo.ts';
import { localVersions } from '#adapters/services/vault/operations/local-versions.ts';
import type { editRecipes } from '#adapters/services/vault/recipes/edits.ts';
import { foundPage, type searchRecipes } from '#adapters/services/vault/recipes/found-notes.ts';
import { partOf } from '#adapters/services/vault/recipes/long-text.ts';
import {
  orMissing,
  type PartInput,
  type PatchMeant,
  partPatched,
  patchMeant,
} from '#adapters/services/vault/recipes/patch-part.ts';
import type { SectionInput } from '#adapters/services/vault/recipes/section.ts';
import type { rows } from '#adapters/services/vault/rows.ts';
import { noPeriodicNote } from '#application/vault/periodic-notes.ts';
import type { VaultFailure } from '#application/vault/problems.ts';
import type { Vault } from '#application/vault/vault.ts';
import type { VaultChanges } from '#application/vault/vault-changes.ts';
import type { VaultGuard } from '#application/vault/vault-guard.ts';
import { vaultInfo } from '#application/vault/vault-info.ts';
import { conditionOf, versionOf } from '#domain/notes/conditions.ts';
import type { PatchTarget } from '#domain/notes/patch/note-patch.ts';
import { dayOf, type Period } from '#domain/notes/periodic-notes.ts';
import { vaultPathOf } from '#domain/notes/vault-path.ts';
import { failed, type Outcome, succeeded, withPath, withRevision } from '#domain/operations/outcome.ts';
import { type Awaitable, andThen, err, ok, type Result } from '#domain/shared/result.ts';

type Rows = typeof rows;
type SearchInput = z.output<(typeof searchRecipes)['search.notes']['input']>;
type ReplaceInput = z.output<(typeof editRecipes)['notes.replace']['input']>;
type InputOf<Name extends keyof Rows> = z.output<Rows[Name]['input']>;

/**
 * The rows of the vault as this process does them over the team's folder, with the outcomes that they have over its REST
 * interface. `openapi` is the operation list of that interface.
 */
export function localVaultOperations(
  { vault, changes, guard }: Readonly<{ vault: Vault; changes: VaultChanges; guard: VaultGuard }>,
  openapi: () => string,
  history: NoteHistory = noHistory,
): ReadonlyMap<string, LocalOperation> {
  const onPeriodic = filesAt(vault, (input: PeriodInput, verb) => periodicPlace(vault, input, verb));
  const files = filesAt(vault, ({ path }: { path: string }) => filePath(path));
  const read = ({ path, format }: InputOf<'notes.read'>): Awaitable<Outcome> => {
    const place = vaultPathOf(path);
    if (!place.ok) return refusedFor(place.failure);
    return readFile(vault, place.value.path, format, async (failure) =>
      outcomeOf(await vault.listInstead(place.value, failure)),
    );
  };
  const wide = localChanges(vault, changes);
  const search = async ({ query, type }: InputOf<'search.advanced'>) => {
    const text = typeof query === 'string' ? query : JSON.stringify(query);
    return outcomeOf(await (type === 'dql' ? vault.searchByDql(text) : vault.searchByRule(text)));
  };
  const groups: Readonly<Record<string, Readonly<Record<string, LocalOperation>>>> = {
    system: {
      info: () => succeeded(vaultInfo(true)),
      openapi: () => succeeded(openapi()),
      certificate: () => refusedFor({ reason: 'no_certificate' }),
    },
    active: filesAt(vault, async () => foundAt(await vault.active())),
    folders: {
      root: async () => outcomeOf(await vault.list('')),
      list: async ({ dir_path: folder }: InputOf<'folders.list'>) =>
        within(folder, async (path) => outcomeOf(await vault.list(path))),
    },
    files: {
      read: ({ path: given }: InputOf<'files.read'>) =>
        andThen(filePath(given), (place) =>
          place.ok ? readWhole(vault, place.value.path) : refusedFor(place.failure),
        ),
    },
    notes: {
      ...files,
      ...localVersions(vault, history),
      read,
      patch_part: async (input: PartInput, onChange: OnChange, beforeWrite?: BeforeWrite) => {
        const patch = patchMeant(input);
        const readMap = async () => read({ path: patch.path, format: 'document_map' });
        return orMissing(readMap, patch, await patchPart(vault, patch, { onChange, beforeWrite }));
      },
      read_part: ({ from, ...input }: InputOf<'notes.read'> & Readonly<{ from: number }>) =>
        andThen(readAsNote(vault, input), (outcome) => (outcome.ok ? partOf(outcome, from) : outcome)),
      move: wide.move,
      section: (input: SectionInput) => readSection(vault, input),
      replace: (
        { path, find, replace, expected, if_match }: ReplaceInput,
        onChange: OnChange,
        beforeWrite?: BeforeWrite,
      ) =>
        within(path, async (place) => {
          const options = { condition: conditionIn({ if_match }), planned: notesPlanned(beforeWrite) };
          const edited = await vault.edit(place, { kind: 'replace', find, replace, expected }, options);
          if (!edited.ok) return refusedFor(edited.failure);
          onChange({ path: place, kind: 'changed' });
          const { count, lines, revision } = edited.value;
          return succeeded({ path: place, count, lines, revision });
        }),
    },
    headings: { rename: wide.renameHeading },
    tags: { rename: wide.renameTag },
    periodic: onPeriodic,
    periodic_dated: onPeriodic,
    search: {
      simple: async ({ query, contextLength }: InputOf<'search.simple'>) =>
        succeeded((await vault.searchWords(query, contextLength)).hits),
      notes: async ({ query, contextLength, limit, cursor }: SearchInput) => {
        const from = Number(cursor ?? 0);
        const { hits, total } = await vault.searchPage(query, { contextLength, from, limit });
        return foundPage(hits, { from, total, contextLength });
      },
      advanced: search,
    },
    commands: {
      list: () => succeeded({ commands: vault.commands }),
      run: async ({ command_id: id }: InputOf<'commands.run'>, _: OnChange, beforeWrite?: BeforeWrite) =>
        emptied(await vault.run(id, notesPlanned(beforeWrite))),
    },
    open: {
      file: ({ filename }: InputOf<'open.file'>, _: OnChange, beforeWrite?: BeforeWrite) =>
        within(filename, async (path) => emptied(await vault.open(path, notesPlanned(beforeWrite)))),
    },
  };
  const named = Object.entries(groups).flatMap(([group, operations]) =>
    Object.entries(operations).map(([verb, run]): readonly [string, LocalOperation] => [`${group}.${verb}`, run]),
  );
  return new Map(
    [...named, [undoName, localUndo(vault)] as const].map(([name, run]) => {
      const guarded: LocalOperation = (input, onChange, beforeWrite) =>
        guard.enter(() => run(input, onChange, beforeWrite), refused);
      return [name, unguarded.includes(name) ? run : guarded];
    }),
  );
}

function within(given: string, act: (path: string) => Promise<Outcome>): Awaitable<Outcome> {
  const place = vaultPathOf(given);
  return place.ok ? act(place.value.path) : refusedFor(place.failure);
}

/** What is answered also while the folder is away. */
const unguarded: readonly string[] = ['system.info', 'system.openapi'];

type Verb = 'read' | 'append' | 'put' | 'patch' | 'delete';
/** A file that an input names; `isMade`: whether a patch makes a missing one, which begins with `begin`. */
type Place = Readonly<{ path: string; isMade: boolean; begin: Uint8Array | null; warnings: readonly string[] }>;
type FoundPlace = Awaitable<Result<Place, VaultFailure>>;
type PeriodInput = Readonly<{ period: Period; year?: number; month?: number; day?: number }>;

/** The five verbs on the file that an input names. */
function filesAt<Where>(vault: Vault, placeOf: (input: Where, verb: Verb) => FoundPlace) {
  const at = (input: Where, verb: Verb, act: (place: Place) => Awaitable<Outcome>): Awaitable<Outcome> =>
    andThen(placeOf(input, verb), (place) =>
      place.ok ? andThen(act(place.value), (outcome) => stated(outcome, place.value)) : refusedFor(place.failure),
    );
  return {
    read: (input: Where & Pick<InputOf<'active.read'>, 'format'>) =>
      at(input, 'read', ({ path }) => readFile(vault, path, input.format, refusedFor)),
    append: (input: Where & InputOf<'active.append'>, onChange: OnChange, beforeWrite?: BeforeWrite) =>
      at(input, 'append', async ({ path, begin }) => {
        const options = { condition: conditionIn(input), begin, planned: notesPlanned(beforeWrite) };
        return written(await vault.append(path, Buffer.from(input.content), options), () =>
          onChange({ path, kind: 'changed' }),
        );
      }),
    put: (input: Where & InputOf<'active.put'>, onChange: OnChange, beforeWrite?: BeforeWrite) =>
      at(input, 'put', async ({ path }) => {
        const options = { condition: conditionIn(input), planned: notesPlanned(beforeWrite) };
        const kind = input.if_none_match === undefined ? 'changed' : 'made';
        return written(await vault.put(path, Buffer.from(input.content), options), () => onChange({ path, kind }));
      }),
    patch: (input: Where & InputOf<'active.patch'>, onChange: OnChange, beforeWrite?: BeforeWrite) =>
      at(input, 'patch', async ({ path, begin, isMade }) => {
        const options = { condition: conditionIn(input), begin, isMade, planned: notesPlanned(beforeWrite) };
        const patched = await vault.patch(path, patchOf(input), options);
        if (!patched.ok) return refusedFor(patched.failure);
        onChange({ path, kind: 'changed' });
        const { bytes } = patched.value;
        return withRevision(textOf(path, bytes), versionOf(bytes));
      }),
    delete: (input: Where & InputOf<'active.delete'>, onChange: OnChange, beforeWrite?: BeforeWrite) =>
      at(input, 'delete', async ({ path }) => {
        const { irreversible, warning } = deletionOf(vault.keepDeletedMs);
        const options = { condition: conditionIn(input), planned: notesPlanned(beforeWrite, irreversible) };
        const removed = await vault.remove(path, options);
        if (removed.ok) onChange({ path, kind: 'gone' });
        return withWarnings(emptied(removed), [warning]);
      }),
  };
}

const conditionIn = (input: Readonly<{ if_match?: string | undefined; if_none_match?: string | undefined }>) =>
  conditionOf({ match: input.if_match, noneMatch: input.if_none_match });

function filePath(given: string): FoundPlace {
  const place = vaultPathOf(given);
  if (!place.ok) return place;
  const { path, endsInSlash } = place.value;
  return path === '' || endsInSlash ? err({ reason: 'is_folder' }) : ok({ ...found(path), isMade: false });
}

/** Adds what a vault states of a file that it found itself. */
const stated = (outcome: Outcome, { path, isMade, warnings }: Place): Outcome =>
  isMade ? withPath(withWarnings(outcome, warnings), path) : outcome;

const found = (path: string): Place => ({ path, isMade: true, begin: null, warnings: [] });

const foundAt = (path: Result<string, VaultFailure>): Result<Place, VaultFailure> =>
  path.ok ? ok(found(path.value)) : path;

/** Reading and deleting a periodic note need it to be there, the other verbs make it. */
async function periodicPlace(vault: Vault, input: PeriodInput, verb: Verb): Promise<Result<Place, VaultFailure>> {
  const { period, year, month, day } = input;
  const on = year === undefined ? null : dayOf(year, month ?? 0, day ?? 0);
  if (year !== undefined && on === null) return err({ reason: 'no_such_day' });
  const note = await vault.periodic(period, on);
  const needsNote = verb === 'read' || verb === 'delete';
  if (needsNote && !note.isThere) return err(noPeriodicNote(note));
  return ok({ path: note.path, isMade: true, begin: note.begin, warnings: note.ignored });
}

/** Patches a part for the tool: the end of a heading's path names it, and the answer is what has changed. */
function patchPart(
  vault: Vault,
  patch: PatchMeant,
  { onChange, beforeWrite }: Readonly<{ onChange: OnChange; beforeWrite: BeforeWrite | undefined }>,
): Awaitable<Outcome> {
  return andThen(filePath(patch.path), async (place) => {
    if (!place.ok) return refusedFor(place.failure);
    const { path } = place.value;
    const options = { condition: conditionIn(patch), planned: notesPlanned(beforeWrite) };
    const done = await vault.patch(path, patchOf(patch, true), options);
    if (!done.ok) {
      const isUnclear = done.failure.reason === 'ambiguous-target';
      return isUnclear ? failed('invalid_input', done.failure.detail ?? '') : refusedFor(done.failure);
    }
    onChange({ path, kind: 'changed' });
    const { bytes, target } = done.value;
    return partPatched({ ...patch, path, target }, versionOf(bytes));
  });
}

/** A patch; with `isEnd`, the end of a heading's path names it. */
function patchOf(input: InputOf<'active.patch'>, isEnd = false) {
  const { content, target_type: kind, target, target_delimiter: delimiter = '::' } = input;
  const isJson = typeof content !== 'string';
  const targets: Readonly<Record<typeof kind, PatchTarget>> = {
    heading: { kind: 'heading', path: target, delimiter, isEnd },
    block: { kind: 'block', id: target.replace(/^\^/, '') },
    frontmatter: { kind: 'frontmatter', key: target },
  };
  return {
    operation: input.operation,
    target: targets[kind],
    content,
    isJson,
    size: Buffer.byteLength(isJson ? JSON.stringify(content) : content),
    createTargetIfMissing: input.create_target_if_missing === true,
    rejectIfContentPreexists: input.reject_if_content_preexists === true,
    trimTargetWhitespace: input.trim_target_whitespace === true,
  };
}

function written(result: Result<Uint8Array, VaultFailure>, onDone: () => void): Outcome {
  if (!result.ok) return refusedFor(result.failure);
  onDone();
  return withRevision(succeeded(null), versionOf(result.value));
}
