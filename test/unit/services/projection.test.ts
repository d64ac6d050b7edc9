import { describe, expect, it } from 'vitest';
import { projected } from '#adapters/services/answers/projection.ts';
import { failed, succeeded } from '#domain/operations/outcome.ts';

const deals = succeeded([
  { id: 1, title: 'A', value: 10 },
  { id: 2, title: 'B', stage: 'Won' },
]);

describe('the fields that are requested of a list', () => {
  it('are all that its items then have (OP-016)', () => {
    expect(projected(undefined, deals, ['id', 'stage'])).toEqual(succeeded([{ id: 1 }, { id: 2, stage: 'Won' }]));
  });

  it('may be members of records in the items, by their paths (OP-016)', () => {
    const issues = succeeded([
      { title: 'A', state: { id: 's', name: 'Done' }, labels: [{ id: 'l', name: 'Bug' }], team: null },
      { title: 'B', state: null, labels: [] },
    ]);
    expect(projected(undefined, issues, ['title', 'state.name', 'labels.name'])).toEqual(
      succeeded([
        { title: 'A', state: { name: 'Done' }, labels: [{ name: 'Bug' }] },
        { title: 'B', state: null, labels: [] },
      ]),
    );
    expect(projected(undefined, issues, ['title', 'state.nam'])).toMatchObject({
      ok: true,
      warnings: [expect.stringContaining('No item has the field `state.nam`')],
    });
    const named = { type: 'object', properties: { url: {} } };
    const dataSchema = {
      type: 'array',
      items: { properties: { state: named, labels: { type: 'array', items: named } } },
    };
    expect(projected({ dataSchema } as never, issues, ['title', 'state.url', 'labels.url'])).not.toHaveProperty(
      'warnings',
    );
  });

  it('are named in a warning with the nearest and the known ones if one is unknown (OP-016)', () => {
    const outcome = projected(undefined, deals, ['id', 'titel']);
    expect(outcome).toEqual({
      ...succeeded([{ id: 1 }, { id: 2 }]),
      warnings: ['No item has the field `titel`; did you mean `title`? There are `id`, `title`, `value` and `stage`.'],
    });
  });

  it('are refused, each with the nearest and the known ones, if all are unknown (OP-016)', () => {
    const known = ['id', 'title', 'value', 'stage'];
    expect(projected(undefined, deals, ['titel', 'constructor'])).toMatchObject({
      ok: false,
      reason: 'invalid_input',
      inputErrors: [
        { path: ['fields'], nearest: 'title', known },
        { path: ['fields'], nearest: null, known },
      ],
    });
  });

  it('may be documented ones that no item has at the moment', () => {
    const dataSchema = { type: 'array', items: { type: 'object', properties: { id: {}, lost_reason: {} } } };
    const outcome = projected({ dataSchema } as never, deals, ['id', 'lost_reason']);
    expect(outcome).toEqual(succeeded([{ id: 1 }, { id: 2 }]));
  });

  it('cause no warning for an empty list or a failure', () => {
    const failure = failed('not_found', 'Nothing is there.');
    expect(projected(undefined, succeeded([]), ['titel'])).toEqual(succeeded([]));
    expect(projected(undefined, failure, ['titel'])).toBe(failure);
  });
});
