import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { programEnvironment } from '#test/support/server/program-environment.ts';
import { temporaryDataDir } from '#test/support/server/server-process.ts';
import { testedProgram } from '#test/support/server/tested-program.ts';

// MCP clients start `portolan stdio` in the folder that they have opened, which somebody else may have written.

let folder: Awaited<ReturnType<typeof temporaryDataDir>>;
let program: string;
beforeAll(async () => {
  folder = await temporaryDataDir();
  program = await testedProgram('bootstrap/stdio.ts');
});
afterAll(() => folder.remove());

describe('a program started in a folder of somebody else', () => {
  let hostile: string;
  beforeAll(async () => {
    hostile = await mkdtemp(join(tmpdir(), 'portolan-hostile-'));
    await writeFile(
      join(hostile, '.env'),
      'PORTOLAN_EMAIL=admin@localhost\nDATA_DIR=./data\nPORTOLAN_CONFIG=./mine.mjs\n',
    );
    const code = `import { writeFileSync } from 'node:fs'; writeFileSync('ran', ''); export default {};`;
    for (const name of ['portolan.config.mjs', 'mine.mjs']) await writeFile(join(hostile, name), code);
  });
  afterAll(() => rm(hostile, { recursive: true }));

  /** Starts it there; its exit code, and what it said. The input ends at once. */
  async function startedThere(
    env: Readonly<Record<string, string>>,
  ): Promise<Readonly<{ code: unknown; said: string }>> {
    const child = spawn(process.execPath, [program], {
      cwd: hostile,
      env: { ...programEnvironment(), ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let said = '';
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
    const [code] = await once(child, 'close');
    return { code, said };
  }
  const untouched = ['.env', 'mine.mjs', 'portolan.config.mjs'];

  it('loads neither code, settings nor data from it (CONF-011)', async () => {
    const { code, said } = await startedThere({ PORTOLAN_EMAIL: 'admin@localhost', DATA_DIR: folder.dataDir });
    expect([code, said]).toEqual([0, '']);
    expect((await readdir(hostile)).toSorted()).toEqual(untouched);
  });

  it.each([
    ['no DATA_DIR', {}, /^DATA_DIR: name the folder .* by its absolute path/],
    ['a relative DATA_DIR', { DATA_DIR: './data' }, /^DATA_DIR: \.\/data has to be an absolute path/],
    [
      'a relative PORTOLAN_CONFIG',
      { PORTOLAN_CONFIG: 'mine.mjs' },
      /^PORTOLAN_CONFIG: mine\.mjs has to be an absolute path/,
    ],
    ['a relative VAULT_DIR', { VAULT_DIR: 'notes' }, /^VAULT_DIR: notes has to be an absolute path/],
    ['a relative database', { DATABASE_URL: 'sqlite:their.sqlite' }, /^DATABASE_URL: sqlite:their\.sqlite has to be/],
  ])('does not start with %s (CONF-011)', async (_, env, message) => {
    const data = 'DATA_DIR' in env || Object.keys(env).length === 0 ? {} : { DATA_DIR: folder.dataDir };
    const { code, said } = await startedThere({ PORTOLAN_EMAIL: 'admin@localhost', ...data, ...env });
    expect(code).toBe(1);
    expect(said).toMatch(message);
    expect((await readdir(hostile)).toSorted()).toEqual(untouched);
  });

  it('loads them from the data folder and the configuration that its client names (CONF-011)', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'portolan-own-'));
    await writeFile(join(dataDir, '.env'), 'PORTOLAN_EMAIL=nobody@localhost\n');
    await writeFile(join(dataDir, 'portolan.config.mjs'), `process.stderr.write('own code. '); export default {};`);
    const own = await startedThere({ DATA_DIR: dataDir });
    expect(own.said).toBe('own code. PORTOLAN_EMAIL: there is no user nobody@localhost.\n');
    const config = join(hostile, 'mine.mjs');
    await startedThere({ DATA_DIR: dataDir, PORTOLAN_CONFIG: config });
    expect((await readdir(hostile)).toSorted()).toEqual([...untouched, 'ran'].toSorted());
    await rm(dataDir, { recursive: true });
  });
});
