import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ServerProcess, startServer, temporaryDataDir } from '#test/support/server/server-process.ts';
import { issueData, issuePayload, sign } from '#test/support/webhooks/webhook-tracker.ts';

const secret = 'a signing secret of the tracker';
let server: ServerProcess;
let folder: Awaited<ReturnType<typeof temporaryDataDir>>;

/** The number of the test's own issue: the server is one for all. */
let number = 0;

beforeAll(async () => {
  folder = await temporaryDataDir();
  server = await startServer({ DATA_DIR: folder.dataDir, TRACKER_WEBHOOK_SECRET: secret });
});
afterAll(async () => {
  await server.end('SIGTERM');
  await folder.remove();
});
beforeEach(() => {
  number += 1;
});

/** The test's issue as the tracker sends it. */
function issue(more: Readonly<Record<string, unknown>> = {}) {
  const id = `a7c0f1f6-7a51-4f4e-9d5e-0c2b8e1d4f${number}0`.slice(0, 36);
  return issueData({ id, number, identifier: `ENG-${number}`, url: `https://tracker.example/ENG-${number}`, ...more });
}

/** A payload with the test's issue, as it was made. */
function created(sentAt = Date.now()) {
  return issuePayload(sentAt, { data: issue() });
}

function deliver(
  payload: unknown,
  { id = `made ${number}`, signature }: { id?: string; signature?: string } = {},
): Promise<Response> {
  const body = JSON.stringify(payload);
  return fetch(`${server.baseUrl}/webhooks/tracker`, {
    method: 'POST',
    headers: { 'tracker-signature': signature ?? sign(body, secret), 'tracker-delivery': id, 'tracker-event': 'Issue' },
    body,
  });
}

/** The names of the notes of the test's issue. */
async function notes(): Promise<string[]> {
  const names = await readdir(join(folder.dataDir, 'vault', 'Issues')).catch(() => []);
  // A note that is being written has a temporary file next to it, whose name begins with a dot.
  return names.filter((name) => name.startsWith(`ENG-${number} `));
}

async function noteText(): Promise<string> {
  return eventually(async () => {
    const [name] = await notes();
    if (name === undefined) throw new Error('no note yet');
    const text = await readFile(join(folder.dataDir, 'vault', 'Issues', name), 'utf8');
    // The line of history is the last that the reaction writes.
    if (!text.includes('^evt-')) throw new Error('not done yet');
    return text;
  });
}

/** Asks again until it works; the test's own time-out is the bound. */
async function eventually<Value>(ask: () => Promise<Value>): Promise<Value> {
  for (;;) {
    try {
      return await ask();
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  }
}

describe('a signed delivery of the tracker', () => {
  it('results in an issue note with its keys (REACT-005)', async () => {
    const answer = await deliver(created());
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({ received: true });
    const text = await noteText();
    expect(await notes()).toEqual([`ENG-${number} Fix login.md`]);
    expect(text).toMatch(new RegExp(`^tracker_issue_id: "?${String(issue()['id'])}"?$`, 'm'));
    expect(text).toMatch(/^tracker_project_id: "?b1"?$/m);
    expect(text).toContain(`[ENG-${number}](<https://tracker.example/ENG-${number}>)`);
  });

  it('is processed once, however often it arrives', async () => {
    const payload = created();
    expect((await deliver(payload)).status).toBe(200);
    const first = await noteText();
    expect((await deliver(payload)).status).toBe(200);
    expect(await noteText()).toBe(first);
    expect(await notes()).toHaveLength(1);
  });

  it('leaves what a person wrote, and what a person renamed', async () => {
    await deliver(created());
    await noteText();
    const data = issue({
      title: 'Fix login',
      state: { id: 'd2', name: 'Done', type: 'completed' },
      updatedAt: new Date().toISOString(),
    });
    await deliver(issuePayload(Date.now(), { action: 'update', data, updatedFrom: { stateId: 'd1' } }), {
      id: `changed ${number}`,
    });
    const text = await eventually(async () => {
      const now = await noteText();
      if (!/^status: "?Done"?$/m.test(now)) throw new Error('not yet');
      return now;
    });
    expect(text).toContain('Steps to see it:');
    expect(await notes()).toEqual([`ENG-${number} Fix login.md`]);
  });

  it.each([
    ['unsigned', () => deliver(created(), { signature: '' })],
    ['signed with another secret', () => deliver(created(), { signature: sign('x', 'other') })],
    ['61 seconds old', () => deliver(created(Date.now() - 61_000))],
  ])('gets 401 and writes nothing when it is %s', async (_, send) => {
    expect((await send()).status).toBe(401);
    expect(await notes()).toEqual([]);
  });

  it('takes effect after a restart when the server was killed in between', async () => {
    const answer = await deliver(created());
    expect(answer.status).toBe(200);
    await server.end('SIGKILL');
    server = await startServer({ DATA_DIR: folder.dataDir, TRACKER_WEBHOOK_SECRET: secret });
    expect(await noteText()).toContain('tracker_issue_id');
  });
});
