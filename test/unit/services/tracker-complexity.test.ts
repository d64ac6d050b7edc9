import { describe, expect, it } from 'vitest';
import { complexityOf } from '#adapters/services/tracker/neutral/complexity.ts';

describe('complexity points', () => {
  it('are a tenth for a plain field and one for an object', () => {
    expect(complexityOf('query viewer { viewer { id name organization { id } } }', 50)).toBe(2.3);
  });

  it('count the nodes of a connection by its page size, and its page information once', () => {
    const document = 'query teams($n: Int) { teams(first: 10) { nodes { id key } pageInfo { hasNextPage } } }';
    expect(complexityOf(document, 50)).toBe(14.1);
  });

  it('use the size of a page that is a variable', () => {
    const document = 'query teams($first: Int) { teams(first: $first) { nodes { id } } }';
    expect(complexityOf(document, 4)).toBe(5.4);
  });

  it('multiply through nested connections', () => {
    const document = '{ teams(first: 2) { nodes { states(first: 3) { nodes { id } } } } }';
    expect(complexityOf(document, 50)).toBe(11.6);
  });

  it('ignore braces in default values', () => {
    expect(complexityOf('query a($f: F = {name: {eq: ""}}) { users(first: 1, filter: $f) { nodes { id } } }', 50)).toBe(
      2.1,
    );
  });
});
