import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { ConfigFault } from '#test/kit/config.ts';
import { freePort } from '#test/kit/free-port.ts';
import { send } from '#test/kit/wire.ts';

/** The timeouts of starting and stopping a target. */
const startsWithinMs = 300_000;
const stopsWithinMs = 60_000;

/** A target started by `hooks.start`. */
export type StartedTarget = Readonly<{ stop(): Promise<void> }>;

/**
 * Runs `hooks.start` in a shell with these variables besides the kit's own, and waits until the target answers `GET /set`, with any status but 503. Fails with
 * what it printed when it ends before.
 */
export async function startTarget(
  command: string,
  baseUrl: string,
  env: Readonly<Record<string, string>>,
): Promise<StartedTarget> {
  const child = spawn(command, {
    shell: true,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  let printed = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      printed = `${printed}${chunk.toString()}`.slice(-4000);
    });
  }
  const end = Date.now() + startsWithinMs;
  while (!(await answers(baseUrl))) {
    const hasEnded = child.exitCode !== null || child.signalCode !== null;
    if (!hasEnded && Date.now() < end) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      continue;
    }
    await stopProcess(child);
    throw new ConfigFault(
      `hooks.start ${hasEnded ? 'ended' : 'did not serve'} before ${baseUrl} answered. It printed:\n${printed}`,
    );
  }
  return { stop: () => stopProcess(child) };
}

/** Ends the shell of a command and all its child processes. */
async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, 'close');
  signal(child, 'SIGTERM');
  const kill = setTimeout(() => signal(child, 'SIGKILL'), stopsWithinMs);
  await closed;
  clearTimeout(kill);
}

function signal({ pid }: ChildProcess, name: NodeJS.Signals): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, name);
  } catch {
    // It has ended meanwhile.
  }
}

async function answers(baseUrl: string): Promise<boolean> {
  try {
    return (await send(baseUrl, { path: '/set' })).status !== 503;
  } catch {
    return false;
  }
}

/**
 * Sets the target's clock to `nowMs` (Unix ms), from where it goes on. `hook` is an address, to which `{"now": …}` is posted, or a command,
 * which is given the same as CONTRACT_NOW.
 */
export async function setClock(hook: string, nowMs: number): Promise<void> {
  if (/^https?:/.test(hook)) {
    const { origin, pathname } = new URL(hook);
    const headers = { 'content-type': 'application/json' };
    const answer = await send(origin, {
      method: 'POST',
      path: pathname,
      headers,
      body: JSON.stringify({ now: nowMs }),
    });
    if (answer.status >= 300) throw new Error(`hooks.clock answered ${answer.status}`);
    return;
  }
  const child = spawn(hook, { shell: true, stdio: 'ignore', env: { ...process.env, CONTRACT_NOW: String(nowMs) } });
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`hooks.clock ended with ${String(code)}`);
}

/** Replaces port 0 in an address by a free port. */
export async function withPort(address: string): Promise<string> {
  return /:0(\/|$)/.test(address) ? address.replace(/:0(?=\/|$)/, `:${await freePort()}`) : address;
}
