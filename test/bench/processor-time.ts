import { readFileSync } from 'node:fs';

/** How long a tick of `/proc/<pid>/stat` is: 100 a second on every Linux that Node runs on. */
const tickMs = 10;

/**
 * Begins to count a process's processor time; what comes back tells how much it has used since, in ms, of all its threads. Null
 * where the system does not tell.
 */
export function processorTime(pid: number | undefined): () => number | null {
  const before = usedMs(pid);
  return () => {
    const after = usedMs(pid);
    return before === null || after === null ? null : after - before;
  };
}

function usedMs(pid: number | undefined): number | null {
  if (pid === undefined || process.platform !== 'linux') return null;
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name of the program stands in brackets and may hold anything; the fields behind it are numbered from 3 (proc_pid_stat(5)).
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * tickMs;
}

/** What a process keeps in memory now, in MiB; null where the system does not tell. */
export function residentMb(pid: number | undefined): number | null {
  if (pid === undefined || process.platform !== 'linux') return null;
  const [, kilobytes] = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return kilobytes === undefined ? null : Number(kilobytes) / 1024;
}
