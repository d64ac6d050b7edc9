import { calls, type PortMutants, texts } from '#test/mutants/mutant.ts';
import { onPostgres } from '#test/mutants/postgres-databases.ts';

const file = 'adapters/persistence/postgres-turns.ts';
const lock = '${lock}(hashtextextended(name, 1))';
const bound = 'silentMs: this.#silentMs() }';
const waiting = `await locked(statements, 'pg_advisory_xact_lock', { names: [name], ${bound})`;
const trying = `await locked(statements, 'pg_try_advisory_xact_lock', { names, ${bound})`;
const run = 'return this.#queue.add(() => this.#inTurn(name, work));';
const brief = 'return new Promise((resolve, reject) => {\n      let begun';
const end = 'return begun ?? Promise';

/** Ways in which the turns of servers can be broken. */
export const serverTurns: PortMutants = {
  port: 'server-turns',
  mutants: [
    ...texts(onPostgres, file, [
      [lock, '${lock}_shared(hashtextextended(name, 1))', 'lets several in at once'],
      [waiting, waiting.replace('pg_', 'pg_try_'), 'waits for nobody'],
      [trying, 'new Set(names)', 'lets brief works wait for nobody'],
      [trying, trying.replace('pg_try_', 'pg_'), 'lets brief works wait for one another'],
      [lock, '${lock}(hashtextextended(lower(name), 1))', 'ignores the case of names'],
      [lock, '${lock}(hashtextextended(trim(name), 1))', 'ignores blanks about names'],
      [lock, '${lock}(hashtextextended(left(name, 3), 1))', 'takes names that begin alike for one'],
      [lock, '${lock}(length(name))', 'takes names of one length for one'],
      [lock, '${lock}(pg_backend_pid() + 0 * length(name))', 'gives each connection turns of its own'],
      [brief, `if (name !== '') return work();\n    ${brief}`, 'begins brief work at once'],
      ['names.size < names.add(name).size', 'names.add(name).size > 0', 'gives brief works of one name one turn'],
      [
        "else if (refusal === 'held by another') resolve(this.run(name, work));",
        '',
        'fails where another server has the turn',
      ],
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
