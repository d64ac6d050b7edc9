import { describe, expect, it } from 'vitest';
import { remoteQuestions } from '#adapters/services/from-mcp/remote-questions.ts';
import { remoteRows } from '#adapters/services/from-mcp/remote-rows.ts';
import type { RemoteServer } from '#adapters/services/from-mcp/remote-server.ts';

function questionsFor(properties: object, required: readonly string[] = []) {
  const tool = {
    name: 'find',
    title: null,
    description: '',
    inputSchema: { type: 'object', properties, required },
    outputSchema: null,
    hints: { readOnlyHint: true },
  };
  const reach = { kind: 'http', url: 'https://mcp.example/mcp', transport: 'http' } as const;
  const definition = {
    key: 'far',
    title: 'Far',
    reach,
    connection: 'none',
    tools: null,
    searched: ['find'],
    effects: {},
    acceptsFirst: true,
  } as const;
  const { table } = remoteRows(definition, [{ tool, effect: 'read', isSearched: true }]);
  return remoteQuestions({ searched: table } as unknown as RemoteServer).search('Acme', 5);
}

const text = { type: 'string' };

describe('the question of a search to a tool of a remote server', () => {
  it.each([
    ['the input of a usual name', { page: text, query: text }, [], { query: 'Acme' }],
    ['its only required input', { phrase: text, page: text }, ['phrase'], { phrase: 'Acme' }],
  ])('gives the words in %s (REMOTE-013)', (_, properties, required, input) => {
    expect(questionsFor(properties, required)).toMatchObject([{ operation: 'find', input }]);
  });

  it('is not asked where no input takes words (REMOTE-013)', () => {
    expect(questionsFor({ from: text, to: text }, ['from', 'to'])).toEqual([]);
  });

  it.each([
    [
      'a list in structured content',
      { results: [{ id: 7, title: 'Acme', url: 'https://a.example' }] },
      'Acme',
      'https://a.example',
    ],
    ['a list as text', '[{"name":"Acme"}]', 'Acme', null],
    ['a text', 'Acme is a customer', 'Acme is a customer', null],
  ])('reads %s (REMOTE-013)', (_, data, title, link) => {
    const [question] = questionsFor({ query: text });
    expect(question?.records(data)).toMatchObject([{ kind: 'result', title, link }]);
  });
});
