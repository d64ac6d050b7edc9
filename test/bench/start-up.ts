import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Figures } from '#test/bench/bench.ts';
import { processorTime } from '#test/bench/processor-time.ts';
import { programEnvironment } from '#test/support/server/program-environment.ts';

/** A program that is started: it is ready when it has printed `ready`; `input` is written to it at once. */
export type Program = Readonly<{
  args: readonly string[];
  env: Readonly<Record<string, string>>;
  ready: string;
  input?: string;
}>;

/** Starts the program, waits until it is ready, and ends it: how long that took, and the processor time of all its threads. */
export async function startUp({ args, env, ready, input }: Program): Promise<Figures> {
  const { NODE_COMPILE_CACHE: _, ...inherited } = programEnvironment();
  const from = performance.now();
  const child = spawn(process.execPath, args, { env: { ...inherited, ...env }, stdio: ['pipe', 'pipe', 'pipe'] });
  const spent = processorTime(child.pid);
  const ended = once(child, 'exit');
  let log = '';
  child.stderr.on('data', (chunk: Buffer) => {
    log += chunk.toString();
  });
  if (input !== undefined) child.stdin.write(input);
  let output = '';
  for await (const chunk of child.stdout) {
    output += String(chunk);
    if (output.includes(ready)) break;
  }
  if (!output.includes(ready)) throw new Error(`${args.join(' ')} ended before it was ready:\n${log}`);
  const ms = performance.now() - from;
  const cpuMs = spent();
  child.kill('SIGTERM');
  await ended;
  return { perSecond: 1000 / ms, p50: Math.round(ms), p99: null, cpuMs, failed: 0 };
}
