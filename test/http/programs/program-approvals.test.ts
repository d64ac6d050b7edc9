import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { UndoApp } from '#test/support/changes/undo-app.ts';

let app: UndoApp;
let token: string;

beforeAll(async () => {
  app = await UndoApp.start();
  token = await app.app({ name: 'Asking programmer', ask: 'change' });
});
afterAll(() => app.stop());

const run = (code: string, more: object = {}) => app.call(token, 'workspace_run', { code, ...more });
const textOf = async (path: string) => {
  const { isError, data } = await run(`return await portolan.vault.note_read({ path: ${JSON.stringify(path)} })`);
  return isError ? null : data['result'];
};
const decide = (id: string, decision: object) => app.person.call('POST', `/api/approvals/${id}`, decision);
const write = (path: string, content: string) =>
  `await portolan.vault.note_write({ path: ${JSON.stringify(path)}, content: ${JSON.stringify(content)}, mode: 'overwrite' });`;

/** Runs a program that is asked about, and returns the id of its approval. */
async function asked(code: string): Promise<string> {
  const { isError, data } = await run(code);
  expect({ isError, reason: data['reason'] }).toEqual({ isError: true, reason: 'approval_required' });
  return String(Object(data['approval']).id);
}

describe('a program whose changes have to be asked', () => {
  it('waits as one plan, and is made once when the person allows it (PROG-008)', async () => {
    const code = `${write('Plan/a.md', 'a\n')}\n${write('Plan/b.md', 'b\n')}\nreturn 'both';`;
    const id = await asked(code);
    expect(await textOf('Plan/a.md')).toBeNull();
    const page = await (await app.browser.get('/approvals')).text();
    for (const shown of ['Run a program', 'Plan/a.md', 'Plan/b.md']) expect(page).toContain(shown);
    await decide(id, { decision: 'allow' });
    expect([await textOf('Plan/a.md'), await textOf('Plan/b.md')]).toEqual(['a\n', 'b\n']);
    const { data } = await run(code, { approval: id });
    expect(data).toMatchObject({ result: 'both', changes: 2 });
    await app.made(token, 'workspace_undo', { activity: String(data['activity']) }).catch(() => undefined);
  });

  it('goes on at once when it changes nothing (PROG-008)', async () => {
    expect((await run('return (await portolan.vault.vault_list({})) !== null')).data).toMatchObject({ result: true });
  });

  it('is given the ids of what it made in the places of the plan (PROG-008)', async () => {
    const code = `const issue = await portolan.tracker.issue_create({ title: 'By plan', team: 'ENG' });
await portolan.tracker.comment_create({ issueId: issue.id, body: 'On ' + issue.id });
return issue.id;`;
    const id = await asked(code);
    await decide(id, { decision: 'allow' });
    const { data } = await run(code, { approval: id });
    const comments = `return (await portolan.tracker.comments_list({ issueId: ${JSON.stringify(data['result'])} })).data.map((one) => one.body)`;
    expect((await run(comments)).data['result']).toEqual([`On ${String(data['result'])}`]);
  });

  it('is asked again when what it changes was changed since (PROG-008)', async () => {
    const writer = await app.app({ name: 'Writer', ask: 'never' });
    await app.made(writer, 'vault_note_write', { path: 'Moved.md', content: 'one\n' });
    const id = await asked(write('Moved.md', 'two\n'));
    await app.made(writer, 'vault_note_write', { path: 'Moved.md', content: 'by hand\n', mode: 'overwrite' });
    await decide(id, { decision: 'allow' });
    expect(await textOf('Moved.md')).toBe('by hand\n');
    await decide(id, { decision: 'allow' });
    expect(await textOf('Moved.md')).toBe('two\n');
  });

  it('stops at what is not in the plan (PROG-008)', async () => {
    const writer = await app.app({ name: 'Second writer', ask: 'never' });
    // What it reads is the same in its dry runs, and another after its own first change.
    const code = `${write('Stop/a.md', 'a\n')}
const { reason } = await portolan.vault.note_read({ path: 'Stop/a.md' }).catch((error) => error);
${write('Stop/b.md', '').replace('""', 'reason === undefined ? "surprise" : "planned"')}`;
    const id = await asked(code);
    const { outcome } = Object(await decide(id, { decision: 'allow' }));
    expect(JSON.stringify(outcome)).toContain('not in the plan');
    expect(await textOf('Stop/b.md')).toBeNull();
    expect(await textOf('Stop/a.md')).toBe('a\n');
    expect(writer).not.toBe(token);
  });

  it('is refused as a whole (PROG-008)', async () => {
    const code = write('Refused.md', 'no\n');
    const id = await asked(code);
    await decide(id, { decision: 'refuse', comment: 'Not now' });
    const { data } = await run(code, { approval: id });
    expect(data).toMatchObject({ reason: 'declined' });
    expect(await textOf('Refused.md')).toBeNull();
  });

  it('shows the same clock when it is made as in the plan (PROG-008)', async () => {
    const id = await asked('await portolan.vault.note_write({ path: "Clock.md", content: new Date().toISOString() });');
    await decide(id, { decision: 'allow' });
    expect(await textOf('Clock.md')).toMatch(/^\d{4}-\d\d-\d\dT/);
  });
});
