import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { testedProgram } from '#test/support/server/tested-program.ts';
import { issueData, issuePayload, sign } from '#test/support/webhooks/webhook-tracker.ts';

let folder: string;
const children: ChildProcess[] = [];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'portolan-crash-'));
});

afterEach(async () => {
  for (const child of children.splice(0)) await kill(child);
  await rm(folder, { recursive: true, force: true });
});

/** Starts the process; `line` resolves with the next line that starts so, or null when the process has ended. */
async function start(mode: 'receive' | 'drain', crashAfter = 0) {
  const url = `sqlite:${join(folder, 'inbox.sqlite')}`;
  const script = await testedProgram('test/support/webhooks/webhook-process.ts');
  const options = [script, url, join(folder, 'notes'), mode, String(crashAfter)];
  const child = spawn(process.execPath, options, { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const line = async (prefix: string): Promise<string | null> => {
    for (;;) {
      const { value, done } = await lines.next();
      if (done === true) return null;
      if (value.startsWith(prefix)) return value;
    }
  };
  return { child, line };
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

const acknowledged = (port: string | null, number: number, action: 'create' | 'update') => {
  const data = issueData({
    id: `id-${number}`,
    identifier: `ENG-${number}`,
    title: 'Fix',
    updatedAt: action === 'create' ? '2026-01-23T12:00:00.000Z' : '2026-01-23T13:00:00.000Z',
    state: { id: 'd', name: action === 'create' ? 'Todo' : 'Done' },
  });
  const body = JSON.stringify(issuePayload(Date.now(), { action, data, updatedFrom: { stateId: 'x' } }));
  return fetch(`http://127.0.0.1:${port?.slice('port '.length)}/webhooks/tracker`, {
    method: 'POST',
    body,
    headers: { 'Tracker-Signature': sign(body), 'Tracker-Delivery': `${action}-${number}` },
  }).then((response) => response.status);
};

const notes = async () => {
  const names = (await readdir(join(folder, 'notes', 'Issues'))).sort();
  return Promise.all(names.map(async (name) => [name, await readFile(join(folder, 'notes', 'Issues', name), 'utf8')]));
};

describe('a process that is killed with -9', () => {
  it('between receipt and drain loses nothing: after the restart everything acknowledged takes effect, once (INBOX-001)', async () => {
    const receiving = await start('receive');
    const port = await receiving.line('port ');
    const numbers = [1, 2, 3, 4, 5];
    const created = await Promise.all(numbers.map((number) => acknowledged(port, number, 'create')));
    const updated = await Promise.all(numbers.map((number) => acknowledged(port, number, 'update')));
    expect([...created, ...updated]).toEqual(Array.from({ length: 10 }, () => 200));
    await kill(receiving.child);

    expect(await (await start('drain')).line('idle')).toBe('idle');
    const after = await notes();
    expect(after.map(([name]) => name)).toEqual(numbers.map((number) => `ENG-${number} Fix.md`));
    for (const [, content] of after) {
      expect(content).toMatch(/^status: "?Done"?$/m);
      expect(content?.match(/\^evt-/g)).toHaveLength(2);
    }
  });

  // The note is made by one write, and what the second delivery changes of it is written at once.
  it.each([1, 2])(
    'right after write %i leaves the rest to the next process, which finishes it once (INBOX-001)',
    async (crashAfter) => {
      const receiving = await start('receive');
      const port = await receiving.line('port ');
      expect(await acknowledged(port, 1, 'create')).toBe(200);
      expect(await acknowledged(port, 1, 'update')).toBe(200);
      await kill(receiving.child);

      const crashing = await start('drain', crashAfter);
      await once(crashing.child, 'exit');
      expect(crashing.child.signalCode).toBe('SIGKILL');

      expect(await (await start('drain')).line('idle')).toBe('idle');
      const [[name, content] = [], ...others] = await notes();
      expect(others).toEqual([]);
      expect(name).toBe('ENG-1 Fix.md');
      expect(content).toMatch(/^status: "?Done"?$/m);
      expect(content).toMatch(/created by Bea \^evt-\w+\n.*Bea moved it to Done \^evt-\w+/);
      expect(content?.match(/\^evt-/g)).toHaveLength(2);
    },
  );
});
