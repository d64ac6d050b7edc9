import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toolResult } from '#adapters/mcp/results/tool-result.ts';
import { done, listOf, pagesOf, recordOf } from '#adapters/services/answers/output.ts';
import {
  byName,
  flag,
  idOf,
  many,
  number,
  ownId,
  part,
  text,
  texts,
} from '#adapters/services/answers/output-members.ts';
import type { OperationOutput } from '#application/ports/operation-catalog.ts';
import { failed, failureReasons, type Outcome, type Pagination, succeeded } from '#domain/operations/outcome.ts';
import { estimateTokens } from '#domain/text/estimate-tokens.ts';
import { rounds } from '#test/support/form.ts';
import { showing } from '#test/support/mcp/showing.ts';

const deal = {
  title: text(),
  value: number(),
  isWon: flag(),
  person: part({ name: text(), id: ownId() }),
  labels: texts(),
  lines: many({ name: text(), sum: number() }),
  custom: byName(),
  owner_id: idOf(),
  id: ownId(),
};
const record = recordOf(deal);
const list = listOf(deal);
const pages = pagesOf(deal);
const nothing = done;

const call = (outcome: Outcome, output: OperationOutput) => {
  const { content, structuredContent } = toolResult(outcome, showing(output));
  return { texts: content.map((part) => (part.type === 'text' ? part.text : '')), structuredContent };
};

describe('a documented answer', () => {
  it('has the declared members first, in that order, in the text and in the structured content', () => {
    const data = { id: 4, extra: 1, person: { id: 9, age: 40, name: 'Ada' }, title: 'Acme' };
    const { texts: shown, structuredContent } = call(succeeded(data), record);
    expect(shown).toEqual(['{"title":"Acme","person":{"name":"Ada","id":9,"age":40},"id":4,"extra":1}']);
    expect(JSON.stringify(structuredContent)).toBe(shown[0]);
  });

  it('orders the items of a list in the same way, before their pagination', () => {
    const { texts: shown } = call(succeeded([{ id: 4, title: 'Acme' }], { next: 'c2', hasMore: true }), pages);
    expect(shown).toEqual(['{"data":[{"title":"Acme","id":4}],"pagination":{"next":"c2","hasMore":true}}']);
  });

  it('says that it is done if there is nothing to show', () => {
    expect(call(succeeded(null), nothing)).toEqual({ texts: ['Done.'], structuredContent: { done: true } });
    expect(call(succeeded(null), record)).toEqual({ texts: ['Done.'], structuredContent: {} });
  });
});

describe('a failure', () => {
  const validator = new AjvJsonSchemaValidator();
  it.each(failureReasons)('with the reason %s is accepted by clients that validate it, too', (reason) => {
    const failure = failed(reason, 'What was wrong.', { retryAfterMs: 1500, details: { code: 7 } });
    for (const output of [record, list, pages, nothing]) {
      const { structuredContent } = call(failure, output);
      expect(structuredContent).toMatchObject({ reason, message: 'What was wrong.' });
      const { $schema: _, ...schema } = output.contentSchema;
      expect(validator.getValidator(schema)(structuredContent)).toMatchObject({ valid: true });
    }
  });
});

it('has no member that is documented as something else', () => {
  const output = recordOf({ details: text(), message: text(), retryable: number() });
  const { texts: shown, structuredContent } = call(failed('rejected', 'No.', { details: { code: 7 } }), output);
  expect(structuredContent).toEqual({ reason: 'rejected', message: 'No.', hint: expect.any(String) });
  expect(shown[0]).toContain('{"details":{"code":7}}');
});

describe('an undocumented answer', () => {
  it('is in the text only, which says so (TOOL-006)', () => {
    const { texts: shown, structuredContent } = call(
      succeeded({ id: 4, title: 'Acme', value: '12.50', person: 'Ada' }),
      record,
    );
    expect(structuredContent).toEqual({ id: 4, title: 'Acme' });
    expect(shown).toEqual([
      '{"title":"Acme","value":"12.50","person":"Ada","id":4}',
      '`value` came as text where a number is documented; it is in this text only.',
      '`person` came as text where an object is documented; it is in this text only.',
    ]);
  });

  it('is dropped silently if it is null, which is as good as missing', () => {
    const { texts: shown, structuredContent } = call(succeeded({ title: null, person: { name: null, id: 9 } }), record);
    expect(structuredContent).toEqual({ person: { id: 9 } });
    expect(shown).toEqual(['{"title":null,"person":{"name":null,"id":9}}']);
  });

  it('is reported once for all items of a list, without the items that are not records', () => {
    const data = [{ id: 1, value: 'one' }, null, { id: 2, value: 'two', lines: [7, { sum: 1 }] }];
    const { texts: shown, structuredContent } = call(succeeded(data), list);
    expect(structuredContent).toEqual({ data: [{ id: 1 }, { id: 2, lines: [{ sum: 1 }] }] });
    expect(shown.slice(1)).toEqual([
      '`data[].value` came 2 times as text where a number is documented; it is in this text only.',
      '`data[]` came as nothing where an object is documented; it is in this text only.',
      '`data[].lines[]` came as a number where an object is documented; it is in this text only.',
    ]);
  });

  it('is reported up to a bound', () => {
    const many = { title: 1, value: '', isWon: 1, person: 1, labels: 1, lines: 1, custom: 1, owner_id: {}, id: {} };
    const { texts: shown, structuredContent } = call(succeeded(many), record);
    expect(structuredContent).toEqual({});
    expect(shown).toHaveLength(7);
    expect(shown[6]).toBe('So did 4 others; what is documented is in the structured content.');
  });

  it.each([
    ['a list where a record is', [1], record, {}, 'The answer came as a list where an object'],
    ['a text where a record is', 'yes', record, {}, 'The answer came as text where an object'],
    ['a record where a list is', { id: 1 }, list, { data: [] }, 'The answer came as an object where a list'],
  ])('is the whole answer if it is %s documented', (_, data, output, structuredContent, note) => {
    const result = call(succeeded(data), output);
    expect(result.structuredContent).toEqual(structuredContent);
    expect(result.texts[1]).toContain(note);
  });

  it('does not matter where only completion was awaited', () => {
    expect(call(succeeded({ id: 1 }), nothing)).toEqual({ texts: ['{"id":1}'], structuredContent: { done: true } });
  });
});

describe('the answer of a provider', () => {
  const validator = new AjvJsonSchemaValidator();
  const names = [...Object.keys(deal), 'name', 'sum', 'truncated', 'other'];
  /** Members with the names that are declared, each with a value that may be as documented, and seldom is. */
  const withMembers = (value: fc.Arbitrary<unknown>) =>
    fc.record(Object.fromEntries(names.map((name) => [name, value])), { requiredKeys: [] });
  const inner = withMembers(fc.jsonValue({ maxDepth: 1 }));
  const lie = withMembers(fc.oneof(fc.jsonValue({ maxDepth: 1 }), inner, fc.array(inner, { maxLength: 3 })));
  const answer = fc.oneof(fc.jsonValue(), lie, fc.array(lie, { maxLength: 5 }), fc.array(fc.jsonValue()));
  const page: fc.Arbitrary<Pagination> = fc.record({ next: fc.option(fc.string()), hasMore: fc.boolean() });

  it.each([
    ['a record', record],
    ['a list', list],
    ['pages', pages],
    ['nothing', nothing],
    ['names of the user', recordOf({})],
  ])('has structured content that matches the schema of %s (TOOL-006)', (_, output) => {
    const validate = validator.getValidator(output.contentSchema);
    fc.assert(
      fc.property(answer, fc.option(page, { nil: undefined }), (data, pagination) => {
        const { structuredContent } = call(succeeded(data, pagination), output);
        expect(validate(structuredContent)).toMatchObject({ valid: true });
      }),
      { numRuns: rounds(75, 300) },
    );
  });

  it('has the same texts for a client that reads no structured content, which is made only to find what does not match', () => {
    fc.assert(
      fc.property(answer, (data) => {
        for (const output of [record, list, pages, recordOf({})]) {
          const textOnly = toolResult(succeeded(data), { ...showing(output), form: 'text' });
          expect(textOnly.content).toEqual(toolResult(succeeded(data), showing(output)).content);
        }
      }),
      { numRuns: rounds(75, 300) },
    );
    const conforming = toolResult(succeeded({ title: 'Acme', value: null }), { ...showing(record), form: 'text' });
    expect(conforming).not.toHaveProperty('structuredContent');
  });

  it('has everything in the text', () => {
    fc.assert(
      fc.property(lie, (data) => {
        expect(JSON.parse(call(succeeded(data), record).texts[0] ?? '')).toEqual(JSON.parse(JSON.stringify(data)));
      }),
    );
  });

  const many = rounds(20_000, 100_000);
  it.each([
    ['items', Array.from({ length: many }, (_, id) => ({ id, title: id, value: 'x', person: [id] }))],
    ['one long text', [{ id: 1, title: 'x'.repeat(1_000_000), value: 'y'.repeat(1_000_000) }]],
    ['one item of many members', [Object.fromEntries(Array.from({ length: many }, (_, n) => [`m${n}`, [n]]))]],
    ['a list inside', [{ id: 1, lines: Array.from({ length: many }, (_, n) => ({ name: n, sum: 1 })) }]],
  ])('matches its schema also if it is too long: %s', (_, data) => {
    const { texts, structuredContent } = call(succeeded(data, { next: 'c2', hasMore: true }), pages);
    expect(validator.getValidator(pages.contentSchema)(structuredContent)).toMatchObject({ valid: true });
    const shown = Object(structuredContent).data;
    expect(shown.length).toBeGreaterThan(0);
    // The next page begins after all items, so that its place is given only when all are shown.
    const next = shown.length === data.length ? 'c2' : null;
    expect(structuredContent).toMatchObject({ truncated: expect.any(String), pagination: { next, hasMore: true } });
    expect(estimateTokens(texts.join('\n'))).toBeLessThan(20_000);
  });
});
