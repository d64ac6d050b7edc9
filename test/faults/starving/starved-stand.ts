import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import pg from 'pg';
import { openStand, type Stand } from '#test/faults/stand.ts';
import { makeCage } from '#test/faults/starving/cage.ts';
import { makeSlowDisk } from '#test/faults/starving/slow-disk.ts';
import { farProxy } from '#test/support/network/far-proxy.ts';
import { freshDatabase } from '#test/support/persistence/fresh-database.ts';
import { startEmbeddedPostgres } from '#test/support/persistence/postgres.ts';

/** What a server may have too little of. */
export type Cause = 'core' | 'memory' | 'disk' | 'provider' | 'database';

/** How little: cores, bytes, ms of a sync, and ms to the database and back. A provider’s 2 s are `slowMs`. */
const amounts = { cores: 0.1, bytes: 192 * 1_048_576, syncMs: 50, tripMs: 40 } as const;

/** How many deliveries are finished, and how many wait or are being processed: those that are pushed to the provider, and the others. */
export type Counts = Readonly<Record<'pushes' | 'deliveries', Readonly<{ done: number; waiting: number }>>>;

/** A server that can be starved. */
export type StarvedStand = Readonly<{
  stand: Stand;
  /** Begins to starve it. Memory is short from the start. */
  impose(): Promise<void>;
  /** Ends that. */
  lift(): Promise<void>;
  counts(): Promise<Counts>;
  /** What it used of its memory, in words; and whether it was ended for want of it. */
  memory(): Readonly<{ said: string; isKilled: boolean }>;
  [Symbol.asyncDispose](): Promise<void>;
}>;

const countSql = `select count(*) as all_of_them,
  sum(case when state in ('pending', 'leased') then 1 else 0 end) as waiting,
  sum(case when calls = 'suite_crm' then 1 else 0 end) as pushes,
  sum(case when calls = 'suite_crm' and state in ('pending', 'leased') then 1 else 0 end) as waiting_pushes from webhook_inbox`;

function countsIn(row: Readonly<Record<string, unknown>>): Counts {
  const [all, waiting] = [Number(row['all_of_them']), Number(row['waiting'])];
  const [pushes, waitingPushes] = [Number(row['pushes']), Number(row['waiting_pushes'])];
  return {
    pushes: { done: pushes - waitingPushes, waiting: waitingPushes },
    deliveries: { done: all - waiting - pushes + waitingPushes, waiting: waiting - waitingPushes },
  };
}

/** Opens it; a sentence that says why where one of the causes cannot be brought about. */
export async function openStarved(causes: readonly Cause[]): Promise<StarvedStand | string> {
  const closers: Closers = [];
  const close = async () => {
    for (const one of closers.splice(0).toReversed()) await one();
  };
  try {
    const opened = await open(causes, closers);
    if (typeof opened === 'string') await close();
    return typeof opened === 'string' ? opened : { ...opened, [Symbol.asyncDispose]: close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function open(causes: readonly Cause[], closers: Closers) {
  const has = (cause: Cause) => causes.includes(cause);
  const cage = makeCage(has('memory') ? amounts.bytes : null);
  if (typeof cage === 'string') return cage;
  closers.push(() => cage.remove());
  const disk = has('disk') ? makeSlowDisk() : null;
  if (typeof disk === 'string') return disk;
  if (disk !== null) closers.push(() => disk.remove());
  const database = has('database') ? await farDatabase(closers) : null;

  const env = { ...disk?.env, ...(database === null ? {} : { DATABASE_URL: database.url }) };
  const stand = await openStand({ env, via: cage.via });
  closers.push(() => stand[Symbol.asyncDispose]());
  await stand.watcher.stop();
  const count = database === null ? countInFile(stand, closers) : database.count;
  const impose = async (isOn: boolean) => {
    if (has('core')) cage.cores(isOn ? amounts.cores : null);
    disk?.be(isOn ? amounts.syncMs : 0);
    database?.be(isOn ? amounts.tripMs / 2 : 0);
    if (has('provider')) await stand.fronts.suiteCrm.be(isOn ? 'slow' : 'well');
  };
  return {
    stand,
    impose: () => impose(true),
    lift: () => impose(false),
    counts: count,
    memory: () => {
      const megabytes = Math.round(cage.maxBytes() / 1_048_576);
      return { said: `at most ${megabytes} MB with what it cached of files`, isKilled: cage.killed() > 0 };
    },
  };
}

type Closers = (() => unknown)[];

type Count = () => Promise<Counts>;

function countInFile({ dataDir }: Stand, closers: Closers): Count {
  const database = new DatabaseSync(join(dataDir, 'portolan.sqlite'), { readOnly: true });
  closers.push(() => database.close());
  const statement = database.prepare(countSql);
  return async () => countsIn(statement.get() ?? {});
}

async function farDatabase(closers: Closers) {
  const postgres = await startEmbeddedPostgres();
  closers.push(() => postgres.stop());
  const { url, drop } = await freshDatabase(postgres.url);
  closers.push(drop);
  const proxy = await farProxy(Number(new URL(url).port));
  closers.push(() => proxy.close());
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  closers.push(() => client.end());
  const count: Count = async () => countsIn((await client.query<Record<string, string>>(countSql)).rows[0] ?? {});
  return { url: Object.assign(new URL(url), { port: String(proxy.port) }).href, be: proxy.be, count };
}
