import { describe, expect, it } from 'vitest';
import { takeAsked, withAsked } from '#adapters/mcp/tools/asked-arguments.ts';
import { hintsOf } from '#domain/operations/effect.ts';

const schemaOf = (properties: object) => ({ type: 'object', properties }) as const;
const operation = { service: 'tracker', name: 'issues.update', effect: 'change', effects: ['change'] } as const;
const changing = { annotations: hintsOf('change', false, true), operation, inputSchema: schemaOf({ id: {} }) };
const reading = { ...changing, annotations: hintsOf('read', true, true) };
const taken = (args: Readonly<Record<string, unknown>>, tool = changing) => takeAsked(tool, args);

describe('what a changing tool takes besides its own arguments', () => {
  it('stands in full schemas as dry, explain and approval, and not for a tool that reads (ASK-001)', () => {
    const names = (tool: typeof changing) => Object.keys(withAsked(tool, tool.inputSchema, true)['properties'] ?? {});
    expect(names(changing)).toEqual(['dry', 'explain', 'approval', 'id']);
    expect(names(reading)).toEqual(['id']);
  });

  it('stands in brief lists as bare types, after the tool’s own inputs (ASK-021)', () => {
    const brief = (tool: typeof changing) => withAsked(tool, tool.inputSchema, false)['properties'];
    const bare = { dry: { type: 'boolean' }, explain: { type: 'string' }, approval: { type: 'string' } };
    expect(Object.entries(brief(changing) ?? {})).toEqual(Object.entries({ id: {}, ...bare }));
    expect(brief(reading)).toEqual({ id: {} });
    const own = { ...changing, inputSchema: schemaOf({ dry: { type: 'number' } }) };
    expect(brief(own)).toEqual({ ...bare, dry: { type: 'number' } });
  });

  it('is taken out of the arguments; null counts as absent (ASK-001)', () => {
    const given = { id: 1, dry: true, explain: 'Because', approval: 'abc' };
    expect(taken(given)).toEqual({
      ok: true,
      value: { asked: { isDry: true, explain: 'Because', approval: 'abc' }, args: { id: 1 } },
    });
    expect(taken({ id: 1, dry: null, explain: null, approval: null })).toEqual({
      ok: true,
      value: { asked: {}, args: { id: 1 } },
    });
  });

  it('leaves an argument of the tool’s own with that name to the tool (ASK-001)', () => {
    const tool = { ...changing, inputSchema: schemaOf({ dry: {} }) };
    expect(takeAsked(tool, { dry: 'wine' })).toEqual({ ok: true, value: { asked: {}, args: { dry: 'wine' } } });
  });

  it.each([
    ['dry', 'yes'],
    ['explain', 'x'.repeat(301)],
    ['explain', '\ud800'],
    ['approval', 7],
    ['approval', 'x'.repeat(201)],
  ])('is refused by name when %s does not fit (ASK-001)', (name, value) => {
    const outcome = taken({ [name]: value });
    expect(outcome).toMatchObject({ ok: false, failure: { reason: 'invalid_input' } });
    expect(outcome.ok ? '' : outcome.failure.message).toContain(`\`${name}\``);
  });
});
