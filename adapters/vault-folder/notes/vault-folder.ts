import { statSync } from 'node:fs';
import { relative, sep } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { NoTurn, noTurns, type ServerTurns } from '#adapters/contracts/server-turns.ts';
import { failureOf, notAFile } from '#adapters/vault-folder/notes/file-failure.ts';
import { stampsAt } from '#adapters/vault-folder/notes/file-stamp.ts';
import {
  contentOf,
  type ReadFile,
  readFrom,
  readOpened,
  writtenMeanwhile,
} from '#adapters/vault-folder/notes/read-opened.ts';
import { Spellings } from '#adapters/vault-folder/notes/spellings.ts';
import { TrashFiles } from '#adapters/vault-folder/notes/trash-files.ts';
import type { FileChange, VaultFile, VaultFiles } from '#application/ports/vault-folder.ts';
import type { FileFailure } from '#domain/notes/vault-failure.ts';
import { isUnlisted, vaultPathOf } from '#domain/notes/vault-path.ts';
import { type Awaitable, andThen, err, ok, type Result } from '#domain/shared/result.ts';
import { inNfc } from '#domain/text/nfc.ts';
import { KeyedQueue } from '#infrastructure/concurrency/keyed-queue.ts';
import {
  type FileIdentity,
  isSameFile,
  removeFile,
  type Within,
  writeFileAtomically,
} from '#infrastructure/files/atomic-file.ts';
import { diskGone } from '#infrastructure/files/error-code.ts';
import { realPathInside } from '#infrastructure/files/inside-folder.ts';
import { isSymbolicLink, moveFile } from '#infrastructure/files/move-file.ts';
import { OpenedFile } from '#infrastructure/files/opened-file.ts';

/** Written bytes, and the identity of their file. */
export type WrittenFile = Readonly<{ identity: FileIdentity; bytes: Uint8Array }>;

/** Receives the path of a changed file, with its new content where that is known. */
type OnFileChange = (path: string, written: WrittenFile | null) => Promise<void>;

type Changed<Rejection> = Readonly<{
  isWritten: boolean;
  written: WrittenFile | null;
  result: Result<Uint8Array, Rejection>;
}>;

/** The maximum number of attempts to change a file that another program keeps changing. */
const maxTries = 50;

/**
 * How long a file written by another program must be unchanged before it is edited, in ms, since that program may still
 * be writing.
 */
const settleMs = 25;

/**
 * Writes a file to disk, in folders that are made below the root only, and returns its identity; null when the existing
 * file is not the expected one. Replaced in tests, to simulate a full disk.
 */
export type WriteFile = (
  path: string,
  content: Uint8Array,
  expected: FileIdentity | null,
  within: Within,
) => Promise<FileIdentity | null>;

/** Runs the change of a file; file system events for that file in the meantime belong to the change. */
export type AroundChange = <Value>(path: string, change: () => Promise<Value>) => Promise<Value>;

/**
 * How a `VaultFolder` changes files; by default, without locks between servers and without a wrapper. `isAway` tells
 * that the root is not the folder that was opened; nothing is changed then. `spellings` tell how the disk spells a path.
 */
export type VaultFolderOptions = Readonly<{
  writeFile?: WriteFile;
  turns?: ServerTurns;
  aroundChange?: AroundChange;
  isAway?: () => boolean;
  spellings?: Pick<Spellings, 'onDisk'>;
}>;

/**
 * Reads and writes the files of the vault, by paths validated by `readVaultPath`. Symlinks are followed only within the
 * folder. Changes of one file are serialised in the order requested; each is atomic.
 */
export class VaultFolder implements VaultFiles {
  readonly #root: string;
  readonly #queue = new KeyedQueue();
  readonly #onChange: OnFileChange;
  readonly #writeFile: WriteFile;
  readonly #turns: ServerTurns;
  readonly #aroundChange: AroundChange;
  readonly #isAway: () => boolean;
  readonly #spellings: Pick<Spellings, 'onDisk'>;
  readonly #within: Within;
  readonly #trash: TrashFiles;
  /** The identities of files as last written by this process, by path. */
  readonly #own = new LRUCache<string, FileIdentity>({ max: 1_000 });

  /**
   * `root` must be a real path. `onChange` is awaited after each change, before the next change of that file and before
   * the response. Servers that share the folder serialise changes of a file by `turns`.
   */
  constructor(
    root: string,
    onChange: OnFileChange,
    {
      writeFile = writeFileAtomically,
      turns = noTurns,
      aroundChange = (_, change) => change(),
      isAway = () => false,
      spellings = new Spellings(root),
    }: VaultFolderOptions = {},
  ) {
    this.#root = root;
    this.#onChange = onChange;
    this.#writeFile = writeFile;
    this.#turns = turns;
    this.#aroundChange = aroundChange;
    this.#isAway = isAway;
    this.#spellings = spellings;
    this.#within = { root, isAway };
    this.#trash = new TrashFiles(this.#within);
  }

  read(path: string): Awaitable<Result<VaultFile, FileFailure>> {
    return this.#guarded(path, (place) => readOpened(place, (file) => contentOf(file, file.figures())));
  }

  stamps(paths: readonly string[]): ReadonlyMap<string, string> {
    return stampsAt(this.#isAway() ? [] : paths, (path) => this.#root + sep + this.#spellings.onDisk(path));
  }

  async has(path: string): Promise<boolean> {
    const found = await this.#guarded(path, async (place) => statSync(place));
    return found.ok && found.value.isFile();
  }

  update<Rejection = never>(
    path: string,
    change: FileChange<Rejection>,
  ): Promise<Result<Uint8Array, FileFailure | Rejection>> {
    return this.#inOrder(path, async (): Promise<Result<Uint8Array, FileFailure | Rejection>> => {
      for (let turn = 0; turn < maxTries; turn += 1) {
        const done = await this.#guarded(path, (place) => this.#change(place, change));
        if (!done.ok) return done;
        if (done.value === 'changed') continue;
        if (done.value.isWritten) await this.#onChange(path, done.value.written);
        return done.value.result;
      }
      return err({ reason: 'contended' });
    });
  }

  async #change<Rejection>(place: string, change: FileChange<Rejection>): Promise<'changed' | Changed<Rejection>> {
    const file = OpenedFile.openOrNull(place);
    let isReplaced = false;
    try {
      const current = file === null ? null : await readFrom(file);
      if (current !== null && (await this.#isBeingWritten(place, current))) return 'changed';
      const before = current?.bytes ?? null;
      const result = await change(before);
      if (!result.ok || result.value === before) return { isWritten: false, written: null, result };
      // Right before the write: the change may have taken a while.
      if (this.#isAway()) throw diskGone();
      const own = await this.#writeFile(place, result.value, current?.identity ?? null, this.#within);
      if (own === null) return 'changed';
      isReplaced = true;
      const late = file === null || current === null ? null : await writtenMeanwhile(file, current);
      this.#own.set(place, own);
      if (late === null) return { isWritten: true, written: { identity: own, bytes: result.value }, result };
      // Another program wrote into the file that has just been replaced: restore its content, and retry the change on
      // it.
      await this.#writeFile(place, late, own, this.#within);
      return 'changed';
    } finally {
      file?.close(isReplaced);
    }
  }

  /** Whether another program wrote the file a moment ago; if so, waits until it should have settled. */
  async #isBeingWritten(place: string, { identity }: ReadFile): Promise<boolean> {
    if (isSameFile(this.#own.get(place) ?? null, identity)) return false;
    const age = Date.now() - Number(identity.mtimeNs / 1_000_000n);
    if (age < 0 || age >= settleMs) return false;
    await wait(settleMs - age);
    return true;
  }

  remove<Rejection = never>(
    path: string,
    allow?: (current: Buffer | null) => Awaitable<Result<void, Rejection>>,
    trashId?: string,
  ): Promise<Result<void, FileFailure | Rejection>> {
    return this.#inOrder(path, async (): Promise<Result<void, FileFailure | Rejection>> => {
      let known: FileIdentity | null = null;
      if (allow !== undefined) {
        const current = await this.#guarded(path, (place) => readOpened(place, readFrom));
        if (!current.ok && current.failure.reason !== 'not_found') return current;
        const allowed = await allow(current.ok ? current.value.bytes : null);
        if (!allowed.ok) return allowed;
        known = current.ok ? current.value.identity : null;
      }
      const removed = await this.#guarded(path, async (place): Promise<Result<boolean, FileFailure>> => {
        if (!statSync(place).isFile()) throw notAFile();
        if (this.#isAway()) throw diskGone();
        if (trashId === undefined) return ok(await removeFile(place, known ?? undefined));
        return this.#trash.take(place, { path, id: trashId }, known);
      });
      const done = removed.ok ? removed.value : removed;
      if (!done.ok || !done.value) return done.ok ? err({ reason: 'contended' }) : done;
      await this.#onChange(path, null);
      return ok(undefined);
    });
  }

  move<Rejection = never>(
    from: string,
    to: string,
    allow: (current: Buffer) => Result<void, Rejection>,
  ): Promise<Result<void, FileFailure | Rejection>> {
    const work = async (): Promise<Result<void, FileFailure | Rejection>> => {
      if (isSymbolicLink(this.#root + sep + this.#spellings.onDisk(from))) return err({ reason: 'is_link' });
      const current = await this.#guarded(from, (place) => readOpened(place, readFrom));
      if (!current.ok) return current;
      const { bytes, identity } = current.value;
      const allowed = allow(bytes);
      if (!allowed.ok) return allowed;
      const moved = await this.#guarded(from, (source) =>
        this.#guarded(to, (target) => moveFile(source, target, identity, this.#within)),
      );
      const done = moved.ok ? moved.value : moved;
      if (!done.ok) return done;
      if (done.value !== 'moved') return err({ reason: done.value === 'taken' ? 'taken' : 'contended' });
      for (const path of [from, to]) await this.#onChange(path, null);
      return ok(undefined);
    };
    const [first, second] = keyOf(from) < keyOf(to) ? [from, to] : [to, from];
    return this.#inOrder(first, () => (keyOf(from) === keyOf(to) ? work() : this.#inOrder(second, work)), 'run');
  }

  /** Resolves when all changes in flight have ended. */
  idle(): Promise<void> {
    return this.#queue.idle();
  }

  /**
   * Serialises changes of one file; names that differ only in case or Unicode normalisation count as one file. `how` is
   * 'run' for work that waits for another file.
   */
  #inOrder<Value, Failure>(
    path: string,
    work: () => Promise<Result<Value, Failure>>,
    how: keyof ServerTurns = 'brief',
  ): Promise<Result<Value, FileFailure | Failure>> {
    const key = keyOf(path);
    return this.#queue.run(key, async () => {
      try {
        return await this.#turns[how](`note ${key}`, () => this.#aroundChange(path, work));
      } catch (error) {
        if (error instanceof NoTurn) return err({ reason: 'no_turn' });
        throw error;
      }
    });
  }

  #guarded<Value>(named: string, work: (place: string) => Awaitable<Value>): Awaitable<Result<Value, FileFailure>> {
    try {
      const path = this.#spellings.onDisk(named);
      const done = andThen(realPathInside(this.#root, path), (place): Awaitable<Result<Value, FileFailure>> => {
        if (place === null || !this.#isServed(place, path)) return err({ reason: 'outside' });
        return andThen(work(place), ok);
      });
      return done instanceof Promise ? done.catch((error: unknown) => this.#failed(error)) : done;
    } catch (error) {
      return this.#failed(error);
    }
  }

  /** Converts an error; a file that is not found in a folder that is not there may exist. */
  #failed(error: unknown): Result<never, FileFailure> {
    const failed = failureOf(error);
    const isLost = !failed.ok && failed.failure.reason === 'not_found' && this.#isAway();
    return isLost ? err({ reason: 'away' }) : failed;
  }

  /** Whether the resolved path may be served: a symlink must not lead into a dot-folder either. */
  #isServed(place: string, path: string): boolean {
    // Common case: no symlink.
    if (place === this.#root + sep + path) return true;
    const real = relative(this.#root, place).split(sep).join('/');
    return real === path || (real !== '' && (!isUnlisted(real) || vaultPathOf(real).ok));
  }
}

/** Files whose paths differ only in case or Unicode normalisation are changed in order. */
const keyOf = (path: string): string => inNfc(path).toLowerCase();
