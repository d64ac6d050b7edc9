import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { programEnvironment } from '#test/support/server/program-environment.ts';
import { testedProgram } from '#test/support/server/tested-program.ts';
import packageJson from '../../../package.json' with { type: 'json' };

/** The server in a separate process, as `npm start` runs it. */
export type ServerProcess = Readonly<{
  baseUrl: string;
  /** The id of the process. */
  pid: number;
  /** What it printed on standard output: the banner. */
  output: string;
  /** The first user's password; empty when the banner did not print one. */
  password: string;
  /** What it has written to standard error so far. */
  log(): string;
  /** Sends the signal, and does not wait. */
  signal(signal: NodeJS.Signals): void;
  /** Its exit code once it has ended; null if a signal ended it. */
  ended: Promise<number | null>;
  /** Sends the signal; the exit code, null when the signal ended it. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}>;

/** A data folder for one server, and how to remove it. */
export async function temporaryDataDir(): Promise<Readonly<{ dataDir: string; remove(): Promise<void> }>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'portolan-'));
  return { dataDir, remove: () => rm(dataDir, { recursive: true, force: true }) };
}

/** The flags for Node with which `npm start` runs the server. */
const startFlags: readonly string[] = packageJson.scripts.start.split(' ').filter((word) => word.startsWith('--'));

/**
 * Starts the server and waits for its banner; fails with its log when it ends before. `args` start another form of it: `bootstrap/main.ts`.
 * `via` is a command that is given the server's, and becomes it.
 */
export async function startServer(
  env: Readonly<Record<string, string>>,
  args?: readonly string[],
  via: readonly string[] = [],
): Promise<ServerProcess> {
  const started = args ?? [await testedProgram('bootstrap/main.ts')];
  const [program = '', ...rest] = [...via, process.execPath, ...startFlags, ...started];
  const child = spawn(program, rest, {
    env: { ...programEnvironment(), PORT: '0', ...env },
  });
  let output = '';
  let log = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    log += chunk.toString();
  });
  const ended = once(child, 'close').then(() => child.exitCode);
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', () => {
      if (output.includes('Ctrl-C')) resolve();
    });
    child.once('exit', (code) => reject(new Error(`The server ended with ${String(code)}:\n${log}`)));
  });
  return {
    output,
    pid: child.pid ?? 0,
    baseUrl: /Home\s+(\S+)\/floki\/index/.exec(output)?.[1] ?? '',
    password: /password\s+(\S+)/.exec(output)?.[1] ?? '',
    log: () => log,
    signal: (signal) => void child.kill(signal),
    ended,
    end: (signal) => end(child, signal),
  };
}

/**
 * Starts the server and sends it the signal after that time, wherever its start is by then. Its exit code, null when the signal ended it,
 * which it does before there is a handler; 'ready' when it had started already.
 */
export async function interruptedStart(
  env: Readonly<Record<string, string>>,
  signal: NodeJS.Signals,
  afterMs: number,
): Promise<number | null | 'ready'> {
  const program = await testedProgram('bootstrap/main.ts');
  const child = spawn(process.execPath, [...startFlags, program], {
    env: { ...programEnvironment(), PORT: '0', ...env },
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  child.stderr.resume();
  await delay(afterMs);
  const isReady = output.includes('Ctrl-C');
  const code = await end(child, signal);
  return isReady ? 'ready' : code;
}

/** The timeout of a start that should fail; after it, the process is killed and the start counts as successful. */
const failsWithinMs = 30_000;

/** Runs the server with settings that do not fit, in the working directory `cwd`; its exit code, null when it went on to run, and what it said. */
export async function failedStart(
  env: Readonly<Record<string, string>>,
  cwd = '.',
): Promise<Readonly<{ code: number | null; said: string }>> {
  const script = await testedProgram('bootstrap/main.ts');
  const child = spawn(process.execPath, [script], { cwd, env: { ...programEnvironment(), PORT: '0', ...env } });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const ended = setTimeout(() => child.kill('SIGKILL'), failsWithinMs);
  await once(child, 'close');
  clearTimeout(ended);
  return { code: child.exitCode, said };
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const closed = once(child, 'close');
  child.kill(signal);
  await closed;
  return child.exitCode;
}
