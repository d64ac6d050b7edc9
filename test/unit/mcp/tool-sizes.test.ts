import { readFile } from 'node:fs/promises';
import { beforeAll, describe, expect, it } from 'vitest';
import { type ListSize, measuredSizes, retold, sizesIn, tableOf } from '#test/support/mcp/tool-sizes.ts';

let measured: readonly ListSize[];

beforeAll(async () => {
  measured = await measuredSizes();
});

/** By hand: the choices that the document lists, and how many tools each leaves of all. */
const choices = [
  ['', 106],
  ['?readonly=1', 55],
  ['?mode=catalogue', 8],
  ['?mode=programs', 3],
  ['?services=sales_crm', 24],
  ['?services=signing', 11],
  ['?services=suite_crm', 15],
  ['?services=tracker', 28],
  ['?services=vault', 23],
] as const;

describe('the share of a context that a tool list takes', () => {
  it('is listed in docs/conformance.md within 5 %; run `node bootstrap/node24.mjs test/tools/tool-sizes.ts` to update it', async () => {
    const listed = sizesIn(await readFile('docs/conformance.md', 'utf8'));
    expect(listed.map(({ query, tools }) => [query, tools])).toEqual(choices);
    for (const [place, { query, tokens }] of listed.entries()) {
      const now = measured[place]?.tokens ?? 0;
      expect(Math.abs(tokens - now) / now, `${query} is listed as ${tokens}, and takes ${now}`).toBeLessThan(0.05);
    }
  });

  it('is at most 24,500 tokens for all tools, 12,000 for those that read, 2,000 for the catalogue, 1,000 for programs (TOOL-016)', () => {
    const [all, reading, catalogue, programs] = measured.map(({ tokens }) => tokens);
    expect(all).toBeLessThanOrEqual(24_500);
    expect(reading).toBeLessThanOrEqual(12_000);
    expect(catalogue).toBeLessThanOrEqual(2_000);
    expect(programs).toBeLessThanOrEqual(1_000);
  });

  it('is at most 21,200 tokens for the planned tools (TOOL-016)', async () => {
    const [planned] = await measuredSizes('contract');
    expect(planned).toMatchObject({ query: '', tools: 84 });
    expect(planned?.tokens).toBeLessThanOrEqual(21_200);
  });

  it('is less than a tenth for the catalogue of that for all tools', () => {
    const [all, , catalogue] = measured;
    expect(catalogue?.tokens).toBeLessThan((all?.tokens ?? 0) / 10);
  });

  it('is read from a document as it was written', () => {
    const readme = 'Before\n<!-- tool-sizes:begin -->\nold\n<!-- tool-sizes:end -->\nAfter\n';
    const sizes = [
      { query: '', tools: 84, tokens: 43_060 },
      { query: '?services=vault', tools: 16, tokens: 940 },
    ];
    const written = retold(readme, tableOf(sizes));
    expect(sizesIn(written)).toEqual([
      { query: '', tools: 84, tokens: 43_100 },
      { query: '?services=vault', tools: 16, tokens: 900 },
    ]);
    expect(written).toMatch(/^Before\n<!-- tool-sizes:begin -->\n\n\| tools .*\n\n<!-- tool-sizes:end -->\nAfter\n$/s);
  });
});
