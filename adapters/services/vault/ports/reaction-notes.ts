import { z } from 'zod';
import type { OperationCaller } from '#application/ports/operation-caller.ts';
import type { ReactionNotes } from '#application/ports/reaction-notes.ts';
import { type Failure, failed } from '#domain/operations/outcome.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';

const folderAnswer = z.object({ files: z.array(z.string()) });

/** The maximum depth of folders that are searched, and the maximum number of notes that are listed. */
const maxDepth = 3;
const maxNotes = 1_000;

const unreadable = failed('unavailable', 'The vault answered with something that cannot be read.');

/** Names the states of files of the team's vault, by path, but of those that are gone or were written a moment ago. */
export type FindStamps = (paths: readonly string[]) => ReadonlyMap<string, string>;

/** The folder of one user's vault; `findStamps` returns null when that is not the vault of this server. */
type ReactionFolder = Readonly<{ userId: number; folder: string; findStamps: () => Promise<FindStamps | null> }>;

/** Reads the notes in one folder of one user's vault, through the vault's operations. */
export class GatewayReactionNotes implements ReactionNotes {
  readonly #caller: OperationCaller;
  readonly #userId: number;
  readonly #folder: string;
  readonly #findStamps: ReactionFolder['findStamps'];

  constructor(caller: OperationCaller, { userId, folder, findStamps }: ReactionFolder) {
    this.#caller = caller;
    this.#userId = userId;
    this.#folder = folder;
    this.#findStamps = findStamps;
  }

  async paths(): Promise<Result<readonly string[], Failure>> {
    const found: string[] = [];
    const listed = await this.#list(this.#folder, found, maxDepth);
    return listed.ok ? ok(found.toSorted()) : listed;
  }

  async stamps(paths: readonly string[]): Promise<ReadonlyMap<string, string>> {
    const findStamps = await this.#findStamps();
    return findStamps?.(paths) ?? new Map<string, string>();
  }

  async text(path: string): Promise<Result<string | null, Failure>> {
    const outcome = await this.#caller.call({
      userId: this.#userId,
      service: 'vault',
      name: 'notes.read',
      input: { path },
    });
    if (!outcome.ok) return outcome.reason === 'not_found' ? ok(null) : err(outcome);
    return typeof outcome.data === 'string' ? ok(outcome.data) : err(unreadable);
  }

  async #list(folder: string, found: string[], depth: number): Promise<Result<void, Failure>> {
    const outcome = await this.#caller.call({
      userId: this.#userId,
      service: 'vault',
      name: 'folders.list',
      input: { dir_path: folder },
    });
    if (!outcome.ok) return outcome.reason === 'not_found' ? ok(undefined) : err(outcome);
    const answer = folderAnswer.safeParse(outcome.data);
    if (!answer.success) return err(unreadable);
    for (const name of answer.data.files) {
      if (name.startsWith('.') || found.length >= maxNotes) continue;
      if (name.endsWith('.md')) found.push(`${folder}/${name}`);
      if (!name.endsWith('/') || depth === 1) continue;
      const inner = await this.#list(`${folder}/${name.slice(0, -1)}`, found, depth - 1);
      if (!inner.ok) return inner;
    }
    return ok(undefined);
  }
}
