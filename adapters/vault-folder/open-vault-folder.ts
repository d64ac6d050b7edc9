import { mkdir, readdir, realpath, rm, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { noTurns, type ServerTurns } from '#adapters/contracts/server-turns.ts';
import { FolderIndex } from '#adapters/vault-folder/folder-index.ts';
import { followWrites, tellOfWrite } from '#adapters/vault-folder/index/follow-writes.ts';
import { IndexKeeper } from '#adapters/vault-folder/index/index-keeper.ts';
import type { FileChange } from '#adapters/vault-folder/index/note-index.ts';
import { JournalFiles } from '#adapters/vault-folder/notes/journal-files.ts';
import { ConfiguredPeriods } from '#adapters/vault-folder/notes/periodic-settings.ts';
import { Spellings } from '#adapters/vault-folder/notes/spellings.ts';
import { TrashFiles } from '#adapters/vault-folder/notes/trash-files.ts';
import { VaultFolder, type WriteFile, type WrittenFile } from '#adapters/vault-folder/notes/vault-folder.ts';
import { TextWork } from '#adapters/vault-folder/text/text-work.ts';
import type { ChangeJournal } from '#application/ports/change-journal.ts';
import type { Logger } from '#application/ports/logger.ts';
import { noOtherServers, type OtherServers } from '#application/ports/other-servers.ts';
import type {
  NoteTexts,
  PeriodicSettings,
  VaultFiles,
  VaultIndex,
  VaultTrash,
} from '#application/ports/vault-folder.ts';
import { isTemporaryName, writerOf } from '#infrastructure/files/atomic-file.ts';

/** Options of the folder of a vault. */
export type VaultFolderPlace = Readonly<{
  /** Created if missing. */
  folder: string;
  logger: Logger;
  /** The maximum size of the note texts kept in memory, in bytes; 256 MiB by default. */
  textBudget?: number;
  /** The time limit of work over one text, or of one search by a rule, in ms; 3 s by default. */
  maxJobMs?: number;
  /**
   * The file in which the index is saved for the next start, which then reads only what has changed; none by default.
   */
  savedIndex?: string | null;
  /** Whether the index may be saved now; always by default. */
  maySaveIndex?: () => boolean;
  /** Whether the folder cannot be used now, such as when its disk is not mounted: nothing is read or written then. */
  isAway?: () => boolean;
  /** How long requests that need all notes wait for the first read of the folder, in ms; 5 s by default. */
  indexWaitMs?: number;
  /** Called for each file that changed since the vault was first read, whoever changed it. */
  onFile?: (path: string, change: FileChange) => void;
  /** Writes a file to disk; atomic and synced by default. */
  writeFile?: WriteFile;
  /** The lock that servers sharing the folder take for each change; none by default. */
  turns?: ServerTurns;
  /** The servers that share the folder, to which each write is published; none by default. */
  others?: OtherServers;
}>;

/** The folder of a vault, as the use cases work over it. */
export type OpenedVaultFolder = Readonly<{
  files: VaultFiles;
  index: VaultIndex;
  texts: NoteTexts;
  periods: PeriodicSettings;
  journal: ChangeJournal;
  trash: VaultTrash;
  /** Begins to read the folder; what needs the index waits for it for a while. */
  start(): void;
  /** Reads the folder again after it was away. */
  folderIsBack(): void;
  /** Waits for writes in flight, and frees what is held. */
  close(): Promise<void>;
}>;

const mebibyte = 1024 * 1024;

/** Opens a folder of Markdown. Throws when it cannot be created. */
export async function openVaultFolder(options: VaultFolderPlace): Promise<OpenedVaultFolder> {
  await mkdir(options.folder, { recursive: true });
  const root = await realpath(resolve(options.folder));
  await removeLeftovers(root).catch((error: unknown) => {
    options.logger.warn({ err: error }, 'Unfinished files of an earlier run could not be removed');
  });
  const { savedIndex = null, indexWaitMs, onFile, maySaveIndex, isAway = () => false } = options;
  const spellings = new Spellings(root);
  const keeper = new IndexKeeper(
    { root, spellings },
    {
      textBudget: options.textBudget ?? 256 * mebibyte,
      logger: options.logger,
      savedAt: savedIndex,
      ...(indexWaitMs === undefined ? {} : { waitMs: indexWaitMs }),
      isAway,
      ...(maySaveIndex === undefined ? {} : { maySave: maySaveIndex }),
      ...(onFile === undefined ? {} : { onFile }),
    },
  );
  const { writeFile, turns = noTurns, others = noOtherServers } = options;
  const onChange = async (path: string, written: WrittenFile | null) => {
    await keeper.refresh(path, written);
    tellOfWrite(others, path);
  };
  const files = new VaultFolder(root, onChange, {
    ...(writeFile === undefined ? {} : { writeFile }),
    turns,
    aroundChange: (path, change) => keeper.whileChanging(path, change),
    isAway,
    spellings,
  });
  const stopHearing = followWrites(others, keeper, options.logger);
  const texts = new TextWork(options.maxJobMs);
  return {
    files,
    index: new FolderIndex(keeper, texts),
    texts,
    periods: new ConfiguredPeriods(root),
    journal: new JournalFiles({ root, isAway }, turns),
    trash: new TrashFiles({ root, isAway }),
    start: () => keeper.start(),
    folderIsBack: () => keeper.folderIsBack(),
    close: async () => {
      stopHearing();
      await files.idle();
      await keeper.close();
      await texts.close();
    },
  };
}

/** The age in ms from which another machine's temporary file counts as abandoned. A write takes less than a second. */
const leftoverAfterMs = 600_000;

/** Removes temporary files that a crash left behind, never notes. Those of running processes are kept. */
async function removeLeftovers(root: string): Promise<void> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const unfinished = entries.filter((entry) => entry.isFile() && isTemporaryName(entry.name));
  for (const entry of unfinished) {
    const path = join(entry.parentPath, entry.name);
    const { mtimeMs = Date.now() } = (await stat(path).catch(() => null)) ?? {};
    const writer = writerOf(entry.name);
    const isLeft = writer === 'ended' || (writer === 'elsewhere' && Date.now() - mtimeMs > leftoverAfterMs);
    if (isLeft) await rm(path, { force: true });
  }
}
