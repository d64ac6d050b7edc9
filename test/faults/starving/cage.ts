import { existsSync, mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** A control group for one server, whose processor time and memory can be limited. */
export type Cage = Readonly<{
  /** What a command is preceded by to be run within it. */
  via: readonly string[];
  /** Limits the processor time of all its threads together, in cores; null for no limit. */
  cores(most: number | null): void;
  /** The most memory that it has had at a time, page cache included, in bytes. */
  maxBytes(): number;
  /** How often the kernel ended a process in it for want of memory. */
  killed(): number;
  /** Removes it, once its processes have ended. */
  remove(): Promise<void>;
}>;

const root = '/sys/fs/cgroup';
const periodUs = 100_000;
/** Ten times what other threads have: those who send are on this machine too, and would take the server’s time. */
const shares = 10_240;
const into = 'for group in $CAGE; do echo $$ > "$group/cgroup.procs" || exit 1; done; exec "$@"';

let made = 0;

/**
 * Makes a control group within that of this process, with at most so much memory (null for any); a sentence that says why
 * where none can be made. Version 2 allows it only where this process is alone in an outermost group, so version 1 is used.
 */
export function makeCage(maxBytes: number | null): Cage | string {
  const groups = { cpu: groupOf('cpu'), memory: groupOf('memory') };
  const { cpu, memory } = groups;
  if (cpu === null || memory === null) return 'there are no control groups (version 1) of cpu and memory';
  try {
    for (const folder of [cpu, memory]) mkdirSync(folder);
    if (maxBytes !== null) writeFileSync(join(memory, 'memory.limit_in_bytes'), String(maxBytes));
    writeFileSync(join(cpu, 'cpu.cfs_period_us'), String(periodUs));
    writeFileSync(join(cpu, 'cpu.shares'), String(shares));
  } catch {
    return 'no control group may be made';
  }
  return {
    via: ['/usr/bin/env', `CAGE=${cpu} ${memory}`, 'sh', '-c', into, 'sh'],
    cores: (most) => {
      const quota = most === null ? -1 : Math.round(most * periodUs);
      writeFileSync(join(cpu, 'cpu.cfs_quota_us'), String(quota));
    },
    maxBytes: () => Number(readFileSync(join(memory, 'memory.max_usage_in_bytes'), 'utf8')),
    killed: () => Number(/oom_kill (\d+)/.exec(readFileSync(join(memory, 'memory.oom_control'), 'utf8'))?.[1] ?? 0),
    remove: async () => {
      for (const folder of [cpu, memory]) await removeSoon(folder);
    },
  };
}

/** The folder for a new group of a controller; null where it has none. */
function groupOf(controller: string): string | null {
  const lines = existsSync('/proc/self/cgroup') ? readFileSync('/proc/self/cgroup', 'utf8').split('\n') : [];
  const line = lines.find((one) => one.split(':')[1]?.split(',').includes(controller));
  const own = line?.split(':')[2];
  if (own === undefined || !existsSync(join(root, controller, own))) return null;
  made += 1;
  return join(root, controller, own, `portolan-${process.pid}-${made}`);
}

/** A process that has ended may be listed for a moment. */
async function removeSoon(folder: string): Promise<void> {
  for (let tries = 0; tries < 50; tries += 1) {
    try {
      return rmdirSync(folder);
    } catch {
      await delay(100);
    }
  }
}
