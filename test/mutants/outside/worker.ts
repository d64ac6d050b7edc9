import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { z } from 'zod';
import { type Clause, holdsIn, levels } from '#test/kit/clause.ts';
import { allClauses } from '#test/kit/clauses.ts';
import { readConfig } from '#test/kit/config.ts';
import { openKit } from '#test/kit/open.ts';
import { runClauses } from '#test/kit/run.ts';
import { outsideMutants } from '#test/mutants/outside/list.ts';
import type { OutsideMutant } from '#test/mutants/outside/mutant.ts';

// Plants one mutant after the other, as the parent process sends their places in the list, and answers which check has failed.
process.env['NODE_OPTIONS'] = `--import ${pathToFileURL(resolve(import.meta.dirname, 'plant.mjs')).href}`;

const question = z.object({ place: z.number(), isNear: z.boolean() });

process.on('message', (asked) => void answer(asked));

async function answer(asked: unknown): Promise<void> {
  const { place, isNear } = question.parse(asked);
  const mutant = outsideMutants[place];
  if (mutant === undefined) throw new Error(`There is no mutant ${place}`);
  process.send?.({ place, ...(await seen(mutant, isNear)) });
}

const rankOf = ({ level }: Clause): number => levels.indexOf(level);

type Seen = Readonly<{ by: string | null; level: string | null; message: string | null }>;

/**
 * The first check that fails while the fault is there; null when none does. Those of its sections come first, and of them those that every server of the
 * interface is held to.
 */
async function seen(
  { file, find, replace, sections, isInModes = false }: OutsideMutant,
  areNearOnly: boolean,
): Promise<Seen> {
  process.env['CONTRACT_PLANT'] = JSON.stringify({ file, find, replace });
  const config = readConfig(`test/kit/targets/portolan${isInModes ? '-modes' : ''}.json`, new Set());
  const names = sections.split(',');
  const isNear = ({ id }: Readonly<{ id: string }>): boolean => names.some((name) => id.startsWith(name));
  const clauses = allClauses.filter((clause) => holdsIn(clause, config.modes));
  const opened = await openKit(config).catch(String);
  if (typeof opened === 'string') return { by: null, level: null, message: `The server does not start: ${opened}` };
  const { kit, close } = opened;
  try {
    const near = clauses.filter(isNear).toSorted((one, other) => rankOf(one) - rankOf(other));
    const far = areNearOnly ? [] : clauses.filter((clause) => !isNear(clause));
    for (const clause of [...near, ...far]) {
      const [result] = await runClauses(kit, [clause]);
      if (result?.outcome === 'failed') return { by: result.key, level: result.level, message: result.message };
    }
    return { by: null, level: null, message: null };
  } finally {
    await close();
  }
}
