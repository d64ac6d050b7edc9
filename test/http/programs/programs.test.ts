import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { hiddenFields } from '#test/support/authorization/plain-browser.ts';
import { UndoApp } from '#test/support/changes/undo-app.ts';

let app: UndoApp;
let token: string;

beforeAll(async () => {
  app = await UndoApp.start();
  token = await app.app({ name: 'Programmer' });
});
afterAll(() => app.stop());

const run = (code: string, more: object = {}) => app.call(token, 'workspace_run', { code, ...more });
const result = async (code: string, more: object = {}) => (await run(code, more)).data['result'];
const textOf = async (path: string) => {
  const { isError, data } = await app.call(token, 'workspace_run', {
    code: `return await portolan.vault.note_read({ path: ${JSON.stringify(path)} })`,
  });
  return isError ? null : data['result'];
};

describe('a program', () => {
  it('answers what it returns, and how many calls it made (PROG-001)', async () => {
    expect(await run('return 6 * 7')).toEqual({ isError: false, data: { result: 42, calls: 0 } });
    expect(await run('return')).toEqual({ isError: false, data: { result: null, calls: 0 } });
    expect(await result('return { a: [1, "ä", null] }')).toEqual({ a: [1, 'ä', null] });
  });

  it('finds its input, and its log is answered (PROG-001)', async () => {
    const { data } = await run('log("got", input); console.log(input.n + 1); return input.n', { input: { n: 2 } });
    expect(data).toEqual({ result: 2, calls: 0, log: ['got {"n":2}', '3'] });
  });

  it('may be TypeScript, whose types are removed (PROG-001)', async () => {
    const code =
      'interface Sum { n: number }\nconst add = (a: number, b: number): Sum => ({ n: a + b });\nreturn add(2, 3) as Sum';
    expect(await result(code)).toEqual({ n: 5 });
  });

  it('calls operations by the names of their tools, or by their own (PROG-002)', async () => {
    await app.made(token, 'vault_note_write', { path: 'Names.md', content: 'by name\n' });
    expect(await result('return await portolan.vault.note_read({ path: "Names.md" })')).toBe('by name\n');
    expect(await result('return await portolan.vault.notes.read({ path: "Names.md" })')).toBe('by name\n');
    expect(await result('return await portolan.vault.noteRead({ path: "Names.md" })')).toBe('by name\n');
    expect(await result('return typeof portolan.tracker.issue_archive')).toBe('function');
  });

  it('goes through all pages of a list (PROG-003)', async () => {
    for (let nth = 0; nth < 5; nth += 1)
      await app.made(token, 'tracker_issue_create', { title: `Page ${nth}`, team: 'ENG' });
    const code = `const titles = [];
for await (const issue of portolan.pages(portolan.tracker.issues_list, { query: 'Page', first: 2 })) titles.push(issue.title);
return titles.toSorted()`;
    expect(await result(code)).toEqual(['Page 0', 'Page 1', 'Page 2', 'Page 3', 'Page 4']);
  });

  it('searches all services as the tool does (PROG-002)', async () => {
    expect(await result('return (await portolan.search("nothing like this")).hits')).toEqual([]);
  });

  it('catches failed calls as exceptions with a reason, a hint and whether to retry (PROG-004)', async () => {
    const code = `try { await portolan.vault.note_read({ path: 'None.md' }) } catch (error) {
  return [error instanceof Error, error.name, error.reason, error.retryable, typeof error.hint]
}`;
    expect(await result(code)).toEqual([true, 'PortolanError', 'not_found', false, 'string']);
  });

  it('fails as the call that it did not catch, with the line (PROG-004)', async () => {
    const { isError, data } = await run('const a = 1;\nawait portolan.vault.note_read({ path: "None.md" });');
    expect(isError).toBe(true);
    expect(data).toMatchObject({ reason: 'not_found' });
    expect(data['message']).toContain('(line 2)');
  });

  it('names what an unknown operation may have meant (PROG-004)', async () => {
    const { data } = await run('await portolan.tracker.issues_lst({})');
    expect(data).toMatchObject({ reason: 'invalid_input' });
    expect(data['message']).toContain('Did you mean portolan.tracker.issues_list?');
  });

  it('says where the code has a fault (PROG-004)', async () => {
    const { data } = await run('const a = 1;\nreturn a +* 2;');
    expect(data).toMatchObject({ reason: 'invalid_input' });
    expect(data['message']).toMatch(/fault.*\(line 2\) Nothing was changed\./);
  });

  it('fails with advice on the program, not on a service (PROG-004)', async () => {
    const { isError, data } = await run('return portolan.vault.nothing.deeper()');
    expect(isError).toBe(true);
    expect(data['hint']).toMatch(/^Correct the code/);
  });

  it('writes five notes, and none in a dry run, which answers each as a difference (PROG-005)', async () => {
    const code =
      'for (const n of [1, 2, 3, 4, 5]) await portolan.vault.note_write({ path: "Five/" + n + ".md", content: "n " + n + "\\n" }); return "done"';
    const { isError, data } = await run(code, { dry: true });
    expect(isError).toBe(false);
    expect(data).toMatchObject({ dry: true, result: 'done', calls: 5 });
    const changes = [1, 2, 3, 4, 5].map((n) => ({
      operation: 'vault.notes.write',
      effect: 'add',
      changes: [{ path: `Five/${n}.md`, what: 'made', lines: ['@@ line 1', `+n ${n}`] }],
    }));
    expect(data['changes']).toMatchObject(changes);
    expect(await textOf('Five/1.md')).toBeNull();
    expect((await run(code)).data).toMatchObject({ result: 'done', calls: 5, changes: 5 });
    expect(await textOf('Five/5.md')).toBe('n 5\n');
  });

  it('calls what it only makes new:1, new:2 in a dry run (PROG-005)', async () => {
    const code = `const issue = await portolan.tracker.issue_create({ title: 'Planned', team: 'ENG' });
const comment = await portolan.tracker.comment_create({ issueId: issue.id, body: 'About it' });
return [issue.id, comment.id, (await portolan.tracker.issue_get({ id: issue.id })).title]`;
    const { data } = await run(code, { dry: true });
    expect(data).toMatchObject({ dry: true, result: ['new:1', 'new:2', 'Planned'] });
    const wrong = await run(code.replace('issueId', 'issue_id'), { dry: true });
    expect(wrong.data).toMatchObject({ reason: 'invalid_input' });
  });

  it('is taken back as one, the latest change first (PROG-006)', async () => {
    await app.made(token, 'vault_note_write', { path: 'Unit.md', content: 'one\n' });
    const code = `await portolan.vault.note_write({ path: 'Unit.md', content: 'two\\n', mode: 'overwrite' });
await portolan.vault.note_write({ path: 'Unit.md', content: 'three\\n', mode: 'overwrite' });
await portolan.vault.note_write({ path: 'Unit new.md', content: 'new\\n' });`;
    const { activity } = (await run(code)).data;
    expect(await textOf('Unit.md')).toBe('three\n');
    expect(await app.made(token, 'workspace_undo', { activity: String(activity) })).toMatchObject({ taken_back: true });
    expect(await textOf('Unit.md')).toBe('one\n');
    expect(await textOf('Unit new.md')).toBeNull();
    const again = await app.call(token, 'workspace_undo', { activity: String(activity) });
    expect(again).toMatchObject({ isError: true, data: { reason: 'conflict' } });
  });

  it('leaves what was done when it fails, with the id that takes it back (PROG-006)', async () => {
    const code = `await portolan.vault.note_write({ path: 'Half.md', content: 'half\\n' });
throw new Error('no more')`;
    const { isError, data } = await run(code);
    expect(isError).toBe(true);
    expect(data).toMatchObject({
      reason: 'rejected',
      details: { calls: 1, done: [{ record: 'Half.md', outcome: 'ok' }] },
    });
    expect(data['message']).toContain('Until then 1 change was made.');
    const { activity } = Object(data['details']);
    await app.made(token, 'workspace_undo', { activity });
    expect(await textOf('Half.md')).toBeNull();
  });

  it('ends what it did not wait for before it is answered (PROG-001)', async () => {
    await run('portolan.vault.note_write({ path: "Forgotten.md", content: "there\\n" }); return 1');
    expect(await textOf('Forgotten.md')).toBe('there\n');
  });

  it('is one line of the activity, with a line for each call below it (PROG-006)', async () => {
    await run('await portolan.vault.vault_list({}); await portolan.vault.vault_list({})');
    await expect
      .poll(async () => {
        const answer = await app.browser.get('/api/activity');
        return z
          .object({ data: z.array(z.object({ operation: z.string() })) })
          .parse(await answer.json())
          .data.slice(0, 3)
          .map((one) => one.operation);
      })
      .toEqual(['run', 'folders.contents', 'folders.contents']);
  });
});

it('a person sees what a program changed on one page, and takes all of it back (PROG-006)', async () => {
  const code =
    "await portolan.vault.note_write({ path: 'Page/a.md', content: 'a' }); await portolan.vault.note_write({ path: 'Page/b.md', content: 'b' })";
  const id = String((await run(code)).data['activity']);
  await expect.poll(async () => (await app.browser.get('/activity')).text()).toContain('Its changes');
  expect(await (await app.browser.get('/activity')).text()).toContain('Run a program');
  const page = await (await app.browser.get(`/activity/change?id=${id}`)).text();
  for (const shown of ['Changes of a program', 'Page/a.md', 'Page/b.md', 'Take back all'])
    expect(page).toContain(shown);
  const form = new URLSearchParams({ ...hiddenFields(page), id });
  expect((await app.browser.post('/activity/change', form)).status).toBe(303);
  expect([await textOf('Page/a.md'), await textOf('Page/b.md')]).toEqual([null, null]);
  expect(await (await app.browser.get(`/activity/change?id=${id}`)).text()).not.toContain('Take back all');
});

describe('an app that may only read', () => {
  it('runs programs that read, and whose changes are not there (PROG-007)', async () => {
    const reader = await app.app({ name: 'Reader', services: ['vault'], access: 'read' });
    const code = 'return [typeof portolan.vault.note_read, Object.keys(portolan.vault).includes("note_write")]';
    expect((await app.call(reader, 'workspace_run', { code })).data['result']).toEqual(['function', false]);
    const { data } = await app.call(reader, 'workspace_run', {
      code: 'await portolan.vault.note_write({ path: "No.md", content: "no" })',
    });
    expect(data).toMatchObject({ reason: 'invalid_input' });
    expect(await textOf('No.md')).toBeNull();
  });

  it('has no more services than it was given (PROG-007)', async () => {
    const few = await app.app({ name: 'Few', services: ['vault'] });
    const { data } = await app.call(few, 'workspace_run', { code: 'return Object.keys(portolan)' });
    expect(data['result']).toEqual(['vault', 'search', 'brief', 'pages']);
  });
});
