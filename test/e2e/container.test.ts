import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '#test/kit/free-port.ts';
import { type ImageFolder, imageFolder } from '#test/support/packages/image-folder.ts';
import { startServer, temporaryDataDir } from '#test/support/server/server-process.ts';

const dockerfile = readFileSync('Dockerfile', 'utf8').replaceAll('\\\n', '');
const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names = '']) => names.split(' '));
const sources = [...new Set(copied)];

/** What the image starts. */
const command: readonly string[] = JSON.parse(/^CMD (\[.*\])$/m.exec(dockerfile)?.[1] ?? '[]');

/** The health check's command, as the image runs it. */
const healthCheck: string[] = JSON.parse(/^HEALTHCHECK .*CMD (\[.*\])$/m.exec(dockerfile)?.[1] ?? '[]');

function healthCode(env: Readonly<Record<string, string>>): Promise<number> {
  const [, ...args] = healthCheck;
  return new Promise((resolve) => {
    execFile(process.execPath, args, { env }, (error) => resolve(error === null ? 0 : Number(error.code)));
  });
}

/** A package in an import, or in one that waits until it is called; types are not there when it runs. */
const importOf = /^(?!import type\b).*\bfrom '([^'#.][^']*)';$|\bimport\('([^'#.][^']*)'\)/gm;

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

  it('has every package that these folders import, without those of development', () => {
    const { dependencies }: { dependencies: Record<string, string> } = JSON.parse(readFileSync('package.json', 'utf8'));
    const rooms = ['domain', 'application', 'infrastructure', 'adapters', 'bootstrap'];
    const files = rooms.flatMap((room) =>
      readdirSync(room, { recursive: true, encoding: 'utf8' }).map((name) => join(room, name)),
    );
    const imported = files
      // The builder runs before the image is made.
      .filter((file) => file.endsWith('.ts') && !file.startsWith(join('bootstrap', 'build')))
      .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(importOf)])
      .map(([, one = '', other = '']) => one || other)
      .filter((name) => !name.startsWith('node:') && !builtinModules.includes(name))
      .map((name) =>
        name
          .split('/')
          .slice(0, name.startsWith('@') ? 2 : 1)
          .join('/'),
      );
    expect(imported.length).toBeGreaterThan(20);
    expect([...new Set(imported)].filter((name) => dependencies[name] === undefined)).toEqual([]);
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
      args.map((word) => (word.startsWith('--') ? word : join(image.folder, word))),
    );
    expect(await healthCode({ PORT })).toBe(0);
    await server.end('SIGTERM');
    expect(await healthCode({ PORT })).toBe(1);
    await folder.remove();
  });
});
