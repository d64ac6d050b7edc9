import type { IndexKeeper } from '#adapters/vault-folder/index/index-keeper.ts';
import type { ActiveNote } from '#adapters/vault-folder/notes/active-note.ts';
import type { FileFailure } from '#adapters/vault-folder/notes/file-failure.ts';
import type { VaultFolder } from '#adapters/vault-folder/notes/vault-folder.ts';
import type { TextWork } from '#adapters/vault-folder/text/text-work.ts';
import type { Clock } from '#application/ports/clock.ts';
import { type Period, periodicNotePath } from '#domain/notes/periodic-notes.ts';
import { localDay, type Weeks } from '#domain/notes/week-of-year.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';

/** A command that needs no window. Ids are those of the notes app where it has the same command. */
export type Command = Readonly<{ id: string; name: string; run(): Promise<Result<unknown, FileFailure>> }>;

/** The dependencies of commands. */
export type CommandContext = Readonly<{
  folder: VaultFolder;
  keeper: IndexKeeper;
  active: ActiveNote;
  clock: Clock;
  work: TextWork;
  weeks: Weeks;
}>;

/** The commands of the embedded vault. Opening a note makes it the active one, and creates it if missing. */
export function commandsOf(context: CommandContext): readonly Command[] {
  const openPeriodic = (period: Period) => () =>
    openNote(context, periodicNotePath(period, localDay(context.clock.now()), context.weeks));
  return [
    { id: 'daily-notes', name: "Daily notes: Open today's daily note", run: openPeriodic('daily') },
    {
      id: 'periodic-notes:open-weekly-note',
      name: "Periodic notes: Open this week's note",
      run: openPeriodic('weekly'),
    },
    {
      id: 'periodic-notes:open-monthly-note',
      name: "Periodic notes: Open this month's note",
      run: openPeriodic('monthly'),
    },
    { id: 'file-explorer:new-file', name: 'Files: Create new note', run: () => createUntitled(context) },
    {
      id: 'vault:rebuild-index',
      name: 'Vault: Rebuild the search index',
      run: async () => ok(await context.keeper.rebuild()),
    },
  ];
}

/** Opens the note, creating an empty one if missing. */
export async function openNote(
  { folder, active }: Pick<CommandContext, 'folder' | 'active'>,
  path: string,
): Promise<Result<unknown, FileFailure>> {
  const made = await folder.update(path, (current) => ok(current ?? new Uint8Array()));
  if (made.ok) active.open(path);
  return made;
}

async function createUntitled({ folder, active }: CommandContext): Promise<Result<unknown, FileFailure>> {
  for (let number = 0; ; number += 1) {
    const path = number === 0 ? 'Untitled.md' : `Untitled ${number}.md`;
    const made = await folder.update(path, (current) =>
      current === null ? ok(new Uint8Array()) : err({ reason: 'taken' } as const),
    );
    if (made.ok) {
      active.open(path);
      return made;
    }
    if (made.failure.reason !== 'taken') return err({ reason: made.failure.reason });
  }
}
