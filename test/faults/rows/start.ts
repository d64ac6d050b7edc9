import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { FaultRow, Measured } from '#test/faults/row.ts';
import { openStand, type Stand } from '#test/faults/stand.ts';
import { failedStart } from '#test/support/server/server-process.ts';

/** The database is not one that this server may work on. */
export const start: readonly FaultRow[] = [
  {
    subject: 'start',
    fault: 'the database is of a later version',
    holds: 'The start is refused in one sentence that says so (SET-011)',
    run: () => refused({ isStopped: true, words: /later|newer/i }, recordLaterMigration),
  },
  {
    subject: 'start',
    fault: 'the database is damaged',
    holds: 'The start is refused in one sentence that names the file and says how to go on (SET-012)',
    run: () => refused({ isStopped: true, words: /portolan\.sqlite/ }, damage),
  },
  {
    subject: 'start',
    fault: 'another server has the SQLite file',
    holds: 'The second start is refused in one sentence, and the first goes on (SET-013)',
    run: () => refused({ isStopped: false, words: /portolan\.sqlite|DATA_DIR|another/i }, async () => undefined),
  },
];

type Refusal = Readonly<{ isStopped: boolean; words: RegExp }>;

async function refused({ isStopped, words }: Refusal, spoil: (file: string) => Promise<void>): Promise<Measured> {
  await using stand = await openStand({ isConnected: false });
  if (isStopped) await stand.server().end('SIGTERM');
  await spoil(join(stand.dataDir, 'portolan.sqlite'));
  const { code, said } = await failedStart({ ...stand.settings, PORT: '0' });
  const problems = [
    ...(code === 1 ? [] : [`It ended with ${String(code)}.`]),
    ...(words.test(said) ? [] : [`It said: ${said.slice(0, 300)}`]),
    ...(/^\s+at .+:\d+:\d+\)?$/m.test(said) ? ['It printed a stack.'] : []),
    ...(isStopped ? [] : await goesOn(stand)),
  ];
  return { load: '1 start', acknowledged: 0, lost: 0, doubled: 0, recoveredAfterMs: null, problems };
}

async function goesOn({ baseUrl }: Stand): Promise<readonly string[]> {
  const { status } = await fetch(`${baseUrl}/readyz`);
  return status === 200 ? [] : [`The first server's /readyz answers ${status}.`];
}

async function recordLaterMigration(file: string): Promise<void> {
  const database = new DatabaseSync(file);
  const [table] = database.prepare("select name from sqlite_master where name like '%migrations%'").all();
  database
    .prepare(`insert into ${String(table?.['name'])} (name, executed_at) values (?, ?)`)
    .run('Migration9999', '2030-01-01');
  database.close();
}

/** Overwrites pages in the middle of the file. */
async function damage(path: string): Promise<void> {
  const file = await open(path, 'r+');
  const { size } = await file.stat();
  const [from, length] = [4096, Math.min(20_480, size - 4096)];
  await file.write(Buffer.alloc(length, 0x5a), 0, length, from);
  await file.close();
}
