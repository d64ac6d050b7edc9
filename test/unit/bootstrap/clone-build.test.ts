import { existsSync, readdirSync } from 'node:fs';
import { mkdir, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { noteUse, placeOfBuilds, programToRun } from '#bootstrap/clone/built-program.ts';
import { stateOfSources } from '#bootstrap/clone/state-of-sources.ts';
import { type SmallClone, smallClone } from '#test/support/packages/small-clone.ts';
import { buildClone } from '#test/tools/build/build-clone.ts';
import { removeUnused } from '#test/tools/build/remove-unused.ts';

let clone: SmallClone;
beforeEach(async () => {
  clone = await smallClone();
});
afterEach(() => clone.remove());

/** Writes a build, and counts how often. */
function counting() {
  const made = { builds: 0 };
  const build = async (folder: string): Promise<void> => {
    made.builds += 1;
    await mkdir(join(folder, 'bootstrap'), { recursive: true });
    await writeFile(join(folder, 'bootstrap/main.mjs'), '');
  };
  return { made, build };
}

const built = (options: Partial<Parameters<typeof buildClone>[1]> = {}) =>
  buildClone(clone.root, { waits: true, build: counting().build, ...options });
const run = (env = {}, file = clone.main) => programToRun(clone.root, file, env);
const fromSources = () => ({ file: clone.main, folder: null, isToBuild: true });
const asIs = () => ({ ...fromSources(), isToBuild: false });

describe('a program of a clone', () => {
  it('runs from a build of exactly its sources, and from the sources without one (RUN-015)', async () => {
    expect(await run()).toEqual(fromSources());
    const folder = await built();
    const ofBuild = { file: join(folder ?? '', 'bootstrap/main.mjs'), folder, isToBuild: false };
    expect(await run()).toEqual(ofBuild);
    expect(await run({}, join(clone.root, 'test/tools/other.ts'))).toMatchObject({ folder: null, isToBuild: false });
  });

  it.each([
    ['is written with as many characters', 'domain/one.ts', '1'],
    ['comes', 'adapters/deep/two.ts', ''],
    ['of the builder changes', 'test/tools/build/one.ts', ' '],
    ['that npm writes changes, with the packages', 'node_modules/.package-lock.json', '{ }'],
  ])('runs from the sources once a file %s (RUN-015)', async (_, path, text) => {
    await clone.write('domain/one.ts', '0');
    await built();
    expect(await run()).toMatchObject({ isToBuild: false });
    // The system's clock for files goes in steps of up to 10 ms.
    await sleep(50);
    await clone.write(path, text);
    expect(await run()).toEqual(fromSources());
  });

  it('runs from the sources where that is asked for, with a configuration, and without the builder (RUN-017)', async () => {
    await built();
    expect(await run({ PORTOLAN_RUN_SOURCES: '1' })).toEqual(asIs());
    expect(await run({ PORTOLAN_CONFIG: 'other.config.ts' })).toEqual(asIs());
    await rm(join(clone.root, 'test'), { recursive: true });
    expect(await run()).toEqual(asIs());
  });
});

describe('a build', () => {
  it('is made once by those that start at once, and all of them get it (RUN-016)', async () => {
    const { made, build } = counting();
    const folders = await Promise.all([1, 2, 3].map(() => built({ build })));
    expect(new Set(folders).size).toBe(1);
    expect(made.builds).toBe(1);
    expect(await built({ build, waits: false })).toBe(folders[0]);
  });

  it('is left to the process that makes it by one that does not wait (RUN-016)', async () => {
    const folder = join(placeOfBuilds(clone.root), stateOfSources(clone.root));
    await mkdir(placeOfBuilds(clone.root), { recursive: true });
    await writeFile(`${folder}.lock`, String(process.pid));
    expect(await built({ waits: false })).toBeNull();
    // The number of no process: its owner was ended on the way, and left half a build.
    await writeFile(`${folder}.lock`, String(2 ** 30));
    await mkdir(`${folder}.${2 ** 30}`);
    expect(await run()).toEqual(fromSources());
    expect(await built({ waits: false })).toBe(folder);
  });

  it('is not there when its maker fails (RUN-016)', async () => {
    const fails = async (folder: string): Promise<void> => {
      await mkdir(folder);
      throw new Error('no room');
    };
    await expect(built({ build: fails })).rejects.toThrow('no room');
    expect(readdirSync(placeOfBuilds(clone.root))).toEqual([]);
    expect(await run()).toEqual(fromSources());
  });

  it('is dropped when a source changed while it was made (RUN-016)', async () => {
    const { build } = counting();
    const changing = async (folder: string): Promise<void> => {
      await build(folder);
      await clone.write('domain/one.ts', 'changed');
    };
    expect(await built({ build: changing, waits: false })).toBeNull();
    expect(readdirSync(placeOfBuilds(clone.root))).toEqual([]);
  });

  it('is kept while a process uses it, and removed an hour after (RUN-019)', async () => {
    const folder = (await built()) ?? '';
    const longAgo = new Date(Date.now() - 2 * 3_600_000);
    await noteUse(folder);
    await utimes(folder, longAgo, longAgo);
    await removeUnused(clone.root);
    expect(existsSync(folder)).toBe(true);
    await rm(join(folder, 'users', String(process.pid)));
    await writeFile(join(folder, 'users', String(2 ** 30)), '');
    await utimes(folder, longAgo, longAgo);
    await removeUnused(clone.root);
    expect(existsSync(folder)).toBe(false);
  });
});
