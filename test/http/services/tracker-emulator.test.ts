import { createHmac } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { HttpProviderGrants } from '#adapters/services/credentials/provider-grants.ts';
import { failed, type Outcome } from '#domain/operations/outcome.ts';
import { err, ok } from '#domain/shared/result.ts';
import type { AuthMethod, TokenRecord } from '#domain/tokens/token-record.ts';
import { HttpClient } from '#infrastructure/http/http-client.ts';
import { startTrackerEmulator, type TrackerEmulator } from '#test/emulators/tracker/emulator.ts';
import { tokenRecord } from '#test/support/connections/token-record.ts';
import { serveOnLoopback } from '#test/support/network/loopback-server.ts';
import { neutralNames } from '#test/support/services/five-services.ts';
import { operationsOver } from '#test/support/services/operations-over.ts';
import { trackerProvider } from '#test/support/services/providers.ts';

const dialects = ['neutral', 'linear'] as const;
type DialectName = (typeof dialects)[number];

let emulator: TrackerEmulator;
const http = new HttpClient(() => 0);

/** A gateway of one user, whose connection is this; `renewed` is what a renewal gives. */
function connected(
  dialect: DialectName,
  by: Readonly<{ authMethod: AuthMethod; accessToken: string; renewed?: string }>,
) {
  const provider = trackerProvider({ dialect, url: emulator.url, authorizeUrl: null, tokenUrl: null });
  const record: TokenRecord = tokenRecord('tracker', { authMethod: by.authMethod, accessToken: by.accessToken });
  const { renewed } = by;
  const tokens = {
    find: async () => ok(record),
    renew: async () =>
      renewed === undefined ? err(failed('unauthorized', 'gone')) : ok({ ...record, accessToken: renewed }),
  };
  const gateway = operationsOver({ providers: [provider], tokens, http });
  return (name: string, input: Readonly<Record<string, unknown>> = {}) =>
    gateway.call({ userId: 1, service: 'tracker', name, input });
}

const withKey = (dialect: DialectName) =>
  connected(dialect, { authMethod: 'personal_token', accessToken: emulator.credentials.apiKey });

function dataOf(outcome: Outcome): unknown {
  if (!outcome.ok) throw new Error(`${outcome.reason}: ${outcome.message} ${JSON.stringify(outcome.details)}`);
  return outcome.data;
}

const withId = z.looseObject({ id: z.string() });
const idOf = (outcome: Outcome) => withId.parse(dataOf(outcome)).id;
const nameList = z.array(z.looseObject({ name: z.string() }));
const namesOf = (outcome: Outcome) => nameList.parse(dataOf(outcome)).map(({ name }) => name);
const titleList = z.array(z.looseObject({ title: z.string() }));
const titlesOf = (outcome: Outcome) => titleList.parse(dataOf(outcome)).map(({ title }) => title);

describe.each(dialects)('a tracker in the %s dialect', (dialect) => {
  beforeEach(async () => {
    emulator = await startTrackerEmulator({ dialect });
  });
  afterEach(() => emulator.close());

  it('answers every query (TRACK-003)', async () => {
    const call = withKey(dialect);
    const { eng, issue, website, bob } = emulator.seed;
    const growth = emulator.space.all('Initiative')[0]?.id;
    expect(dataOf(await call('viewer.get'))).toMatchObject({ displayName: 'ann', isMe: true });
    expect(namesOf(await call('teams.list'))).toEqual(['Operations', 'Engineering']);
    expect(dataOf(await call('teams.get', { id: eng.id }))).toMatchObject({ key: 'ENG', activeCycle: { number: 2 } });
    expect(titlesOf(await call('issues.list'))).toEqual(['Fix login']);
    expect(dataOf(await call('issues.get', { id: 'ENG-1' }))).toMatchObject({
      identifier: 'ENG-1',
      state: { name: 'In Progress' },
      assignee: { displayName: 'ann' },
      labels: [{ name: 'Bug' }],
      priorityLabel: 'High',
      comments: [{ body: 'Seen it too' }],
    });
    expect(dataOf(await call('comments.list', { issueId: issue.id }))).toMatchObject([{ body: 'Seen it too' }]);
    expect(namesOf(await call('projects.list'))).toEqual(['Website']);
    expect(dataOf(await call('projects.get', { id: website.id }))).toMatchObject({ teams: [{ key: 'ENG' }] });
    expect(dataOf(await call('cycles.list'))).toHaveLength(3);
    expect(namesOf(await call('initiatives.list'))).toEqual(['Growth']);
    expect(dataOf(await call('initiatives.get', { id: growth }))).toMatchObject({ projects: [{ name: 'Website' }] });
    expect(dataOf(await call('workflow_states.list'))).toHaveLength(12);
    expect(namesOf(await call('labels.list'))).toEqual(['On call', 'Backend', 'Bug']);
    expect(dataOf(await call('users.list'))).toHaveLength(2);
    expect(dataOf(await call('users.get', { id: bob.id }))).toMatchObject({ email: 'bob@example.com' });
    expect(dataOf(await call('documents.list'))).toEqual([]);
  });

  it('performs every mutation, and answers with the affected object (TOOL-002, TRACK-003, TRACK-004, TRACK-012, TRACK-013)', async () => {
    const call = withKey(dialect);
    const { eng, website } = emulator.seed;
    const id = idOf(await call('issues.create', { teamId: eng.id, title: 'Write docs', priority: 3 }));
    expect(dataOf(await call('issues.update', { id, title: 'Write the docs', dueDate: '2026-12-01' }))).toMatchObject({
      identifier: 'ENG-2',
      title: 'Write the docs',
      dueDate: '2026-12-01',
      priorityLabel: 'Medium',
    });
    expect(dataOf(await call('issues.archive', { id }))).toMatchObject({ archivedAt: expect.any(String) });
    expect(titlesOf(await call('issues.list'))).toEqual(['Fix login']);
    expect(titlesOf(await call('issues.list', { includeArchived: true }))).toEqual(['Write the docs', 'Fix login']);
    expect(dataOf(await call('issues.unarchive', { id }))).toMatchObject({ archivedAt: null });
    const comment = idOf(await call('comments.create', { issueId: 'ENG-2', body: 'Soon' }));
    expect(dataOf(await call('comments.update', { id: comment, body: 'Now' }))).toMatchObject({ body: 'Now' });
    expect(dataOf(await call('comments.delete', { id: comment }))).toEqual({ entityId: comment });
    const link = { issueId: 'ENG-2', title: 'Draft', url: 'https://example.com/draft' };
    expect(dataOf(await call('attachments.create', link))).toMatchObject({ issue: { identifier: 'ENG-2' } });
    expect(dataOf(await call('attachments.create', { ...link, title: 'Final' }))).toMatchObject({ title: 'Final' });
    const relation = { issueId: 'ENG-1', type: 'blocked_by', relatedIssueId: 'ENG-2' };
    expect(dataOf(await call('issue_relations.create', relation))).toMatchObject({
      type: 'blocks',
      issue: { identifier: 'ENG-2' },
      relatedIssue: { identifier: 'ENG-1' },
    });
    expect(await call('issue_relations.create', { ...relation, relatedIssueId: 'ENG-9' })).toMatchObject({ ok: false });
    const project = idOf(await call('projects.create', { name: 'App', teamIds: [eng.id], startDate: '2026-12-01' }));
    expect(dataOf(await call('projects.update', { id: project, targetDate: '2027-03-01' }))).toMatchObject({
      startDate: '2026-12-01',
      targetDate: '2027-03-01',
    });
    expect(dataOf(await call('projects.archive', { id: project }))).toMatchObject({ name: 'App' });
    const times = { startsAt: '2030-01-01T00:00:00Z', endsAt: '2030-01-15T00:00:00Z' };
    const cycle = idOf(await call('cycles.create', { teamId: eng.id, ...times, name: 'Far away' }));
    expect(dataOf(await call('cycles.update', { id: cycle, name: 'Later' }))).toMatchObject({
      name: 'Later',
      number: 4,
    });
    const label = idOf(await call('labels.create', { name: 'Docs', color: '#00ff00', teamId: eng.id }));
    expect(dataOf(await call('labels.update', { id: label, name: 'Manual' }))).toMatchObject({ name: 'Manual' });
    const document = idOf(await call('documents.create', { title: 'Plan', content: '# Plan', projectId: website.id }));
    expect(dataOf(await call('documents.update', { id: document, content: '# New' }))).toMatchObject({
      content: '# New',
    });
    expect(dataOf(await call('documents.delete', { id: document }))).toMatchObject({ title: 'Plan' });
    const initiative = idOf(await call('initiatives.create', { name: 'Reach', targetDate: '2027-01-01' }));
    const started = { id: initiative, status: 'Active' };
    expect(dataOf(await call('initiatives.update', started))).toMatchObject({ status: 'Active' });
    const hook = { url: 'http://127.0.0.1:9/hook', resourceTypes: ['Cycles'], allPublicTeams: true };
    const webhook = idOf(await call('webhooks.create', hook));
    expect(dataOf(await call('webhooks.delete', { id: webhook }))).toEqual({ entityId: webhook });
    expect(dataOf(await call('issues.delete', { id, permanentlyDelete: true }))).toMatchObject({ identifier: 'ENG-2' });
    expect(await call('issues.get', { id })).toMatchObject({ ok: false, reason: 'not_found' });
  });

  it('pages in both directions, and `next` leads through all of it (OP-002, TRACK-004)', async () => {
    const call = withKey(dialect);
    for (const title of ['b', 'c', 'd', 'e']) await call('issues.create', { teamId: emulator.seed.ops.id, title });
    const forwards: string[] = [];
    for (let after: string | null | undefined; after !== null; ) {
      const page = await call('issues.list', { first: 2, ...(after === undefined ? {} : { after }) });
      forwards.push(...titlesOf(page));
      after = page.ok ? (page.pagination?.next ?? null) : null;
    }
    expect(forwards).toEqual(['e', 'd', 'c', 'b', 'Fix login']);
    const backwards: string[][] = [];
    for (let before: string | null | undefined; before !== null; ) {
      const page = await call('issues.list', { last: 2, ...(before === undefined ? {} : { before }) });
      backwards.push([...titlesOf(page)]);
      before = page.ok ? (page.pagination?.next ?? null) : null;
    }
    expect(backwards).toEqual([['b', 'Fix login'], ['d', 'c'], ['e']]);
  });

  it('accepts names where a person would use them, with two requests for a new issue (TOOL-007)', async () => {
    const call = withKey(dialect);
    const before = emulator.requests.length;
    const made = await call('issues.make', {
      title: 'Search is slow',
      team: 'eng',
      state: 'in progress',
      assignee: 'me',
      labels: ['bug', 'Backend'],
      project: 'website',
      cycle: 'current',
      priority: 1,
    });
    expect(dataOf(made)).toMatchObject({
      identifier: 'ENG-2',
      state: { name: 'In Progress' },
      assignee: { email: 'ann@example.com' },
      labels: [{ name: 'Backend' }, { name: 'Bug' }],
      project: { name: 'Website' },
      cycle: { name: 'Polish' },
    });
    expect(emulator.requests.length - before).toBe(2);
  });

  it('changes an issue by names, which it resolves in the team of the issue', async () => {
    const call = withKey(dialect);
    const changed = await call('issues.change', {
      issue: 'ENG-1',
      state: 'Done',
      assignee: 'bob@example.com',
      addedLabels: ['Backend'],
      removedLabels: ['Bug'],
      project: null,
    });
    expect(dataOf(changed)).toMatchObject({
      state: { name: 'Done' },
      assignee: { displayName: 'bob' },
      labels: [{ name: 'Backend' }],
      project: null,
      completedAt: expect.any(String),
    });
    const other = await call('issues.change', { issue: 'ENG-1', addedLabels: ['On call'] });
    expect(other).toMatchObject({ ok: false, reason: 'not_found' });
  });

  it('changes an issue with one request if nothing has to be resolved', async () => {
    const before = emulator.requests.length;
    await withKey(dialect)('issues.change', { issue: 'ENG-1', title: 'Fix the login', assignee: null });
    expect(emulator.requests.length - before).toBe(1);
  });

  it('lists the choices for an unknown name', async () => {
    const call = withKey(dialect);
    expect(await call('issues.make', { title: 'x', team: 'ENGG', state: 'Todo' })).toMatchObject({
      ok: false,
      reason: 'not_found',
      message:
        'There is no team "ENGG". Did you mean "ENG"? Choose from the teams "Engineering" (ENG), "Operations" (OPS).',
    });
    const state = await call('issues.make', { title: 'x', team: 'ENG', state: 'Doing' });
    expect(state).toMatchObject({
      ok: false,
      message: expect.stringContaining(
        'There is no state "Doing" in the team ENG. Did you mean "Done"? Choose from the states "Done" (ENG), "Canceled" (ENG)',
      ),
    });
    expect(titlesOf(await call('issues.list'))).toEqual(['Fix login']);
  });

  it('lists the matches of an ambiguous name, and changes nothing (TOOL-007)', async () => {
    const { space } = emulator;
    space.add('User', { name: 'Ann Smith', displayName: 'ann2', email: 'ann2@example.com', active: true });
    const outcome = await withKey(dialect)('issues.change', { issue: 'ENG-1', assignee: 'Ann Smith' });
    expect(outcome).toMatchObject({ ok: false, reason: 'invalid_input' });
    expect(outcome).toHaveProperty('message', expect.stringContaining('"Ann Smith" (ann2@example.com)'));
    expect(space.all('Issue')[0]?.['assigneeId']).toBe(emulator.seed.ann.id);
  });

  it('takes the only person whose name has the words given, and names them; of two it takes neither (TOOL-014)', async () => {
    const call = withKey(dialect);
    const { space } = emulator;
    const person = (name: string, displayName: string) =>
      space.add('User', { name, displayName, email: `${displayName}@example.com`, active: true });
    const first = person('Chris Adams', 'chrisa');
    const taken = await call('issues.make', { team: 'ENG', title: 'x', assignee: 'Chris' });
    expect(taken).toMatchObject({
      data: { assignee: { name: 'Chris Adams' } },
      warnings: [`"Chris" was taken for the user "Chris Adams" (chrisa@example.com), id ${first.id}.`],
    });
    expect(await call('issues.make', { team: 'ENG', title: 'x', assignee: 'Chri' })).toMatchObject({
      reason: 'not_found',
      message: expect.stringContaining('Did you mean "chrisa"? Choose from the users "Chris Adams"'),
    });
    expect(await call('issues.search', { assignee: 'chri' })).toMatchObject({ data: [{ title: 'x' }], warnings: [{}] });
    person('Chris Berg', 'cberg');
    for (const [name, input] of [
      ['issues.make', { team: 'ENG', title: 'x' }],
      ['issues.search', { state: 'Triage' }],
    ] as const) {
      const refused = await call(name, { ...input, assignee: 'Chris' });
      expect(refused).toMatchObject({ reason: 'invalid_input', inputErrors: [{ path: ['assignee'] }] });
      for (const one of ['"Chris Adams" (chrisa@example.com)', '"Chris Berg" (cberg@example.com)']) {
        expect(refused).toHaveProperty('message', expect.stringContaining(one));
      }
    }
    expect(await call('issues.search', { assignee: 'me', state: 'Tri' })).toMatchObject({ ok: true, data: [] });
  });

  it.each([
    ['José Núñez', 'jose nunez'],
    ['Muller, Änne'.normalize('NFD'), 'änne muller'],
    ['山田太郎', '山田太郎'],
    ['Bug: one', 'bug: one'],
  ])('finds %s by %s', async (name, given) => {
    const call = withKey(dialect);
    emulator.space.add('Project', { name, slugId: 'f7', priority: 0, teamIds: [emulator.seed.eng.id] });
    emulator.space.add('Project', { name: 'Other', slugId: 'f8', priority: 0, teamIds: [emulator.seed.eng.id] });
    expect(await call('projects.change', { project: given, description: 'x' })).toMatchObject({ data: { name } });
  });

  it('looks names up in a team that is found by a part of its name (TOOL-014)', async () => {
    const call = withKey(dialect);
    emulator.space.add('Team', { key: 'MOB', name: 'Mobile Apps', displayName: 'Mobile Apps', memberIds: [] });
    emulator.space.add('WorkflowState', {
      name: 'Shipped',
      type: 'completed',
      teamId: emulator.space.all('Team').at(-1)?.id,
    });
    expect(await call('issues.make', { title: 'x', team: 'apps', state: 'shipped' })).toMatchObject({
      data: { team: { key: 'MOB' }, state: { name: 'Shipped' } },
      warnings: [expect.stringContaining('"Mobile Apps" (MOB)')],
    });
    expect(await call('issues.make', { title: 'x', team: 'apps', state: 'Todo' })).toMatchObject({
      ok: false,
      message: expect.stringContaining('Choose from the states "Shipped" (MOB).'),
    });
  });

  it('filters a list by names with one request, and another when they are not known yet (TOOL-013)', async () => {
    const call = withKey(dialect);
    await call('issues.make', { title: 'Rotate keys', team: 'OPS', labels: ['On call'] });
    for (const requests of [2, 1]) {
      const count = emulator.requests.length;
      expect(titlesOf(await call('issues.search', { team: 'OPS', labels: ['on call'] }))).toEqual(['Rotate keys']);
      expect(emulator.requests.length - count).toBe(requests);
    }
    const narrowed = { assignee: 'me', state: 'In Progress', project: 'Website', stateType: 'started', priority: 2 };
    expect(titlesOf(await call('issues.search', narrowed))).toEqual(['Fix login']);
    expect(titlesOf(await call('issues.search', { assignee: 'none' }))).toEqual(['Rotate keys']);
    expect(titlesOf(await call('issues.search', { query: 'steps', updatedSince: '-P1D' }))).toEqual(['Fix login']);
    const raw = { or: [{ title: { startsWith: 'Rotate' } }, { priority: { eq: 2 } }] };
    expect(titlesOf(await call('issues.search', { filter: raw }))).toEqual(['Rotate keys', 'Fix login']);
    expect(titlesOf(await call('issues.search', { team: 'ENG', filter: JSON.stringify(raw) }))).toEqual(['Fix login']);
  });

  it('distinguishes a mistyped name from an empty list', async () => {
    const call = withKey(dialect);
    expect(dataOf(await call('issues.search', { team: 'OPS' }))).toEqual([]);
    expect(await call('issues.search', { team: 'OSP' })).toMatchObject({ ok: false, reason: 'not_found' });
  });

  it('finds teams, projects, initiatives and cycles by name', async () => {
    const call = withKey(dialect);
    expect(dataOf(await call('teams.find', { id: 'Engineering' }))).toMatchObject({ key: 'ENG' });
    expect(dataOf(await call('projects.find', { id: 'website' }))).toMatchObject({ name: 'Website' });
    expect(dataOf(await call('initiatives.find', { id: 'growth' }))).toMatchObject({ status: 'Active' });
    const polish = z
      .looseObject({ id: z.string() })
      .parse(dataOf(await call('cycles.get', { id: 'current', team: 'ENG' })));
    expect(polish).toMatchObject({ name: 'Polish', isActive: true });
    expect(dataOf(await call('cycles.get', { id: polish.id }))).toMatchObject({ name: 'Polish' });
    expect(dataOf(await call('cycles.get', { id: '3', team: 'ENG' }))).toMatchObject({ isNext: true });
    expect(await call('cycles.get', { id: '9', team: 'ENG' })).toMatchObject({ ok: false, reason: 'not_found' });
  });

  it('creates projects, cycles, labels and documents by name', async () => {
    const call = withKey(dialect);
    const project = await call('projects.make', { name: 'App', teams: ['ENG', 'Operations'], lead: 'bob' });
    expect(dataOf(project)).toMatchObject({ teams: [{ key: 'OPS' }, { key: 'ENG' }], lead: { displayName: 'bob' } });
    const changed = await call('projects.change', { project: 'App', lead: null, name: 'The app' });
    expect(dataOf(changed)).toMatchObject({ name: 'The app', lead: null });
    const times = { startsAt: '2031-01-01T00:00:00Z', endsAt: '2031-01-08T00:00:00Z' };
    expect(dataOf(await call('cycles.make', { team: 'OPS', ...times }))).toMatchObject({
      team: { key: 'OPS' },
      number: 1,
    });
    expect(dataOf(await call('labels.make', { name: 'Urgent', team: 'OPS' }))).toMatchObject({ team: { key: 'OPS' } });
    const made = await call('documents.make', { title: 'Plan', content: '# Plan', project: 'Website' });
    expect(dataOf(made)).toMatchObject({ project: { name: 'Website' }, content: '# Plan' });
    const moved = await call('documents.change', { id: idOf(made), project: 'The app' });
    expect(dataOf(moved)).toMatchObject({ project: { name: 'The app' }, title: 'Plan' });
    expect(await call('documents.make', { title: 'Nowhere' })).toMatchObject({ ok: false, reason: 'invalid_input' });
  });

  it('lists only the requested fields', async () => {
    const outcome = await withKey(dialect)('issues.search', { fields: ['identifier', 'title'] });
    expect(dataOf(outcome)).toEqual([{ identifier: 'ENG-1', title: 'Fix login' }]);
  });

  it('warns if a list inside a record was truncated', async () => {
    const { space, seed } = emulator;
    for (let count = 0; count < 30; count += 1) space.add('Comment', { body: `${count}`, issueId: seed.issue.id });
    const outcome = await withKey(dialect)('issues.get', { id: 'ENG-1' });
    expect(outcome).toMatchObject({ ok: true, warnings: ['`comments` shows the first 25 only; there are more.'] });
  });

  it('treats data with errors as a success with warnings (TRACK-005)', async () => {
    emulator.partialNext('The labels could not be read');
    expect(await withKey(dialect)('issues.list')).toMatchObject({
      ok: true,
      data: [{ identifier: 'ENG-1' }],
      warnings: ['Not all of it came: The labels could not be read'],
    });
  });

  it('reports a refusal by its reason', async () => {
    const call = withKey(dialect);
    expect(await call('issues.get', { id: 'ENG-99' })).toMatchObject({ ok: false, reason: 'not_found' });
    const wrong = { teamId: emulator.seed.ops.id, title: 'x', stateId: emulator.seed.issue['stateId'] };
    expect(await call('issues.create', wrong)).toMatchObject({
      ok: false,
      reason: 'invalid_input',
      message: expect.stringMatching(
        /^The (?:tracker|Tracker \(Linear\)) refused: The state is not part of the team of the issue\.$/,
      ),
    });
    expect(await call('issues.list', { filter: { colour: { eq: 'red' } } })).toMatchObject({
      ok: false,
      reason: 'invalid_input',
    });
    emulator.failNext({ status: 200, body: { data: { issueArchive: { success: false, entity: null } } } });
    expect(await call('issues.archive', { id: 'ENG-1' })).toMatchObject({ ok: false, reason: 'rejected' });
  });

  it('accepts a key without a prefix, and refuses it as Bearer (TRACK-001)', async () => {
    const call = connected(dialect, { authMethod: 'oauth', accessToken: emulator.credentials.apiKey });
    await call('viewer.get');
    expect(emulator.requests[0]?.headers.authorization).toBe(`Bearer ${emulator.credentials.apiKey}`);
    expect(await call('viewer.get')).toMatchObject({ ok: false, reason: 'unauthorized' });
    expect(await withKey(dialect)('viewer.get')).toMatchObject({ ok: true });
  });

  it('is connected by OAuth with PKCE, and renewed with a new refresh token each time', async () => {
    const grants = grantsOf(dialect);
    const first = await authorized(grants);
    expect(first).toMatchObject({ authMethod: 'oauth', scope: 'read,write', extra: { actor_mode: 'user' } });
    const second = await grants.renew(first);
    if (!second.ok) throw new Error(second.failure.message);
    expect(second.value.refreshToken).not.toBe(first.refreshToken);
    expect(await grants.renew(first)).toMatchObject({ ok: false, failure: { reason: 'refused' } });
    expect(await grants.renew(second.value)).toMatchObject({ ok: true });
  });

  it('renews an expired token once, and the call continues', async () => {
    const grants = grantsOf(dialect);
    const record = await authorized(grants);
    emulator.expireTokens();
    const renewed = await grants.renew(record);
    if (!renewed.ok) throw new Error(renewed.failure.message);
    const { accessToken } = record;
    const call = connected(dialect, { authMethod: 'oauth', accessToken, renewed: renewed.value.accessToken });
    expect(await call('viewer.get')).toMatchObject({ ok: true, data: { displayName: 'ann' } });
    expect(emulator.requests).toHaveLength(2);
  });

  it('reports an exhausted budget as rate_limited, with a time to wait', async () => {
    await emulator.close();
    emulator = await startTrackerEmulator({ dialect, budgets: { requests: 2, complexity: 10_000 } });
    const call = withKey(dialect);
    await call('viewer.get');
    await call('viewer.get');
    expect(await call('viewer.get')).toMatchObject({
      ok: false,
      reason: 'rate_limited',
      retryAfterMs: expect.any(Number),
    });
  });

  it('gets no query that costs too much once it has reported what is left', async () => {
    await emulator.close();
    emulator = await startTrackerEmulator({ dialect, budgets: { requests: 100, complexity: 700 } });
    const call = withKey(dialect);
    expect(await call('comments.list', { issueId: 'ENG-1', first: 100 })).toMatchObject({ ok: true });
    const before = emulator.requests.length;
    expect(await call('issues.list')).toMatchObject({ ok: false, reason: 'rate_limited' });
    expect(emulator.requests.length).toBe(before);
  });

  it('is sent nothing that it does not know', async () => {
    const answer = await fetch(`${emulator.url}/graphql`, {
      method: 'POST',
      headers: { authorization: emulator.credentials.apiKey, 'content-type': 'application/json' },
      body: JSON.stringify({ query: 'query viewer { viewer { id shoeSize } }' }),
    });
    expect(answer.status).toBe(dialect === 'neutral' ? 200 : 400);
    expect(await answer.json()).toMatchObject({
      data: null,
      errors: [
        { message: 'Cannot query field "shoeSize" on type "User".', extensions: { code: 'GRAPHQL_VALIDATION_FAILED' } },
      ],
    });
  });

  it('answers documents with fragments and aliases, as other clients send them', async () => {
    const { status, body } = await posted(`
      query issues($first: Int) { some: issues(first: $first) { ...Page } ... on Query { viewer { ...Who name } } }
      # Fragments may be declared after their use.
      fragment Page on IssueConnection { __typename nodes { ...OfIssue } pageInfo { hasNextPage __typename } }
      fragment OfIssue on Issue { __typename key: identifier reactions { id } assignee { ...Who } assignee { name } }
      fragment Who on User { email avatarUrl }`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      data: {
        some: {
          __typename: 'IssueConnection',
          nodes: [
            {
              __typename: 'Issue',
              key: 'ENG-1',
              reactions: [],
              assignee: { email: 'ann@example.com', avatarUrl: null, name: 'Ann Smith' },
            },
          ],
          pageInfo: { hasNextPage: false, __typename: 'PageInfo' },
        },
        viewer: { email: 'ann@example.com', avatarUrl: null, name: 'Ann Smith' },
      },
    });
  });

  it.each([
    ['{ viewer { ...Who } }', 'Unknown fragment "Who".'],
    ['{ viewer { ...Who } } fragment Who on User { ...Who }', 'Cannot spread fragment "Who" within itself.'],
    ['{ viewer { ...Who } } fragment Who on User { shoeSize }', 'Cannot query field "shoeSize" on type "User".'],
    [
      '{ viewer { ...Who } } fragment Who on User { id } fragment Who on User { id }',
      'There can be only one fragment named "Who".',
    ],
    ['fragment Who on User { id }', 'Syntax Error: Unexpected <EOF>.'],
    ['{ viewer { id } } { viewer { id } }', 'Must provide operation name if query contains multiple operations.'],
  ])('refuses the document %s', async (query, message) => {
    expect((await posted(query)).body).toMatchObject({ data: null, errors: [{ message }] });
  });

  it('takes the whole input of a mutation as a variable, and checks its members', async () => {
    const mutation = 'mutation m($input: IssueCreateInput!) { issueCreate(input: $input) { __typename success } }';
    const made = (input: object) => posted(mutation, { input });
    const [team] = emulator.space.all('Team');
    expect((await made({ teamId: team?.id, title: 'By another client' })).body).toMatchObject({
      data: { issueCreate: { __typename: 'IssuePayload', success: true } },
    });
    for (const [input, message] of [
      [{ teamId: team?.id, titel: 'x' }, 'Field "titel" is not defined by the input of "issueCreate".'],
      [{ teamId: team?.id, priority: 'high' }, 'Variable "$input" got invalid value at "priority".'],
      [{ title: 'x' }, 'Field "teamId" of required type "String!" was not provided.'],
    ] as const) {
      expect((await made(input)).body).toMatchObject({ data: null, errors: [{ message }] });
    }
  });

  it('delivers changes, signed over the raw body', async () => {
    const received: { headers: Readonly<Record<string, unknown>>; body: Buffer }[] = [];
    const keep = async (request: IncomingMessage, response: ServerResponse) => {
      received.push({ headers: request.headers, body: await buffer(request) });
      response.writeHead(200).end();
    };
    const receiver = await serveOnLoopback((request, response) => void keep(request, response));
    const call = withKey(dialect);
    const hook = {
      url: `${receiver.url}/`,
      resourceTypes: ['Issues'],
      allPublicTeams: true,
      secret: 's3',
    };
    await call('webhooks.create', hook);
    await call('issues.change', { issue: 'ENG-1', state: 'Done' });
    await call('comments.create', { issueId: 'ENG-1', body: 'Not asked for' });
    await emulator.deliveries.settled();
    await receiver.close();
    expect(received).toHaveLength(1);
    const [delivery] = received;
    const body = delivery?.body ?? Buffer.alloc(0);
    const prefix = dialect === 'neutral' ? 'tracker' : 'linear';
    expect(delivery?.headers).toMatchObject({
      [`${prefix}-signature`]: createHmac('sha256', 's3').update(body).digest('hex'),
      [`${prefix}-event`]: 'Issue',
      [`${prefix}-delivery`]: expect.stringMatching(/^[0-9a-f-]{36}$/),
      'user-agent': dialect === 'neutral' ? 'Tracker-Webhook' : 'Linear-Webhook',
    });
    expect(JSON.parse(body.toString())).toMatchObject({
      action: 'update',
      type: 'Issue',
      data: { identifier: 'ENG-1', state: { name: 'Done' }, team: { key: 'ENG' } },
      updatedFrom: { stateId: expect.any(String) },
      webhookTimestamp: expect.any(Number),
      webhookId: expect.any(String),
    });
  });

  it('disables a webhook that failed four times', async () => {
    const call = withKey(dialect);
    const hook = { url: 'http://127.0.0.1:9/', resourceTypes: ['Issue comments'], allPublicTeams: true };
    const id = idOf(await call('webhooks.create', hook));
    await call('comments.create', { issueId: 'ENG-1', body: 'Hello' });
    await emulator.deliveries.settled();
    for (let retry = 0; retry < 3; retry += 1) await emulator.deliveries.retryFailed();
    expect(emulator.deliveries.sent).toHaveLength(4);
    expect(emulator.space.find('Webhook', id)?.['enabled']).toBe(false);
  });
});

describe('a failing tracker', () => {
  beforeEach(async () => {
    emulator = await startTrackerEmulator({ dialect: 'neutral' });
  });
  afterEach(() => emulator.close());

  it('is retried after a 429', async () => {
    emulator.failNext({ status: 429, times: 2, headers: { 'retry-after': '0' } });
    expect(await withKey('neutral')('viewer.get')).toMatchObject({ ok: true });
    expect(emulator.requests).toHaveLength(3);
  });

  const limited = { data: null, errors: [{ message: 'Slow down', extensions: { code: 'RATELIMITED' } }] };

  it.each([200, 400])('is retried after RATELIMITED with status %i if it was a read', async (status) => {
    emulator.failNext({ status, times: 2, body: limited, headers: { 'retry-after': '0' } });
    expect(await withKey('neutral')('viewer.get')).toMatchObject({ ok: true, data: { displayName: 'ann' } });
    expect(emulator.requests).toHaveLength(3);
  });

  it.each([200, 400])('gets no second change after RATELIMITED with status %i', async (status) => {
    emulator.failNext({ status, body: limited, headers: { 'retry-after': '7' } });
    expect(await withKey('neutral')('issues.archive', { id: 'ENG-1' })).toMatchObject({
      reason: 'rate_limited',
      retryAfterMs: 7_000,
    });
    expect(emulator.requests).toHaveLength(1);
  });

  it('is reported as RATELIMITED after five attempts of a read (OP-003)', async () => {
    emulator.failNext({ status: 200, times: 9, body: limited });
    expect(await withKey('neutral')('viewer.get')).toMatchObject({ ok: false, reason: 'rate_limited' });
    expect(emulator.requests).toHaveLength(5);
  });

  it('is reported at once if the wait is longer than a minute (OP-003)', async () => {
    emulator.failNext({ status: 400, body: limited, headers: { 'retry-after': '61' } });
    expect(await withKey('neutral')('viewer.get')).toMatchObject({ reason: 'rate_limited', retryAfterMs: 61_000 });
    expect(emulator.requests).toHaveLength(1);
  });

  it.each([200, 400, 429])('reports the wait by the reset of the exhausted budget, with status %i', async (status) => {
    const headers = {
      'x-ratelimit-requests-remaining': '1200',
      'x-ratelimit-requests-reset': String(Date.now() + 60_000),
      'x-ratelimit-complexity-remaining': '0',
      'x-ratelimit-complexity-reset': String(Date.now() + 1_800_000),
    };
    emulator.failNext({ status, body: limited, headers });
    const outcome = await withKey('neutral')('viewer.get');
    expect(outcome).toMatchObject({ reason: 'rate_limited', retryAfterMs: expect.any(Number) });
    const { retryAfterMs = 0 } = outcome.ok ? {} : outcome;
    expect(retryAfterMs).toBeGreaterThan(1_700_000);
    expect(retryAfterMs).toBeLessThanOrEqual(1_800_000);
    expect(emulator.requests).toHaveLength(1);
  });

  it.each(dialects)('is believed to have a higher limit than usual if the %s tracker reports one', async (name) => {
    await emulator.close();
    emulator = await startTrackerEmulator({ dialect: name, budgets: { requests: 9_000, complexity: 3_000_000 } });
    const call = withKey(name);
    for (let count = 0; count < 1_510; count += 1) {
      const outcome = await call('viewer.get');
      if (!outcome.ok) throw new Error(`Call ${count + 1}: ${outcome.message}`);
    }
    expect(emulator.requests).toHaveLength(1_510);
  });

  it('may return data with RATELIMITED, a success with a warning', async () => {
    emulator.failNext({ status: 200, body: { ...limited, data: { viewer: { id: 'u' } } } });
    expect(await withKey('neutral')('viewer.get')).toMatchObject({ ok: true, warnings: [expect.any(String)] });
    expect(emulator.requests).toHaveLength(1);
  });

  it('is unavailable after a 5xx, and gets no second mutation', async () => {
    emulator.failNext({ status: 503, times: 5 });
    expect(await withKey('neutral')('issues.archive', { id: 'ENG-1' })).toMatchObject({
      ok: false,
      reason: 'unavailable',
    });
    expect(emulator.requests).toHaveLength(1);
  });
});

const redirectUri = 'http://localhost:3000/connect/tracker/callback';

function grantsOf(dialect: DialectName): HttpProviderGrants {
  const { clientId, clientSecret } = emulator.credentials;
  const { oauth: facts } = trackerProvider({
    dialect,
    url: emulator.url,
    authorizeUrl: `${emulator.url}/oauth/authorize`,
    tokenUrl: `${emulator.url}/oauth/token`,
  });
  if (facts === null) throw new Error('The tracker has OAuth.');
  const app = { clientId, clientSecret, scopes: null };
  return new HttpProviderGrants(new Map([['tracker', { name: neutralNames.of('tracker'), facts, app }]]), http, {
    now: () => 1_000_000,
  });
}

/** Walks through the flow as a browser would; the emulator consents at once. */
async function authorized(grants: HttpProviderGrants): Promise<TokenRecord> {
  const extra = { actor_mode: 'user' };
  const begun = grants.begin('tracker', { userId: 1, state: 'the-state', redirectUri, extra });
  if (!begun.ok) throw new Error(begun.failure.message);
  const redirect = await fetch(begun.value.url, { redirect: 'manual' });
  const back = new URL(redirect.headers.get('location') ?? '');
  expect(back.searchParams.get('state')).toBe('the-state');
  const { codeVerifier } = begun.value;
  const query = Object.fromEntries(back.searchParams);
  const granted = await grants.exchange({ service: 'tracker', query, redirectUri, extra, codeVerifier, userId: 1 });
  if (!granted.ok) throw new Error(granted.failure.message);
  expect(granted.value.expiresAt).toBe(1_000_000 + 86_400_000);
  return granted.value;
}

/** What the emulator answers to a document that another client than this server sends. */
async function posted(query: string, variables: object = {}): Promise<Readonly<{ status: number; body: unknown }>> {
  const answer = await fetch(`${emulator.url}/graphql`, {
    method: 'POST',
    headers: { authorization: emulator.credentials.apiKey, 'content-type': 'application/json' },
    body: JSON.stringify({ query, variables }),
  });
  return { status: answer.status, body: await answer.json() };
}
