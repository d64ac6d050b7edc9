import { copyFile, mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { buildPackage } from '#bootstrap/build/build-package.ts';
import type { Bench, Row } from '#test/bench/bench.ts';
import { medianOf, type Round } from '#test/bench/compare.ts';
import { type Program, startUp } from '#test/bench/start-up.ts';
import { temporaryDataDir } from '#test/support/server/server-process.ts';

/** The packages that a server and one on standard input and output are made of, whether they are loaded at once or when they are needed. */
const shared = ['@fastify/busboy', '@mikro-orm/core', '@mikro-orm/migrations', '@mikro-orm/sqlite', '@node-rs/argon2'];
shared.push('better-sqlite3', 'eta', 'got', 'helmet', 'inversify', 'jose', 'kysely', 'lru-cache', 'p-queue', 'pino');
shared.push('piscina', 'rate-limiter-flexible', 'raw-body', 'yaml', 'zod');
const ofServer = ['@koa/router', 'koa', 'koa-bodyparser', 'prom-client'];

const rounds = Number(process.env['BENCH_ROUNDS'] ?? 5);
const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'bench', version: '1' } },
};

/** From the start of the process to ready, beside a process that imports the same packages: a ratio of 0.83 is 1.2 times as long. */
export const bench: Bench = {
  name: 'start',
  run: async () => {
    const { dataDir, remove } = await temporaryDataDir();
    // Below node_modules, where the packages are found.
    const folder = resolve('node_modules/.cache/bench-package');
    await mkdir(folder, { recursive: true });
    await copyFile('package.json', join(folder, 'package.json'));
    await buildPackage(join(folder, 'dist'));
    const clone = ['bootstrap/node24.mjs'];
    const env = { DATA_DIR: dataDir, PORT: '0', LOG_LEVEL: 'warn', PORTOLAN_EMAIL: 'admin@localhost' };
    const server = { env, ready: 'Ctrl-C' };
    const stdio = { env, ready: '"serverInfo"', input: `${JSON.stringify(initialize)}\n` };
    const packaged = join(folder, 'dist', 'bin.mjs');
    const programs: readonly [string, Program, readonly string[]][] = [
      ['server, clone', { ...server, args: [...clone, 'bootstrap/main.ts'] }, [...shared, ...ofServer]],
      ['server, package', { ...server, args: [packaged] }, [...shared, ...ofServer]],
      ['stdio, clone', { ...stdio, args: [...clone, 'bootstrap/stdio.ts'] }, shared],
      ['stdio, package', { ...stdio, args: [packaged, 'stdio'] }, shared],
    ];
    const rows: Row[] = [];
    for (const [name, program, packages] of programs) rows.push(await beside(name, program, importing(packages)));
    await remove();
    return rows;
  },
};

/** Measures starts of both in turns. The first ones, which make the database and fill caches, do not count. */
async function beside(name: string, program: Program, bare: Program): Promise<Row> {
  await startUp(program);
  await startUp(bare);
  const measured: Round[] = [];
  for (let round = 0; round < rounds; round += 1) {
    measured.push({ bare: await startUp(bare), target: await startUp(program) });
  }
  return medianOf(`start: ${name}`, measured);
}

/** A process that imports packages, and does nothing else. */
function importing(packages: readonly string[]): Program {
  const imports = packages.map((name) => `import('${name}')`).join(', ');
  const text = `await Promise.all([${imports}]); process.stdout.write('imported'); setInterval(() => {}, 60_000);`;
  return { args: ['--input-type=module', '-e', text], env: {}, ready: 'imported' };
}
