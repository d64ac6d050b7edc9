import { setImmediate as nextTurn } from 'node:timers/promises';
import PQueue from 'p-queue';
import { z } from 'zod';
import { NoTurn, type ServerTurns } from '#adapters/contracts/server-turns.ts';
import { AnswerTime } from '#infrastructure/database/answer-time.ts';
import type { Database } from '#infrastructure/database/open-database.ts';
import type { Statements } from '#infrastructure/database/statements.ts';

/**
 * The maximum number of locks that one server holds or waits for at once: each takes a connection, and other statements
 * need some too.
 */
const maxAtOnce = 4;

/**
 * The time in ms after which PostgreSQL ends an idle lock transaction, so that a frozen server does not hold a lock for
 * longer. Below the statement timeout, so that a waiting server still gets the lock.
 */
const maxSilentMs = 4_000;
/** Longer while this server itself gets locks slowly, for want of processor time. */
const lockTimes = { mostMs: 20_000, fading: 0.9 } as const;

/** The maximum number of brief works whose locks share a transaction. */
const maxTogether = 32;

/** Work that waits for its turn: `end` answers its caller, with what it came to if it was begun. */
type BriefWork = Readonly<{
  name: string;
  begin(): Promise<unknown>;
  end(refusal: 'held by another' | NoTurn): void;
}>;

const locksSchema = z.array(z.object({ name: z.string(), answer: z.unknown() }));

/**
 * Serialises work across servers with PostgreSQL's advisory locks. Each lock lasts as long as a transaction: that works
 * through a pooler in transaction mode as well, and the lock is released at once when the server that holds it ends.
 */
export class PostgresTurns implements ServerTurns {
  readonly #database: Pick<Database, 'direct'>;
  readonly #queue = new PQueue({ concurrency: maxAtOnce });
  #waiting: readonly BriefWork[] = [];
  readonly #lockTime = new AnswerTime(lockTimes);

  constructor(database: Pick<Database, 'direct'>) {
    this.#database = database;
  }

  run<Value>(name: string, work: () => Promise<Value>): Promise<Value> {
    return this.#queue.add(() => this.#inTurn(name, work));
  }

  brief<Value>(name: string, work: () => Promise<Value>): Promise<Value> {
    return new Promise((resolve, reject) => {
      let begun: Promise<Value> | null = null;
      const begin = () => {
        begun = work();
        return begun;
      };
      const end: BriefWork['end'] = (refusal) => {
        // Work that has started settles by itself, whatever happens to the transaction.
        if (begun !== null) resolve(begun);
        else if (refusal === 'held by another') resolve(this.run(name, work));
        else reject(refusal);
      };
      this.#waiting = [...this.#waiting, { name, begin, end }];
      void this.#queue.add(() => this.#together());
    });
  }

  async #inTurn<Value>(name: string, work: () => Promise<Value>): Promise<Value> {
    let begun: Promise<Value> | null = null;
    try {
      await this.#database.direct.transactional(async (statements) => {
        await locked(statements, 'pg_advisory_xact_lock', { names: [name], silentMs: this.#silentMs() });
        begun = work();
        await begun;
      });
    } catch (error) {
      if (begun === null) throw new NoTurn(name, { cause: error });
    }
    // Work that has started settles by itself, whatever happens to the transaction.
    return begun ?? Promise.reject(new NoTurn(name));
  }

  /** Runs all that waits, in one transaction; what another server holds waits by itself, so that it delays no other. */
  async #together(): Promise<void> {
    await nextTurn();
    const works = this.#take();
    const [first] = works;
    if (first === undefined) return;
    let cause: unknown;
    const askedAt = performance.now();
    try {
      await this.#database.direct.transactional(async (statements) => {
        const names = works.map(({ name }) => name);
        const given = await locked(statements, 'pg_try_advisory_xact_lock', { names, silentMs: this.#silentMs() });
        // This waits for no other server.
        this.#lockTime.took(performance.now() - askedAt);
        await Promise.allSettled(works.filter(({ name }) => given.has(name)).map((one) => one.begin()));
      });
    } catch (error) {
      cause = error;
    }
    for (const one of works) one.end(cause === undefined ? 'held by another' : new NoTurn(one.name, { cause }));
  }

  #silentMs(): number {
    return this.#lockTime.wait(maxSilentMs);
  }

  /** Takes from those that wait, one of each name: a transaction would give itself the same lock twice. */
  #take(): readonly BriefWork[] {
    const names = new Set<string>();
    const taken = this.#waiting.filter(({ name }) => names.size < maxTogether && names.size < names.add(name).size);
    this.#waiting = this.#waiting.filter((one) => !taken.includes(one));
    return taken;
  }
}

/** Locks the names until the transaction ends, which PostgreSQL does after `silentMs` without a statement; returns those that it got, if it waits for none. */
async function locked(
  statements: Statements,
  lock: 'pg_advisory_xact_lock' | 'pg_try_advisory_xact_lock',
  { names, silentMs }: Readonly<{ names: readonly string[]; silentMs: number }>,
): Promise<ReadonlySet<string>> {
  const rows = await statements.execute(
    `select name, ${lock}(hashtextextended(name, 1)) as answer,
       set_config('idle_in_transaction_session_timeout', ?, true)
     from (values ${names.map(() => '(?)').join(', ')}) names (name)`,
    [`${silentMs}`, ...names],
  );
  return new Set(locksSchema.parse(rows).flatMap(({ name, answer }) => (answer === false ? [] : [name])));
}
