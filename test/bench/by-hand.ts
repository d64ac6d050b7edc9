import { mkdir, open, rename } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/*
 * What a delivery to a note comes to when it is done by hand: insert a row, claim it, write the note atomically, update the row; each
 * on disk before the next. A child process: it is sent how many to do, and answers with what they took.
 */

/** What the parent asks of this process: how many deliveries, how many of them at a time. */
export type HandOrder = Readonly<{ count: number; atOnce: number }>;

/** How long they took, and the processor time for all of them, both in ms. */
export type HandDone = Readonly<{ tookMs: number; cpuMs: number }>;

type Statement = Readonly<{ run(...values: readonly unknown[]): Readonly<{ lastInsertRowid: number | bigint }> }>;
type Sqlite = Readonly<{ pragma(text: string): unknown; exec(sql: string): unknown; prepare(sql: string): Statement }>;

const [folder = ''] = process.argv.slice(2);
const Sqlite3: new (path: string) => Sqlite = createRequire(import.meta.url)('better-sqlite3');
const database = new Sqlite3(join(folder, 'by-hand.sqlite'));
database.pragma('journal_mode = wal');
database.pragma('synchronous = full');
database.exec('create table inbox (seq integer primary key autoincrement, body text not null, state text not null)');
const insert = database.prepare("insert into inbox (body, state) values (?, 'pending')");
const claim = database.prepare("update inbox set state = 'leased' where seq = ?");
const end = database.prepare("update inbox set state = 'done' where seq = ?");
const body = JSON.stringify({ action: 'create', type: 'Issue', padding: 'x'.repeat(700) });
const note = `---\ntracker_id: x\n---\n# An issue\n\n${'A line of the note.\n'.repeat(30)}`;
const notes = join(folder, 'by-hand');
let made = 0;

await mkdir(notes, { recursive: true });
process.on('message', ({ count, atOnce }: HandOrder) => void work(count, atOnce));

async function work(count: number, atOnce: number): Promise<void> {
  const before = process.cpuUsage();
  const began = performance.now();
  let left = count;
  const line = async () => {
    for (; left > 0; ) {
      left -= 1;
      await deliver();
    }
  };
  await Promise.all(Array.from({ length: atOnce }, line));
  const { user, system } = process.cpuUsage(before);
  const done: HandDone = { tookMs: performance.now() - began, cpuMs: (user + system) / 1000 };
  process.send?.(done);
}

async function deliver(): Promise<void> {
  made += 1;
  const path = join(notes, `${made}.md`);
  const { lastInsertRowid: seq } = insert.run(body);
  claim.run(seq);
  const file = await open(`${path}.tmp`, 'wx');
  await file.writeFile(note);
  await file.sync();
  await file.close();
  await rename(`${path}.tmp`, path);
  const parent = await open(notes, 'r');
  await parent.sync();
  await parent.close();
  end.run(seq);
}
