import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Stand, StandOptions } from '#test/faults/stand.ts';
import { startEmbeddedPostgres } from '#test/support/persistence/postgres.ts';

/** Where a fault of a database can be brought about: how the server is started there, and how the fault begins. */
export type FaultyPlace = Readonly<{
  options: StandOptions;
  /** Begins it; what is given back ends it. */
  begin(stand: Stand): Promise<() => Promise<void>>;
  /** Takes away what was made for it. */
  end(): Promise<void>;
}>;

/** One reason why a database cannot write. `prepare` gives the reason in words where it cannot be brought about. */
export type DatabaseFault = Readonly<{
  name: string;
  /** Whether what is stored can still be read. */
  isReadable: boolean;
  prepare(): Promise<FaultyPlace | string>;
}>;

const diskBytes = 24 * 1_048_576;
const isRoot = process.getuid?.() === 0;

/** All of them. */
export const databaseFaults: readonly DatabaseFault[] = [
  { name: 'full disk', isReadable: true, prepare: smallDisk },
  { name: 'SQLite file locked by another process', isReadable: true, prepare: async () => lockedFile },
  { name: 'SQLite file read-only', isReadable: true, prepare: readOnlyFile },
  { name: 'PostgreSQL stopped', isReadable: false, prepare: stoppedPostgres },
];

/** A data folder on a file system of its own that a file of ours fills up. */
async function smallDisk(): Promise<FaultyPlace | string> {
  if (!isRoot || process.platform !== 'linux') return 'a small disk can only be made by root on Linux';
  const dataDir = await mkdtemp(join(tmpdir(), 'portolan-full-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${diskBytes}`, 'tmpfs', dataDir], { stdio: 'ignore' });
  } catch {
    await rm(dataDir, { recursive: true });
    return 'no file system may be mounted';
  }
  const ballast = join(dataDir, 'ballast');
  return {
    options: { dataDir },
    begin: async () => {
      await fillUp(ballast);
      return () => rm(ballast);
    },
    end: async () => {
      execFileSync('umount', ['-l', dataDir]);
      await rm(dataDir, { recursive: true });
    },
  };
}

/** Appends to the file until nothing more fits; the server may take some of the room meanwhile. */
async function fillUp(file: string): Promise<void> {
  for (const bytes of [1_048_576, 4_096]) {
    for (;;) {
      const error = await appendFile(file, Buffer.alloc(bytes)).then(
        () => null,
        (reason: unknown) => reason,
      );
      if (error === null) continue;
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
      break;
    }
  }
}

/** Another process, which is ours, has a write transaction open. */
const lockedFile: FaultyPlace = {
  options: {},
  begin: async ({ dataDir }) => {
    const other = new DatabaseSync(join(dataDir, 'portolan.sqlite'));
    other.exec('pragma busy_timeout = 5000');
    other.exec('begin immediate');
    return async () => {
      other.exec('commit');
      other.close();
    };
  },
  end: async () => undefined,
};

/**
 * The files are marked as not to be changed, which stops those too who have them open. The `-shm` file is left: it is mapped into memory,
 * where a write that is not allowed ends the process at once.
 */
async function readOnlyFile(): Promise<FaultyPlace | string> {
  const mark = (how: '+i' | '-i', dataDir: string) => {
    const files = ['', '-wal'].map((end) => join(dataDir, `portolan.sqlite${end}`)).filter(existsSync);
    execFileSync('chattr', [how, ...files], { stdio: 'ignore' });
  };
  const dataDir = await mkdtemp(join(tmpdir(), 'portolan-read-only-'));
  const end = () => rm(dataDir, { recursive: true, maxRetries: 5 });
  try {
    await writeFile(join(dataDir, 'portolan.sqlite-probe'), '');
    execFileSync('chattr', ['+i', join(dataDir, 'portolan.sqlite-probe')], { stdio: 'ignore' });
    execFileSync('chattr', ['-i', join(dataDir, 'portolan.sqlite-probe')], { stdio: 'ignore' });
  } catch {
    await end();
    return 'a file that is open cannot be made read-only';
  }
  const begin = async () => {
    mark('+i', dataDir);
    return async () => mark('-i', dataDir);
  };
  return { options: { dataDir }, begin, end };
}

async function stoppedPostgres(): Promise<FaultyPlace | string> {
  const postgres = await startEmbeddedPostgres();
  const begin = async () => {
    await postgres.pause();
    return () => postgres.resume();
  };
  return { options: { env: { DATABASE_URL: postgres.url } }, begin, end: () => postgres.stop() };
}
