import { expect, it } from 'vitest';
import { fieldOf } from '#adapters/http/requests/form-fields.ts';
import { queryFields } from '#domain/shared/query-fields.ts';

it('fields are read as a form sends them, with and without values', () => {
  const fields = queryFields('a&b=1&&c=%20+x&a=2=3&%64&e=');
  expect([...fields]).toEqual([
    ['a', ''],
    ['b', '1'],
    ['c', '  x'],
    ['a', '2=3'],
    ['d', ''],
    ['e', ''],
  ]);
  expect([fieldOf(fields, 'b'), fieldOf(fields, 'a'), fieldOf(fields, 'none')]).toEqual(['1', '', '']);
});
