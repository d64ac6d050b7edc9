import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { citedIn, clausesOf, repeatedOf, titledIn } from '#test/architecture/specification.ts';
import { allClauses } from '#test/kit/clauses.ts';

const textOf = (path: string): string => readFileSync(path, 'utf8');
const filesIn = (folder: string, ending: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => join(folder, name));

const isGate = (path: string): boolean => path.startsWith('test/architecture/specification');
const tests = filesIn('test', '.ts').filter((path) => !isGate(path));
const sources = ['domain', 'application', 'adapters', 'infrastructure', 'bootstrap'].flatMap((room) =>
  filesIn(room, '.ts'),
);
const documents = [...filesIn('docs', '.md'), ...readdirSync('.').filter((name) => name.endsWith('.md'))];

const { clauses, malformed } = clausesOf(textOf('docs/specification.md'));
const ids = clauses.map(({ id }) => id);
const groups = new Set(clauses.map(({ group }) => group));

describe('docs/specification.md', () => {
  it('has well-formed clauses, each below the heading of its group', () => {
    expect(malformed).toEqual([]);
    expect(ids.length).toBeGreaterThan(300);
  });

  it('uses each id once', () => {
    expect(repeatedOf(ids)).toEqual([]);
  });

  it('states each fact once per group', () => {
    expect(repeatedOf(clauses.map(({ group, text }) => `${group}: ${text}`))).toEqual([]);
  });

  it('has each clause cited by the title of a test, or by the contract kit, which runs against npm start', () => {
    const titled = tests.flatMap((path) => titledIn(textOf(path)));
    const named = new Set([...titled, ...allClauses.map(({ id }) => id)]);
    expect(ids.filter((id) => !named.has(id))).toEqual([]);
  });

  it('has every clause that is cited anywhere', () => {
    const known = new Set(ids);
    const unknown = [...tests, ...sources, ...documents].flatMap((path) =>
      citedIn(textOf(path), groups)
        .filter((id) => !known.has(id))
        .map((id) => `${path}: ${id}`),
    );
    expect(unknown).toEqual([]);
  });
});

describe('the gate', () => {
  it('reports a malformed clause, or one below another heading', () => {
    const markdown = [
      '## Codes (CODE)',
      '- **CODE-001** Stands here.',
      '- **CODE-2** Has a short number.',
      '- **PKCE-001** Stands elsewhere.',
      '- **CODE-003** does not begin as a sentence.',
      '- **CODE-004** Does not end as one',
      '## PKCE',
      '- **PKCE-002** Is ours alone. †',
    ];
    const found = clausesOf(markdown.join('\n'));
    expect(found.clauses.map(({ id }) => id)).toEqual(['CODE-001', 'PKCE-002']);
    expect(found.malformed).toEqual(markdown.slice(2, 6));
  });

  it('counts an id only at the end of a title', () => {
    const source = [
      "it('is refused (CODE-006)', () => {});",
      'it.each(rows)("%s (CODE-007, TOKEN-001)", () => {});',
      '// (CODE-008)',
      "it('names CODE-009 in passing', () => {});",
    ];
    expect(titledIn(source.join('\n'))).toEqual(['CODE-006', 'CODE-007', 'TOKEN-001']);
  });

  it("distinguishes ids of the specification's groups from others", () => {
    expect(citedIn('CODE-006, RFC-7636, CODE-0061, SHA-256', new Set(['CODE']))).toEqual(['CODE-006']);
  });

  it('reports repeated ids', () => {
    expect(repeatedOf(['a', 'b', 'a', 'a'])).toEqual(['a']);
  });
});
