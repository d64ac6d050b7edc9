import { writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { Bench, Figure } from '#test/bench/bench.ts';
import { serveInChild } from '#test/bench/child.ts';
import { processorTime, residentMb } from '#test/bench/processor-time.ts';
import { connectVault, startWhole, type Whole } from '#test/bench/whole.ts';

const setting = (name: string, fallback: number) => Number(process.env[name] ?? fallback);

/** How many calls, and how many programs, a figure is of. */
const calls = 400;
const programs = setting('BENCH_PROGRAMS', 1_000);

const answered = z.object({ result: z.looseObject({ isError: z.boolean().optional() }) });

/** Programs beside the same calls one by one, in processor time and memory of the whole server. */
export const bench: Bench = {
  name: 'programs',
  run: async () => [],
  measure: async () => {
    const whole = await startWhole();
    try {
      await writeFile(join(dirname(whole.note), 'Large.md'), 'A line of text.\n'.repeat(256));
      return [...(await measured(whole)), await ofProvider()];
    } finally {
      await whole.close();
    }
  },
};

/** A read of a provider in a program, beside the same read as a call of its own. */
async function ofProvider(): Promise<Figure> {
  const provider = await serveInChild({ kind: 'bare', body: '# Acme\n', type: 'text/markdown' });
  const whole = await startWhole({ VAULT_URL: provider.url, PRIVATE_ADDRESSES: 'on' });
  try {
    await connectVault(whole, provider.url);
    const { alone, inside } = await readsOf(whole, { path: 'Deals/Acme.md' });
    return { figure: 'a read of a provider in a program', unit: 'ms', value: inside, baseline: alone };
  } finally {
    for (const server of [whole, provider]) await server.close();
  }
}

async function cpuOf({ pid }: Whole, work: () => Promise<unknown>): Promise<number | null> {
  const used = processorTime(pid);
  await work();
  return used();
}

/** The processor time of a read of a note, by itself and in a program, in ms. */
async function readsOf(whole: Whole, note: Readonly<{ path: string }>) {
  const code = `let n = 0; for (; n < ${calls}; n += 1) await portolan.vault.note_read(${JSON.stringify(note)}); return n`;
  await use(whole, 'workspace_run', { code });
  await times(calls, () => use(whole, 'vault_note_read', note));
  const alone = await cpuOf(whole, () => times(calls, () => use(whole, 'vault_note_read', note)));
  const inside = await cpuOf(whole, () => use(whole, 'workspace_run', { code }));
  return { alone: share(alone, calls), inside: share(inside, calls) };
}

const share = (value: number | null, of: number) => (value === null ? null : value / of);

async function measured(whole: Whole): Promise<readonly Figure[]> {
  const run = (code: string) => use(whole, 'workspace_run', { code });
  const note = { path: 'Deals/Large.md' };
  await use(whole, 'vault_note_read', note);
  const first = await cpuOf(whole, () => run('return 1'));
  const hundred = await cpuOf(whole, () => times(100, () => run('return 1')));
  const { alone, inside } = await readsOf(whole, note);
  const before = residentMb(whole.pid);
  await times(programs, () => run('return "x".repeat(100000).length'));
  return [
    { figure: 'the first program, which starts the thread', unit: 'ms', value: first, baseline: null },
    { figure: 'a program that does nothing', unit: 'ms', value: share(hundred, 100), baseline: null },
    {
      figure: 'a read of a note of 4 KB in a program',
      unit: 'ms',
      value: inside,
      baseline: alone,
    },
    {
      figure: `resident memory after ${programs} programs`,
      unit: 'MB',
      value: residentMb(whole.pid),
      baseline: before,
    },
  ];
}

async function times(count: number, work: () => Promise<unknown>): Promise<void> {
  for (let done = 0; done < count; done += 1) await work();
}

async function use({ url, headers }: Whole, name: string, args: object): Promise<void> {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
  const answer = await fetch(new URL('/message', url), {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify(message),
  });
  const { result } = answered.parse(await answer.json());
  if (result.isError === true) throw new Error(`${name} failed: ${JSON.stringify(result)}`);
}
