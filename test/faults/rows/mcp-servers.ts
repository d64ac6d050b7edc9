import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { Extent, FaultRow, Measured } from '#test/faults/row.ts';
import {
  appAt,
  namesOf,
  oddService,
  otherService,
  serverWith,
  textOf,
} from '#test/support/remote-servers/remote-harness.ts';

/** Programs that are remote MCP servers end, hang and flood. */
export const mcpServers: readonly FaultRow[] = [
  {
    subject: 'mcp-servers',
    fault: 'a program is killed (kill -9) while it is called',
    holds: 'What was answered was done once, and the next call finds another one (REMOTE-009)',
    run: killed,
  },
  {
    subject: 'mcp-servers',
    fault: 'a program hangs, ends, floods and sends 9 MB, again and again',
    holds: 'The calls of another one are all answered (REMOTE-009)',
    run: misbehaving,
  },
];

/** The calls that are under way when a program is killed. */
const callsAKill = 20;
const waitMs = 20_000;

async function killed({ isShort, kills }: Extent): Promise<Measured> {
  const folder = await mkdtemp(join(tmpdir(), 'portolan-faults-'));
  const file = join(folder, 'marks');
  const server = await serverWith([oddService(['pid', 'note'], {}, { FILE: file })], undefined, { RATE_LIMITS: 'off' });
  const client = await appAt(server);
  const acknowledged: string[] = [];
  const problems: string[] = [];
  let recoveredAfterMs = 0;
  try {
    await until(async () => (await namesOf(client, 'odd')).length === 2);
    for (let kill = 0; kill < (isShort ? 2 : kills); kill += 1) {
      const pid = Number(/\d+/.exec(await textOf(client, 'odd_pid'))?.[0]);
      const calls = Array.from({ length: callsAKill }, async (_, index) => {
        const mark = `${kill}-${index}`;
        const text = await textOf(client, 'odd_note', { mark });
        if (text.includes('noted')) acknowledged.push(mark);
        else if (!text.includes('sent: unknown') && !text.includes('sent: no'))
          problems.push(`A call was answered: ${text}`);
      });
      process.kill(pid, 'SIGKILL');
      await Promise.all(calls);
      const begunAt = performance.now();
      await until(
        async () =>
          /\d+/.test(await textOf(client, 'odd_pid')) && !(await textOf(client, 'odd_pid')).includes('reason'),
      );
      recoveredAfterMs = Math.max(recoveredAfterMs, performance.now() - begunAt);
    }
    const marks = (await readFile(file, 'utf8').catch(() => '')).split('\n').filter((mark) => mark !== '');
    const lost = acknowledged.filter((mark) => !marks.includes(mark)).length;
    const doubled = marks.length - new Set(marks).size;
    const load = `${(isShort ? 2 : kills) * callsAKill} calls`;
    return { load, acknowledged: acknowledged.length, lost, doubled, recoveredAfterMs, problems };
  } finally {
    await client.close();
    await server[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  }
}

async function misbehaving({ isShort, kills }: Extent): Promise<Measured> {
  const acts = ['hang', 'die', 'flood', 'huge'];
  const server = await serverWith([oddService(acts), otherService()], undefined, {
    TOOL_DEADLINE_MS: '1000',
    RATE_LIMITS: 'off',
  });
  const client = await appAt(server);
  const rounds = isShort ? 1 : kills;
  const problems: string[] = [];
  let answered = 0;
  try {
    await until(async () => (await namesOf(client, 'odd')).length === acts.length);
    await until(async () => (await namesOf(client, 'other')).length === 2);
    let isOver = false;
    const calling = callUntil(client, () => isOver, {
      answered: () => {
        answered += 1;
      },
      failed: (text) => problems.push(`A call of another program was answered: ${text}`),
    });
    for (let round = 0; round < rounds; round += 1) {
      for (const act of acts) {
        const text = await textOf(client, `odd_${act}`);
        if (!text.includes('reason: ')) problems.push(`The program that should ${act} answered: ${text.slice(0, 200)}`);
      }
    }
    isOver = true;
    await calling;
    const load = `${rounds * acts.length} calls of it, ${answered} of another`;
    return { load, acknowledged: answered, lost: 0, doubled: 0, recoveredAfterMs: null, problems };
  } finally {
    await client.close();
    await server[Symbol.asyncDispose]();
  }
}

async function callUntil(
  client: Client,
  isOver: () => boolean,
  on: Readonly<{ answered: () => void; failed: (text: string) => void }>,
): Promise<void> {
  while (!isOver()) {
    const text = await textOf(client, 'other_add', { a: 1, b: 2 });
    if (text.includes('"3"')) on.answered();
    else on.failed(text);
  }
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const endsAt = performance.now() + waitMs;
  while (!(await isSo())) {
    if (performance.now() > endsAt) throw new Error('It did not come about in time.');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
