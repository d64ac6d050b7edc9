import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { entities } from '#adapters/persistence/entities.ts';
import { migrations } from '#adapters/persistence/migrations.ts';
import { openDatabase } from '#infrastructure/database/open-database.ts';
import type { Extent, FaultRow, Measured } from '#test/faults/row.ts';
import { openStand, type Stand } from '#test/faults/stand.ts';
import { ada } from '#test/support/authorization/auth-app.ts';
import { failedStart, interruptedStart, startServer, temporaryDataDir } from '#test/support/server/server-process.ts';

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
  {
    subject: 'start',
    fault: 'SIGTERM at each moment of it, in a new folder and before an upgrade',
    holds: 'It ends by itself with 0, and the next start goes on where it was (RUN-025, RUN-026)',
    run: (extent) => interrupted('SIGTERM', extent),
  },
  {
    subject: 'start',
    fault: 'kill -9 at each moment of it, in a new folder and before an upgrade',
    holds: 'The next start goes on where it was (RUN-026)',
    run: (extent) => interrupted('SIGKILL', extent),
  },
];

/** How much later each start is ended than the one before, in ms; a short run doubles the time. */
const stepMs = 25;

/** Starts again and again in one folder, and ends each start a little later than the one before, until one is ready. */
async function interrupted(signal: 'SIGTERM' | 'SIGKILL', { isShort }: Extent): Promise<Measured> {
  const problems: string[] = [];
  let starts = 0;
  for (const changes of [0, 5]) {
    const { dataDir, remove } = await temporaryDataDir();
    const url = `sqlite:${join(dataDir, 'portolan.sqlite')}`;
    if (changes > 0) await (await openDatabase({ url, entities, migrations: migrations.slice(0, changes) })).close();
    const env = { DATA_DIR: dataDir, ADMIN_PASSWORD: ada.password, LOG_LEVEL: 'warn' };
    let code: number | null | 'ready' = null;
    for (let afterMs = 0; code !== 'ready'; afterMs += isShort ? stepMs + afterMs : stepMs) {
      code = await interruptedStart(env, signal, afterMs);
      starts += 1;
      if (typeof code === 'number' && code !== 0) problems.push(`After ${afterMs} ms it ended with ${code}.`);
    }
    const server = await startServer(env);
    const { status } = await fetch(`${server.baseUrl}/readyz`);
    if (status !== 200) problems.push(`In the end /readyz answers ${status}.`);
    await server.end('SIGTERM');
    await remove();
  }
  return { load: `${starts} starts`, acknowledged: 0, lost: 0, doubled: 0, recoveredAfterMs: null, problems };
}

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
