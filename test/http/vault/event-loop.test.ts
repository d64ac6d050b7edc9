import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { casesOf } from '#test/support/form.ts';
import { apiKey, patchHeaders } from '#test/support/vault/embedded-vault-server.ts';

let folder: string;
let child: ChildProcess;
let url: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vault-loop-'));
  child = fork('test/support/vault/vault-loop-process.ts', [join(folder, 'notes')], { execArgv: [] });
  const [said] = await once(child, 'message');
  url = said.url;
  await everyRead('# warm\n\n- up ^b\n');
});
afterAll(async () => {
  child.kill();
  await rm(folder, { recursive: true, force: true });
});

type Answered = Readonly<{ what: string; status: number }>;

async function ask(
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: string,
): Promise<Answered> {
  const answer = await fetch(url + path, {
    method,
    headers: { Authorization: `Bearer ${apiKey}`, ...headers },
    ...(body === undefined ? {} : { body }),
  });
  await answer.arrayBuffer();
  return { what: `${method} ${path} ${headers['Accept'] ?? headers['Target-Type'] ?? ''}`, status: answer.status };
}

const markdown = { 'Content-Type': 'text/markdown' };
const jsonLogic = { 'Content-Type': 'application/vnd.vault.jsonlogic+json' };
const accept = (name: string) => ({ Accept: `application/vnd.vault.${name}+json` });
const dql = { 'Content-Type': 'application/vnd.olrapi.dataview.dql+txt' };
const rule = (value: unknown) => ask('POST', '/search/', jsonLogic, JSON.stringify(value));

/** All that can be asked of one note of that text; it is gone afterwards. */
async function everyRead(text: string): Promise<readonly Answered[]> {
  const made = { 'Create-Target-If-Missing': 'true' };
  const answers = [
    await ask('PUT', '/vault/n.md', markdown, text),
    await ask('GET', '/vault/n.md'),
    await ask('GET', '/vault/n.md', accept('note')),
    await ask('GET', '/vault/n.md', accept('document-map')),
    await ask('GET', '/vault/n.md', { 'Target-Type': 'heading', Target: 'a' }),
    await ask('GET', '/vault/n.md', { 'Target-Type': 'frontmatter', Target: 'a' }),
    await ask('PATCH', '/vault/n.md', patchHeaders('append', 'heading', 'Z', made), '- x\n'),
    await ask('PATCH', '/vault/n.md', patchHeaders('append', 'block', 'b', made), 'x'),
    await ask('PATCH', '/vault/n.md', patchHeaders('replace', 'frontmatter', 'k', made), 'x'),
    await ask('POST', '/search/simple/?query=a%20x'),
    await rule({ in: ['needle of some length', { var: 'content' }] }),
    await ask('POST', '/search/', dql, 'TABLE a, file.outlinks, file.lists WHERE a < 3'),
    await ask('POST', '/search/', dql, 'TASK WHERE due < date(today)'),
    await ask('GET', '/tags/'),
    await ask('DELETE', '/vault/n.md'),
  ];
  return answers;
}

/** What the loop was held at most while `work` ran, in ms of CPU time on a machine with nothing else to do. */
async function held(work: () => Promise<readonly Answered[]>): Promise<number> {
  await loop('reset');
  const answers = await work();
  expect(answers.filter(({ status }) => status >= 500)).toEqual([]);
  const { maxMs, referenceMs } = await loop('report');
  return maxMs / Math.max(1, referenceMs / 25);
}

async function loop(word: string): Promise<{ maxMs: number; referenceMs: number }> {
  const answered = once(child, 'message');
  child.send(word);
  const [said] = await answered;
  return said;
}

const fill = (part: string, size: number): string => part.repeat(Math.ceil(size / part.length)).slice(0, size);
const bomb = 'bcdefgh'
  .split('')
  .map((name, index) => `${name}: &${name} [${`*${'abcdefg'[index]},`.repeat(9)}]`)
  .join('\n');

const bodies: readonly (readonly [string, (size: number) => string])[] = [
  ['nested emphasis', (size) => fill('*a ', size)],
  ['underscores', (size) => fill('_a __b ', size)],
  ['open brackets', (size) => fill('[', size)],
  ['open links', (size) => fill('[a](', size)],
  ['open wiki links', (size) => fill('[[', size)],
  ['wiki links', (size) => fill('[[a/b|c]] ', size)],
  [
    'links to other names',
    (size) =>
      Array.from({ length: size / 12 }, (_, at) => `[[n${at}/n]]`)
        .join(' ')
        .slice(0, size),
  ],
  ['quotations in quotations', (size) => fill('> ', size)],
  ['lines of deep quotations', (size) => fill(`${'> '.repeat(400)}a\n`, size)],
  ['lists in lists', (size) => fill('- ', size)],
  ['blank lines under deep lists', (size) => `${'- '.repeat(100)}a\n${fill('\n', size)}`.slice(0, size)],
  ['tables', (size) => fill('| a | b |\n| - | - |\n| 1 | 2 |\n\n', size)],
  ['one wide table', (size) => `${fill('|a', size / 2)}\n${fill('|-', size / 2)}`],
  ['HTML', (size) => fill('<div><a b="c">\n\n', size)],
  ['open tags', (size) => fill('<a ', size)],
  ['open comments', (size) => fill('<!-- ', size)],
  ['backticks', (size) => fill('`a``b```c\n', size)],
  ['one line', (size) => fill('a', size)],
  ['one line of spaces', (size) => `# a${fill(' ', size - 4)}x`],
  ['blank lines', (size) => fill('\n', size)],
  ['CRLF and CR', (size) => fill('a\r\n\r\r\n', size)],
  ['headings', (size) => fill('# a\n', size)],
  ['empty headings', (size) => fill('#\n', size)],
  ['underlined headings', (size) => fill('a\n=\n', size)],
  ['long headings above many', (size) => `# ${fill('a', size / 4)}\n${fill('## b\n', size / 2)}`],
  ['definitions of links', (size) => fill('[a]: /b "c"\n', size)],
  ['ids', (size) => fill('a ^b\n\n', size)],
  ['carets', (size) => fill('^', size)],
  ['tags', (size) => fill('#a ', size)],
  [
    'many tags',
    (size) =>
      Array.from({ length: size / 10 }, (_, at) => `#t${at}`)
        .join(' ')
        .slice(0, size),
  ],
  ['fences', (size) => fill('```\n', size)],
  ['a long fence', (size) => `${fill('`', size / 2)}\n${fill('`', size / 2)}`],
  ['controls', (size) => fill('\u0001', size)],
  ['frontmatter without end', (size) => `---\n${fill('a: b\n', size)}`],
  ['frontmatter of closing brackets', (size) => `---\n${fill(']', size)}\n---\n`],
  ['frontmatter of open brackets', (size) => `---\na: ${fill('[', size)}\n---\n`],
  ['frontmatter of open braces', (size) => `---\n${fill('{a: ', size)}\n---\n`],
  ['frontmatter of keys', (size) => `---\n${Array.from({ length: size / 8 }, (_, at) => `k${at}:`).join('\n')}\n---\n`],
  ['frontmatter of anchors', (size) => `---\n- &a x\n${fill('- *a\n', size)}---\n`],
  ['an alias bomb', () => `---\na: &a [x,x,x,x,x,x,x,x,x]\n${bomb}\n---\n`],
  ['one value', (size) => `---\na: ${fill('x', size)}\n---\n`],
];

const named = [
  'nested emphasis',
  'open brackets',
  'wiki links',
  'blank lines under deep lists',
  'one wide table',
  'open tags',
  'one line of spaces',
  'CRLF and CR',
  'underlined headings',
  'long headings above many',
  'ids',
  'many tags',
  'controls',
  'frontmatter of closing brackets',
];
const inShort = [
  'open brackets',
  'blank lines under deep lists',
  'one line of spaces',
  'frontmatter of closing brackets',
];
const largest = casesOf(
  bodies.filter(([name]) => named.includes(name)),
  ([name]) => inShort.includes(name),
);

describe('a note does not block the event loop (EMB-006)', () => {
  // Frontmatters of the other brackets and of keys are read in the same way, and each takes seconds.
  const alike = ['closing brackets', 'open braces', 'keys'].map((what) => `frontmatter of ${what}`);
  const looked = casesOf(bodies, ([name]) => !alike.includes(name));
  it.each(looked)('with %s, in 100 KiB', async (_, body) => {
    expect(await held(() => everyRead(body(100 * 1024)))).toBeLessThan(100);
  });

  it.each(largest)('with %s, in the largest note that is parsed', { timeout: 300_000 }, async (_, body) => {
    expect(await held(() => everyRead(body(4 * 1024 * 1024 - 100)))).toBeLessThan(200);
  });

  it('with a line of 10 MB, which is stored and returned, and refused by its parts', async () => {
    const answers = await everyRead(fill('a', 10_000_000));
    expect(answers.map(({ status }) => status)).toEqual([
      204, 200, 413, 413, 413, 413, 413, 413, 413, 200, 200, 200, 200, 200, 204,
    ]);
  });
});

describe('a query does not block the event loop (EMB-006)', () => {
  const doubled = (times: number): unknown => {
    let value: unknown = { var: 'content' };
    for (let turn = 0; turn < times; turn += 1) value = { merge: [value, value] };
    return value;
  };
  const reduced = (step: unknown) => ({ reduce: [{ var: 'tags' }, step, 'x'] });
  const accumulator = { var: 'accumulator' };
  const deep = (open: string, close: string) => open.repeat(100_000) + close.repeat(100_000);

  beforeAll(async () => {
    const tags = Array.from({ length: 300 }, (_, at) => `#t${at}`).join(' ');
    await ask(
      'PUT',
      '/vault/q.md',
      markdown,
      `---\nmethods: {toString: 1, valueOf: 2}\n---\n${tags}\n${fill('a', 100_000)}`,
    );
  });

  it.each([
    ['a merge that doubles', doubled(10), 400],
    ['a list that doubles', reduced({ merge: [accumulator, accumulator] }), 400],
    ['a text that doubles', reduced({ cat: [accumulator, accumulator] }), 400],
    ['a list in a list in a list', reduced([accumulator]), 400],
    ['every tag with every tag', { map: [{ var: 'tags' }, { map: [{ var: '' }, { var: '' }] }] }, 200],
    [
      'a long text in a text, again and again',
      { or: Array.from({ length: 500 }, () => ({ in: [`${'a'.repeat(50)}b${'a'.repeat(50)}`, { var: 'content' }] })) },
      400,
    ],
    ['an expression that backtracks', { regexp: ['(a+)+c', { var: 'content' }] }, 400],
    ['an expression that repeats', { regexp: ['(a*)*b', { var: 'content' }] }, 400],
    ['a pattern of many stars', { glob: [`${'*a'.repeat(5_000)}b`, { var: 'content' }] }, 200],
    ['a frontmatter of methods', { '==': [{ var: 'frontmatter.methods' }, 'x'] }, 200],
    ['all texts', { var: 'content' }, 200],
  ])('%s', async (_, query, status) => {
    let answered = 0;
    const longest = await held(async () => {
      const answer = await rule(query);
      answered = answer.status;
      return [answer];
    });
    expect([answered, longest < 100]).toEqual([status, true]);
  });

  it.each([
    ['lists 100,000 deep', deep('[', ']')],
    ['rules 100,000 deep', deep('{"!":', '}').replace(':}', ':1}')],
    ['a rule of 10 MB', JSON.stringify('x'.repeat(10_000_000))],
  ])('with %s, which is refused as a query and as the content of a patch', async (_, body) => {
    const longest = await held(async () => {
      const answers = [
        await ask('POST', '/search/', jsonLogic, body),
        await ask(
          'PATCH',
          '/vault/q.md',
          patchHeaders('replace', 'frontmatter', 'k', { 'Content-Type': 'application/json' }),
          body,
        ),
        await ask(
          'PATCH',
          '/vault/q.md',
          patchHeaders('append', 'block', 'k', { 'Content-Type': 'application/json' }),
          body,
        ),
      ];
      expect(answers.every(({ status }) => status >= 400)).toBe(true);
      return answers;
    });
    expect(longest).toBeLessThan(100);
  });

  it('with words that nearly match everywhere', async () => {
    const word = `${'a'.repeat(450)}b${'a'.repeat(450)}`;
    expect(await held(async () => [await ask('POST', `/search/simple/?query=${word}`)])).toBeLessThan(100);
  });
});
