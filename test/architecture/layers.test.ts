import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type SourceFile, violations } from '#test/architecture/layer-rules.ts';

const rooms = ['domain', 'application', 'adapters', 'infrastructure', 'bootstrap'];
const sources: SourceFile[] = rooms.flatMap((room) =>
  readdirSync(room, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(room, name))
    .map((path) => ({ path, text: readFileSync(path, 'utf8') })),
);

describe('the dependency rule: domain ← application ← adapters → infrastructure; bootstrap sees all', () => {
  it('is checked over all source files', () => {
    for (const room of rooms) expect(sources.some(({ path }) => path.startsWith(`${room}/`))).toBe(true);
  });

  it('holds in every file', () => {
    expect(sources.flatMap(violations)).toEqual([]);
  });

  it('is kept by the starters, which name no file of the tests', () => {
    const starters = globSync('bootstrap/*.mjs');
    expect(starters).not.toEqual([]);
    expect(starters.filter((path) => /['"`/]test\//.test(readFileSync(path, 'utf8')))).toEqual([]);
  });
});

describe('a folder whose files are ordered by subject', () => {
  it.each(['adapters/http', 'bootstrap'])('has at most 16 files at the top level of %s', (folder) => {
    const files = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
    expect(files.map(({ name }) => name).slice(16)).toEqual([]);
  });
});

describe('a planted violation is caught', () => {
  const planted: [string, string, string][] = [
    ['the domain imports the application', 'domain/a.ts', "import { b } from '#application/b.ts';"],
    ['the domain imports an adapter', 'domain/a.ts', "import type { b } from '#adapters/http/b.ts';"],
    ['the domain imports a package', 'domain/a.ts', "import { z } from 'zod';"],
    ['the domain imports Node beyond crypto', 'domain/a.ts', "import { readFileSync } from 'node:fs';"],
    ['the domain exports from a package', 'domain/a.ts', "export { z } from 'zod';"],
    ['the domain imports lazily', 'domain/a.ts', "const z = await import('zod');"],
    ['the application imports an adapter', 'application/a.ts', "import { b } from '#adapters/memory/b.ts';"],
    ['the application imports infrastructure', 'application/a.ts', "import { b } from '#infrastructure/time/b.ts';"],
    ['the application imports a package', 'application/a.ts', "import got from 'got';"],
    ['the application imports Node', 'application/a.ts', "import { createHmac } from 'node:crypto';"],
    ['infrastructure imports the domain', 'infrastructure/a.ts', "import { b } from '#domain/shared/result.ts';"],
    ['infrastructure imports an adapter', 'infrastructure/a.ts', "import { b } from '#adapters/http/b.ts';"],
    ['an adapter imports bootstrap', 'adapters/http/a.ts', "import { b } from '#bootstrap/config/settings.ts';"],
    ['an adapter imports a sibling', 'adapters/http/a.ts', "import { b } from '#adapters/mcp/b.ts';"],
    ['what adapters share imports one', 'adapters/input/a.ts', "import { b } from '#adapters/http/b.ts';"],
    [
      'a service imports another',
      'adapters/services/vault/a.ts',
      "import { b } from '#adapters/services/tracker/b.ts';",
    ],
    [
      'the shared part of the services imports one',
      'adapters/services/a.ts',
      "import { b } from '#adapters/services/vault/b.ts';",
    ],
    [
      'what the services share by subject imports one',
      'adapters/services/requests/a.ts',
      "import { b } from '#adapters/services/vault/b.ts';",
    ],
    [
      'a folder of adapters/mcp imports one above it',
      'adapters/mcp/protocol/a.ts',
      "import { b } from '#adapters/mcp/tools/b.ts';",
    ],
    ['a step of HTTP imports a page', 'adapters/http/middleware/a.ts', "import { b } from '#adapters/http/home/b.ts';"],
    ['inversify outside bootstrap', 'adapters/http/a.ts', "import { Container } from 'inversify';"],
    ['a relative import', 'domain/oauth/a.ts', "import { b } from './b.ts';"],
    ['an import without extension', 'domain/oauth/a.ts', "import { b } from '#domain/oauth/b';"],
    ['an import of the tests', 'bootstrap/a.ts', "import { b } from '#test/support/b.ts';"],
    ['a program of the tests is run', 'bootstrap/a.ts', "spawn('node', ['test/tools/b.ts']);"],
    ['a folder of the tests is read', 'bootstrap/a.ts', "readdirSync(join(root, 'test', 'demo'));"],
    [
      'a file of the tests is found from here',
      'adapters/http/a.ts',
      'new URL(`../../test/demo/b.ts`, import.meta.url);',
    ],
    ['an import over several lines', 'domain/a.ts', "import {\n  z,\n} from 'zod';"],
    ['an index file', 'domain/oauth/index.ts', ''],
    [
      'the MCP SDK outside adapters/mcp',
      'adapters/services/a.ts',
      "import { b } from '@modelcontextprotocol/sdk/types.js';",
    ],
  ];

  it.each(planted)('%s', (_, path, text) => {
    expect(violations({ path, text })).toHaveLength(1);
  });

  it('and an allowed import is accepted', () => {
    const text = ["import { hash } from 'node:crypto';", "import { ok } from '#domain/shared/result.ts';"].join('\n');
    expect(violations({ path: 'domain/oauth/pkce.ts', text })).toEqual([]);
    const shared = "import { b } from '#adapters/input/b.ts';";
    expect(violations({ path: 'adapters/http/a.ts', text: shared })).toEqual([]);
    const service = "import { z } from 'zod';\nimport { get } from '#adapters/services/requests/request-rows.ts';";
    expect(violations({ path: 'adapters/services/vault/operations.ts', text: service })).toEqual([]);
  });
});
