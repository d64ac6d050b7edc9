import { calls, type PortMutants, texts } from '#test/mutants/mutant.ts';
import { onPostgres } from '#test/mutants/postgres-databases.ts';

const file = 'adapters/persistence/postgres-turns.ts';
const lock = 'pg_advisory_xact_lock(hashtextextended(?, 1))';
const run = 'return this.#queue.add(() => this.#inTurn(name, work));';
const end = 'return begun ?? Promise';

/** Ways in which the turns of servers can be broken. */
export const serverTurns: PortMutants = {
  port: 'server-turns',
  mutants: [
    ...texts(onPostgres, file, [
      [lock, 'pg_advisory_xact_lock_shared(hashtextextended(?, 1))', 'lets several in at once'],
      [lock, 'pg_try_advisory_xact_lock(hashtextextended(?, 1))', 'waits for nobody'],
      [lock, 'pg_advisory_xact_lock(hashtextextended(lower(?), 1))', 'ignores the case of names'],
      [lock, 'pg_advisory_xact_lock(hashtextextended(trim(?), 1))', 'ignores blanks about names'],
      [lock, 'pg_advisory_xact_lock(hashtextextended(left(?, 3), 1))', 'takes names that begin alike for one'],
      [lock, 'pg_advisory_xact_lock(length(?))', 'takes names of one length for one'],
      [lock, 'pg_advisory_xact_lock(pg_backend_pid() + 0 * length(?))', 'gives each connection turns of its own'],
      [run, 'return work();', 'waits for no turn'],
      [run, 'return this.#queue.add(work);', 'gives turns within one server only'],
      ['        await begun;\n', '', 'ends the turn before the work'],
      [end, 'if (begun !== null) await work();\n    return begun ?? Promise', 'runs the work twice'],
      [end, 'if (begun !== null) return begun.catch(() => undefined);\n    return begun ?? Promise', 'loses an error'],
      [end, "if (begun !== null) return (await begun) || 'done';\n    return begun ?? Promise", 'loses empty values'],
      [
        'if (begun === null) throw new NoTurn(name, { cause: error });',
        'throw new NoTurn(name, { cause: error });',
        'says of work that failed that it had no turn',
      ],
    ]),
    ...calls('one server', [
      [{ op: 'lost', method: 'run' }, 'runs nothing'],
      [{ op: 'always', method: 'run', answer: 'done' }, 'gives a value of its own'],
      [{ op: 'twice', method: 'run' }, 'gives two turns for one'],
      [{ op: 'once', method: 'run' }, 'gives one turn, and its value again'],
    ]),
  ],
};
