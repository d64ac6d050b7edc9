import { Batches } from '#adapters/persistence/batches.ts';
import type { Database } from '#infrastructure/database/open-database.ts';
import type { Statements } from '#infrastructure/database/statements.ts';

/** Executes writes of one kind; returns an answer for each, in order. */
type Write<Item, Answer> = (em: Statements, items: readonly Item[]) => Promise<readonly Answer[]>;

/** Writes of one kind. Each is answered once it is durably committed; early ones already when committed. */
export type Writes<Item, Answer> = Readonly<{ add(item: Item): Promise<Answer> }>;

/**
 * `isOneStatement`: the writes of this kind need no transaction when they are alone in their commit. `isEarly`: they
 * are answered when committed but not yet synced; a power loss may undo them, but only together with everything written
 * after them.
 */
type KindOptions = Readonly<{ isOneStatement?: boolean; isEarly?: boolean }>;

type Asked = KindOptions & Readonly<{ write: Write<unknown, unknown>; item: unknown }>;

/** The maximum number of writes in one commit. */
export const maxAtOnce = 60;

/**
 * Group commit. In SQLite, which has a single writer and waits for the disk at each commit, writes of several stores
 * that arrive together share one; early ones share another, which does not wait while a commit is being synced. In
 * PostgreSQL writes of one kind share a statement, which commits by itself. No write waits for others to arrive. When
 * one of them fails, each is retried alone.
 */
export class SharedCommits {
  readonly #database: Pick<Database, 'kind' | 'direct'>;
  readonly #early = new Batches<Asked, unknown>((asked) => this.#commit(asked), maxAtOnce);
  readonly #durable = new Batches<Asked, unknown>((asked) => this.#commitOnDisk(asked), maxAtOnce);

  constructor(database: Pick<Database, 'kind' | 'direct'>) {
    this.#database = database;
  }

  /** Registers a kind of write; for PostgreSQL it must be one statement. */
  writes<Item, Answer>(write: Write<Item, Answer>, options: KindOptions = {}): Writes<Item, Answer> {
    const { kind: databaseKind, direct } = this.#database;
    if (databaseKind === 'postgres') return new Batches((items) => write(direct, items), maxAtOnce);
    // Safe: `write` receives only the items added here, and its answers are returned only to those callers.
    const kind = { ...options, write: write as Write<unknown, unknown> };
    const batches = options.isEarly === true ? this.#early : this.#durable;
    return { add: (item) => batches.add({ ...kind, item }) as Promise<Answer> };
  }

  async #commit(asked: readonly Asked[]): Promise<readonly unknown[]> {
    const kinds = Map.groupBy(asked, ({ write }) => write);
    const { early } = this.#database.direct;
    const isAlone = kinds.size === 1 && (asked.length === 1 || asked[0]?.isOneStatement === true);
    return isAlone ? carryOut(early, kinds, asked) : early.transactional((em) => carryOut(em, kinds, asked));
  }

  async #commitOnDisk(asked: readonly Asked[]): Promise<readonly Promise<unknown>[]> {
    const answers = await this.#commit(asked);
    const isOnDisk = this.#database.direct.onDisk();
    return answers.map((answer) => isOnDisk.then(() => answer));
  }
}

/** Executes the writes of each kind together; the answers are in the order of `asked`. */
async function carryOut(
  em: Statements,
  kinds: ReadonlyMap<Asked['write'], readonly Asked[]>,
  asked: readonly Asked[],
): Promise<readonly unknown[]> {
  const answers = new Map<Asked, unknown>();
  for (const [write, ofKind] of kinds) {
    const given = await write(
      em,
      ofKind.map(({ item }) => item),
    );
    for (const [index, one] of ofKind.entries()) answers.set(one, given[index]);
  }
  return asked.map((one) => answers.get(one));
}

const known = new WeakMap<Database, SharedCommits>();

/** The group commits shared by all stores of a database. */
export function commitsOf(database: Database): SharedCommits {
  const commits = known.get(database) ?? new SharedCommits(database);
  known.set(database, commits);
  return commits;
}
