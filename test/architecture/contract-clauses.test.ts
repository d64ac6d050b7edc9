import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { repeatedOf } from '#test/architecture/specification.ts';
import { suites } from '#test/support/contracts/suites.ts';
import { clausesSchema, documentOf, listed, statedBy } from '#test/tools/contract-clauses.ts';

const { clauses } = clausesSchema.parse(JSON.parse(readFileSync('test/contracts/clauses.json', 'utf8')));
const stated = suites.flatMap((suite) => statedBy(suite).clauses);

describe('the contracts of the ports', () => {
  it('are all listed', () => {
    const files = readdirSync('test/contracts').filter((name) => name.endsWith('.ts'));
    expect(suites.map(({ file }) => `${file}.ts`).toSorted()).toEqual(files.toSorted());
  });

  it('have a clause for each test, with a unique id', () => {
    expect(suites.flatMap((suite) => statedBy(suite).untitled)).toEqual([]);
    expect(repeatedOf(stated.map(({ id }) => id))).toEqual([]);
  });

  it('match test/contracts/clauses.json: run npm run clauses, and check that no number changed its meaning', () => {
    const there = clauses.filter(({ until }) => until === undefined);
    expect(there.map(({ id, port, text }) => ({ id, port, text }))).toEqual(stated);
    expect(repeatedOf(clauses.map(({ id }) => id))).toEqual([]);
  });

  it('match docs/contracts.md: run npm run clauses', () => {
    expect(readFileSync('docs/contracts.md', 'utf8')).toBe(documentOf(clauses));
  });

  it('import node:assert/strict and types, and nothing else, but for the gateway that drives a vendor', () => {
    const files = readdirSync('test/contracts', { recursive: true, encoding: 'utf8' }).filter(
      (name) => name.endsWith('.ts') && name !== 'kit/vendor-stage.ts',
    );
    const imports = files.flatMap((name) => {
      const text = readFileSync(`test/contracts/${name}`, 'utf8');
      return [...text.matchAll(/^import (?!type )[^;]*? from '([^']+)';/gm)].map(([, from = '']) => from);
    });
    expect(imports.filter((from) => from !== 'node:assert/strict' && !from.startsWith('#test/contracts/'))).toEqual([]);
  });
});

describe('the list of clauses', () => {
  const one = { id: 'USERS-001', port: 'users', text: 'has users' };

  it('keeps the release of a clause, and marks a removed one', () => {
    const known = listed([], [one, { ...one, id: 'USERS-002' }], '0.2.0');
    expect(listed(known, [one, { ...one, id: 'USERS-003' }], '0.3.0')).toEqual([
      { ...one, since: '0.2.0' },
      { ...one, id: 'USERS-003', since: '0.3.0' },
      { ...one, id: 'USERS-002', since: '0.2.0', until: '0.3.0' },
    ]);
  });

  it('gives no number twice', () => {
    const gone = listed(listed([], [one], '0.2.0'), [], '0.3.0');
    expect(() => listed(gone, [one], '0.4.0')).toThrow('USERS-001 was taken out once');
  });
});
