import type { VaultFiles, VaultIndex } from '#application/ports/vault-folder.ts';
import type { PeriodicNotes } from '#application/vault/periodic-notes.ts';
import { type OnNotesPlanned, oncePlanned } from '#application/vault/planned-notes.ts';
import type { VaultFailure } from '#application/vault/problems.ts';
import { commands } from '#application/vault/vault-commands.ts';
import { contentTypeOf } from '#domain/notes/content-type.ts';
import type { Period } from '#domain/notes/periodic-notes.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';

type Outcome<Value> = Result<Value, VaultFailure>;

/** What notes are opened over. */
type NoteOpenerDependencies = Readonly<{ files: VaultFiles; index: VaultIndex; periodic: PeriodicNotes }>;

/** Opens notes, making missing ones: by their names, and by the commands that need no window. */
export class NoteOpener {
  readonly #dependencies: NoteOpenerDependencies;
  #opened: string | null = null;

  constructor(dependencies: NoteOpenerDependencies) {
    this.#dependencies = dependencies;
  }

  /** The note last opened, as there is no window; null for none. Not kept across restarts. */
  get opened(): string | null {
    return this.#opened;
  }

  /** Forgets a note that was deleted. */
  closed(path: string): void {
    if (this.#opened === path) this.#opened = null;
  }

  /** Opens a note by its path; a name without a known extension is a note's, as in a link. */
  async open(given: string, planned?: OnNotesPlanned): Promise<Outcome<unknown>> {
    const isFileName = contentTypeOf(given) !== 'application/octet-stream';
    const path = isFileName || (await this.#dependencies.files.has(given)) ? given : `${given}.md`;
    return this.#openAt(path, (current) => ok(current ?? new Uint8Array()), planned);
  }

  /** Runs a command by its id. */
  async run(id: string, planned?: OnNotesPlanned): Promise<Outcome<unknown>> {
    switch (commands.find((command) => command.id === id)?.id) {
      case 'daily-notes':
        return this.#openPeriodic('daily', planned);
      case 'periodic-notes:open-weekly-note':
        return this.#openPeriodic('weekly', planned);
      case 'periodic-notes:open-monthly-note':
        return this.#openPeriodic('monthly', planned);
      case 'file-explorer:new-file':
        return this.#createUntitled(planned);
      case 'vault:rebuild-index': {
        const going = await oncePlanned(planned, () => [], undefined);
        return going.ok ? ok(await this.#dependencies.index.rebuild()) : going;
      }
      case undefined:
        return err({ reason: 'no_command' });
    }
  }

  async #openPeriodic(period: Period, planned: OnNotesPlanned | undefined): Promise<Outcome<unknown>> {
    const { path, begin } = await this.#dependencies.periodic.find(period, null);
    return this.#openAt(path, (current) => ok(current ?? begin ?? new Uint8Array()), planned);
  }

  async #createUntitled(planned: OnNotesPlanned | undefined): Promise<Outcome<unknown>> {
    for (let number = 0; ; number += 1) {
      const path = number === 0 ? 'Untitled.md' : `Untitled ${number}.md`;
      const made = await this.#openAt(
        path,
        (current) => (current === null ? ok(new Uint8Array()) : err({ reason: 'condition_failed', detail: 'taken' })),
        planned,
      );
      if (made.ok || made.failure.reason !== 'condition_failed') return made;
    }
  }

  async #openAt(
    path: string,
    change: (current: Buffer | null) => Outcome<Uint8Array>,
    planned: OnNotesPlanned | undefined,
  ): Promise<Outcome<unknown>> {
    const made = await this.#dependencies.files.update<VaultFailure>(path, (before) => {
      const next = change(before);
      const notes = () => (next.ok && next.value !== before ? [{ path, before, after: next.value }] : []);
      return next.ok ? oncePlanned(planned, notes, next.value) : next;
    });
    if (made.ok) this.#opened = path;
    return made;
  }
}
