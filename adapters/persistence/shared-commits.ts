import { Batches } from '#adapters/persistence/batches.ts';
import type { Database } from '#infrastructure/database/open-database.ts';
import type { Statements } from '#infrastructure/database/statements.ts';

/** Carries out writes of one kind; returns an answer for each, in order. */
type Write<Item, Answer> = (em: Statements, items: readonly Item[]) => Promise<readonly Answer[]>;

/** Writes of one kind: each is answered once it is on disk, or is to be there before what is written later. */
export type Writes<Item, Answer> = Readonly<{ add(item: Item): Promise<Answer> }>;

/**
 * `isOneStatement`: the writes of the kind need no transaction when no others are in their commit. `isEarly`: they are answered when
 * they are committed; a machine that loses its power may take them back, and never without what is written after them.
 */
type KindOptions = Readonly<{ isOneStatement?: boolean; isEarly?: boolean }>;

type Asked = KindOptions & Readonly<{ write: Write<unknown, unknown>; item: unknown }>;

/** The maximum number of writes in one commit. */
const maxAtOnce = 60;

/**
 * Brings writes of several stores that come together to the disk by one commit: SQLite has one writer, and waits for the
 * disk for each commit. None waits for others to arrive. When one of them fails, each is tried by itself.
 */
export class SharedCommits {
  readonly #database: Pick<Database, 'direct'>;
  readonly #batches: Batches<Asked, unknown>;

  constructor(database: Pick<Database, 'direct'>) {
    this.#database = database;
    this.#batches = new Batches((asked) => this.#commit(asked), maxAtOnce);
  }

  /** Adds a kind of write. */
  writes<Item, Answer>(write: Write<Item, Answer>, options: KindOptions = {}): Writes<Item, Answer> {
    // A kind is given back only what was added to it, and its answers only to who added.
    const kind = { ...options, write: write as Write<unknown, unknown> };
    return { add: (item) => this.#batches.add({ ...kind, item }) as Promise<Answer> };
  }

  async #commit(asked: readonly Asked[]): Promise<readonly unknown[]> {
    const kinds = Map.groupBy(asked, ({ write }) => write);
    const { early, onDisk } = this.#database.direct;
    const isAlone = kinds.size === 1 && (asked.length === 1 || asked[0]?.isOneStatement === true);
    const answers = await (isAlone
      ? carryOut(early, kinds, asked)
      : early.transactional((em) => carryOut(em, kinds, asked)));
    if (asked.every(({ isEarly }) => isEarly === true)) return answers;
    const isOnDisk = onDisk();
    return answers.map((answer, index) => (asked[index]?.isEarly === true ? answer : isOnDisk.then(() => answer)));
  }
}

/** Carries out each kind's writes together; the answers are in the order of `asked`. */
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

/** The commits that all stores of a database share. */
export function commitsOf(database: Database): SharedCommits {
  const commits = known.get(database) ?? new SharedCommits(database);
  known.set(database, commits);
  return commits;
}
