import { execFileSync, fork, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';

const text = (path: string): string => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');
const manifest = z.object({ optionalDependencies: z.record(z.string(), z.string()) });
const lock = z.object({ packages: z.record(z.string(), z.looseObject({ optional: z.boolean().optional() })) });

it('every platform whose Node 24 comes as a package is known to the starter, locked, and optional (RUN-004)', () => {
  const names = Object.keys(manifest.parse(JSON.parse(text('bootstrap/node24/package.json'))).optionalDependencies);
  const started = [...text('bootstrap/node24.mjs').matchAll(/'(node-[\w-]+)\/bin\/node(?:\.exe)?'/g)].map(
    ([, name]) => name,
  );
  expect(new Set(started)).toEqual(new Set(names));
  const { packages } = lock.parse(JSON.parse(text('package-lock.json')));
  for (const name of names) expect(packages[`node_modules/${name}`]).toMatchObject({ optional: true });
});

it.each([
  ['next to the packages', (root: string) => mkdirSync(join(root, 'node_modules')), true],
  // A folder that cannot be written, whoever runs this.
  ['nowhere where that cannot be written', (root: string) => writeFileSync(join(root, 'node_modules'), ''), false],
])('the compile cache is kept %s, for the next start (RUN-010)', (_, prepare, isKept) => {
  const root = mkdtempSync(join(tmpdir(), 'portolan-node24-'));
  prepare(root);
  mkdirSync(join(root, 'bootstrap'));
  copyFileSync('bootstrap/node24.mjs', join(root, 'bootstrap', 'node24.mjs'));
  const script = join(root, 'script.mjs');
  writeFileSync(script, "import { getCompileCacheDir } from 'node:module';\nconsole.log(getCompileCacheDir());\n");
  const { NODE_COMPILE_CACHE: __, ...env } = process.env;
  const kept = execFileSync(process.execPath, [join(root, 'bootstrap', 'node24.mjs'), script], {
    env,
    encoding: 'utf8',
  });
  expect(kept.includes(join('node_modules', '.cache', 'compiled'))).toBe(isKept);
  rmSync(root, { recursive: true });
});

describe('under an older Node, the starter runs itself again under Node 24', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'portolan-node24-'));
  });
  afterEach(() => rmSync(root, { recursive: true }));

  // Only the first process takes itself for an older Node.
  const older = `if (process.env.OLDER === '1') {
    delete process.env.OLDER;
    Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } });
  }`;
  const flags = ['--import', `data:text/javascript,${encodeURIComponent(older)}`, '--max-old-space-size=300'];
  const start = (source: string, ...args: readonly string[]) => {
    const script = join(root, 'script.mjs');
    writeFileSync(script, source);
    const { NODE_COMPILE_CACHE: _, ...env } = process.env;
    const given = [...flags, 'bootstrap/node24.mjs', script, ...args];
    return spawnSync(process.execPath, given, { env: { ...env, OLDER: '1' }, encoding: 'utf8' });
  };

  it('with the same flags and arguments, two arenas, and the compile cache (RUN-035, RUN-051)', () => {
    const source = `import { getCompileCacheDir } from 'node:module';
      const { argv, execArgv, ppid, env: { MALLOC_ARENA_MAX: arenas } } = process;
      console.log(JSON.stringify({ args: argv.slice(2), execArgv, ppid, arenas, hasCache: getCompileCacheDir() !== undefined }));`;
    const { stdout, status, pid } = start(source, 'a b', '--flag');
    expect(JSON.parse(stdout)).toEqual({
      args: ['a b', '--flag'],
      execArgv: flags,
      ppid: pid,
      arenas: '2',
      hasCache: true,
    });
    expect(status).toBe(0);
  });

  it.each([
    ['its exit code', 'process.exit(7)', 7, null],
    ['its signal', "process.kill(process.pid, 'SIGKILL')", null, 'SIGKILL'],
    [
      'a signal that the starter passes on',
      "process.kill(process.ppid, 'SIGTERM'); setInterval(() => {}, 1000)",
      null,
      'SIGTERM',
    ],
  ])('and ends by %s (RUN-035)', (_, source, status, signal) => {
    expect(start(source)).toMatchObject({ status, signal });
  });
});

describe('where a process may have less than 512 MB, the heap may take half of that', () => {
  const heap =
    "import v8 from 'node:v8'; console.log(JSON.stringify([process.execArgv.at(-1), v8.getHeapStatistics().heap_size_limit / 2 ** 20]))";
  const boundOf = (megabytes: number, ...flags: readonly string[]): unknown => {
    const root = mkdtempSync(join(tmpdir(), 'portolan-node24-'));
    const script = join(root, 'script.mjs');
    writeFileSync(script, heap);
    const limited = `process.constrainedMemory = () => ${megabytes * 2 ** 20};`;
    const given = ['--import', `data:text/javascript,${encodeURIComponent(limited)}`, ...flags];
    const { NODE_OPTIONS: _, ...env } = process.env;
    const said = execFileSync(process.execPath, [...given, 'bootstrap/node24.mjs', script], { env, encoding: 'utf8' });
    rmSync(root, { recursive: true });
    return JSON.parse(said);
  };

  it('by a flag at its start, in the same process (RUN-050)', () => {
    const [flag, limit] = boundOf(192, '--max-semi-space-size=4') as [string, number];
    expect(flag).toBe('--max-old-space-size=96');
    // The new space has three times its size.
    expect(limit).toBe(96 + 3 * 4);
  });

  it.each([
    ['more than that', 512, []],
    ['no bound', 17_592_186_044_416 / 2 ** 20, []],
    ['a bound that was given', 192, ['--max-old-space-size=150']],
  ] as const)('and not with %s (RUN-050)', (_, megabytes, flags) => {
    const [flag] = boundOf(megabytes, ...flags) as [string, number];
    expect(flag).not.toMatch(/^--max-old-space-size=(96|256)/);
  });
});

describe.skipIf(process.platform !== 'linux')('of the C library’s memory a program has', () => {
  const arenas = (given: Readonly<Record<string, string>>, ...more: readonly string[]) => {
    const root = mkdtempSync(join(tmpdir(), 'portolan-node24-'));
    const script = join(root, 'script.mjs');
    const shown = '{ arenas: process.env.MALLOC_ARENA_MAX, pid: process.pid, flags: process.execArgv }';
    writeFileSync(script, `console.log(JSON.stringify(${shown}));`);
    const { NODE_OPTIONS: _, MALLOC_ARENA_MAX: __, ...env } = process.env;
    const { stdout, pid } = spawnSync(process.execPath, [...more, 'bootstrap/node24.mjs', script], {
      env: { ...env, ...given },
      encoding: 'utf8',
    });
    rmSync(root, { recursive: true });
    return { said: JSON.parse(stdout) as unknown, pid };
  };

  it('two arenas, in the same process, with the flags that were given (RUN-051)', () => {
    const { said, pid } = arenas({}, '--max-semi-space-size=4');
    expect(said).toEqual({ arenas: '2', pid, flags: ['--max-semi-space-size=4'] });
  });

  it('those of the C library where the parent sends messages, which still arrive (RUN-051)', async () => {
    const root = mkdtempSync(join(tmpdir(), 'portolan-node24-'));
    const script = join(root, 'script.mjs');
    writeFileSync(script, "process.send(process.env.MALLOC_ARENA_MAX ?? 'not set');");
    const { NODE_OPTIONS: _, MALLOC_ARENA_MAX: __, ...env } = process.env;
    const child = fork('bootstrap/node24.mjs', [script], { env });
    const [message]: unknown[] = await once(child, 'message');
    child.disconnect();
    expect(message).toBe('not set');
    rmSync(root, { recursive: true });
  });

  it('as many as are given (RUN-051)', () => {
    expect(arenas({ MALLOC_ARENA_MAX: '8' }).said).toMatchObject({ arenas: '8' });
  });
});

/** Whether this process may give another one a process namespace of its own, as a container does. */
const canBeFirst = (() => {
  try {
    execFileSync('unshare', ['--pid', '--fork', 'true'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
})();

it.skipIf(!canBeFirst).each([
  ['without a handler of its own by the signal', "console.log('ready'); setInterval(() => {}, 1000);", 'SIGTERM', 143],
  [
    'with its own handler as that says',
    "process.on('SIGTERM', () => process.exit(7)); console.log('ready'); setInterval(() => {}, 1000);",
    'SIGTERM',
    7,
  ],
] as const)('the first process of a container ends %s (RUN-027)', async (_, source, signal, code) => {
  const root = mkdtempSync(join(tmpdir(), 'portolan-node24-'));
  mkdirSync(join(root, 'bootstrap'));
  copyFileSync('bootstrap/node24.mjs', join(root, 'bootstrap', 'node24.mjs'));
  writeFileSync(join(root, 'script.mjs'), source);
  const child = spawn(
    'unshare',
    ['--pid', '--fork', '--kill-child', process.execPath, 'bootstrap/node24.mjs', 'script.mjs'],
    { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const ended = once(child, 'close');
  await once(child.stdout, 'data');
  const [first = ''] = readFileSync(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8').split(' ');
  process.kill(Number(first), signal);
  expect(await ended).toEqual([code, null]);
  rmSync(root, { recursive: true });
});
