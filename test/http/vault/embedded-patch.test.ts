import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestVault, patchHeaders, type TestVault } from '#test/support/vault/embedded-vault-server.ts';

let vault: TestVault;
beforeAll(async () => {
  vault = await openTestVault();
});
afterAll(() => vault.close());

let count = 0;

/** Patches a fresh note of that text. */
async function patch(note: string, headers: Record<string, string>, content: string) {
  count += 1;
  const path = `/vault/note-${count}.md`;
  await vault.ask('PUT', path, { body: note });
  const answer = await vault.ask('PATCH', path, { body: content, headers });
  const type = answer.headers.get('content-type') ?? '';
  const text = await answer.text();
  const refusal: { message?: string; errorCode?: number } = type.includes('json') ? JSON.parse(text) : {};
  return { status: answer.status, type, text, ...refusal, stored: await vault.read(`note-${count}.md`) };
}

const deal = '---\nstatus: open\n---\n# Deal\n\nIntro\n\n## History\n\n- one\n\n## Next\n\nText\n';

describe('PATCH over HTTP', () => {
  it('answers 200 with the whole note, labelled as Markdown, and stores it', async () => {
    const done = await patch(deal, patchHeaders('append', 'heading', 'Deal::History'), '- two\n');
    const expected = deal.replace('- one\n\n', '- one\n\n- two\n\n');
    expect([done.status, done.text, done.stored]).toEqual([200, expected, expected]);
    expect(done.type).toBe('text/markdown; charset=utf-8');
  });

  it('accepts another delimiter, and a percent-encoded target', async () => {
    const headers = patchHeaders('replace', 'heading', 'Größe 100%/Ünter', { 'Target-Delimiter': '/' });
    expect((await patch('# Größe 100%\n## Ünter\nold\n', headers, 'new\n')).text).toBe('# Größe 100%\n## Ünter\nnew\n');
  });

  it('requires the full path of a nested heading: 400, code 40080, invalid-target', async () => {
    const refused = await patch(deal, patchHeaders('append', 'heading', 'History'), 'x');
    expect(refused).toMatchObject({ status: 400, errorCode: 40080, stored: deal });
    expect(refused.message).toBe('The patch you provided could not be applied to the target content.\ninvalid-target');
  });

  it('refuses a heading whose path occurs twice in every method: 400, code 40085, with the lines (EMB-024)', async () => {
    const text = '# Deal\n## Log\none\n## Log\ntwo\n';
    const headers = patchHeaders('append', 'heading', 'Deal::Log');
    const refused = await patch(text, headers, 'x');
    expect(refused).toMatchObject({ status: 400, errorCode: 40085, stored: text });
    expect(refused.message).toContain('"Deal::Log#1" (line 2) and "Deal::Log#2" (line 4)');
    await vault.ask('PUT', '/vault/twice.md', { body: text });
    const { operation: _, ...target } = headers;
    for (const method of ['GET', 'PUT', 'POST']) {
      const body = method === 'GET' ? {} : { body: 'x' };
      const answer = await vault.ask(method, '/vault/twice.md', { headers: target, ...body });
      expect([method, answer.status, await answer.json()]).toEqual([
        method,
        400,
        expect.objectContaining({ errorCode: 40085 }),
      ]);
    }
    expect(await vault.read('twice.md')).toBe(text);
  });

  it('finds a heading by its place, as the document map lists it (EMB-024)', async () => {
    const text = '# Deal\n## Log\none\n## Log\ntwo\n# Other\n';
    await vault.ask('PUT', '/vault/place.md', { body: text });
    const accept = 'application/vnd.vault.document-map+json';
    const map = await (await vault.ask('GET', '/vault/place.md', { headers: { Accept: accept } })).json();
    expect(map).toMatchObject({ headings: ['Deal', 'Deal::Log#1', 'Deal::Log#2', 'Other'] });
    expect((await patch(text, patchHeaders('append', 'heading', 'Deal::Log#1'), 'x\n')).text).toBe(
      '# Deal\n## Log\none\nx\n## Log\ntwo\n# Other\n',
    );
  });

  it('creates headings with Create-Target-If-Missing, after a blank line (EMB-022)', async () => {
    const headers = patchHeaders('append', 'heading', 'Deal::Log::May', { 'Create-Target-If-Missing': 'true' });
    expect((await patch('# Deal\n', headers, '- x\n')).text).toBe('# Deal\n\n## Log\n\n### May\n- x\n');
  });

  it('adds existing content again, unless Reject-If-Content-Preexists is set', async () => {
    const headers = patchHeaders('append', 'heading', 'A');
    expect((await patch('# A\n- x\n', headers, '- x\n')).text).toBe('# A\n- x\n- x\n');
    const refused = await patch('# A\n- x\n', { ...headers, 'Reject-If-Content-Preexists': 'true' }, '- x\n');
    expect(refused).toMatchObject({ status: 400, errorCode: 40080, stored: '# A\n- x\n' });
    expect(refused.message).toContain('content-already-preexists-in-target');
    const older = await patch('# A\n- x\n', { ...headers, 'Apply-If-Content-Preexists': 'false' }, '- x\n');
    expect(older.errorCode).toBe(40080);
  });

  it('accepts a typed frontmatter value as JSON and a text as Markdown', async () => {
    const json = patchHeaders('replace', 'frontmatter', 'status', { 'Content-Type': 'application/json' });
    expect((await patch(deal, json, '42')).text).toBe(deal.replace('open', '42'));
    expect((await patch(deal, patchHeaders('replace', 'frontmatter', 'status'), 'won')).text).toBe(
      deal.replace('open', 'won'),
    );
  });

  it('accepts text for blocks and rows for tables', async () => {
    expect((await patch('one ^b\n', patchHeaders('replace', 'block', 'b'), 'two')).text).toBe('two ^b\n');
    const table = '| a | b |\n| - | - |\n| 1 | 2 |\n\n^t\n';
    const rows = patchHeaders('append', 'block', 't', { 'Content-Type': 'application/json' });
    expect((await patch(table, rows, '[["3","4"]]')).text).toContain('| 1 | 2 |\n| 3 | 4 |');
    expect((await patch(table, rows, '[["3"]]')).message).toContain('content-type-invalid-for-target');
  });

  const without = (name: string) => {
    const { [name]: _, ...rest } = patchHeaders('append', 'heading', 'Deal');
    return rest;
  };

  it.each([
    [40053, 'no Target-Type', without('Target-Type')],
    [40054, 'a Target-Type that is none', patchHeaders('append', 'line', 'Deal')],
    [40055, 'no Target', without('Target')],
    [40056, 'no Operation', without('Operation')],
    [40057, 'an Operation that is none', patchHeaders('delete', 'heading', 'Deal')],
    [40058, 'a Target that is not percent-encoded', { ...patchHeaders('append', 'heading', 'x'), Target: '100%' }],
    [
      40012,
      'a Content-Type with charset',
      patchHeaders('append', 'heading', 'Deal', { 'Content-Type': 'text/markdown; charset=utf-8' }),
    ],
    [
      40015,
      'JSON that is none',
      patchHeaders('append', 'frontmatter', 'status', { 'Content-Type': 'application/json' }),
    ],
    [40084, 'version 2 of the format', patchHeaders('append', 'heading', 'Deal', { 'Markdown-Patch-Version': '2' })],
  ])('answers code %i for %s, and does not change the note', async (errorCode, _, headers) => {
    expect(await patch(deal, headers, 'x')).toMatchObject({ status: 400, errorCode, stored: deal });
  });

  it('answers broken frontmatter with 400 and code 40005', async () => {
    const note = '---\na: [\n---\ntext';
    expect(await patch(note, patchHeaders('replace', 'frontmatter', 'a'), 'x')).toMatchObject({
      status: 400,
      errorCode: 40005,
      stored: note,
    });
  });

  it('answers 404 for a note that does not exist, and creates none', async () => {
    const headers = patchHeaders('append', 'heading', 'A', { 'Create-Target-If-Missing': 'true' });
    expect((await vault.ask('PATCH', '/vault/none.md', { body: 'x', headers })).status).toBe(404);
    expect(await vault.read('none.md')).toBe(404);
  });

  it('is also available as PUT and POST with Target-Type and Target', async () => {
    await vault.ask('PUT', '/vault/part.md', { body: '# A\nold\n# B\nb\n' });
    const headers = { 'Content-Type': 'text/markdown', 'Target-Type': 'heading', Target: 'A' };
    await vault.ask('PUT', '/vault/part.md', { body: 'new\n', headers });
    await vault.ask('POST', '/vault/part.md', { body: 'more\n', headers });
    expect(await vault.read('part.md')).toBe('# A\nnew\nmore\n# B\nb\n');
  });
});
