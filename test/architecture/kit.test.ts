import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { foreignImports } from '#test/architecture/kit-rules.ts';
import { clausesOf, repeatedOf } from '#test/architecture/specification.ts';
import { keyOf } from '#test/kit/clause.ts';
import { allClauses } from '#test/kit/clauses.ts';

const sources = readdirSync('test/kit', { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') || name.endsWith('.mjs'))
  .map((name) => join('test/kit', name));

const document = readFileSync('docs/specification.md', 'utf8');
const own = new Set([...document.matchAll(/^- \*\*([A-Z]+-\d{3})\*\* .* †$/gmu)].map(([, id]) => id));

describe('the contract kit', () => {
  it('imports nothing of the product, and only zod from npm (KIT-001)', () => {
    const found = sources.flatMap((path) =>
      foreignImports(readFileSync(path, 'utf8')).map((name) => `${path}: ${name}`),
    );
    expect(sources.length).toBeGreaterThan(20);
    expect(found).toEqual([]);
  });

  it('names clauses of docs/specification.md only, and each check once', () => {
    const known = new Set(clausesOf(document).clauses.map(({ id }) => id));
    expect(allClauses.filter(({ id }) => !known.has(id)).map(keyOf)).toEqual([]);
    expect(repeatedOf(allClauses.map(keyOf))).toEqual([]);
  });

  it('holds no server to a choice of this project', () => {
    const demanded = allClauses.filter(({ level }) => level === 'contract');
    expect(demanded.filter(({ id }) => own.has(id)).map(keyOf)).toEqual([]);
  });

  it.each([
    ["import { ok } from '#domain/shared/result.ts';"],
    ["import type { Settings } from '#bootstrap/config/settings.ts';"],
    ["import got from 'got';"],
    ["import '#test/support/form.ts';"],
    ["const z = await import('koa');"],
  ])('fails if it imports %s', (text) => {
    expect(foreignImports(text)).toHaveLength(1);
  });
});
