import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { estimateTokens } from '#domain/text/estimate-tokens.ts';
import { casesOf } from '#test/support/form.ts';
import { post } from '#test/support/mcp/mcp-clients.ts';
import { leastArguments } from '#test/support/mcp/tool-arguments.ts';
import { type AnsweringHarness, openAnsweringHarness } from '#test/support/services/answering-harness.ts';

// The whole server over its own HTTP, before providers that answer anything. The client is the SDK's, which throws for a result
// without structured content where the tool has a schema, and for structured content that does not fit it.

let harness: AnsweringHarness;

beforeAll(async () => {
  harness = await openAnsweringHarness();
});
afterAll(() => harness[Symbol.asyncDispose]());

const serviceOf = (tool: string): keyof AnsweringHarness['providers'] => {
  const found = (['sales_crm', 'signing', 'tracker', 'vault'] as const).find((key) => tool.startsWith(`${key}_`));
  return found ?? 'suite_crm';
};

const resultSchema = z.looseObject({
  content: z.array(z.looseObject({ text: z.string().optional() })),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
  isError: z.boolean().optional(),
});

/** What the tool answers when its provider says this. */
async function call(tool: string, says: AnsweringHarness['providers']['vault']['says'], more: object = {}) {
  const provider = harness.providers[serviceOf(tool)];
  provider.says = says;
  const before = provider.requests;
  const result = await harness.client.callTool({ name: tool, arguments: { ...leastArguments[tool], ...more } });
  const { content, structuredContent, isError = false } = resultSchema.parse(result);
  const texts = content.map((part) => part.text ?? '');
  return {
    text: texts.join('\n'),
    content: structuredContent ?? jsonIn(texts[0] ?? ''),
    isError,
    requests: provider.requests - before,
  };
}

/** A long answer is sent once, as text; null for Markdown. */
function jsonIn(text: string): Readonly<Record<string, unknown>> | null {
  return text.startsWith('{') ? JSON.parse(text) : null;
}

const nested = (levels: number) => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const members = (value: unknown) => {
  const names =
    'id name title status value files commands tags path frontmatter owner team data done code details message';
  return Object.fromEntries([...names.split(' '), 'pagination', 'results', 'nodes'].map((name) => [name, value]));
};

const lies: Readonly<Record<string, unknown>> = {
  nothing: null,
  text: 'yes',
  'a number': 7,
  'an empty list': [],
  'an empty record': {},
  'a list of all kinds': [null, 1, 'a', [], {}, true],
  'a record of numbers': members(7),
  'a record of lists': members([{ id: {} }, null]),
  'a record of records': members({ id: [], name: 3 }),
  'a list of records of texts': [members('text'), members('')],
  'a list of records of flags': [members(false), members(true)],
  'a record that is too long': { ...members('x'.repeat(200_000)), more: 'y'.repeat(200_000) },
  'a list that is too long': Array.from({ length: 3_000 }, (_, id) => ({ ...members('text'), id })),
};

/** They need the whole folder, so that a connected notes app is not asked: they are refused by name. */
const ofFolders = [
  'vault_note_move',
  'vault_heading_rename',
  'vault_tag_rename',
  'vault_note_versions',
  'vault_note_restore',
];
const tools = Object.keys(leastArguments).filter((tool) => !ofFolders.includes(tool));

/** Answers of hundreds of kilobytes. */
const large = ['a record that is too long', 'a list that is too long'];

/** What the provider of a tool answers: all of it in the long form; in the short one every other answer, and every twelfth tool the large ones. */
const liesTo = (tool: string) => {
  const at = tools.indexOf(tool);
  return casesOf(Object.entries(lies), ([lie]) =>
    large.includes(lie) ? at % 12 === 0 : (at + Object.keys(lies).indexOf(lie)) % 2 === 0,
  );
};

/** They answer that it is done, or with the file itself, without reading what came. */
const unread = [
  'signing_document_download',
  'vault_note_write',
  'vault_note_delete',
  'vault_periodic_write',
  'vault_command_run',
];

it('every tool is called in this file', () => {
  const ofServices = harness.tools.map(({ name }) => name).filter((name) => !name.startsWith('workspace_'));
  expect([...tools, ...ofFolders].sort()).toEqual(ofServices.sort());
});

it.each(ofFolders)('%s is refused by name where a notes app is connected', async (tool) => {
  const { text, content, requests } = await call(tool, { data: null });
  expect([content?.['reason'], requests]).toEqual(['rejected', 0]);
  expect(text).toContain('notes app');
});

describe.each(tools)('%s', (tool) => {
  it('returns a usable result whatever its provider answers (TOOL-006, OP-006)', async () => {
    for (const [lie, data] of liesTo(tool)) {
      const { text, content, isError, requests } = await call(tool, { data });
      expect(requests, lie).toBeGreaterThan(0);
      expect(text, lie).not.toBe('');
      expect(estimateTokens(text), lie).toBeLessThan(20_000);
      expect(isError ? typeof content?.['reason'] : 'string', lie).toBe('string');
    }
  });
});

/** All of them in the long form, every third in the short one: one reader reads for all tools. */
const readers = casesOf(
  tools.filter((tool) => !unread.includes(tool)),
  (tool) => tools.indexOf(tool) % 3 === 0,
);
it.each(readers)('%s reports it when its provider answers JSON that is nested 10,000 levels deep', async (tool) => {
  const { text, content, isError } = await call(tool, { json: nested(10_000) });
  expect(text).toContain('nested more than 100 levels deep');
  expect([isError, content?.['reason']]).toEqual([true, 'too_large']);
});

describe('a list', () => {
  const lists = tools.filter((tool) => tool.endsWith('s_list') && !tool.startsWith('vault_'));

  it.each([...lists, 'sales_crm_search', 'suite_search', 'suite_record_list'])(
    'of 500 items is complete: %s',
    async (tool) => {
      const data = Array.from({ length: 500 }, (_, id) => ({ id: String(id), name: `Item ${id}` }));
      const { content, isError } = await call(tool, { data });
      expect(isError).toBe(false);
      expect(content?.['data']).toHaveLength(500);
      expect(content).not.toHaveProperty('truncated');
    },
  );

  /** Half a megabyte each: every list in the long form, every third in the short one. */
  const tooLong = casesOf(lists, (tool) => lists.indexOf(tool) % 3 === 0);
  it.each(tooLong)('that is too long says how much of it is shown: %s (TOOL-009)', async (tool) => {
    const data = Array.from({ length: 500 }, (_, id) => ({ id: String(id), name: 'x'.repeat(1_000) }));
    const { text, content } = await call(tool, { data });
    const { data: shown, truncated } = z.object({ data: z.array(z.unknown()), truncated: z.string() }).parse(content);
    expect(shown.length).toBeGreaterThan(50);
    expect(shown.length).toBeLessThan(100);
    expect(truncated).toContain(`Only the first ${shown.length} of 500 items are shown`);
    expect(text).toContain('[truncated]');
  });
});

describe('undocumented data', () => {
  it.each([
    ['sales_crm_deal_get', { id: 1, title: 7 }, { id: 1 }, '`title` came as a number where text is documented'],
    ['vault_commands_list', { commands: [{ id: 1, name: 'A' }] }, { commands: [{ name: 'A' }] }, '`commands[].id`'],
  ])('is only in the text: %s (TOOL-006)', async (tool, data, shown, note) => {
    const { text, content } = await call(tool, { data });
    expect(content).toEqual(shown);
    expect(text).toContain(note);
  });
});

describe('input that is nested 10,000 levels deep (OP-012)', () => {
  it.each([
    ['vault_frontmatter_set', `"path":"A.md","key":"a","value":${nested(10_000)}`],
    ['vault_search_advanced', `"query":${'{"!":'.repeat(10_000)}1${'}'.repeat(10_000)}`],
    ['tracker_issues_list', `"filter":${'{"and":['.repeat(5_000)}{}${']}'.repeat(5_000)}`],
  ])('is refused by %s, and nothing is sent', async (tool, args) => {
    const provider = harness.providers[serviceOf(tool)];
    const before = provider.requests;
    const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${tool}","arguments":{${args}}}}`;
    const answer = await (await post(harness.server.origin, body, { person: harness.token })).json();
    const { isError, structuredContent } = resultSchema.parse(Object(answer).result);
    expect([isError, structuredContent?.['reason']]).toEqual([true, 'invalid_input']);
    expect(structuredContent?.['message']).toBe(
      'Portolan did not send this: the input is nested more than 100 levels deep.',
    );
    expect(provider.requests).toBe(before);
  });
});

it('and the server survives all these answers', () => {
  expect(harness.server.lines.filter(({ level }) => level === 'error')).toEqual([]);
});
