import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { completionMethod } from '#adapters/mcp/prompts/prompt-methods.ts';
import { workPrompts } from '#adapters/mcp/prompts/prompts.ts';
import { recordNames } from '#adapters/mcp/prompts/record-names.ts';
import { writeAReaction } from '#adapters/mcp/prompts/write-a-reaction.ts';
import { vaultResources } from '#adapters/mcp/resources/vault-resources.ts';
import { catalogOf } from '#adapters/services/catalog.ts';
import type { RunOperationFor } from '#application/operations/run-operation.ts';
import { readSettings } from '#bootstrap/config/settings.ts';
import { providersFrom } from '#bootstrap/modules/providers.ts';
import { failed, succeeded } from '#domain/operations/outcome.ts';
import { guest, type User } from '#domain/users/user.ts';
import { contextOf } from '#test/support/mcp/mcp-context.ts';
import { serviceKeys } from '#test/support/services/five-services.ts';

const catalog = catalogOf(providersFrom(readSettings({})));
const ann: User = { ...guest, id: 1, permissions: serviceKeys };

const answers: Readonly<Record<string, unknown>> = {
  'deals.list': [{ title: 'Renewal Acme' }, { title: 'Acme pilot' }, { title: 'Nordwind' }],
  'items.search': [
    { item: { title: 'Renewal Acme' } },
    { item: { title: 'Acme pilot' } },
    { item: { name: 'Acmé Ltd' } },
  ],
  'teams.list': [{ name: 'Acme squad' }, { name: 'Platform' }],
  'folders.contents': { files: ['Deals/', 'Inbox.md'] },
  'search.simple': [{ filename: 'Deals/Nordwind renewal.md' }, { filename: 'Other.md' }],
};
const run: RunOperationFor = async (_, { name }) =>
  Object.hasOwn(answers, name) ? succeeded(answers[name]) : failed('unavailable', 'Not there.');

const notes = vaultResources(catalog, run);
const prompts = [
  ...workPrompts(notes, recordNames(catalog, run)),
  writeAReaction({ catalog, senders: ['tracker'], folder: 'Reactions' }),
];
const methods = completionMethod(prompts, notes === null ? [] : [notes]);
const answered = z.object({ completion: z.object({ values: z.array(z.string()) }) });

async function completed(ref: object, name: string, value: string) {
  const answer = await methods['completion/complete']?.run({ ref, argument: { name, value } }, contextOf(ann));
  return answered.parse(answer).completion.values;
}
const prompt = (name: string) => ({ type: 'ref/prompt', name });

describe('the completion of arguments (MCP-035)', () => {
  it.each([
    ['deal_briefing', 'deal', 'acme', ['Acme pilot', 'Acmé Ltd', 'Renewal Acme']],
    ['deal_briefing', 'deal', '', ['Renewal Acme', 'Acme pilot', 'Nordwind']],
    ['deal_briefing', 'note', 'nordwind', ['Deals/Nordwind renewal.md']],
    ['contract_follow_up', 'days', '1', ['14']],
    ['weekly_review', 'focus', 'acm', ['Acme squad', 'Acme pilot', 'Acmé Ltd', 'Renewal Acme']],
    ['write_a_reaction', 'request', 'daily', ['When a contract is completed, add it to the daily note']],
    ['write_a_reaction', 'services', 'tracker, va', ['tracker, vault']],
  ])('of %s knows %s: "%s"', async (name, argument, typed, values) => {
    expect(await completed(prompt(name), argument, typed)).toEqual(values);
  });

  it('is there for every argument of every prompt', async () => {
    for (const { name, arguments: all } of prompts) {
      for (const argument of all) {
        expect(await completed(prompt(name), argument.name, ''), `${name} ${argument.name}`).not.toEqual([]);
      }
    }
  });

  it('finds notes by any part of their paths, those in the folder typed first', async () => {
    const ref = { type: 'ref/resource', uri: 'vault://{+path}' };
    expect(await completed(ref, 'path', 'renewal')).toEqual(['Deals/Nordwind renewal.md']);
    expect(await completed(ref, 'path', 'In')).toEqual(['Inbox.md', 'Deals/Nordwind renewal.md']);
    expect(await completed(ref, 'path', '')).toEqual(['Deals/', 'Inbox.md']);
  });
});
