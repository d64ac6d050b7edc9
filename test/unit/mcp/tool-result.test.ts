import { describe, expect, it } from 'vitest';
import { toolResult as resultOf } from '#adapters/mcp/results/tool-result.ts';
import { failed, failureReasons, type Outcome, succeeded } from '#domain/operations/outcome.ts';
import { estimateTokens } from '#domain/text/estimate-tokens.ts';
import { showing } from '#test/support/mcp/showing.ts';

const connectUrl = 'http://localhost:3000/page';
const toolResult = (outcome: Outcome) => resultOf(outcome, showing(null));
const textsOf = (result: ReturnType<typeof toolResult>) =>
  result.content.flatMap((part) => (part.type === 'text' ? part.text : []));
const textOf = (result: ReturnType<typeof toolResult>) => textsOf(result).join('\n');

describe('a success', () => {
  it('leaves Markdown unchanged, without structured content', () => {
    expect(toolResult(succeeded('# Acme\n\n"quoted"'))).toEqual({
      content: [{ type: 'text', text: '# Acme\n\n"quoted"' }],
    });
  });

  it('returns a record as JSON and as structured content', () => {
    expect(toolResult(succeeded({ id: 4, title: 'Acme' }))).toEqual({
      content: [{ type: 'text', text: '{"id":4,"title":"Acme"}' }],
      structuredContent: { id: 4, title: 'Acme' },
    });
  });

  it('returns a list under data, next to its pagination', () => {
    expect(toolResult(succeeded([1, 2], { next: 'c2', hasMore: true })).structuredContent).toEqual({
      data: [1, 2],
      pagination: { next: 'c2', hasMore: true },
    });
    expect(toolResult(succeeded(['a.md'])).structuredContent).toEqual({ data: ['a.md'] });
  });

  it.each([[null], [undefined]])('says that it is done when there is nothing to show (%s)', (data) => {
    expect(toolResult(succeeded(data))).toEqual({ content: [{ type: 'text', text: 'Done.' }] });
  });

  it.each([
    [true, 'true'],
    [0, '0'],
    ['', ''],
  ])('writes %j as text', (data, text) => {
    expect(toolResult(succeeded(data))).toEqual({ content: [{ type: 'text', text }] });
  });

  it('adds warnings after the text', () => {
    const result = toolResult({ ok: true, data: { id: 1 }, warnings: ['The label was not set.'] });
    expect(textsOf(result)).toEqual(['{"id":1}', 'Warning: The label was not set.']);
    expect(result.structuredContent).toEqual({ id: 1 });
  });

  it('cuts a long text and says so (TOOL-009)', () => {
    const result = toolResult(succeeded('A line of words.\n'.repeat(10_000)));
    const [shown = '', note] = textsOf(result);
    const lines = shown.split('\n').length;
    expect(shown.length).toBeGreaterThan(60_000);
    expect(estimateTokens(shown)).toBeLessThanOrEqual(20_002);
    expect(note).toBe(
      `[truncated] Only the first ${shown.length} of 170000 characters are shown, to line ${lines} of 10001. All of it is at http://localhost:3000/api/x, with the same bearer token.`,
    );
  });

  it('says where the next part of a long text begins, also where the answer was cut (TOOL-009)', () => {
    const part = (data: string, begin: number, of: number) =>
      textsOf(toolResult({ ok: true, data, part: { begin, end: begin + data.length, of } })).slice(1);
    expect(part('whole', 0, 5)).toEqual([]);
    expect(part('first', 0, 9)).toEqual(['[truncated] Characters 0 to 5 of 9. Go on with `from`: 5.']);
    expect(part('last', 5, 9)).toEqual(['Characters 5 to 9 of 9.']);
    const words = 'A line of words.\n'.repeat(10_000);
    const [shown = '', note] = textsOf(
      toolResult({ ok: true, data: words, part: { begin: 7, end: 170_007, of: 200_000 } }),
    );
    expect(words.startsWith(shown)).toBe(true);
    expect(note).toBe(
      `[truncated] Characters 7 to ${7 + shown.length} of 200000. Go on with \`from\`: ${7 + shown.length}.`,
    );
  });

  it('also says in the structured content that a record was cut', () => {
    const result = toolResult(succeeded({ id: 1, body: 'x'.repeat(250_000) }));
    expect(result.structuredContent).toMatchObject({ id: 1, truncated: expect.stringContaining('`body`') });
    expect(textOf(result)).toContain('[truncated]');
    expect(estimateTokens(textOf(result))).toBeLessThan(20_000);
  });
});

describe('a failure', () => {
  it('has one of fourteen reasons (ERR-003)', () => {
    const words =
      'approval_required declined expired invalid_input not_connected forbidden unauthorized not_found gone conflict rate_limited rejected unavailable too_large';
    expect(failureReasons.toSorted()).toEqual(words.split(' ').toSorted());
  });

  it.each(failureReasons)(
    'reports %s as an error with its reason, whether to try again, and a hint (TOOL-005)',
    (reason) => {
      const result = toolResult(failed(reason, 'What was wrong.'));
      expect(result.isError).toBe(true);
      expect(result.structuredContent).toEqual({
        reason,
        message: 'What was wrong.',
        retryable: reason === 'rate_limited' || reason === 'unavailable',
        hint: expect.stringMatching(/^[A-Z].{10,}\.$/),
        ...(reason === 'not_connected' || reason === 'unauthorized' ? { connectUrl } : {}),
        ...(reason === 'rate_limited' ? { retryAfterMs: 8_000 } : {}),
        ...(reason === 'unavailable' ? { sent: 'no' } : {}),
      });
      expect(textOf(result)).toContain(`What was wrong.\nreason: ${reason}\n`);
    },
  );

  it('says how long to wait (TOOL-005, ERR-004)', () => {
    const result = toolResult(failed('rate_limited', 'Slow down.', { retryAfterMs: 1500 }));
    expect(result.structuredContent).toMatchObject({ retryAfterMs: 1500 });
    expect(textOf(result)).toContain('retryAfterMs: 1500');
  });

  it("returns the provider's words as data only, and not all of a long answer (OP-007)", () => {
    const short = toolResult(failed('rejected', 'Refused.', { details: { code: 'INVALID_DATA' } }));
    expect(short.structuredContent).toMatchObject({ details: { code: 'INVALID_DATA' } });
    expect(textOf(short)).toContain('as data: {"details":{"code":"INVALID_DATA"}}');
    const long = toolResult(failed('rejected', 'Refused.', { details: 'x'.repeat(100_000) }));
    expect(textOf(long).length).toBeLessThan(5000);
  });
});
