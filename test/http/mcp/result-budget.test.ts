import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { estimateTokens } from '#domain/text/estimate-tokens.ts';
import { post } from '#test/support/mcp/mcp-clients.ts';
import { type AnsweringHarness, openAnsweringHarness } from '#test/support/services/answering-harness.ts';

// The whole server over its own HTTP, before providers that answer more than a model should be sent.

const resultSchema = z.looseObject({
  content: z.array(z.object({ type: z.literal('text'), text: z.string() })),
  structuredContent: z.looseObject({}).optional(),
  isError: z.boolean().optional(),
});

const issues = (count: number) =>
  Array.from({ length: count }, (_, number) => ({
    id: `b1e0f9a2-${number}`,
    identifier: `WEB-${number}`,
    title: `Prices of page ${number} are shown without tax`,
  }));

/** Calls a tool; `version` is the client's revision of the protocol. */
async function call(
  harness: AnsweringHarness,
  name: string,
  args: object,
  { query = '', version = '2025-06-18' }: Readonly<{ query?: string; version?: string }> = {},
) {
  const options = { person: harness.token, path: `/message${query}` };
  const info = { protocolVersion: version, capabilities: { sampling: {} }, clientInfo: { name: 'test', version: '1' } };
  const { server } = harness;
  const begun = await post(server.origin, { jsonrpc: '2.0', id: 1, method: 'initialize', params: info }, options);
  const session = begun.headers.get('mcp-session-id') ?? '';
  const message = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name, arguments: args } };
  const headers = {
    'mcp-session-id': session,
    ...(version >= '2025-06-18' ? { 'mcp-protocol-version': version } : {}),
  };
  const answer = await post(server.origin, message, { ...options, headers });
  const result = resultSchema.parse(z.looseObject({ result: z.unknown() }).parse(await answer.json()).result);
  const [text = ''] = result.content.map((part) => part.text);
  const tokens = estimateTokens(JSON.stringify(result));
  return { text, tokens, structured: result.structuredContent, all: JSON.stringify(result), isError: result.isError };
}

describe('a result', () => {
  let harness: AnsweringHarness;
  beforeAll(async () => {
    harness = await openAnsweringHarness();
  });
  afterAll(() => harness[Symbol.asyncDispose]());

  it('has at most 20,000 tokens, and says how to get the rest (TOOL-009, TOOL-012)', async () => {
    harness.providers.tracker.says = { data: issues(2_000) };
    const { tokens, text, all } = await call(harness, 'tracker_issues_list', {});
    const { data } = z
      .looseObject({ data: z.array(z.looseObject({ identifier: z.string() })) })
      .parse(JSON.parse(text));
    expect(data.at(-1)?.identifier).toBe(`WEB-${data.length - 1}`);
    expect(all).toContain(`Only the first ${data.length} of 2000 items are shown`);
    expect(all).toMatch(/Call again with `(?:first|limit)\\?`: \d+/);
    // JSON within JSON is escaped, which adds to the tokens of the message but not to those that a model reads.
    expect(estimateTokens(text)).toBeLessThanOrEqual(20_000);
    expect(tokens).toBeGreaterThan(15_000);
  });

  it.each([1_000, 5_000])('has at most as many tokens as maxTokens says: %i (TOOL-012)', async (maxTokens) => {
    harness.providers.tracker.says = { data: issues(2_000) };
    const { text, structured } = await call(harness, 'tracker_issues_list', { maxTokens });
    expect(estimateTokens(text + JSON.stringify(structured ?? ''))).toBeLessThanOrEqual(maxTokens);
    expect(estimateTokens(text)).toBeGreaterThan(maxTokens / 2);
  });

  it('of a Japanese note has no more tokens than of an English one (TOOL-012)', async () => {
    const content = '株式会社ケストレルの契約について、来週の会議で話し合う予定です。'.repeat(3_000);
    harness.providers.vault.says = { data: { path: 'a.md', content, frontmatter: {}, tags: [], stat: {} } };
    const { text } = await call(harness, 'vault_note_read', { path: 'a.md' });
    expect(estimateTokens(text)).toBeLessThanOrEqual(20_000);
    expect(text.length).toBeGreaterThan(10_000);
  });

  it.each([999, 20_001, 1.5, 'many', -1, {}])(
    'refuses %j as maxTokens, and says what it may be (TOOL-012)',
    async (maxTokens) => {
      const before = harness.providers.tracker.requests;
      const { text, isError } = await call(harness, 'tracker_issues_list', { maxTokens });
      expect([isError, text.split('\n')[0]]).toEqual([true, '`maxTokens` must be a whole number from 1000 to 20000.']);
      expect(harness.providers.tracker.requests).toBe(before);
    },
  );

  it('of a change takes no maxTokens', async () => {
    const { text, isError } = await call(harness, 'tracker_issue_update', {
      issue: 'WEB-1',
      title: 'x',
      maxTokens: 2_000,
    });
    expect([isError, text]).toEqual([true, expect.stringContaining('maxTokens')]);
  });

  it('is sent as text and structured content if it is short (TOOL-015)', async () => {
    harness.providers.tracker.says = { data: issues(2) };
    const { text, structured } = await call(harness, 'tracker_issues_list', {});
    expect(JSON.parse(text)).toEqual(structured);
  });

  it('that is longer is sent once, as text (TOOL-015)', async () => {
    harness.providers.tracker.says = { data: issues(50) };
    const { text, structured } = await call(harness, 'tracker_issues_list', {});
    expect(JSON.parse(text).data).toHaveLength(50);
    expect(structured).toBeUndefined();
  });

  it('is sent once, as structured content, to a client that chose output schemas (TOOL-015)', async () => {
    harness.providers.tracker.says = { data: issues(50) };
    const { text, structured } = await call(harness, 'tracker_issues_list', {}, { query: '?schemas=full' });
    expect(structured?.['data']).toHaveLength(50);
    expect(text).toMatch(/^The answer is in structuredContent: 50 items, about \d+ tokens\.$/);
  });

  it('is text only for a client from before structured content (TOOL-015)', async () => {
    harness.providers.tracker.says = { data: issues(2) };
    for (const query of ['', '?schemas=full']) {
      const { text, structured } = await call(harness, 'tracker_issues_list', {}, { query, version: '2025-03-26' });
      expect([JSON.parse(text).data.length, structured]).toEqual([2, undefined]);
    }
  });
});

describe('a result of a server that lists output schemas to all', () => {
  let harness: AnsweringHarness;
  beforeAll(async () => {
    harness = await openAnsweringHarness({ MCP_OUTPUT_SCHEMAS: 'on' });
  });
  afterAll(() => harness[Symbol.asyncDispose]());

  it('is sent as both, with at most 20,000 tokens together (TOOL-012, TOOL-015)', async () => {
    harness.providers.tracker.says = { data: issues(2_000) };
    const { text, structured } = await call(harness, 'tracker_issues_list', {});
    expect(JSON.parse(text)).toEqual(structured);
    expect(estimateTokens(text) + estimateTokens(JSON.stringify(structured))).toBeLessThanOrEqual(20_000);
  });
});
