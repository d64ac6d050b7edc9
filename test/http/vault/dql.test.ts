import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestVault, type TestVault } from '#test/support/vault/embedded-vault-server.ts';

let vault: TestVault;
beforeAll(async () => {
  vault = await openTestVault();
  const notes: Record<string, string> = {
    'Deals/Acme.md':
      '---\nstatus: open\namount: 42\ndue: 2026-11-25\nTime Played: 3\n---\n#deal/big [[People/Ann]]\n- [ ] call\n- [x] write\n',
    'Deals/Beta.md': '---\nstatus: won\namount: 7\ndue: 2026-01-02\npaid: true\n---\n#deal\n',
    'People/Ann.md': '---\ntags: [person]\n---\n[[Deals/Beta]] and [[Deals/Gamma]]\n```\n- [ ] no task\n```\n',
    'Odd.md': '---\nconstructor: 1\nfile: x\n---\n',
  };
  for (const [path, body] of Object.entries(notes)) {
    await vault.ask('PUT', `/vault/${path}`, { body, headers: { 'Content-Type': 'text/markdown' } });
  }
});
afterAll(() => vault.close());

async function ask(query: string): Promise<{ status: number; answer: unknown }> {
  const headers = { 'Content-Type': 'application/vnd.olrapi.dataview.dql+txt' };
  const answer = await vault.ask('POST', '/search/', { body: query, headers });
  return { status: answer.status, answer: await answer.json() };
}

const [acme, beta, ann, odd] = ['Deals/Acme.md', 'Deals/Beta.md', 'People/Ann.md', 'Odd.md'];

describe('a query finds notes', () => {
  it.each([
    ['LIST', [acme, beta, odd, ann]],
    ['LIST FROM #deal', [acme, beta]],
    ['LIST FROM #deal/big', [acme]],
    ['LIST FROM "Deals"', [acme, beta]],
    ['LIST FROM "Deals/Beta"', [beta]],
    ['LIST FROM "Deals" AND -#deal/big', [beta]],
    ['LIST FROM #person or #deal/big', [acme, ann]],
    ['LIST FROM ("People" or "Deals") and !#person', [acme, beta]],
    ['LIST FROM [[Ann]]', [acme]],
    ['LIST FROM outgoing([[Ann]])', [beta]],
    ['LIST FROM [[Nobody]]', []],
    ['list where status = "open"', [acme]],
    ['LIST WHERE amount > 7', [acme]],
    ['LIST WHERE amount >= 7 AND !paid', [acme]],
    ['LIST WHERE not paid and status', [acme]],
    ['LIST WHERE due < date(today)', [beta, odd, ann]],
    ['LIST WHERE due AND due <= date(today) + dur(7 days)', [acme, beta]],
    ['LIST WHERE due > date(2026-02-01)', [acme]],
    ['LIST WHERE due - date(today) = dur(4 d)', [acme]],
    ['LIST WHERE date(due).year = 2026 and date(due).month = 1', [beta]],
    ['LIST WHERE contains(file.tags, "#deal") and contains(status, "o")', [acme, beta]],
    ['LIST WHERE icontains(file.name, "ACM")', [acme]],
    ['LIST WHERE file.folder = "People"', [ann]],
    ['LIST WHERE contains(file.outlinks, [[Ann]])', [acme]],
    ['LIST WHERE length(file.inlinks) = 1', [beta, ann]],
    ['LIST WHERE file.mtime > date(today) - dur(100 years)', [acme, beta, odd, ann]],
    ['LIST WHERE amount * 2 + 1 = 15', [beta]],
    ['LIST WHERE time-played = 3', [acme]],
    ['LIST WHERE toString', []],
    ['LIST WHERE constructor', [odd]],
    ['LIST FROM #deal SORT amount', [beta, acme]],
    ['LIST FROM #deal SORT amount DESC LIMIT 1', [acme]],
    ['LIST SORT file.name DESC LIMIT 2', [odd, beta]],
  ])('by %s', async (query, found) => {
    const { status, answer } = await ask(query);
    expect([status, JSON.parse(JSON.stringify(answer, ['filename']))]).toEqual([
      200,
      found.map((filename) => ({ filename })),
    ]);
  });
});

describe('a query returns (EMB-008)', () => {
  it.each([
    [
      'TABLE status, amount AS "How much" FROM #deal/big',
      [{ filename: acme, result: { status: 'open', 'How much': 42 } }],
    ],
    [
      'TABLE WITHOUT ID due + dur(1 week) AS next, none FROM #deal/big',
      [{ filename: acme, result: { next: '2026-12-02', none: null } }],
    ],
    [
      'TABLE file.link, file.tags FROM "Deals/Beta"',
      [{ filename: beta, result: { 'file.link': `[[${beta}|Beta]]`, 'file.tags': ['#deal'] } }],
    ],
    ['LIST amount + 1 FROM #deal/big', [{ filename: acme, result: 43 }]],
    [
      'TASK',
      [
        {
          filename: acme,
          result: [
            { text: 'call', status: ' ', checked: false, completed: false, line: 7 },
            { text: 'write', status: 'x', checked: true, completed: true, line: 8 },
          ],
        },
      ],
    ],
    [
      'TASK WHERE !completed AND status = " "',
      [{ filename: acme, result: [{ text: 'call', status: ' ', checked: false, completed: false, line: 7 }] }],
    ],
  ])('rows: %s', async (query, answer) => {
    expect(await ask(query)).toEqual({ status: 200, answer });
  });
});

describe('a query is refused, with what is unknown and where (EMB-008)', () => {
  it.each([
    ['TABLE a HAVING b', '"HAVING" (line 1, column 9)'],
    ['TABLE a\nGROUP b', '"GROUP" (line 2, column 1)'],
    ['GALLERY due', '"GALLERY" (line 1, column 1)'],
    ['LIST WHERE (a', '"its end" (line 1, column 14)'],
    ['LIST WHERE srandom("a")', 'srandom (line 1, column 12)'],
    ['LIST WHERE file.starred', 'file.starred'],
    ['LIST WHERE file.constructor', 'file.constructor'],
    ['LIST WHERE due > dur(7 moons)', 'dur(7 moons)'],
    [`LIST WHERE ${'('.repeat(3_000)}`, 'too deep'],
    [`LIST WHERE ${'a+'.repeat(1_000)}a`, 'deep'],
    ['x'.repeat(5_000), '4000 characters'],
  ])('for %s', async (query, said) => {
    const { status, answer } = await ask(query);
    expect(status).toBe(400);
    expect(JSON.stringify(answer).replaceAll('\\"', '"')).toContain(said);
  });
});
