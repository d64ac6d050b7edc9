import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const lines = ['domain', 'application', 'adapters', 'infrastructure', 'bootstrap'].flatMap((room) =>
  readdirSync(room, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(room, name))
    .flatMap((path) =>
      readFileSync(path, 'utf8')
        .split('\n')
        .map((line) => ({ path, line })),
    ),
);
const linesWith = (pattern: RegExp) => lines.filter(({ line }) => pattern.test(line));

/** Where each kind of secret is compared: the words that stand on such a line. */
const comparisons: readonly (readonly [string, RegExp])[] = [
  ['the verifier of PKCE', /challengeOf\(verifier\)/],
  ['the secret of a client', /\bclient\.secret, /],
  ['the signature of a delivery', /createHmac\('sha256', secret\)/],
  ['the token of a form', /token, keyedDigest\(/],
  ['the token of the metrics', /\bbearer !== null && /],
  ['the key of the embedded vault', /Bearer \$\{apiKey\}/],
];

describe('secrets are compared in constant time', () => {
  it('by one function, which is Node’s own comparison of digests of one length (PKCE-004)', () => {
    expect(linesWith(/timingSafeEqual\(/).map(({ path }) => path)).toEqual([join('domain', 'shared', 'equal.ts')]);
  });

  it.each(comparisons)('%s (PKCE-004)', (_, pattern) => {
    const found = linesWith(pattern);
    expect(found).not.toEqual([]);
    expect(found.filter(({ line }) => !/\bequal(?:To)?\(/.test(line))).toEqual([]);
  });
});
