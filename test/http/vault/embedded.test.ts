import { mkdir, readdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { temporaryNameOf } from '#infrastructure/files/atomic-file.ts';
import { apiKey, openTestVault, patchHeaders, type TestVault } from '#test/support/vault/embedded-vault-server.ts';

let vault: TestVault;
beforeEach(async () => {
  vault = await openTestVault();
});
afterEach(() => vault.close());

const markdown = { 'Content-Type': 'text/markdown' };
const put = (path: string, body: string) => vault.ask('PUT', `/vault/${path}`, { body, headers: markdown });
type Refusal = Readonly<{ status: number; message: string; errorCode: number }>;
const body = async <Body>(answer: Response): Promise<Body> => JSON.parse(await answer.text());
const error = async (answer: Response): Promise<Refusal> => ({
  ...(await body<Refusal>(answer)),
  status: answer.status,
});
type Hit = Readonly<{ filename: string; score: number; matches: readonly unknown[] }>;

describe('the system routes', () => {
  it('answer GET / without a key, and say that the caller is not authenticated (EMB-012)', async () => {
    const answer = await fetch(`${vault.url}/`);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ status: 'OK', authenticated: false, versions: { self: '1.0.0' } });
  });

  it('answer GET / with the key, and say that the caller is authenticated', async () => {
    expect(await (await vault.ask('GET', '/')).json()).toMatchObject({ authenticated: true });
  });

  it.each([
    ['GET', '/vault/'],
    ['GET', '/openapi.yaml'],
    ['GET', '/vault-api.crt'],
    ['GET', '/active/'],
    ['PUT', '/vault/a.md'],
    ['POST', '/search/simple/?query=a'],
    ['GET', '/commands/'],
    ['GET', '/nowhere'],
  ])('answer %s %s without the key with 401 and code 40101 (EMB-012)', async (method, path) => {
    const answer = await fetch(vault.url + path, { method });
    expect(answer.status).toBe(401);
    expect(await answer.json()).toMatchObject({ errorCode: 40101 });
  });

  it.each(['Bearer wrong', `bearer ${apiKey}`, apiKey, `Bearer ${apiKey} `.repeat(2), 'Bearer '])(
    'answer a wrong key with 401: %s',
    async (Authorization) => {
      expect((await fetch(`${vault.url}/vault/`, { headers: { Authorization } })).status).toBe(401);
    },
  );

  it('answer GET /vault-api.crt with the fact that there is no certificate', async () => {
    expect(await error(await vault.ask('GET', '/vault-api.crt'))).toMatchObject({ status: 404, errorCode: 40400 });
  });

  it('list every route of the interface at GET /openapi.yaml (EMB-001)', async () => {
    const answer = await vault.ask('GET', '/openapi.yaml');
    expect(answer.headers.get('content-type')).toBe('application/yaml; charset=utf-8');
    const text = await answer.text();
    const paths = [...text.matchAll(/^ {2}(\/\S*):$/gm)].map((match) => match[1] ?? '');
    expect(paths.toSorted((a, b) => (a < b ? -1 : 1))).toEqual([
      '/',
      '/active/',
      '/commands/',
      '/commands/{commandId}/',
      '/open/{filename}',
      '/periodic/{period}/',
      '/periodic/{period}/{year}/{month}/{day}/',
      '/search/',
      '/search/simple/',
      '/tags/',
      '/vault-api.crt',
      '/vault/',
      '/vault/{path}',
    ]);
  });

  it('answer an unknown route with 404 and a body that says so', async () => {
    expect(await error(await vault.ask('GET', '/nowhere'))).toEqual({
      status: 404,
      message: 'Not Found',
      errorCode: 40400,
    });
  });
});

describe('the file routes', () => {
  it('create a note with its folders with PUT /vault/{path}, and return it with GET', async () => {
    expect((await put('Deals/2026/Acme.md', '# Acme\n')).status).toBe(204);
    const answer = await vault.ask('GET', '/vault/Deals/2026/Acme.md');
    expect(answer.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    expect(await answer.text()).toBe('# Acme\n');
    expect(await readFile(join(vault.folder, 'Deals/2026/Acme.md'), 'utf8')).toBe('# Acme\n');
  });

  it('overwrite with PUT /vault/{path}', async () => {
    await put('a.md', 'old');
    await put('a.md', 'new');
    expect(await vault.read('a.md')).toBe('new');
  });

  it('keep bytes that are not text with PUT, and return their media type with GET', async () => {
    const bytes = Uint8Array.from([0x89, 0x50, 0, 0xff, 0xfe, 0x80]);
    await vault.ask('PUT', '/vault/pictures/x.png', { body: bytes, headers: { 'Content-Type': 'image/png' } });
    const answer = await vault.ask('GET', '/vault/pictures/x.png');
    expect(answer.headers.get('content-type')).toBe('image/png');
    expect(new Uint8Array(await answer.arrayBuffer())).toEqual(bytes);
  });

  it('create a note with POST /vault/{path}, then append on a new line', async () => {
    const post = (body: string) => vault.ask('POST', '/vault/log.md', { body, headers: markdown });
    expect((await post('one')).status).toBe(204);
    await post('two\n');
    await post('three');
    expect(await vault.read('log.md')).toBe('one\ntwo\nthree');
  });

  it('answer a POST of what is not text with 400 and code 40010', async () => {
    const answer = await vault.ask('POST', '/vault/a.md', {
      body: '{}',
      headers: { 'Content-Type': 'application/json' },
    });
    expect(await error(answer)).toMatchObject({ status: 400, errorCode: 40010 });
  });

  it('delete the note with DELETE /vault/{path}, and answer 404 the second time', async () => {
    await put('a.md', 'x');
    expect((await vault.ask('DELETE', '/vault/a.md')).status).toBe(204);
    expect((await vault.ask('DELETE', '/vault/a.md')).status).toBe(404);
    expect(await vault.read('a.md')).toBe(404);
  });

  it('answer GET of a note that does not exist with 404 and the body of the real server', async () => {
    expect(await error(await vault.ask('GET', '/vault/nothing.md'))).toEqual({
      status: 404,
      message: 'Not Found',
      errorCode: 40400,
    });
  });

  it.each(['PUT', 'POST', 'PATCH', 'DELETE'])('answer %s on a folder with 405 and code 40510', async (method) => {
    await put('folder/a.md', 'x');
    const options = { headers: patchHeaders('append', 'heading', 'A'), ...(method === 'DELETE' ? {} : { body: 'x' }) };
    expect(await error(await vault.ask(method, '/vault/folder/', options))).toMatchObject({ errorCode: 40510 });
    expect((await vault.ask('DELETE', '/vault/folder')).status).toBe(405);
  });

  it('answer 400 if a folder in the path is a file', async () => {
    await put('a.md', 'x');
    expect((await put('a.md/b.md', 'y')).status).toBe(400);
  });

  it('answer a name of more than 255 bytes with 400', async () => {
    expect((await put(`${'x'.repeat(300)}.md`, 'y')).status).toBe(400);
  });

  it('answer HEAD like GET without a body', async () => {
    await put('a.md', 'text');
    const answer = await vault.ask('HEAD', '/vault/a.md');
    expect([answer.status, answer.headers.get('content-length'), await answer.text()]).toEqual([200, '4', '']);
  });

  it('answer a body over the limit with 413, and write nothing', async () => {
    const small = await openTestVault({ bodyLimit: 1000 });
    const answer = await small.ask('PUT', '/vault/big.md', { body: 'x'.repeat(1001), headers: markdown });
    expect(await error(answer)).toMatchObject({ status: 413, errorCode: 41300 });
    expect(await small.read('big.md')).toBe(404);
    await small.close();
  });

  it('answer 507 when the disk is full, and keep the old note (EMB-011)', async () => {
    await put('a.md', 'old');
    const full = await openTestVault({
      folder: vault.folder,
      writeFile: () => Promise.reject(Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })),
    });
    const answer = await full.ask('PUT', '/vault/a.md', { body: 'new', headers: markdown });
    expect(await error(answer)).toMatchObject({ status: 507, errorCode: 50700 });
    expect(await full.read('a.md')).toBe('old');
    await full.close();
  });
});

describe('the Accept header', () => {
  const note =
    '---\ntags: [work, "#plan"]\nstatus: open\n---\n# Deal\n\nSee #work and #big/deal.\n\n## History\n\n- one ^first\n';

  it.each(['application/vnd.vault.note+json', 'application/vnd.olrapi.note+json'])(
    'with %s returns frontmatter, content, tags and times',
    async (Accept) => {
      await put('d.md', note);
      const answer = await vault.ask('GET', '/vault/d.md', { headers: { Accept } });
      expect(answer.headers.get('content-type')).toBe(Accept);
      expect(await answer.json()).toEqual({
        tags: ['work', 'plan', 'big/deal'],
        frontmatter: { tags: ['work', '#plan'], status: 'open' },
        stat: { ctime: expect.any(Number), mtime: expect.any(Number), size: note.length },
        path: 'd.md',
        content: note,
        links: [],
        backlinks: [],
        version: expect.stringMatching(/^[0-9a-f]{16}$/),
      });
    },
  );

  it.each(['application/vnd.vault.document-map+json', 'application/vnd.olrapi.document-map+json'])(
    'with %s returns what can be patched',
    async (Accept) => {
      await put('d.md', note);
      const answer = await vault.ask('GET', '/vault/d.md', { headers: { Accept } });
      expect(answer.headers.get('content-type')).toBe(Accept);
      expect(await answer.json()).toEqual({
        headings: ['Deal', 'Deal::History'],
        blocks: ['first'],
        frontmatterFields: ['tags', 'status'],
      });
    },
  );

  it('returns the links and backlinks of a note in note JSON', async () => {
    await put('Deals/Acme.md', 'By [[Ann|her]], see [terms](../Docs/The%20terms.md#two) and [web](https://a.example).');
    await put('People/Ann.md', 'x');
    await put('Docs/The terms.md', '![[Acme#History]]');
    const Accept = 'application/vnd.vault.note+json';
    const json = await body(await vault.ask('GET', '/vault/Deals/Acme.md', { headers: { Accept } }));
    expect(json).toMatchObject({ links: ['People/Ann.md', 'Docs/The terms.md'], backlinks: ['Docs/The terms.md'] });
    await vault.ask('DELETE', '/vault/Docs/The%20terms.md');
    const after = await body(await vault.ask('GET', '/vault/Deals/Acme.md', { headers: { Accept } }));
    expect(after).toMatchObject({ links: ['People/Ann.md'], backlinks: [] });
  });

  it('is compared exactly, as the real server does', async () => {
    await put('d.md', note);
    const headers = { Accept: 'application/vnd.vault.note+json, */*' };
    expect(await (await vault.ask('GET', '/vault/d.md', { headers })).text()).toBe(note);
  });

  it('with Target-Type and Target on GET returns that part', async () => {
    await put('d.md', note);
    const part = (kind: string, Target: string) =>
      vault.ask('GET', '/vault/d.md', { headers: { 'Target-Type': kind, Target } });
    expect(await (await part('heading', 'Deal::History')).text()).toBe('\n- one ^first\n');
    expect(await (await part('block', 'first')).text()).toBe('- one');
    expect(await (await part('frontmatter', 'status')).json()).toBe('open');
    expect((await part('heading', 'History')).status).toBe(404);
  });
});

describe('the directory listing', () => {
  it('of an empty vault is an empty list at GET /vault/', async () => {
    expect(await (await vault.ask('GET', '/vault/')).json()).toEqual({ files: [] });
  });

  it('lists one level at GET /vault/{dirPath}/, folders with a slash', async () => {
    await put('b.md', '');
    await put('A/x.md', '');
    await put('A/deep/er/y.md', '');
    expect(await (await vault.ask('GET', '/vault/')).json()).toEqual({ files: ['A/', 'b.md'] });
    expect(await (await vault.ask('GET', '/vault/A/')).json()).toEqual({ files: ['deep/', 'x.md'] });
    expect(await (await vault.ask('GET', '/vault/A')).json()).toEqual({ files: ['deep/', 'x.md'] });
  });

  it('of a missing or empty folder is 404', async () => {
    await mkdir(join(vault.folder, 'empty'));
    expect((await vault.ask('GET', '/vault/empty/')).status).toBe(404);
    expect((await vault.ask('GET', '/vault/missing/')).status).toBe(404);
  });
});

describe('the active note', () => {
  it.each(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])(
    'answers %s /active/ with 404 while none is open',
    async (method) => {
      const options = { headers: patchHeaders('append', 'heading', 'A'), ...(method === 'GET' ? {} : { body: 'x' }) };
      expect((await vault.ask(method, '/active/', options)).status).toBe(404);
    },
  );

  it('is the note that was last opened, whatever was written since', async () => {
    await put('a.md', '# A\n');
    await vault.ask('POST', '/open/a.md');
    await put('b.md', 'b');
    const answer = await vault.ask('GET', '/active/');
    expect(answer.headers.get('content-location')).toBe('a.md');
    expect(await answer.text()).toBe('# A\n');
    expect((await vault.ask('POST', '/active/', { body: 'more\n', headers: markdown })).status).toBe(204);
    const patched = await vault.ask('PATCH', '/active/', {
      body: 'x\n',
      headers: patchHeaders('prepend', 'heading', 'A'),
    });
    expect(await patched.text()).toBe('# A\nx\nmore\n');
    expect((await vault.ask('PUT', '/active/', { body: 'new', headers: markdown })).status).toBe(204);
    expect(await vault.read('a.md')).toBe('new');
    expect((await vault.ask('DELETE', '/active/')).status).toBe(204);
    expect(await vault.read('a.md')).toBe(404);
  });

  it('is the last written note while none has been opened', async () => {
    await put('a.md', 'a');
    await put('b.md', 'b');
    expect(await (await vault.ask('GET', '/active/')).text()).toBe('b');
  });
});

describe('opening a note', () => {
  it('creates it when it is missing, with POST /open/{filename}', async () => {
    expect((await vault.ask('POST', '/open/Ideas/New?newLeaf=true')).status).toBe(200);
    expect(await vault.read('Ideas/New.md')).toBe('');
  });

  it('leaves an existing note unchanged', async () => {
    await put('a.md', 'text');
    expect((await vault.ask('POST', '/open/a.md')).status).toBe(200);
    expect(await vault.read('a.md')).toBe('text');
  });
});

describe('periodic notes', () => {
  it.each([
    ['daily', 'Daily/2026-11-21.md'],
    ['weekly', 'Weekly/2026-W47.md'],
    ['monthly', 'Monthly/2026-11.md'],
    ['quarterly', 'Quarterly/2026-Q4.md'],
    ['yearly', 'Yearly/2026.md'],
  ])('have all five methods at /periodic/%s/ on %s', async (period, path) => {
    const url = `/periodic/${period}/`;
    expect(await error(await vault.ask('GET', url))).toMatchObject({ status: 404, errorCode: 40461 });
    expect(await error(await vault.ask('DELETE', url))).toMatchObject({ status: 404, errorCode: 40461 });
    expect((await vault.ask('POST', url, { body: '# Log\n', headers: markdown })).status).toBe(204);
    expect(await vault.read(path)).toBe('# Log\n');
    const answer = await vault.ask('GET', url);
    expect([answer.headers.get('content-location'), await answer.text()]).toEqual([path, '# Log\n']);
    await vault.ask('PATCH', url, { body: '- x\n', headers: patchHeaders('append', 'heading', 'Log') });
    expect(await vault.read(path)).toBe('# Log\n- x\n');
    expect((await vault.ask('PUT', url, { body: 'new', headers: markdown })).status).toBe(204);
    expect(await vault.read(path)).toBe('new');
    expect((await vault.ask('DELETE', url)).status).toBe(204);
    expect(await vault.read(path)).toBe(404);
  });

  it.each([
    ['daily', 'Daily/2024-02-29.md'],
    ['weekly', 'Weekly/2024-W09.md'],
    ['monthly', 'Monthly/2024-02.md'],
    ['quarterly', 'Quarterly/2024-Q1.md'],
    ['yearly', 'Yearly/2024.md'],
  ])('have all five methods at /periodic/%s/{year}/{month}/{day}/ on %s, for that date', async (period, path) => {
    const url = `/periodic/${period}/2024/2/29/`;
    expect((await vault.ask('GET', url)).status).toBe(404);
    expect((await vault.ask('PUT', url, { body: '# A\n', headers: markdown })).status).toBe(204);
    expect((await vault.ask('POST', url, { body: 'b\n', headers: markdown })).status).toBe(204);
    await vault.ask('PATCH', url, { body: 'a\n', headers: patchHeaders('prepend', 'heading', 'A') });
    expect(await (await vault.ask('GET', url)).text()).toBe('# A\na\nb\n');
    expect(await vault.read(path)).toBe('# A\na\nb\n');
    expect((await vault.ask('DELETE', url)).status).toBe(204);
    expect(await (await vault.ask('GET', '/vault/')).json()).toEqual({ files: [] });
  });

  it('are created by PATCH when they are missing', async () => {
    const headers = patchHeaders('append', 'heading', 'Log', { 'Create-Target-If-Missing': 'true' });
    expect((await vault.ask('PATCH', '/periodic/daily/', { body: '- x\n', headers })).status).toBe(200);
    expect(await vault.read('Daily/2026-11-21.md')).toBe('# Log\n- x\n');
  });

  it('are not created by a PATCH that fails', async () => {
    await vault.ask('PATCH', '/periodic/daily/', { body: 'x', headers: patchHeaders('append', 'heading', 'Log') });
    expect(await vault.read('Daily/2026-11-21.md')).toBe(404);
  });

  it('answer 404 with code 40460 for an unknown period', async () => {
    expect(await error(await vault.ask('GET', '/periodic/hourly/'))).toMatchObject({ status: 404, errorCode: 40460 });
  });

  it.each(['2026/2/30', '2026/13/1', '2026/0/1', 'x/1/1'])('do not exist for %s', async (day) => {
    expect((await vault.ask('PUT', `/periodic/daily/${day}/`, { body: 'x', headers: markdown })).status).toBe(400);
  });
});

describe('the search', () => {
  const simple = async (query: string) => body<Hit[]>(await vault.ask('POST', `/search/simple/?${query}`));

  it('finds names and contents at POST /search/simple/, with positions, contexts and scores below 0, the best first', async () => {
    await put('Acme plan.md', 'Nothing here');
    await put('Other.md', 'We met ACME today, and Acme again.');
    expect(await simple('query=acme&contextLength=5')).toEqual([
      {
        filename: 'Acme plan.md',
        score: expect.any(Number),
        matches: [{ match: { start: 0, end: 4, source: 'filename' }, context: 'Acme plan' }],
      },
      {
        filename: 'Other.md',
        score: expect.any(Number),
        matches: [
          { match: { start: 7, end: 11, source: 'content' }, context: ' met ACME toda' },
          { match: { start: 23, end: 27, source: 'content' }, context: ' and Acme agai' },
        ],
      },
    ]);
    const [first, second] = await simple('query=acme');
    expect(first?.score).toBeGreaterThan(second?.score ?? 0);
    expect(first?.score).toBeLessThan(0);
  });

  it('requires every word of the query', async () => {
    await put('a.md', 'red green');
    await put('b.md', 'red blue');
    expect((await simple('query=green%20red')).map(({ filename }) => filename)).toEqual(['a.md']);
    expect(await simple('query=')).toEqual([]);
  });

  it('answers 400 with code 40090 without a query', async () => {
    expect(await error(await vault.ask('POST', '/search/simple/'))).toMatchObject({ status: 400, errorCode: 40090 });
  });

  const search = (type: string, body: string) =>
    vault.ask('POST', '/search/', { body, headers: type === '' ? {} : { 'Content-Type': type } });
  const jsonLogic = async (query: unknown) =>
    (await search('application/vnd.vault.jsonlogic+json', JSON.stringify(query))).json();

  it.each([
    ['path', { '==': [{ var: 'path' }, 'd.md'] }, true],
    ['tags', { in: ['work', { var: 'tags' }] }, true],
    ['frontmatter', { var: 'frontmatter.amount' }, 42],
    ['content', { in: ['body', { var: 'content' }] }, true],
    ['backlinks', { in: ['e.md', { var: 'backlinks' }] }, true],
    ['glob', { glob: ['*.example/*', { var: 'frontmatter.url' }] }, true],
    ['regexp', { regexp: ['^https://', { var: 'frontmatter.url' }] }, true],
  ])('evaluates JsonLogic for %s at POST /search/ (EMB-007)', async (_, query, result) => {
    await put('d.md', '---\ntags: [work]\namount: 42\nurl: https://a.example/x\n---\nbody');
    await put('e.md', '[[d]]');
    expect(await jsonLogic(query)).toEqual([{ filename: 'd.md', result }]);
  });

  it('supports the media types of the real server, too', async () => {
    await put('d.md', 'x');
    const answer = await search('application/vnd.olrapi.jsonlogic+json', '{"var": "path"}');
    expect(await answer.json()).toEqual([{ filename: 'd.md', result: 'd.md' }]);
  });

  it.each([
    ['an empty list', []],
    ['an empty object', {}],
    ['zero', 0],
    ['null', null],
    ['false', false],
  ])('does not count %s as a result', async (_, value) => {
    await put('d.md', 'x');
    expect(await jsonLogic(value)).toEqual([]);
  });

  it.each([
    ['application/vnd.vault.jsonlogic+json; charset=utf-8', '{}', 40012],
    ['text/plain', '{}', 40012],
    ['application/vnd.vault.jsonlogic+json', '{', 40015],
    ['application/vnd.vault.jsonlogic+json', '{"nonsense": [1]}', 40070],
    ['application/vnd.vault.jsonlogic+json', '{"regexp": ["(", {"var": "path"}]}', 40070],
  ])('answers Content-Type %s with %s with 400 and code %i', async (type, body, errorCode) => {
    await put('d.md', 'x');
    expect(await error(await search(type, body))).toMatchObject({ status: 400, errorCode });
  });

  it('answers 400 with code 40011 without a Content-Type', async () => {
    const answer = await fetch(`${vault.url}/search/`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${apiKey}` },
    });
    expect(await error(answer)).toMatchObject({ status: 400, errorCode: 40011 });
  });

  it('stops an expression that backtracks without end', async () => {
    await put('d.md', `${'a'.repeat(60)}!`);
    const query = JSON.stringify({ regexp: ['^(a+)+$', { var: 'content' }] });
    const refused = await error(await search('application/vnd.vault.jsonlogic+json', query));
    expect(refused).toMatchObject({ status: 400, errorCode: 40070 });
  });
});

describe('the routes of tags and commands', () => {
  it('count uses of tags at GET /tags/, including parents', async () => {
    await put('a.md', '---\ntags: [work/plan]\n---\n#work and `#code`');
    await put('b.md', '#home #123');
    expect(await (await vault.ask('GET', '/tags/')).json()).toEqual({
      tags: [
        { name: 'work/plan', count: 1 },
        { name: 'work', count: 2 },
        { name: 'home', count: 1 },
      ],
    });
  });

  it('list ids and names at GET /commands/', async () => {
    const { commands } = await body<{ commands: unknown[] }>(await vault.ask('GET', '/commands/'));
    expect(commands).toContainEqual({ id: 'daily-notes', name: "Daily notes: Open today's daily note" });
    expect(commands).toContainEqual({ id: 'file-explorer:new-file', name: 'Files: Create new note' });
    expect(commands).toContainEqual({ id: 'vault:rebuild-index', name: 'Vault: Rebuild the search index' });
  });

  it('open the daily note of today at POST /commands/daily-notes/', async () => {
    expect((await vault.ask('POST', '/commands/daily-notes/')).status).toBe(204);
    expect((await vault.ask('GET', '/active/')).headers.get('content-location')).toBe('Daily/2026-11-21.md');
  });

  it('create notes with free names at POST /commands/file-explorer:new-file/', async () => {
    await vault.ask('POST', '/commands/file-explorer%3Anew-file/');
    await vault.ask('POST', '/commands/file-explorer:new-file/');
    expect(await (await vault.ask('GET', '/vault/')).json()).toEqual({ files: ['Untitled 1.md', 'Untitled.md'] });
  });

  it('read the folder again at POST /commands/vault:rebuild-index/', async () => {
    await writeFile(join(vault.folder, 'by hand.md'), 'x');
    expect((await vault.ask('POST', '/commands/vault:rebuild-index/')).status).toBe(204);
    expect(await (await vault.ask('GET', '/vault/')).json()).toEqual({ files: ['by hand.md'] });
  });

  it('answer an unknown command with 404', async () => {
    expect((await vault.ask('POST', '/commands/nonsense/')).status).toBe(404);
  });
});

describe('a manual edit', () => {
  const names = async (query: string): Promise<string[]> => {
    const hits = await body<Hit[]>(await vault.ask('POST', `/search/simple/?query=${query}`));
    return hits.map(({ filename }) => filename);
  };

  it('of a new, changed, moved or deleted note is seen by searches', async () => {
    await put('kept.md', 'granite');
    await mkdir(join(vault.folder, 'new/deep'), { recursive: true });
    await writeFile(join(vault.folder, 'new/deep/a.md'), 'basalt');
    await vi.waitFor(async () => expect(await names('basalt')).toEqual(['new/deep/a.md']), { timeout: 60_000 });
    await writeFile(join(vault.folder, 'new/deep/a.md'), 'gneiss');
    await vi.waitFor(async () => expect(await names('gneiss')).toEqual(['new/deep/a.md']), { timeout: 60_000 });
    await rename(join(vault.folder, 'new'), join(vault.folder, 'moved'));
    await vi.waitFor(async () => expect(await names('gneiss')).toEqual(['moved/deep/a.md']), { timeout: 60_000 });
    await writeFile(join(vault.folder, 'moved/deep/b.md'), 'gneiss');
    await vi.waitFor(async () => expect(await names('gneiss')).toHaveLength(2), { timeout: 60_000 });
    await rm(join(vault.folder, 'moved'), { recursive: true });
    await vi.waitFor(async () => expect(await names('gneiss')).toEqual([]), { timeout: 60_000 });
    expect(await names('granite')).toEqual(['kept.md']);
  });

  it('is read from the disk at that moment', async () => {
    await put('a.md', 'one');
    await writeFile(join(vault.folder, 'a.md'), 'two');
    expect(await vault.read('a.md')).toBe('two');
  });

  it('from before the start is found, and progress is reported', async () => {
    await put('a.md', 'quartz');
    const again = await openTestVault({ folder: vault.folder });
    const hits = await body<Hit[]>(await again.ask('POST', '/search/simple/?query=quartz'));
    expect(hits).toHaveLength(1);
    expect(again.lines.map(({ message }) => message)).toContain('The vault has been read');
    await again.close();
  });

  it('left unfinished by a crash is removed at the start and never served, except those of a running writer (EMB-017)', async () => {
    const [left, fresh] = ['.~AAAAAAAAAAAAAAAA.tmp', '.~BBBBBBBBBBBBBBBB.tmp'];
    const running = temporaryNameOf();
    for (const name of [left, fresh, running]) {
      await writeFile(join(vault.folder, name), 'half');
      expect(await vault.read(name)).toBe(404);
    }
    const anHourAgo = new Date(Date.now() - 3_600_000);
    for (const name of [left, running]) await utimes(join(vault.folder, name), anHourAgo, anHourAgo);
    expect(await (await vault.ask('GET', '/vault/')).json()).toEqual({ files: [] });
    await (await openTestVault({ folder: vault.folder })).close();
    expect((await readdir(vault.folder)).sort()).toEqual([fresh, running].sort());
  });
});
