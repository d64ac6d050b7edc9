import { expect, it } from 'vitest';
import { readSettings } from '#bootstrap/config/settings.ts';
import { providersFrom } from '#bootstrap/modules/providers.ts';
import { leastArguments } from '#test/support/mcp/tool-arguments.ts';

const pageInputs = ['limit', 'count', 'per_page'];

/** What each list and search of a service asks for if the caller does not say how many items. */
const sizes = providersFrom(readSettings({}))
  .flatMap(({ operations }) => Object.values(operations))
  .flatMap(({ input, options: { tool = null } }): (readonly [string, unknown])[] => {
    const size = pageInputs.find((name) => name in input.shape);
    if (tool === null || size === undefined || tool === 'suite_coql_query') return [];
    const parsed = Object.entries(Object(input.parse(leastArguments[tool])));
    return [[tool, Object.fromEntries(parsed)[size]]];
  });

it('are found for the lists of the services that take them by these names', () => {
  expect(sizes.length).toBeGreaterThan(12);
});

it.each(sizes)('of %s are 20 by default (TOOL-021)', (_, size) => {
  expect(size).toBe(20);
});
