import { describe, expect, it } from 'vitest';
import { promptMethods } from '#adapters/mcp/prompts/prompt-methods.ts';
import { workPrompts } from '#adapters/mcp/prompts/prompts.ts';
import { recordNames } from '#adapters/mcp/prompts/record-names.ts';
import { catalogOf } from '#adapters/services/catalog.ts';
import { readSettings } from '#bootstrap/config/settings.ts';
import { providersFrom } from '#bootstrap/modules/providers.ts';
import { guest, type User } from '#domain/users/user.ts';
import { FakeGateway, fakeCatalog, runOver } from '#test/support/mcp/mcp-catalog.ts';
import { contextOf } from '#test/support/mcp/mcp-context.ts';
import { serviceKeys } from '#test/support/services/five-services.ts';

const methods = promptMethods(workPrompts(null, recordNames(fakeCatalog, runOver(new FakeGateway()))));
const ann: User = { ...guest, id: 1, permissions: serviceKeys };
const get = async (name: string, args: object = {}, user = ann) =>
  methods['prompts/get']?.run({ name, arguments: args }, contextOf(user));
const textOf = async (name: string, args: object = {}): Promise<string> => {
  const answer = JSON.parse(JSON.stringify(await get(name, args)));
  expect(answer.messages).toEqual([{ role: 'user', content: { type: 'text', text: expect.any(String) } }]);
  return answer.messages[0].content.text;
};

describe('the deal briefing', () => {
  it('names the deal, gives the source of each fact, and changes nothing unless a note is named', async () => {
    const text = await textOf('deal_briefing', { deal: 'Acme, 2nd try' });
    expect(text.split('\n')[0]).toBe('Prepare a briefing on the deal "Acme, 2nd try".');
    expect(text.split('\n').at(-1)).toBe('Show it here; change nothing.');
  });

  it('is written into the note that is named', async () => {
    const text = await textOf('deal_briefing', { deal: '7', note: 'Deals/Acme.md' });
    expect(text).toContain('under a heading "Briefing" of the note Deals/Acme.md with vault_note_patch');
    expect(text).not.toContain('change nothing');
  });

  it('is refused without a deal', async () => {
    await expect(get('deal_briefing', { note: 'a.md' })).rejects.toThrow('`deal` is missing: it has to be a text.');
  });
});

describe('the contract follow-up', () => {
  it.each([
    [{}, '7 days'],
    [{ days: '21' }, '21 days'],
  ])('given %j looks for contracts without activity for %s, and sends nothing', async (args, days) => {
    const text = await textOf('contract_follow_up', args);
    expect(text).toContain(`without activity for ${days}`);
    expect(text.split('\n').at(-1)).toBe('Send nothing and change nothing before I have read it.');
  });
});

describe('the weekly review', () => {
  it.each([
    [{}, 'Prepare my weekly review.'],
    [{ focus: 'Team North' }, 'Prepare my weekly review, with Team North first.'],
  ])('given %j begins with "%s", and is shown before it is written', async (args, first) => {
    const text = await textOf('weekly_review', args);
    expect(text.split('\n')[0]).toBe(first);
    expect(text).toContain('When I agree, append it to the weekly note with vault_periodic_write.');
  });
});

describe('each prompt', () => {
  const tools = new Set(catalogOf(providersFrom(readSettings({}))).operations.map(({ tool }) => tool));

  it.each([
    ['deal_briefing', { deal: 'Acme', note: 'a.md' }],
    ['contract_follow_up', {}],
    ['weekly_review', {}],
  ])('mentions only tools that exist: %s', async (name, args) => {
    const text = await textOf(name, args);
    const named = text.match(/\b(?:sales_crm|signing|suite|tracker|vault)_\w+/g) ?? [];
    expect(named.length).toBeGreaterThan(2);
    expect(named.filter((tool) => !tools.has(tool))).toEqual([]);
  });

  it.each([
    ['nothing', []],
    ['the vault', ['vault'], 'weekly_review'],
    ['the signing service', ['signing'], 'contract_follow_up'],
    ['the sales CRM', ['sales_crm']],
    ['the sales CRM and the vault', ['sales_crm', 'vault'], 'deal_briefing', 'weekly_review'],
  ] as const)('is shown to users who may use what it needs: %s (MCP-021)', async (_, permissions, ...names) => {
    const context = contextOf({ ...guest, id: 2, permissions });
    const { prompts } = JSON.parse(JSON.stringify(await methods['prompts/list']?.run({}, context)));
    expect(prompts.map(({ name }: { name: string }) => name)).toEqual(names);
  });

  it('is unknown to others', async () => {
    const bob = { ...guest, id: 2, permissions: ['vault'] as const };
    await expect(get('contract_follow_up', {}, bob)).rejects.toThrow('Unknown prompt: contract_follow_up');
  });
});
