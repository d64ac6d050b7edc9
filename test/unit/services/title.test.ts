import { expect, it } from 'vitest';
import { operationTitleOf } from '#adapters/services/requests/operation-table.ts';
import { recipesOver } from '#adapters/services/requests/recipe-rows.ts';
import { get } from '#adapters/services/requests/request-rows.ts';
import { succeeded } from '#domain/operations/outcome.ts';

it.each([
  ['Lists deals; narrowed by owner', 'Lists deals'],
  ['Gets a document: its name and state', 'Gets a document'],
  ['Reads a note. A missing one is an error.', 'Reads a note'],
  ['Reads a note.', 'Reads a note'],
  ['Searches persons by name, e-mail or telephone', 'Searches persons by name'],
  ['Searches notes (with JsonLogic)', 'Searches notes'],
  ['Exports up to 200,000 records to export.csv; it takes a while', 'Exports up to 200,000 records to export.csv'],
  ['Gets an issue', 'Gets an issue'],
])('the title of "%s" is its first clause', (summary, title) => {
  expect(operationTitleOf(get('/', summary, {}))).toBe(title);
});

it('an operation may have its own title', () => {
  const recipe = recipesOver({});
  expect(operationTitleOf(get('/', 'Finds what has all the words', {}, { title: 'Searches notes' }))).toBe(
    'Searches notes',
  );
  const own = recipe('read', 'Finds what has all the words', {}, { title: 'Searches notes' }, async () =>
    succeeded(null),
  );
  expect(operationTitleOf(own)).toBe('Searches notes');
});
