import process from 'node:process';

/** How long after the first Ctrl-C further ones are still the same, in ms: npm and the starter each pass theirs on. */
const sameInterruptMs = 1_000;

/** What `hearStops` needs of a process, and its clock in ms. */
type StoppableProcess = Readonly<{
  on(signal: 'SIGTERM' | 'SIGINT', listener: () => void): unknown;
  exit(code: number): unknown;
  now(): number;
}>;

/**
 * Handles SIGTERM and Ctrl-C from now on; the first aborts the signal that is returned, with its name as the reason.
 * Each stop may arrive several times (the process group's, npm's, the starter's): only a Ctrl-C that comes at least a
 * second after the first one ends the process at once.
 */
export function hearStops(
  { on, exit, now }: StoppableProcess = {
    on: (signal, listener) => process.on(signal, listener),
    exit: (code) => process.exit(code),
    now: () => performance.now(),
  },
): AbortSignal {
  const stop = new AbortController();
  let interruptedAt: number | null = null;
  on('SIGTERM', () => stop.abort('SIGTERM'));
  on('SIGINT', () => {
    stop.abort('SIGINT');
    interruptedAt ??= now();
    if (now() - interruptedAt >= sameInterruptMs) exit(130);
  });
  return stop.signal;
}
