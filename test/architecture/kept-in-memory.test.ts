import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const layers = ['domain', 'application', 'adapters', 'infrastructure', 'bootstrap'];
/** A field of an object or a value of a module that begins empty and takes entries; weak ones end with their keys. */
const growing =
  /(?:^ {2}(?:readonly )?#\w+|^(?:export )?const \w+|^ {4}this\.#\w+)(?::[^=\n]*)? =\s+new (?:Map|Set|LRUCache|ReadThrough)(?:<.*>)?\((?:\)|\{|entriesUpTo)/m;
/** What a module remembers of the last call. */
const remembered = /^let \w+: .* \| null = null;/m;
const localCache = /new (?:LRUCache|ReadThrough|PQueue)(?:<.*>)?\(/;

/** What ends with a request, a search, a job or an attempt; what is constant from the start. */
const ofOneCall: readonly string[] = [
  'adapters/http/answers/emails.ts',
  'adapters/input/check-input.ts',
  'adapters/mcp/tools/tool-index.ts',
  'adapters/mcp/tools/tool-words.ts',
  'adapters/programs/program-jobs.ts',
  'adapters/services/changes/change-rule.ts',
  'adapters/vault-folder/dql/dql-pages.ts',
  'adapters/services/definitions/aliases.ts',
  'application/programs/program-calls.ts',
  'application/programs/program-operations.ts',
  'application/webhooks/plan-entry.ts',
  'application/workspace/gathering.ts',
  'domain/programs/plan.ts',
  'domain/vault-queries/dql/field-values.ts',
  'domain/vault-queries/dql/list-fields.ts',
  'domain/vault-queries/pattern/search-pattern.ts',
];

const files = layers.flatMap((layer) =>
  readdirSync(layer, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts') && !`${layer}/${name}`.startsWith('bootstrap/build/'))
    .map((name) => `${layer}/${name.replaceAll('\\', '/')}`),
);
const keeping = files.filter((path) => {
  const text = readFileSync(path, 'utf8');
  return [growing, remembered, localCache].some((pattern) => pattern.test(text));
});
const section = /## Kept in memory\n([\s\S]*?)(?=\n## |$)/.exec(readFileSync('docs/storage.md', 'utf8'))?.[1] ?? '';
const rows = section
  .split('\n')
  .filter((line) => /^\| `|^\| .*`\w+\//.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()));
const listed = rows.flatMap(([, , paths = '']) => [...paths.matchAll(/`([\w./-]+)`/g)].map(([, path = '']) => path));

describe('what is kept in memory from one request to the next', () => {
  it('is found in the sources at all', () => {
    expect(keeping.length).toBeGreaterThan(60);
    expect(keeping).toContain('adapters/stores/cached-stores.ts');
    expect(keeping).toContain('infrastructure/memory/read-through.ts');
  });

  it('is listed with its bound in docs/storage.md, all of it', () => {
    expect(keeping.filter((path) => !listed.includes(path) && !ofOneCall.includes(path)).sort()).toEqual([]);
    for (const [, what, , bound] of rows) expect([what, bound?.length]).not.toContain(0);
  });

  it('is listed while it is there, and once', () => {
    expect([...listed, ...ofOneCall].filter((path) => !keeping.includes(path)).sort()).toEqual([]);
    expect(listed.filter((path, index) => listed.indexOf(path) !== index)).toEqual([]);
    expect(listed.filter((path) => ofOneCall.includes(path))).toEqual([]);
  });
});
