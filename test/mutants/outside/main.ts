import { fork } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { outsideMutants } from '#test/mutants/outside/list.ts';
import type { OutsideMutant } from '#test/mutants/outside/mutant.ts';

// Plants each fault in a server and lets the contract suite look for it:
// `--near` shows a fault to the checks of its sections only, which is quick, and no proof that others do not see it.
//   npm run mutants:outside -- [--short] [--at-once 2] [--from 1] [--near] [--verbose] [words of a fault] [words of another]
const { values, positionals } = parseArgs({
  options: {
    short: { type: 'boolean', default: false },
    verbose: { type: 'boolean', default: false },
    'at-once': { type: 'string', default: '2' },
    from: { type: 'string', default: '1' },
    near: { type: 'boolean', default: false },
  },
  allowPositionals: true,
});
const say = (line: string) => process.stdout.write(`${line}\n`);

/** The share of the faults that the suite has to see. */
const demandedShare = 0.95;
/** Every which fault the short form plants. */
const shortStep = 20;

const chosen = outsideMutants
  .map((mutant, place) => ({ mutant, place }))
  .filter(({ place }) => place + 1 >= Number(values.from) && (!values.short || place % shortStep === 0))
  .filter(({ mutant }) => positionals.length === 0 || positionals.some((words) => mutant.way.includes(words)));
for (const { mutant } of chosen) {
  if (!readFileSync(mutant.file, 'utf8').includes(mutant.find)) throw new Error(`${mutant.way}: not in ${mutant.file}`);
}

const answer = z.object({
  place: z.number(),
  by: z.string().nullable(),
  level: z.string().nullable(),
  message: z.string().nullable(),
});
type Answer = z.output<typeof answer>;

const unseen: OutsideMutant[] = [];
let seenByLetter = 0;
const queue = [...chosen];
await Promise.all(Array.from({ length: Number(values['at-once']) }, work));

const isVisible = ({ unseenBecause }: OutsideMutant): boolean => unseenBecause === undefined;
const ofLetter = chosen.filter(({ mutant }) => mutant.breaks !== null && isVisible(mutant)).length;
const missed = unseen.filter((mutant) => mutant.breaks !== null && isVisible(mutant)).length;
const seen = chosen.length - unseen.length;
say(`${seen} of ${chosen.length} faults are seen from outside (${((100 * seen) / chosen.length).toFixed(1)} %)`);
say(
  `${ofLetter - missed} of ${ofLetter} faults against the letter of the contract that can be seen are seen, ${seenByLetter} of them by what every server of the interface is held to`,
);
process.exit(chosen.length > 0 && seen >= demandedShare * chosen.length && missed === 0 ? 0 : 1);

/** Takes fault after fault from the queue and shows it to the suite, in a process of its own. */
async function work(): Promise<void> {
  const child = fork(resolve(import.meta.dirname, 'worker.ts'), { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const { mutant, place } = next;
    const { by, level, message } = await new Promise<Answer>((settle, reject) => {
      child.once('message', (value) => {
        settle(answer.parse(value));
      });
      child.once('exit', () => {
        reject(new Error(`The process of "${mutant.way}" has ended`));
      });
      child.send({ place, isNear: values.near });
    });
    child.removeAllListeners('exit');
    if (by === null) unseen.push(mutant);
    if (mutant.breaks !== null && level === 'contract') seenByLetter += 1;
    const letter = mutant.breaks === null ? 'left open' : mutant.breaks;
    const why = by === null ? (mutant.unseenBecause ?? '') : `${by} (${level})`;
    say(`${by === null ? 'NOT SEEN' : 'seen    '}  ${mutant.way} [${letter}]  ${why}`);
    if (values.verbose && message !== null) say(`          ${message}`);
  }
  child.disconnect();
}
