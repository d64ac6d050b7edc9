// Builds the image and runs it, alone and by the Compose files: `npm run containers`, `-- --short` for what takes one container,
// `-- <row>…` for these rows only. It needs Docker or podman; as root on a Debian that lets namespaces be made it installs podman.
import { spawn } from 'node:child_process';
import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { buildFormer, buildImage } from '#test/containers/build-images.ts';
import { clusterRows } from '#test/containers/cluster-rows.ts';
import { type Engine, findEngine, type Images } from '#test/containers/engine.ts';
import { imageRows } from '#test/containers/image-rows.ts';
import { networkNamespace, obstacle, podmanIn, setUpPodman } from '#test/containers/podman-here.ts';
import type { Row, Stand } from '#test/containers/row.ts';
import { suiteRows } from '#test/containers/suite-rows.ts';

const options = { short: { type: 'boolean', default: false }, inside: { type: 'string' } } as const;
const { values, positionals } = parseArgs({ options, allowPositionals: true });
const folder = join(tmpdir(), 'portolan-containers');
const say = (text: string): void => void process.stdout.write(`${text}\n`);

const rows = [...imageRows, ...clusterRows, ...suiteRows].filter(({ name, isLong }) =>
  positionals.length > 0 ? positionals.includes(name) : !(values.short && isLong),
);
process.exitCode = values.inside === undefined ? await prepare() : await runRows(JSON.parse(values.inside));

/** What the first part hands to the second: all of a stand but the engine, and whether podman was set up here. */
type Handed = Readonly<{ image: string; former: string | null; images: Images; isHere: boolean }>;

/** Builds the images, then runs the rows, in a network namespace of their own when podman was set up here. */
async function prepare(): Promise<number> {
  const found = await findEngine();
  const why = found === null ? await obstacle() : null;
  if (why !== null) {
    say(`No containers here: there is no engine, and ${why}.`);
    return 0;
  }
  await mkdir(folder, { recursive: true });
  const isHere = found === null;
  const needs = new Set(rows.flatMap((row) => row.needs ?? []));
  const wanted = new Set(['NODE_IMAGE' as const, ...[...needs].filter((need) => need !== 'former')]);
  const made = found === null ? await setUpPodman(folder, wanted).catch(String) : { engine: found, images: {} };
  if (typeof made === 'string') {
    say(`No containers here: podman could not be set up (${made.slice(0, 400)}).`);
    return 0;
  }
  const { engine, images } = made;
  say(isHere ? 'podman was set up here, with stand-ins for the images below ours' : `By ${engine.name}`);
  const image = await buildImage(engine, images);
  const former = needs.has('former') ? await buildFormer(engine, images, folder) : null;
  const handed: Handed = { image, former, images, isHere };
  if (!isHere) return runRows(handed);
  const again = [process.execPath, ...process.argv.slice(1), '--inside', JSON.stringify(handed)];
  const child = spawn('nsenter', [`--net=/run/netns/${networkNamespace}`, ...again], { stdio: 'inherit' });
  return new Promise((resolve) => child.on('close', (code) => resolve(code ?? 1)));
}

async function runRows({ isHere, ...handed }: Handed): Promise<number> {
  const engine: Engine | null = isHere ? podmanIn(folder) : await findEngine();
  if (engine === null) throw new Error('the engine is gone');
  const canRun = rows.filter(({ needs }) => handed.former !== null || !needs?.includes('former'));
  let failed = 0;
  for (const row of canRun) failed += (await holds(row, { engine, ...handed })) ? 0 : 1;
  for (const { name } of rows.filter((row) => !canRun.includes(row)))
    say(`– ${name}: not run, because the history of this clone does not reach back to the former version`);
  say(`${canRun.length - failed} rows hold, ${failed} do not`);
  return failed === 0 ? 0 : 1;
}

async function holds({ name, run }: Row, stand: Stand): Promise<boolean> {
  const began = Date.now();
  const took = () => `${((Date.now() - began) / 1_000).toFixed(0)} s`;
  try {
    const said = await run(stand);
    say(`✓ ${name} (${took()}): ${said}`);
    return true;
  } catch (error) {
    say(`✗ ${name} (${took()}): ${error instanceof Error ? error.message : String(error)}`);
    return false;
  }
}
