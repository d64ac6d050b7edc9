import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { citationsElsewhere, unknownNames } from '#test/architecture/citations.ts';

const rooms = ['domain', 'application', 'adapters', 'infrastructure', 'bootstrap', 'test'];
const paths = rooms
  .flatMap((room) => readdirSync(room, { recursive: true, encoding: 'utf8' }).map((name) => join(room, name)))
  .filter((path) => path.endsWith('.ts') && !path.startsWith(join('test', 'architecture', 'citations')));

describe('comments and titles', () => {
  it('cite a clause of docs/specification.md or an RFC, and no document that is not here', () => {
    const found = paths.flatMap((path) =>
      citationsElsewhere(readFileSync(path, 'utf8')).map((text) => `${path}: ${text}`),
    );
    expect(found).toEqual([]);
  });

  it.each([
    '/** How long a code lives, in seconds (contract, Limits). */',
    '/**\n * Not in\n * the contract: a bound of ours.\n */',
    '// The contract’s words.',
    '/** Who may call from where (decisions, Host and Origin). */',
    "it('known failure 3: a dead token is tried for ever', () => {});",
    "describe('npm run demo (issue: webhooks in)', () => {});",
    "it.each(rows)('contract, Limits: %s', () => {});",
    '// Mends a race (S3, F12).',
  ])('report a citation of anything else: %j', (source) => {
    expect(citationsElsewhere(source)).toHaveLength(1);
  });

  it.each([
    '/** A code is good for 600 s (CODE-005), a challenge is S256 (RFC 7636 §4.2). */',
    '/** What the contract note is to have. */',
    "const url = 'https://crm.example/contract, Limits';",
    "it('sets the status of the contract note (REACT-003)', () => {});",
  ])('report nothing in: %j', (source) => {
    expect(citationsElsewhere(source)).toEqual([]);
  });
});

describe('documents', () => {
  const documents = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...globSync('docs/**/*.md')];
  const words = new Set(paths.flatMap((path) => readFileSync(path, 'utf8').match(/\w+/g) ?? []));

  it('name no class or type that is not in the sources', () => {
    // Kubernetes’ own.
    const others = new Set([...words, 'ReadWriteMany']);
    const found = documents.flatMap((path) =>
      unknownNames(readFileSync(path, 'utf8'), others).map((name) => `${path}: ${name}`),
    );
    expect(found).toEqual([]);
  });

  it('that name one are found', () => {
    expect(unknownNames('`CarryItOut` applies the steps; `RunOperation.call` is there.', words)).toEqual([
      'CarryItOut',
    ]);
  });
});
