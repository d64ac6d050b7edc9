import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { freePort } from '#test/kit/free-port.ts';
import { type ImageFolder, imageFolder } from '#test/support/packages/image-folder.ts';
import { lockSchema } from '#test/support/packages/lock-file.ts';
import { startServer, temporaryDataDir } from '#test/support/server/server-process.ts';

const dockerfile = readFileSync('Dockerfile', 'utf8').replaceAll('\\\n', '');
const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names = '']) => names.split(' '));
const sources = [...new Set(copied)];

/** What the image starts. */
const command: readonly string[] = JSON.parse(/^ENTRYPOINT (\[.*\])$/m.exec(dockerfile)?.[1] ?? '[]');

/** The health check's command, as the image runs it. */
const healthCheck: string[] = JSON.parse(/^HEALTHCHECK .*CMD (\[.*\])$/m.exec(dockerfile)?.[1] ?? '[]');

function healthCode(env: Readonly<Record<string, string>>): Promise<number> {
  const [, ...args] = healthCheck;
  return new Promise((resolve) => {
    execFile(process.execPath, args, { env }, (error) => resolve(error === null ? 0 : Number(error.code)));
  });
}

/** The members of a bill of materials of CycloneDX 1.6 that are there. */
const bomSchema = z.strictObject({
  $schema: z.literal('http://cyclonedx.org/schema/bom-1.6.schema.json'),
  bomFormat: z.literal('CycloneDX'),
  specVersion: z.literal('1.6'),
  version: z.literal(1),
  metadata: z.strictObject({
    component: z.looseObject({ type: z.literal('application'), name: z.literal('portolan') }),
  }),
  components: z.array(
    z.strictObject({
      type: z.literal('library'),
      'bom-ref': z.string(),
      name: z.string(),
      version: z.string(),
      scope: z.enum(['required', 'optional']),
      purl: z.string(),
      licenses: z.array(
        z.union([
          z.strictObject({ license: z.strictObject({ id: z.string() }) }),
          z.strictObject({ expression: z.string() }),
        ]),
      ),
      hashes: z
        .array(z.strictObject({ alg: z.literal('SHA-512'), content: z.string().regex(/^[0-9a-f]{128}$/) }))
        .optional(),
      properties: z.tuple([z.strictObject({ name: z.literal('portolan:place'), value: z.string() })]),
    }),
  ),
  dependencies: z.array(z.strictObject({ ref: z.string(), dependsOn: z.array(z.string()).optional() })),
});

describe('the Dockerfile', () => {
  const { version, license, description }: Record<string, string> = JSON.parse(readFileSync('package.json', 'utf8'));

  it('pins its base by digest, once for both stages (RUN-045)', () => {
    expect(dockerfile).toMatch(/^ARG NODE_IMAGE=node:24\.\d+\.\d+-slim@sha256:[0-9a-f]{64}$/m);
    const [first, second, ...more] = dockerfile.match(/^FROM .*$/gm) ?? [];
    expect(first).toMatch(/^FROM \$\{NODE_IMAGE\} AS build$/);
    expect(second).toMatch(/^FROM \$\{NODE_IMAGE\}$/);
    expect(more).toEqual([]);
  });

  it('says what the image is: title, version and licence are those of the package (RUN-045)', () => {
    const labels = new Map(
      [...dockerfile.matchAll(/org\.opencontainers\.image\.(\w+)="([^"]*)"/g)].map(([, name, value]) => [name, value]),
    );
    expect([...labels.keys()]).toEqual(['title', 'description', 'licenses', 'version', 'revision']);
    expect(labels.get('licenses')).toBe(license);
    expect(labels.get('version')).toMatch(/^\$\{VERSION\}$/);
    expect(description).toMatch(new RegExp(`^${labels.get('description')}:`));
    expect(/^ARG VERSION=(.+)$/m.exec(dockerfile)?.[1]).toBe(version);
  });

  it('runs as a user by number, whose group is free, and takes a command of portolan (RUN-045)', () => {
    expect(dockerfile).toMatch(/^USER 1000$/m);
    expect(dockerfile).toMatch(/install -d -o node -g root -m 770 \/data \/notes \/templates/);
    expect(dockerfile).not.toMatch(/^CMD/m);
  });
});

describe('the image', () => {
  let image: ImageFolder;
  beforeAll(async () => {
    image = await imageFolder(sources);
  });
  afterAll(() => image.remove());

  it('gets every folder that the server is built from, and .dockerignore admits only these', () => {
    expect(sources.every((name) => existsSync(name))).toBe(true);
    expect(sources).toEqual(
      expect.arrayContaining(['domain', 'application', 'infrastructure', 'adapters', 'bootstrap', '.npmrc']),
    );
    const passed = readFileSync('.dockerignore', 'utf8').match(/(?<=^!).+$/gm) ?? [];
    expect(passed.toSorted()).toEqual(sources.toSorted());
  });

  it('has the packages of its lock file, which are those that its files do not contain (PKG-009, PKG-010)', async () => {
    const read = (name: string): string => readFileSync(join(image.folder, name), 'utf8');
    const { dependencies, engines, ...rest }: { dependencies: object; engines: unknown } = JSON.parse(
      read('package.json'),
    );
    expect(Object.keys(rest).filter((name) => /^(?:dev|scripts|workspaces|imports)/.test(name))).toEqual([]);
    expect(engines).toEqual({ node: '>=24' });
    const licensed = [...read('dist/licenses.txt').matchAll(/^(@?[a-z][\w./-]*) \d+\.\d+\.\d+\S*$/gm)].map(
      ([, name]) => name,
    );
    expect(licensed).toEqual(expect.arrayContaining(['koa', 'got', '@mikro-orm/core', 'zod']));
    // A configuration imports zod to describe inputs; the program does not.
    expect(Object.keys(dependencies).filter((name) => licensed.includes(name))).toEqual(['zod']);
    const modules = readdirSync(join(image.folder, 'dist'), { recursive: true, encoding: 'utf8' });
    const texts = modules.filter((name) => /\.m?js$/.test(name)).map((name) => read(join('dist', name)));
    expect(texts.filter((text) => /from\s*["']zod["']/.test(text))).toEqual([]);
    const locked = Object.entries(lockSchema.parse(JSON.parse(read('package-lock.json'))).packages);
    expect(locked.length).toBeGreaterThan(50);
    expect(locked.filter(([path, { integrity }]) => path !== '' && integrity === undefined)).toEqual([]);
  });

  it('has a bill of materials of its files and of what is installed, the same at each build (PKG-011)', () => {
    const bom = bomSchema.parse(JSON.parse(readFileSync(join(image.folder, 'sbom.cdx.json'), 'utf8')));
    const places = (place: RegExp) =>
      bom.components
        .filter(({ properties: [{ value }] }) => place.test(value))
        .map(({ name, version }) => `${name} ${version}`);
    const licenses = readFileSync(join(image.folder, 'dist', 'licenses.txt'), 'utf8');
    const licensed = [...licenses.matchAll(/^@?[a-z][\w./-]* \d+\.\d+\.\d+\S*$/gm)].map(([line]) => line);
    expect(places(/^dist$/).toSorted()).toEqual([...new Set(licensed)].toSorted());
    const locked = lockSchema.parse(JSON.parse(readFileSync(join(image.folder, 'package-lock.json'), 'utf8'))).packages;
    expect(places(/^node_modules\//)).toHaveLength(Object.keys(locked).length - 1);
    expect(bom.components.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['koa', 'better-sqlite3', 'pg', 'zod']),
    );
    for (const { name, version, purl } of bom.components) {
      expect(decodeURIComponent(purl)).toBe(`pkg:npm/${name}@${version}`);
    }
    const refs = bom.components.map((component) => component['bom-ref']);
    expect(new Set(refs).size).toBe(refs.length);
    expect(bom.dependencies[0]?.dependsOn).toEqual(refs);
  });

  it('runs the package built from these files only, with a configuration, and is healthy while it answers, whatever its name (RUN-021)', async () => {
    const folder = await temporaryDataDir();
    const baseUrl = 'https://portolan.example.com';
    // Behind a name of its own its banner does not show the port, so that one is chosen.
    const PORT = String(await freePort());
    const PORTOLAN_CONFIG = join(image.folder, 'portolan.config.ts');
    writeFileSync(PORTOLAN_CONFIG, "import { defineConfig } from 'portolan';\nexport default defineConfig({});\n");
    const env = { HOST: '0.0.0.0', BASE_URL: baseUrl, DATA_DIR: folder.dataDir, PORT, PORTOLAN_CONFIG };
    const [program, ...args] = command;
    expect(program).toBe('node');
    const server = await startServer(
      env,
      args.map((word) => word.replace(/^\/app\//, `${image.folder}/`)),
    );
    expect(await healthCode({ PORT })).toBe(0);
    await server.end('SIGTERM');
    expect(await healthCode({ PORT })).toBe(1);
    await folder.remove();
  });
});
