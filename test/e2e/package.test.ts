import { execFile } from 'node:child_process';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { parseSync } from 'rolldown/utils';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeRelease } from '#test/release/make-release.ts';
import { type UnpackedPackage, unpackedPackage } from '#test/support/packages/unpacked-package.ts';
import { programEnvironment } from '#test/support/server/program-environment.ts';
import { startServer } from '#test/support/server/server-process.ts';

let unpacked: UnpackedPackage;
beforeAll(async () => {
  unpacked = await unpackedPackage();
});
afterAll(() => unpacked.remove());

type Ended = Readonly<{ code: number; out: string; err: string }>;

const program = () => join(unpacked.folder, 'dist', 'bin.mjs');

function node(args: readonly string[], cwd: string): Promise<Ended> {
  return new Promise((ended) => {
    execFile(process.execPath, args, { cwd, env: programEnvironment() }, (error, out, err) =>
      ended({ code: error === null ? 0 : Number(error.code), out, err }),
    );
  });
}

const portolan = (...args: readonly string[]) => node([program(), ...args], unpacked.consumer);

/** What a module imports by name, however it is written: packages and modules of Node. */
function imported(path: string, text: string): readonly string[] {
  const { staticImports, staticExports, dynamicImports } = parseSync(path, text).module;
  const exported = staticExports.flatMap(({ entries }) => entries.flatMap(({ moduleRequest }) => moduleRequest ?? []));
  const named = [...staticImports.map(({ moduleRequest }) => moduleRequest), ...exported].map(({ value }) => value);
  const later = dynamicImports.flatMap(({ moduleRequest: { start, end } }) =>
    [...text.slice(start, end).matchAll(/^(["'`])([^"'`$]+)\1$/g)].map(([, , name = '']) => name),
  );
  return [...named, ...later].filter((name) => !name.startsWith('.'));
}

describe('the packed package', () => {
  it('has fewer than 250 files, JavaScript with source maps and types, and no tests (PKG-001)', () => {
    expect(unpacked.files.length).toBeLessThan(250);
    expect(unpacked.files.filter((path) => /\.test\.|^test\/|\.ts$/.test(path) && !path.endsWith('.d.ts'))).toEqual([]);
    const entries = ['cli/portolan', 'index', 'testing', 'contracts/clients'].map((name) => `dist/${name}.js`);
    expect(unpacked.files).toEqual(expect.arrayContaining(entries.flatMap((path) => [path, `${path}.map`])));
  });

  it('has types by the names of the sources, in all their files (PKG-006)', async () => {
    const paths = unpacked.files.filter((path) => path.endsWith('.d.ts'));
    const texts = await Promise.all(paths.map((path) => readFile(join(unpacked.folder, path), 'utf8')));
    const lists = texts.flatMap((text) => [...text.matchAll(/^(?:import|export)(?: type)? \{([^}]*)\}/gm)]);
    const names = lists.flatMap(([, list = '']) => list.split(',').map((name) => name.trim()));
    expect(names.length).toBeGreaterThan(100);
    expect(names.filter((name) => /^(?:type )?[\w$]{1,2} as /.test(name))).toEqual([]);
  });

  it('is the same byte for byte in each build, and a release has it with notes, licences and checksums (PKG-013, PKG-014)', async () => {
    const place = await mkdtemp(join(tmpdir(), 'portolan-release-'));
    // As deep as the first build, since source maps have relative paths.
    const { version, files, errors } = await makeRelease(join(place, 'release'), join(place, 'package'));
    expect([...files.keys()]).toEqual([
      'notes.md',
      `portolan-${version}.cdx.json`,
      `portolan-${version}.licenses.txt`,
      `portolan-${version}.tgz`,
    ]);
    expect(files.get(`portolan-${version}.tgz`)).toBe(unpacked.sha256);
    expect(errors.filter((error) => !error.includes('unreleased'))).toEqual([]);
    const sums = await readFile(join(place, 'release', 'SHA256SUMS'), 'utf8');
    expect(sums).toBe([...files].map(([name, hash]) => `${hash}  ${name}\n`).join(''));
    expect(await readFile(join(place, 'release', 'notes.md'), 'utf8')).toMatch(/^# Portolan [\d.]+\n\n\S/);
    expect(await readFile(join(place, 'release', `portolan-${version}.cdx.json`), 'utf8')).toBe(
      await readFile(join(unpacked.folder, 'sbom.cdx.json'), 'utf8'),
    );
    await rm(place, { recursive: true });
  });

  it('imports nothing that its installation does not bring (PKG-002)', async () => {
    const { dependencies }: { dependencies: Record<string, string> } = JSON.parse(
      await readFile(join(unpacked.folder, 'package.json'), 'utf8'),
    );
    // The ORM asks whether the last two are there, and does without them.
    const brought = new Set([...Object.keys(dependencies), 'portolan', 'dataloader', 'tinyglobby']);
    const modules = unpacked.files.filter((path) => /\.(?:m?js|d\.ts)$/.test(path) && !path.includes('/static/'));
    const names = new Set<string>();
    for (const path of modules) {
      for (const name of imported(path, await readFile(join(unpacked.folder, path), 'utf8'))) names.add(name);
    }
    // By an import of each kind: of a module, of one loaded later, of types.
    expect([...names]).toEqual(expect.arrayContaining(['koa-compose', 'koa-bodyparser', 'zod']));
    const nameOf = (specifier: string): string =>
      specifier
        .split('/')
        .slice(0, specifier.startsWith('@') ? 2 : 1)
        .join('/');
    const unknown = [...names].filter((name) => !name.startsWith('node:') && !builtinModules.includes(name));
    expect(unknown.filter((name) => !brought.has(nameOf(name)))).toEqual([]);
  });

  it('has the license of each package that it contains (PKG-008)', async () => {
    const maps = unpacked.files.filter((path) => path.endsWith('.js.map'));
    const names = new Set<string>();
    for (const path of maps) {
      const { sources }: { sources: readonly string[] } = JSON.parse(
        await readFile(join(unpacked.folder, path), 'utf8'),
      );
      for (const source of sources) {
        const [, name] = /\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source) ?? [];
        if (name !== undefined) names.add(name);
      }
    }
    expect([...names]).toEqual(expect.arrayContaining(['@inversifyjs/core', '@mikro-orm/core', 'kysely']));
    const licenses = await readFile(join(unpacked.folder, 'dist', 'licenses.txt'), 'utf8');
    for (const name of names) expect(licenses).toMatch(new RegExp(`^${name} \\d[^]*?(?:MIT|ISC|Permission)`, 'm'));
  });

  it('starts the server in an empty folder, with its pages and files (PKG-003)', async () => {
    const dataDir = join(unpacked.consumer, 'server');
    const server = await startServer({ DATA_DIR: dataDir }, [program()]);
    expect(server.output).toMatch(/^Starting…\n/);
    expect((await fetch(`${server.baseUrl}/healthz`)).status).toBe(200);
    const page = await (await fetch(`${server.baseUrl}/login`)).text();
    const [, stylesheet = ''] = /<link rel="stylesheet" href="([^"]+)"/.exec(page) ?? [];
    expect((await fetch(new URL(stylesheet, server.baseUrl))).headers.get('content-type')).toContain('text/css');
    expect(await server.end('SIGTERM')).toBe(0);
  });

  it('serves a user on standard input and output, and does long work in its threads (PKG-003)', async () => {
    const client = new Client({ name: 'test', version: '1' });
    const env = {
      ...programEnvironment(),
      DATA_DIR: join(unpacked.consumer, 'stdio'),
      PORTOLAN_EMAIL: 'admin@localhost',
    };
    const transport = new StdioClientTransport({
      command: process.execPath,
      args: [program(), 'stdio'],
      env,
      stderr: 'pipe',
    });
    await client.connect(transport);
    const { version }: { version: string } = JSON.parse(await readFile('package.json', 'utf8'));
    expect(client.getServerVersion()).toMatchObject({ name: 'portolan', version });
    // So long that the heading is looked for in a thread.
    const content = `# Long\n\n${'All work and no play.\n'.repeat(10_000)}`;
    await client.callTool({ name: 'vault_note_write', arguments: { path: 'Long.md', content } });
    const patch = {
      path: 'Long.md',
      operation: 'append',
      target_type: 'heading',
      target: 'Long',
      content: 'The end.\n',
    };
    expect(await client.callTool({ name: 'vault_note_patch', arguments: patch })).not.toMatchObject({ isError: true });
    await client.close();
  });

  it('has the commands of the clone, and describes them in its own words (PKG-004)', async () => {
    expect((await portolan('doctor')).out).toContain('✓ Settings: they fit');
    expect(await portolan('user', 'list')).toMatchObject({
      code: 0,
      out: expect.stringContaining('Add one with the command add'),
    });
    expect(await portolan('keys', 'status')).toMatchObject({ code: 0 });
    expect(await portolan('webhooks', 'list')).toMatchObject({ code: 0, out: 'There are no such deliveries.\n' });
    expect((await portolan('user', '--help')).out).toContain('Usage: portolan user ');
    const contract = join(unpacked.folder, 'dist', 'contract-bin.mjs');
    expect((await node([contract, '--list'], unpacked.consumer)).out).toMatch(/^[A-Z]+-\d{3}/m);
    expect(await node([contract, '--self-test'], unpacked.consumer)).toEqual({
      code: 2,
      out: '',
      err: '--self-test needs --config target.json: the target of a clone does not come with the package.\n',
    });
    expect((await portolan('--help')).out).toContain('portolan stdio ');
    expect(await portolan('docter')).toEqual({
      code: 2,
      out: '',
      err: 'There is no command docter. Did you mean portolan doctor? Run portolan --help for a list.\n',
    });
  });

  it('tells an older Node in one sentence where Node 24 comes from (PKG-005)', async () => {
    const alone = await mkdtemp(join(tmpdir(), 'portolan-alone-'));
    for (const name of ['bin.mjs', 'node24.mjs'])
      await copyFile(join(unpacked.folder, 'dist', name), join(alone, name));
    const older = 'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.20.2" } });';
    const said = await node(
      ['--import', `data:text/javascript,${encodeURIComponent(older)}`, join(alone, 'bin.mjs')],
      alone,
    );
    expect(said).toMatchObject({ code: 1, out: '' });
    expect(said.err).toMatch(/^Portolan runs on Node 24, and this is Node 20\.20\.2.*: [^.]*install Node 24.*\.\n$/);
    for (const platform of ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64', 'win32-x64']) {
      expect(said.err).toContain(platform);
    }
    await rm(alone, { recursive: true });
  });

  it('has types that hold for a consumer, and what it exports works there (PKG-006)', async () => {
    await writeFile(join(unpacked.consumer, 'package.json'), '{ "type": "module" }');
    await writeFile(join(unpacked.consumer, 'tsconfig.json'), JSON.stringify(consumerSettings));
    await writeFile(join(unpacked.consumer, 'consumer.ts'), consumerText);
    const compiler = resolve('node_modules/typescript/lib/tsc.js');
    const checked = await node([compiler, '-p', '.', '--singleThreaded'], unpacked.consumer);
    expect(checked).toEqual({ code: 0, out: '', err: '' });
    const ran = await node(['--test', '--test-reporter=tap', 'consumer.ts'], unpacked.consumer);
    expect(ran.code, `${ran.out}${ran.err}`).toBe(0);
    expect(ran.out).toMatch(/# pass [1-9]\d*\n# fail 0\n/);
  });
});

const consumerSettings = {
  compilerOptions: {
    module: 'nodenext',
    target: 'es2024',
    types: ['node'],
    strict: true,
    skipLibCheck: false,
    noEmit: true,
  },
  files: ['consumer.ts'],
};

/** What somebody writes who builds on the package. */
const consumerText = `
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'node:test';
import { createPortolan, defineConfig, type Portolan } from 'portolan';
import { clientsContract } from 'portolan/contracts/clients';
import type { Clients } from 'portolan/ports';
import { defineService, on, type ServiceKey } from 'portolan/service';
import { MemoryClients, memoryStores, openEmulators } from 'portolan/testing';

const clients: Clients = new MemoryClients();
const key: ServiceKey = 'tracker';
// @ts-expect-error: a store of clients is none of users
defineConfig({ stores: () => ({ users: new MemoryClients() }) });

clientsContract({ describe, it, beforeEach, afterEach }, {
  name: 'memory',
  open: async ({ max }) => ({ port: new MemoryClients(max), close: async () => {} }),
  supports: { durable: false, processes: false },
});

it('the exports are there', () => {
  assert.deepEqual([defineService, on, clients.find].map((one) => typeof one), ['function', 'function', 'function']);
  assert.equal(key, 'tracker');
});

it('an emulated service answers as it was set up, and keeps the requests it received', async () => {
  const emulators = await openEmulators('127.0.0.1:0');
  const tracker = emulators.of('tracker');
  tracker.script(() => true, { status: 418, body: { short: true } });
  assert.equal((await fetch(tracker.url + '/graphql?a=1', { method: 'POST', body: '{"query":"{}"}' })).status, 418);
  assert.deepEqual(tracker.received.map(({ method, path, json }) => [method, path, json]), [['POST', '/graphql', { query: '{}' }]]);
  await emulators.close();
});

it('a server with stores in memory opens, listens, answers and stops', async () => {
  const config = defineConfig({ stores: () => memoryStores() });
  const portolan: Portolan = await createPortolan({ ...config, settings: { DATA_DIR: 'mounted', PORT: '0', LOG_LEVEL: 'error' } });
  const { port } = await portolan.listen();
  assert.equal((await fetch(\`http://127.0.0.1:\${port}/healthz\`)).status, 200);
  await portolan.stop();
});
`;
