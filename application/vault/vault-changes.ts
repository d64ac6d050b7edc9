import type { ChangeJournal, NoteSplices, VaultChange } from '#application/ports/change-journal.ts';
import type { Logger } from '#application/ports/logger.ts';
import type { NoteTexts, VaultFiles, VaultIndex } from '#application/ports/vault-folder.ts';
import { type AppliedChange, applyChange } from '#application/vault/apply-change.ts';
import { type NoteBytes, type OnNotesPlanned, oncePlanned } from '#application/vault/planned-notes.ts';
import { problemOf, type VaultFailure } from '#application/vault/problems.ts';
import { type Condition, versionOf } from '#domain/notes/conditions.ts';
import { type Splice, spliced } from '#domain/notes/edits/edited-note.ts';
import type { HeadingTitle, RenamedHeading } from '#domain/notes/edits/rename-heading.ts';
import { renamedTag, type TagRename } from '#domain/notes/edits/rename-tag.ts';
import { headingLinks } from '#domain/notes/links/heading-links.ts';
import { type ChangedLinks, movedLinks } from '#domain/notes/links/moved-links.ts';
import type { PlacedLink } from '#domain/notes/links/note-links.ts';
import { maxNote } from '#domain/notes/sizes.ts';
import { isNote } from '#domain/notes/vault-path.ts';
import { lineNumberAt } from '#domain/notes/which-heading.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';

type Outcome<Value> = Result<Value, VaultFailure>;

/** A note, or a line of it, that is left as it is, and why. */
export type LeftPlace = Readonly<{ path: string; line?: number; why: string }>;

/** What a change of several notes did: the notes that were changed, how many places in them, and what was left. */
export type ChangedNotes = Readonly<{ notes: readonly string[]; count: number; left: readonly LeftPlace[] }>;

/** What the changes of several notes work over. */
export type VaultChangesDependencies = Readonly<{
  files: VaultFiles;
  index: VaultIndex;
  texts: NoteTexts;
  journal: ChangeJournal;
  logger: Logger;
}>;

type Text = Readonly<{ text: string; revision: string }>;
type Plan = {
  readonly notes: NoteSplices[];
  readonly left: LeftPlace[];
  count: number;
  readonly planned: OnNotesPlanned | undefined;
  /** The notes as they are before and after; only with `planned`. */
  readonly bytes: NoteBytes[];
};

const emptyPlan = (planned: OnNotesPlanned | undefined): Plan => ({
  notes: [],
  left: [],
  count: 0,
  planned,
  bytes: [],
});

const revisionOf = (text: string): string => versionOf(Buffer.from(text));

/**
 * The changes of the team's vault that reach beyond one note: moves, titles and tags with all links and uses. What is
 * done is planned first and kept in a journal, so that after a crash the rest is done at the next start.
 */
export class VaultChanges {
  readonly #files: VaultFiles;
  readonly #index: VaultIndex;
  readonly #texts: NoteTexts;
  readonly #journal: ChangeJournal;
  readonly #logger: Logger;

  constructor({ files, index, texts, journal, logger }: VaultChangesDependencies) {
    this.#files = files;
    this.#index = index;
    this.#texts = texts;
    this.#journal = journal;
    this.#logger = logger;
  }

  /** Moves a file to a path at which none is, then rewrites the links to it and its own; returns its revision then. */
  move(
    { from, to }: Readonly<{ from: string; to: string }>,
    condition: Condition | null,
    planned?: OnNotesPlanned,
  ): Promise<Outcome<ChangedNotes & Readonly<{ revision: string }>>> {
    return this.#inTurn(async () => {
      const read = await this.#files.read(from);
      if (!read.ok) return read;
      const allowed = condition?.(read.value.bytes);
      if (allowed?.ok === false) return allowed;
      if (from === to || ((await this.#files.has(to)) && from.toLowerCase() !== to.toLowerCase())) {
        return err({ reason: 'taken' });
      }
      const { files, mentioning } = await this.#index.links();
      const plan = emptyPlan(planned);
      const sources = new Set([from, ...mentioning(from), ...mentioning(to)]);
      for (const source of sources) {
        const place = source === from ? to : source;
        await this.#planLinks(plan, { source, place }, (links) => movedLinks(links, source, { from, to, files }));
      }
      const revision = versionOf(read.value.bytes);
      if (planned !== undefined) withMove(plan, { path: from, to, before: read.value.bytes });
      const done = await this.#apply(plan, { from, to, revision });
      const own = plan.notes.find(({ path }) => path === to)?.after;
      return done.ok ? ok({ ...done.value, revision: own ?? revision }) : done;
    });
  }

  /** Gives a heading another title, in its note and in all links to it; null when the note has no such heading. */
  renameHeading(
    path: string,
    name: HeadingTitle,
    condition: Condition | null,
    planned?: OnNotesPlanned,
  ): Promise<Outcome<(ChangedNotes & Readonly<{ address: string; revision: string }>) | null>> {
    return this.#inTurn(async () => {
      const read = await this.#textOf(path, condition);
      if (!read.ok) return read;
      const worked = await this.#texts.heading(read.value.text, name);
      const renamed: Outcome<RenamedHeading | null> = worked.ok ? worked.value : worked;
      if (!renamed.ok) return renamed;
      if (renamed.value === null) return ok(null);
      const { splice, address, ...heading } = renamed.value;
      const { files, mentioning } = await this.#index.links();
      const plan = emptyPlan(planned);
      const move = { ...heading, note: path, title: name.title, files };
      for (const source of new Set([path, ...mentioning(path)])) {
        const own = source === path ? [splice] : [];
        await this.#planLinks(plan, { source, place: source, own }, (links) => headingLinks(links, source, move));
      }
      const done = await this.#apply(plan, null);
      const revision = plan.notes.find((note) => note.path === path)?.after ?? read.value.revision;
      return done.ok ? ok({ ...done.value, count: Math.max(done.value.count - 1, 0), address, revision }) : done;
    });
  }

  /** Renames a tag, and those below it, in the frontmatter and the text of all notes. */
  renameTag(rename: TagRename, planned?: OnNotesPlanned): Promise<Outcome<ChangedNotes>> {
    return this.#inTurn(async () => {
      const plan = emptyPlan(planned);
      for (const path of await this.#index.notesTagged((tag) => renamedTag(tag, rename) !== null)) {
        const read = await this.#textOf(path, null);
        const edited = read.ok ? await this.#edited(read.value.text, rename) : read;
        if (!read.ok || !edited.ok) {
          if (!edited.ok) plan.left.push({ path, why: problemOf(edited.failure).message });
          continue;
        }
        addTo(plan, path, read.value, edited.value);
      }
      return this.#apply(plan, null);
    });
  }

  async #edited(text: string, rename: TagRename): Promise<Outcome<readonly Splice[]>> {
    const worked = await this.#texts.edit(text, { kind: 'tag', ...rename });
    const edited = worked.ok ? worked.value : worked;
    return edited.ok ? ok(edited.value.splices) : edited;
  }

  /** Does the rest of the changes that a crash interrupted. */
  async resume(): Promise<void> {
    try {
      const pending = await this.#journal.pending();
      if (pending.length > 0) await this.#journal.inTurn(() => this.#finish());
    } catch (error) {
      this.#logger.warn({ err: error }, 'Changes of several notes that were interrupted could not be finished');
    }
  }

  async #finish(): Promise<void> {
    for (const { id, change } of await this.#journal.pending()) {
      const applied = await applyChange(this.#files, change);
      const isOpen = applied.ok ? applied.value.failed.length > 0 : isPassing(applied.failure);
      if (!isOpen) await this.#journal.remove(id);
      const left = applied.ok ? applied.value.changed : [];
      this.#logger.info(
        { notes: change.notes.length, left: left.slice(0, maxNamed), moved: change.move?.to ?? null, isOpen },
        'Change of several notes finished after an interruption',
      );
    }
  }

  #inTurn<Value>(work: () => Promise<Outcome<Value>>): Promise<Outcome<Value>> {
    return this.#journal.inTurn(async () => {
      await this.#finish();
      return work();
    });
  }

  /** Adds to a plan what changes in one note, which is read as `source` and written as `place`. */
  async #planLinks(
    plan: Plan,
    { source, place, own = [] }: Readonly<{ source: string; place: string; own?: readonly Splice[] }>,
    decide: (links: readonly PlacedLink[]) => ChangedLinks,
  ): Promise<void> {
    const read = isNote(source) ? await this.#textOf(source, null) : null;
    if (read === null || (!read.ok && read.failure.reason === 'not_found')) return;
    const links = read.ok ? await this.#texts.links(read.value.text) : read;
    if (!read.ok || !links.ok) {
      if (!links.ok) plan.left.push({ path: place, why: problemOf(links.failure).message });
      return;
    }
    const { splices, left } = decide(links.value);
    for (const { at, why } of left) plan.left.push({ path: place, line: lineNumberAt(read.value.text, at + 1), why });
    addTo(
      plan,
      place,
      read.value,
      [...own, ...splices].sort((a, b) => a.start - b.start),
    );
  }

  async #textOf(path: string, condition: Condition | null): Promise<Outcome<Text>> {
    const read = await this.#files.read(path);
    if (!read.ok) return read;
    const { bytes } = read.value;
    const allowed = condition?.(bytes);
    if (allowed?.ok === false) return allowed;
    if (bytes.length > maxNote) return err({ reason: 'too_large' });
    const text = bytes.toString('utf8');
    if (text.includes('\uFFFD') && !Buffer.from(text).equals(bytes)) return err({ reason: 'not_text' });
    return ok({ text, revision: versionOf(bytes) });
  }

  /** Keeps a plan in the journal, applies it, and forgets it when all of it is done. */
  async #apply(
    { notes, left, count, planned, bytes }: Plan,
    move: VaultChange['move'],
  ): Promise<Outcome<ChangedNotes>> {
    if (move === null && notes.length === 0) return ok({ notes: [], count: 0, left });
    const going = await oncePlanned(planned, () => bytes, undefined);
    if (!going.ok) return going;
    const change: VaultChange = { move, notes };
    const id = await this.#journal.add(change);
    const applied = await applyChange(this.#files, change);
    if (!applied.ok || applied.value.failed.length === 0) await this.#journal.remove(id);
    if (!applied.ok) return applied;
    const { written } = applied.value;
    const undone = notes.filter(({ path }) => !written.includes(path));
    return ok({
      notes: written,
      count: count - undone.reduce((sum, { splices }) => sum + splices.length, 0),
      left: [...left, ...leftIn(applied.value)],
    });
  }
}

/** The maximum number of notes that a log line names. */
const maxNamed = 50;

/** Whether a failure passes: then the rest of a change is tried again. */
const isPassing = ({ reason }: VaultFailure): boolean => ['away', 'read_only', 'disk_full', 'no_turn'].includes(reason);

function leftIn({ changed, failed }: AppliedChange): readonly LeftPlace[] {
  return [
    ...changed.map((path) => ({ path, why: 'The note changed meanwhile, and was left as it is.' })),
    ...failed.map(({ path, failure }) => ({
      path,
      why: `${problemOf(failure).message} It is tried again with the next change, and at the next start.`,
    })),
  ];
}

function addTo(plan: Plan, path: string, { text, revision }: Text, splices: readonly Splice[]): void {
  if (splices.length === 0) return;
  const after = spliced(text, splices).text;
  plan.notes.push({ path, before: revision, after: revisionOf(after), splices });
  if (plan.planned !== undefined) plan.bytes.push({ path, before: Buffer.from(text), after: Buffer.from(after) });
  plan.count += splices.length;
}

/** States the move of a file in a plan that has it at its new path, with what its own links become. */
function withMove(plan: Plan, moved: Readonly<{ path: string; to: string; before: Uint8Array }>): void {
  const index = plan.bytes.findIndex(({ path }) => path === moved.to);
  const after = plan.bytes[index]?.after ?? moved.before;
  plan.bytes.splice(Math.max(index, 0), index === -1 ? 0 : 1, { ...moved, after });
}
