import { readdirSync, readFileSync } from 'node:fs';

/** How long a tick of `/proc/<pid>/stat` is: 100 a second on every Linux that Node runs on. */
const tickMs = 10;

/**
 * Begins to count a process's processor time; the result reports how much it has used since, in ms, of all its threads. Null
 * where the system does not report it.
 */
export function processorTime(pid: number | undefined): () => number | null {
  const before = usedMs(pid);
  return () => {
    const after = usedMs(pid);
    return before === null || after === null ? null : after - before;
  };
}

/**
 * Begins to count the processor time of a process and its children, also those that end meanwhile: a PostgreSQL has one for each
 * connection. Null where the system does not report it.
 */
export function familyTime(pid: number): () => number | null {
  const before = familyMs(pid);
  return () => {
    const after = familyMs(pid);
    return before === null || after === null ? null : after - before;
  };
}

/** The process that started this one; null where the system does not report it. */
export function parentOf(pid: number): number | null {
  return process.platform === 'linux' ? Number(statOf(pid)[1]) : null;
}

function familyMs(pid: number): number | null {
  if (process.platform !== 'linux') return null;
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => statOf(name))
    .filter((fields) => Number(fields[1]) === pid);
  const ended = statOf(pid);
  const ticks = Number(ended[13]) + Number(ended[14]);
  return children.reduce((sum, fields) => sum + ownTicks(fields), ticks + ownTicks(ended)) * tickMs;
}

function usedMs(pid: number | undefined): number | null {
  return pid === undefined || process.platform !== 'linux' ? null : ownTicks(statOf(pid)) * tickMs;
}

const ownTicks = (fields: readonly string[]): number => Number(fields[11] ?? 0) + Number(fields[12] ?? 0);

/** The fields of a process behind its name, numbered from 3 (proc_pid_stat(5)); none of one that has ended. */
function statOf(pid: number | string): readonly string[] {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program stands in brackets and may hold anything.
    return text.slice(text.lastIndexOf(')') + 2).split(' ');
  } catch {
    return [];
  }
}

/** What a process keeps in memory now, in MiB; null where the system does not report it. */
export function residentMb(pid: number | undefined): number | null {
  if (pid === undefined || process.platform !== 'linux') return null;
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return kilobytes === undefined ? null : Number(kilobytes) / 1024;
}
