import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { holdsIn } from '#test/kit/clause.ts';
import { allClauses } from '#test/kit/clauses.ts';
import { readConfig } from '#test/kit/config.ts';
import { openKit } from '#test/kit/open.ts';
import { runClauses } from '#test/kit/run.ts';
import { type OutsideMutant, outsideMutants } from '#test/mutants/outside/list.ts';

// Plants each fault in a server and lets the contract suite look for it: npm run mutants:outside -- [words of a fault]
const words = process.argv.slice(2).join(' ');
const say = (line: string) => process.stdout.write(`${line}\n`);
const chosen = outsideMutants.filter(({ way }) => way.includes(words));
const alive: string[] = [];
process.env['NODE_OPTIONS'] = `--import ${pathToFileURL(resolve(import.meta.dirname, 'plant.mjs')).href}`;
for (const mutant of chosen) {
  const seenBy = readFileSync(mutant.file, 'utf8').includes(mutant.find) ? await failing(mutant) : [];
  if (seenBy.length === 0) alive.push(mutant.way);
  say(`${seenBy.length === 0 ? 'NOT SEEN' : 'seen'}  ${mutant.way}  ${seenBy.slice(0, 4).join(', ')}`);
}
say(`${chosen.length - alive.length} of ${chosen.length} faults are seen from outside`);
process.exit(alive.length === 0 && chosen.length > 0 ? 0 : 1);

/** The checks that fail while the fault is there. */
async function failing({ sections, isInModes = false, ...planted }: OutsideMutant): Promise<readonly string[]> {
  process.env['CONTRACT_PLANT'] = JSON.stringify(planted);
  const config = readConfig(`test/kit/targets/portolan${isInModes ? '-modes' : ''}.json`, new Set());
  const { kit, close } = await openKit(config);
  try {
    const names = sections.split(',');
    const clauses = allClauses.filter((clause) => names.some((name) => clause.id.startsWith(name)));
    const results = await runClauses(
      kit,
      clauses.filter((clause) => holdsIn(clause, config.modes)),
    );
    return results.filter(({ outcome }) => outcome === 'failed').map(({ key }) => key);
  } finally {
    await close();
  }
}
