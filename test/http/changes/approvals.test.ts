import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { hiddenFields, type PlainBrowser } from '#test/support/authorization/plain-browser.ts';
import { grantToken } from '#test/support/server/granted.ts';
import { sendJson, startWholeServer, type WholeServer } from '#test/support/server/whole-server.ts';

const required = z.looseObject({ approval: z.object({ id: z.string(), url: z.string(), expires_at: z.string() }) });

let server: WholeServer;
let ada: PlainBrowser;
let token: string;

beforeAll(async () => {
  server = await startWholeServer({});
  ada = await server.signedIn();
  token = await grantToken(server.origin, ada, { name: 'Careful', ask: 'lose' });
});
afterAll(() => server[Symbol.asyncDispose]());

const rest = async (method: string, path: string, given: Readonly<{ body?: string; by?: string }> = {}) => {
  const response = await fetch(`${server.origin}/api/vault${path}`, {
    method,
    headers: { authorization: `Bearer ${given.by ?? token}`, 'content-type': 'application/json' },
    ...(given.body === undefined ? {} : { body: given.body }),
  });
  const text = await response.text();
  return { status: response.status, body: text.startsWith('{') ? z.looseObject({}).parse(JSON.parse(text)) : text };
};
const note = async (path: string, content = 'Old') =>
  rest('PUT', `/vault/${path}?if_none_match=*`, { body: JSON.stringify({ content }) });
const isThere = async (path: string) => (await rest('GET', `/vault/${path}`)).status === 200;
const json = (...call: readonly [string, string, unknown?]) => sendJson(server, ada, call);
const asked = async (path: string, query = '') => {
  const answer = await rest('DELETE', `/vault/${path}${query}`);
  return { ...answer, approval: required.parse(answer.body).approval };
};

describe('an app whose user wants to be asked before it loses something', () => {
  it('is answered with the approval over REST, and nothing is done (ASK-003, ASK-016)', async () => {
    await note('Asked.md');
    const { status, body, approval } = await asked('Asked.md', '?explain=No%20longer%20needed');
    expect(status).toBe(403);
    expect(body).toMatchObject({ reason: 'approval_required', status: 403 });
    expect(approval.id).toMatch(/^[\w-]{20,}$/);
    expect(approval.url).toBe(`http://localhost:${new URL(server.origin).port}/approvals/${approval.id}`);
    expect(await isThere('Asked.md')).toBe(true);
    const listed = await json('GET', '/api/approvals');
    expect(listed).toMatchObject({ status: 200 });
    expect(JSON.stringify(listed.body)).toContain(approval.id);
    const html = await (await ada.get('/approvals')).text();
    expect(html).toContain('Careful');
    expect(html).toContain('Asked.md');
    expect(html).toContain('No longer needed');
    expect(html).toMatch(/href="\/approvals"[^>]*>.*?<span class="pill warn">1</s);
  });

  it('has a page for each change, which its answer links to, and one of those that were decided (PAGE-034, PAGE-035)', async () => {
    await note('Page.md');
    const { approval } = await asked('Page.md', '?explain=By%20its%20page');
    const path = new URL(approval.url).pathname;
    const waiting = await (await ada.get(path)).text();
    expect(waiting).toContain('By its page');
    const refused = await ada.post(path, { ...hiddenFields(waiting), decision: 'refuse', comment: 'Keep <it>' });
    expect([refused.status, refused.headers.get('location')]).toEqual([303, '/approvals']);
    const after = await (await ada.get(path)).text();
    expect(after).toContain('decided by you');
    expect(after).toContain('Your comment: Keep &lt;it&gt;');
    expect(after).not.toContain('name="decision"');
    const decided = await (await ada.get('/approvals/decided?state=refused')).text();
    expect(decided).toContain(`href="${path}"`);
    expect(decided).toContain('Refused');
    expect(await (await ada.get('/approvals/decided?state=allowed')).text()).not.toContain(`href="${path}"`);
    expect(await json('GET', `/api/approvals/${approval.id}`)).toMatchObject({
      status: 200,
      body: { id: approval.id, state: 'refused', comment: 'Keep <it>', decided_by: 1, decided_at: expect.any(String) },
    });
    const ids = async (query: string) => JSON.stringify((await json('GET', `/api/approvals${query}`)).body);
    expect(await ids('?state=refused')).toContain(approval.id);
    expect(await ids('?state=decided')).toContain(approval.id);
    expect(await ids('')).not.toContain(approval.id);
    expect((await ada.get('/approvals/no-such-approval-at-all')).status).toBe(404);
    expect((await json('GET', '/api/approvals/no-such-approval-at-all')).status).toBe(404);
  });

  it('reaches by its link what waits beyond the first page, and pages what was decided (PAGE-034, PAGE-035)', async () => {
    const by = await grantToken(server.origin, ada, { name: 'Many', ask: 'lose' });
    const ids: string[] = [];
    for (let index = 0; index < 27; index += 1) {
      await note(`Many ${index}.md`);
      const { body } = await rest('DELETE', `/vault/Many%20${index}.md`, { by });
      ids.push(required.parse(body).approval.id);
    }
    const [first = ''] = ids;
    expect(await (await ada.get('/approvals')).text()).not.toContain(first);
    expect(await (await ada.get(`/approvals/${first}`)).text()).toContain('Many 0.md');
    for (const id of ids) await json('POST', `/api/approvals/${id}`, { decision: 'refuse' });
    const page = await (await ada.get('/approvals/decided?state=refused')).text();
    expect(page).not.toContain(`/approvals/${first}"`);
    const older = /href="(\/approvals\/decided\?state=refused&amp;after=[^"]+)"/.exec(page)?.[1] ?? '';
    expect(await (await ada.get(older.replaceAll('&amp;', '&'))).text()).toContain(`/approvals/${first}"`);
  });

  it('is done once its user allows it, without a second call, which only fetches the outcome (ASK-005, ASK-014)', async () => {
    await note('Gone.md');
    const { approval } = await asked('Gone.md');
    const allowed = await json('POST', `/api/approvals/${approval.id}`, { decision: 'allow' });
    expect(allowed).toMatchObject({ status: 200, body: { id: approval.id, state: 'done', outcome: { ok: true } } });
    expect(await isThere('Gone.md')).toBe(false);
    await note('Gone.md', 'New');
    expect(await rest('DELETE', `/vault/Gone.md?approval=${approval.id}`)).toMatchObject({ status: 200 });
    expect(await isThere('Gone.md')).toBe(true);
    expect(await json('POST', `/api/approvals/${approval.id}`, { decision: 'allow' })).toMatchObject({
      status: 409,
      body: { reason: 'conflict' },
    });
  });

  it('is answered with what its user wrote who refused it (ASK-006)', async () => {
    await note('Kept.md');
    const { approval } = await asked('Kept.md');
    const refused = await json('POST', `/api/approvals/${approval.id}`, { decision: 'refuse', comment: 'I need it.' });
    expect(refused).toMatchObject({ status: 200, body: { state: 'refused' } });
    const answered = await rest('DELETE', `/vault/Kept.md?approval=${approval.id}`);
    expect(answered).toMatchObject({ status: 403, body: { reason: 'declined' } });
    expect(JSON.stringify(answered.body)).toContain('I need it.');
    expect(await isThere('Kept.md')).toBe(true);
  });

  it('is decided on the page, by a form, which can allow it always; that is revoked at /apps (ASK-013, ASK-011, ASK-019)', async () => {
    await note('One.md');
    await note('Two.md');
    const { approval } = await asked('One.md');
    const html = await (await ada.get('/approvals')).text();
    const form = { ...hiddenFields(html), decision: 'always' };
    expect((await ada.post(`/approvals/${approval.id}`, form)).status).toBe(303);
    expect(await isThere('One.md')).toBe(false);
    expect(await rest('DELETE', '/vault/Two.md')).toMatchObject({ status: 200 });
    const apps = await (await ada.get('/apps')).text();
    expect(apps).toContain('Always allowed');
    const action = /action="(\/apps\/[^"]+\/always)"/.exec(apps)?.[1] ?? '';
    const again = { ...hiddenFields(apps), service: 'vault', operation: 'notes.delete' };
    expect((await ada.post(action, again)).status).toBe(303);
    await note('Two.md');
    expect((await asked('Two.md')).status).toBe(403);
  });

  it('only shows a change with dry, over REST as well (ASK-002, ASK-016)', async () => {
    await note('Dry.md');
    const dry = await rest('DELETE', '/vault/Dry.md?dry=true');
    expect(dry).toMatchObject({ status: 200, body: { data: { dry: true, effect: 'lose' } } });
    expect(await isThere('Dry.md')).toBe(true);
    expect(await rest('DELETE', '/vault/Dry.md?dry=perhaps')).toMatchObject({ status: 400 });
  });

  it('is asked as its user chose at /apps since, and by PATCH /api/apps/{id} (ASK-015)', async () => {
    await note('Chosen.md');
    const apps = z
      .object({ data: z.array(z.looseObject({ id: z.string(), name: z.string(), ask: z.string().nullable() })) })
      .parse((await json('GET', '/api/apps')).body);
    const [app] = apps.data.filter(({ name }) => name === 'Careful');
    expect(app?.ask).toBe('lose');
    expect(await json('PATCH', `/api/apps/${app?.id}`, { ask: 'never' })).toMatchObject({
      status: 200,
      body: { ask: 'never' },
    });
    expect(await rest('DELETE', '/vault/Chosen.md')).toMatchObject({ status: 200 });
    const html = await (await ada.get('/apps')).text();
    const form = { ...hiddenFields(html), ask: 'lose' };
    expect((await ada.post(`/apps/${app?.id}/ask`, form)).status).toBe(303);
    await note('Chosen.md');
    expect((await asked('Chosen.md')).status).toBe(403);
    expect(await json('PATCH', `/api/apps/${app?.id}`, { ask: 'sometimes' })).toMatchObject({ status: 400 });
    expect(await json('PATCH', '/api/apps/unknown', { ask: 'never' })).toMatchObject({ status: 404 });
  });

  it('is asked whatever its user chose where an administrator has it asked, and never always (ASK-017)', async () => {
    const free = await grantToken(server.origin, ada, { name: 'Free', ask: 'never' });
    expect(await json('PUT', '/api/approval-floor', { floor: { vault: ['add'] } })).toMatchObject({ status: 200 });
    const body = JSON.stringify({ content: 'New' });
    const made = await rest('PUT', '/vault/Floor.md?if_none_match=*', { body, by: free });
    expect(made).toMatchObject({ status: 403, body: { reason: 'approval_required' } });
    const { id } = required.parse(made.body).approval;
    const html = await (await ada.get('/approvals')).text();
    expect(html.slice(html.indexOf(`id="${id}"`)).split('</li>')[0]).not.toContain('value="always"');
    expect(await json('PUT', '/api/approval-floor', { floor: { nothing: ['add'] } })).toMatchObject({ status: 400 });
    const setup = await (await ada.get('/setup')).text();
    expect(setup).toMatch(/id="floor-vault-add"[^>]*checked/);
    expect((await ada.post('/setup/approvals', hiddenFields(setup))).status).toBe(303);
    expect((await json('GET', '/api/approval-floor')).body).toEqual({ floor: {} });
    expect(await rest('PUT', '/vault/Floor.md?if_none_match=*', { body, by: free })).toMatchObject({ status: 200 });
  });
});

describe('a resource of an approval', () => {
  it('says what became of it, to the app that asked only (ASK-018)', async () => {
    const other = await grantToken(server.origin, ada, { name: 'Curious' });
    await note('Resource.md');
    const { approval } = await asked('Resource.md');
    const uri = `portolan://approvals/${approval.id}`;
    const read = async (by: string) => {
      const response = await fetch(`${server.origin}/message`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${by}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri } }),
      });
      return response.text();
    };
    expect(await read(token)).toContain('waiting');
    expect(await read(other)).toContain('error');
    await json('POST', `/api/approvals/${approval.id}`, { decision: 'allow' });
    expect(await read(token)).toContain('done');
  });
});

describe('a reaction that calls a service', () => {
  it('waits on the same page and in the same list, is counted, and is allowed or refused there (ASK-020, ASK-022)', async () => {
    const plain = await grantToken(server.origin, ada, { name: 'Writer' });
    const text = [
      '---',
      'reaction: on',
      'when: tracker.issue.create',
      'do:',
      '  - tracker.comments.create: { issueId: "ENG-1", body: "Seen" }',
      '---',
      '',
    ].join('\n');
    const put = await rest('PUT', '/vault/Reactions/Comment.md', {
      body: JSON.stringify({ content: text }),
      by: plain,
    });
    expect(put.status).toBe(200);
    const items = z.object({ data: z.array(z.looseObject({ id: z.string(), kind: z.string() })) });
    const waiting = async () =>
      items.parse((await json('GET', '/api/approvals')).body).data.filter(({ kind }) => kind === 'reaction');
    await expect.poll(waiting, { timeout: 30_000 }).toMatchObject([{ path: 'Reactions/Comment.md', reads: [] }]);
    const html = await (await ada.get('/approvals')).text();
    expect(html).toContain('Reactions/Comment.md');
    const inNavigation = /href="\/approvals"[^>]*>.*?<span class="pill warn">(\d+)</s;
    expect(Number(inNavigation.exec(html)?.[1])).toBe(html.match(/<li class="card"/g)?.length);
    const [before] = await waiting();
    const path = `/api/approvals/${before?.id}`;
    expect(await json('POST', path, { decision: 'refuse', comment: 'Too chatty.' })).toMatchObject({
      status: 200,
      body: { id: before?.id, state: 'refused' },
    });
    expect(await waiting()).toEqual([]);
    expect(await json('POST', path, { decision: 'allow' })).toMatchObject({ status: 409 });
    const shown = await (await ada.get('/reactions/one?path=Reactions%2FComment.md')).text();
    expect(shown).toContain('Too chatty.');
    await rest('PUT', '/vault/Reactions/Comment.md', {
      body: JSON.stringify({ content: text.replace('Seen', 'Noted') }),
      by: plain,
    });
    await expect.poll(waiting, { timeout: 30_000 }).toMatchObject([{ path: 'Reactions/Comment.md' }]);
    const [after] = await waiting();
    expect(await json('POST', `/api/approvals/${after?.id}`, { decision: 'allow' })).toMatchObject({
      status: 200,
      body: { state: 'done' },
    });
    expect(await json('POST', path, { decision: 'allow' })).toMatchObject({ status: 404 });
  });
});

describe('an app whose user chose nothing', () => {
  it('goes on over REST, and its consent page preselects nothing (ASK-015)', async () => {
    const other = await grantToken(server.origin, ada, { name: 'Plain' });
    await note('Plain.md');
    expect(await rest('DELETE', '/vault/Plain.md', { by: other })).toMatchObject({ status: 200 });
    const registered = await fetch(`${server.origin}/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ redirect_uris: ['http://127.0.0.1:8123/callback'] }),
    });
    const { client_id } = z.looseObject({ client_id: z.string() }).parse(await registered.json());
    const query = new URLSearchParams({
      client_id,
      redirect_uri: 'http://127.0.0.1:8123/callback',
      response_type: 'code',
    });
    const consent = await (await ada.get(`/authorize?${query.toString()}`)).text();
    const radios = consent.match(/<input type="radio"[^>]*name="ask"[^>]*>/g) ?? [];
    expect(radios.map((one) => /value="(\w+)"/.exec(one)?.[1])).toEqual(['never', 'lose', 'change']);
    expect(radios.filter((one) => one.includes('checked'))).toEqual([]);
    const apps = await json('GET', '/api/apps');
    expect(JSON.stringify(apps.body)).toContain('"ask":null');
  });
});
