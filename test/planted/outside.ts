import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { holdsIn } from '#test/kit/clause.ts';
import { allClauses } from '#test/kit/clauses.ts';
import { readConfig } from '#test/kit/config.ts';
import { openKit } from '#test/kit/open.ts';
import { runClauses } from '#test/kit/run.ts';

/** The flag for Node with which a process plants what PLANTED says. */
export const plantFlag = `--import ${pathToFileURL(resolve(import.meta.dirname, 'plant.mjs')).href}`;

/** Starts a server with a fault planted in its sources; the checks of the contract suite for one clause that fail. */
export async function failingOutside(planted: string, clause: string): Promise<readonly string[]> {
  process.env['PLANTED'] = planted;
  process.env['NODE_OPTIONS'] = plantFlag;
  const config = readConfig('test/kit/targets/portolan.json', new Set());
  const { kit, close } = await openKit(config);
  try {
    const wanted = allClauses.filter((one) => one.id === clause && holdsIn(one, config.modes));
    return (await runClauses(kit, wanted)).filter(({ outcome }) => outcome === 'failed').map(({ key }) => key);
  } finally {
    await close();
    process.env['PLANTED'] = '';
  }
}
