import { readFile } from 'node:fs/promises';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { estimateTokens, startWithin } from '#domain/text/estimate-tokens.ts';

/** Texts with their length in tokens, counted with o200k_base itself. */
const vectors = z
  .array(z.strictObject({ name: z.string(), tokens: z.int(), text: z.string() }))
  .parse(JSON.parse(await readFile('test/vectors/tokens.json', 'utf8')));

describe('the estimate of tokens', () => {
  it.each(vectors)('is within 15 % of o200k for $name, and not below (TOOL-012)', ({ text, tokens }) => {
    expect(estimateTokens(text) / tokens).toBeGreaterThanOrEqual(1);
    expect(estimateTokens(text) / tokens).toBeLessThanOrEqual(1.15);
  });

  it('is nothing for an empty text', () => {
    expect(estimateTokens('')).toBe(0);
  });
});

describe('the start of a text within a number of tokens', () => {
  it('is the whole text if that fits, else its first words', () => {
    expect(startWithin('Call Bob', 3)).toBe('Call Bob');
    expect(startWithin('Call Bob about the offer', 4)).toBe('Call Bob about ');
  });

  it('never ends within a character, nor exceeds the number by more than the end that was cut', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), fc.integer({ min: 0, max: 60 }), (text, most) => {
        const start = startWithin(text, most);
        expect(text.startsWith(start)).toBe(true);
        expect(start.isWellFormed()).toBe(true);
        expect(estimateTokens(start)).toBeLessThanOrEqual(most + 2);
      }),
    );
  });

  it('holds as much as fits of a text without spaces', () => {
    const start = startWithin('a'.repeat(100_000), 1000);
    expect(start.length).toBeGreaterThan(2000);
  });
});
