import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { checked } from '#adapters/services/gateway.ts';
import type { Operation } from '#adapters/services/requests/operation-table.ts';
import { readSettings } from '#bootstrap/config/settings.ts';
import { providersFrom } from '#bootstrap/modules/providers.ts';
import { badPlaces } from '#domain/json/json-data.ts';

const providers = providersFrom(readSettings({}));
const operations = providers.flatMap(({ service, operations: table }) =>
  Object.entries(table).map(([name, operation]) => [`${service} ${name}`, operation] as const),
);

function operationOf(tool: string): Operation {
  const found = operations.find(([, { options }]) => options.tool === tool)?.[1];
  if (found === undefined) throw new Error(`No tool ${tool}`);
  return found;
}

/** What is wrong with the input, by our own check. */
function errorsOf(tool: string, input: unknown) {
  const outcome = checked(operationOf(tool), input);
  if (outcome.ok) throw new Error(`${tool} takes it`);
  return { reason: outcome.reason, message: outcome.message, errors: outcome.inputErrors ?? [] };
}

const hash = 'a'.repeat(40);

describe('an input error suggests the name that was probably meant (TOOL-004)', () => {
  it.each<[string, object, string, string | null]>([
    ['sales_crm_search', { title: 'Acme' }, 'title', 'term'],
    ['sales_crm_search', { query: 'Acme' }, 'query', 'term'],
    ['sales_crm_deals_list', { stagus: 'open' }, 'stagus', 'status'],
    ['sales_crm_deals_list', { ownerId: 1 }, 'ownerId', 'owner_id'],
    ['sales_crm_deal_get', { deal_id: 1 }, 'deal_id', 'id'],
    ['sales_crm_deal_get', { qqqqq: 1, id: 1 }, 'qqqqq', null],
    ['vault_note_write', { path: 'A.md', body: 'x', mode: 'create' }, 'body', 'content'],
    ['vault_note_read', { file: 'A.md' }, 'file', 'path'],
    ['vault_search', { q: 'acme' }, 'q', 'query'],
    ['suite_note_create', { module: 'Leads', id: '1', content: 'x' }, 'content', 'text'],
    ['signing_documents_list', { limit: 10 }, 'limit', 'count'],
  ])('%s %j', (tool, input, name, near) => {
    const error = errorsOf(tool, input).errors.find(({ path }) => path[0] === name);
    expect(error).toMatchObject({ path: [name], nearest: near });
    expect(error?.message).toContain(
      near === null ? `no argument \`${name}\`. It takes` : `did you mean \`${near}\`? It takes`,
    );
  });
});

describe('an input error reports', () => {
  it.each<[string, string, object, string, string]>([
    ['a wrong type', 'sales_crm_deal_get', { id: 'x' }, 'id', '`id` must be a whole number, not the text "x".'],
    ['a missing argument', 'sales_crm_deal_get', {}, 'id', '`id` is missing: it has to be a whole number.'],
    [
      'a number that is too large',
      'sales_crm_deals_list',
      { limit: 501 },
      'limit',
      '`limit` must be at most 500, not 501.',
    ],
    [
      'a list that is too long',
      'suite_tag_add',
      { module: 'Leads', id: '1', tags: Array(11).fill('a') },
      'tags',
      '`tags` must have at most 10 items, not 11.',
    ],
    [
      '101 records',
      'suite_record_create',
      { module: 'Leads', data: Array.from({ length: 101 }, () => ({ a: 1 })) },
      'data',
      '`data` must have at most 100 items, not 101.',
    ],
    [
      'a list that is no record',
      'suite_record_create',
      { module: 'Leads', data: [1, 2] },
      'data.0',
      '`data.0` must be an object, not 1.',
    ],
    [
      'fields that are a list',
      'sales_crm_deal_update',
      { id: 1, custom_fields: [1, 2] },
      'custom_fields',
      '`custom_fields` must be an object, not a list.',
    ],
    ['a word that is none of a list', 'sales_crm_deals_list', { status: 'opn' }, 'status', 'Did you mean "open"?'],
    [
      'a number among words',
      'sales_crm_deals_list',
      { status: 1 },
      'status',
      '`status` must be one of "open", "won", "lost", "deleted", not 1.',
    ],
    ['an empty text', 'sales_crm_search', { term: '' }, 'term', '`term` must not be empty.'],
    [
      'a name within an object',
      'sales_crm_person_create',
      { name: 'A', emails: [{ valeu: 'a' }] },
      'emails.0.valeu',
      'There is no `valeu` in `emails.0`; did you mean `value`?',
    ],
    [
      'a name within a choice',
      'suite_tag_add',
      { module: 'Leads', id: '1', tags: [{ nam: 'a' }] },
      'tags.0.nam',
      'did you mean `name`?',
    ],
    [
      'a day that is none',
      'sales_crm_deal_create',
      { title: 'A', expected_close_date: 'soon' },
      'expected_close_date',
      'must be a day like 2026-01-31',
    ],
    ['a priority that is none', 'tracker_issues_list', { priority: 'urgnt' }, 'priority', 'Did you mean "urgent"?'],
  ])('%s', (_, tool, input, path, said) => {
    const { errors, message, reason } = errorsOf(tool, input);
    expect(reason).toBe('invalid_input');
    expect(errors.find((error) => error.path.join('.') === path)?.message).toContain(said);
    expect(message).toMatch(/^Portolan did not send this: /);
  });

  it('an input that is not an object of arguments', () => {
    expect(errorsOf('sales_crm_deal_get', [1, 2]).message).toContain('the input must be an object, not a list.');
  });

  it('everything at once, including unknown names of open records', () => {
    const { errors } = errorsOf('sales_crm_deal_update', { id: 'x', stage_nam: 1, values: 2 });
    expect(errors.map(({ path }) => path.join('.')).sort()).toEqual(['id', 'stage_nam', 'values']);
  });

  it('only the beginning of a long text, and only the first of many names', () => {
    const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`${'n'.repeat(500)}${index}`, 1]));
    const { errors, message } = errorsOf('sales_crm_search', { term: 'A', ...many });
    expect(errors.length).toBeLessThanOrEqual(20);
    expect(message.length).toBeLessThan(4_000);
  });
});

describe('custom fields', () => {
  const open = operations.filter(([, operation]) => operation.kind === 'request' && operation.options.customNames);

  it('are accepted by these operations next to the others', () => {
    expect(open.map(([name]) => name.replace('sales_crm ', '')).sort()).toEqual([
      'activities.create',
      'activities.update',
      'deals.create',
      'deals.update',
      'leads.create',
      'leads.update',
      'organizations.create',
      'organizations.update',
      'persons.create',
      'persons.update',
      'products.create',
      'products.update',
    ]);
  });

  it.each(open)('in %s: their keys, and in custom_fields any name, but no other (SALES-014)', (_, operation) => {
    const wrong = (input: object) => {
      const outcome = checked(operation, input);
      return outcome.ok ? [] : (outcome.inputErrors ?? []).map(({ path }) => path.join('.'));
    };
    expect(wrong({ [hash]: 'gold', [`${hash}_currency`]: 'EUR', custom_fields: { [hash]: 1 } })).not.toContain(hash);
    expect(wrong({ custom_fields: { [hash]: 1 } })).not.toContain('custom_fields');
    expect(wrong({ 'stage nam': 1, [hash.slice(1)]: 1 })).toEqual(expect.arrayContaining(['stage nam', hash.slice(1)]));
  });
});

/** Objects within inputs whose further names are the provider's own, or the caller's. */
const free = ['suite_crm leads.convert: data.Deals', 'suite_crm lead_convert: data.Deals'];

describe('nested objects within inputs', () => {
  it.each(operations)('of %s: reject unknown members', (name, { input }) => {
    const loose = Object.entries(input.shape).flatMap(([key, type]) => looseObjects(type, key));
    expect(loose.map((place) => `${name}: ${place}`).filter((place) => !free.includes(place))).toEqual([]);
  });
});

/** The places of objects that drop or keep names which they do not know. */
function looseObjects(type: unknown, place: string): readonly string[] {
  if (type instanceof z.ZodObject) {
    const isStrict = type._zod.def.catchall instanceof z.ZodNever;
    const inside = Object.entries(type.shape).flatMap(([key, member]) => looseObjects(member, `${place}.${key}`));
    return isStrict ? inside : [place, ...inside];
  }
  if (type instanceof z.ZodArray) return looseObjects(type.element, place);
  if (type instanceof z.ZodUnion) return type.options.flatMap((option) => looseObjects(option, place));
  if (type instanceof z.ZodPipe) return [...looseObjects(type.in, place), ...looseObjects(type.out, place)];
  if (type instanceof z.ZodOptional || type instanceof z.ZodNullable || type instanceof z.ZodDefault) {
    return looseObjects(type.unwrap(), place);
  }
  return [];
}

describe('malformed Unicode (OP-013)', () => {
  it.each(operations)('in %s: is refused wherever it occurs, with its place', (_, operation) => {
    const half = 'a\udfff';
    for (const name of Object.keys(operation.input.shape)) {
      for (const value of [half, [half], { inner: half }, { [half]: 1 }]) {
        const outcome = checked(operation, { [name]: value });
        expect(outcome).toMatchObject({ ok: false, reason: 'invalid_input' });
        expect(outcome.ok ? '' : outcome.message).toMatch(
          /`[^`]+` must be well-formed Unicode: it has half of a surrogate/,
        );
      }
    }
  });

  it('is reported at most twenty times, however often it occurs', () => {
    const outcome = checked(operationOf('tracker_issue_create'), { title: Array(1_000).fill('\ud800') });
    expect(outcome.ok ? [] : outcome.inputErrors).toHaveLength(20);
  });

  it('does not include whole surrogate pairs and other text, which is accepted', () => {
    expect(badPlaces({ a: '😀', b: ['ü\0'], c: null, d: { e: 1 } })).toEqual([]);
    expect(badPlaces({ a: { b: ['x', '\ud800'] } })).toEqual([{ path: ['a', 'b', '1'], fault: 'surrogate' }]);
  });
});
