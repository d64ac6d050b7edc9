import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { estimateTokens } from '#domain/text/estimate-tokens.ts';
import { openTestVault } from '#test/support/vault/embedded-vault-server.ts';
import { openNotesApp } from '#test/support/vault/notes-app.ts';
import { openVaultGateway } from '#test/support/vault/vault-gateway.ts';

const answer = z.object({
  ok: z.literal(true),
  data: z.array(z.object({ filename: z.string(), matches: z.array(z.string()), more: z.number().optional() })),
  pagination: z.object({ next: z.string().nullable(), hasMore: z.boolean(), total: z.number() }),
});

describe.each([
  ['the team’s vault', async () => openVaultGateway('neutral', await openTestVault({ listen: null }))],
  ['a vault over its REST interface', () => openVaultGateway('neutral')],
  ['the notes app', async () => openVaultGateway('obsidian', (await openNotesApp('5.1.0')).vault)],
])('a search in %s', (_, start) => {
  let open: Awaited<ReturnType<typeof openVaultGateway>>;
  const search = async (input: Readonly<Record<string, unknown>>) =>
    answer.parse(await open.call('search.notes', input));
  const write = async (notes: Readonly<Record<string, string>>) => {
    for (const [path, text] of Object.entries(notes)) {
      await mkdir(join(open.vault.folder, path, '..'), { recursive: true });
      await writeFile(join(open.vault.folder, path), text);
    }
    await open.call('commands.run', { command_id: 'vault:rebuild-index' });
  };
  beforeEach(async () => {
    open = await start();
  });
  afterEach(() => open.close());

  it('answers notes with the places that match, once each (VAULT-021)', async () => {
    await write({
      'Deals/Acme.md':
        '# Acme\n\nThe security review is due; the review of prices is not.\n\n## Log\n\n- Security: none\n',
      'Review security.md': 'Nothing.',
      'Other.md': 'security only',
    });
    const { data, pagination } = await search({ query: 'security review' });
    expect(data.toSorted((a, b) => (a.filename < b.filename ? -1 : 1))).toEqual([
      {
        filename: 'Deals/Acme.md',
        matches: ['The security review is due; the review of prices is not.', '- Security: none'],
      },
      { filename: 'Review security.md', matches: [] },
    ]);
    expect(pagination).toEqual({ next: null, hasMore: false, total: 2 });
  });

  it('finds a phrase in quotes as it is (VAULT-021)', async () => {
    await write({
      'A.md': 'the Security Review of May',
      'B.md': 'a review of security',
      'security review.md': 'x',
      'D.md': 'security\nreview, with a budget',
    });
    const names = async (query: string) => (await search({ query })).data.map(({ filename }) => filename).toSorted();
    expect(await names('"security review"')).toEqual(['A.md', 'D.md', 'security review.md']);
    expect(await names('budget "security review"')).toEqual(['D.md']);
  });

  it('shows at most three places of a note, and how many more there are (VAULT-021)', async () => {
    await write({
      'A.md': Array.from({ length: 9 }, (_, n) => `Line ${n} on budgets\n\n${'x '.repeat(60)}`).join('\n\n'),
    });
    expect(await search({ query: 'budgets' })).toMatchObject({
      data: [{ matches: ['Line 0 on budgets', 'Line 1 on budgets', 'Line 2 on budgets'], more: 6 }],
    });
  });

  it('is paged by 20 notes, with the total and where the next page begins (VAULT-021)', async () => {
    await write(
      Object.fromEntries(Array.from({ length: 45 }, (_, n) => [`N${String(n).padStart(2, '0')}.md`, 'needle'])),
    );
    const found: string[] = [];
    const pages: unknown[] = [];
    for (let cursor: string | null = '0'; cursor !== null; ) {
      const { data, pagination } = await search({ query: 'needle', cursor });
      found.push(...data.map(({ filename }) => filename));
      pages.push([data.length, pagination]);
      cursor = pagination.next;
    }
    expect(pages).toEqual([
      [20, { next: '20', hasMore: true, total: 45 }],
      [20, { next: '40', hasMore: true, total: 45 }],
      [5, { next: null, hasMore: false, total: 45 }],
    ]);
    expect(new Set(found).size).toBe(45);
    expect((await search({ query: 'needle', limit: 7, cursor: '40' })).data).toHaveLength(5);
    expect((await search({ query: 'needle', cursor: '100' })).data).toEqual([]);
    for (const wrong of [{ cursor: '-1' }, { cursor: 'x' }, { limit: 0 }, { limit: 101 }]) {
      expect(await open.call('search.notes', { query: 'needle', ...wrong })).toMatchObject({ reason: 'invalid_input' });
    }
  });

  it('of a common word takes under 2,300 tokens a page (VAULT-021)', async () => {
    const line = 'On Monday the team of the customer sent the plan for the new contract, and the price was the same. ';
    const notes = Array.from({ length: 60 }, (_, n) => [
      `Customers/Customer number ${n}.md`,
      `# Notes\n\n${`${line}\n\n`.repeat(8)}`,
    ]);
    await write(Object.fromEntries(notes));
    const { data, pagination } = await search({ query: 'the' });
    expect(data).toHaveLength(20);
    expect(estimateTokens(JSON.stringify({ data, pagination }))).toBeLessThan(2_300);
  });
});
