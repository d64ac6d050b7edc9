import { raw } from '@mikro-orm/core';
import type { SqlEntityManager } from '@mikro-orm/sqlite';
import { ReactionApprovalRow } from '#adapters/persistence/schema/reaction-approvals.ts';
import { ReactionAsideRow } from '#adapters/persistence/schema/reaction-asides.ts';
import { ReactionCallRow } from '#adapters/persistence/schema/reaction-calls.ts';
import { ReactionRefusalRow } from '#adapters/persistence/schema/reaction-refusals.ts';
import { ReactionResultRow } from '#adapters/persistence/schema/reaction-results.ts';
import { ReactionRunRow } from '#adapters/persistence/schema/reaction-runs.ts';
import { ReactionScheduleRow } from '#adapters/persistence/schema/reaction-schedules.ts';
import { ReactionSwitchRow } from '#adapters/persistence/schema/reaction-switches.ts';
import {
  type CallEnd,
  type CallState,
  maxRefusals,
  maxSetAside,
  type NewReactionCall,
  type ReactionApproval,
  type ReactionCount,
  type ReactionLog,
  type ReactionRefusal,
  type ReactionRun,
  type RecordedCall,
  type SetAsideNote,
  type TouchedRecord,
} from '#application/ports/reaction-log.ts';
import { isRun } from '#domain/reactions/run-result.ts';
import type { Database } from '#infrastructure/database/open-database.ts';
import { given, Table, type TableRow } from '#infrastructure/database/table.ts';

/** The maximum number of runs of a delivery that are listed. */
const maxRunsOfDelivery = 1_000;

/** Stores the log of reactions in the database. Each change is a single statement. */
export class SqlReactionLog implements ReactionLog {
  readonly #database: Database;
  readonly #approvals;
  readonly #refusals;
  readonly #calls;
  readonly #runs;
  readonly #results;
  readonly #schedules;
  readonly #switches;
  readonly #asides;

  constructor(database: Database) {
    this.#database = database;
    this.#approvals = new Table(database, ReactionApprovalRow);
    this.#refusals = new Table(database, ReactionRefusalRow);
    this.#calls = new Table(database, ReactionCallRow);
    this.#runs = new Table(database, ReactionRunRow);
    this.#results = new Table(database, ReactionResultRow);
    this.#schedules = new Table(database, ReactionScheduleRow);
    this.#switches = new Table(database, ReactionSwitchRow);
    this.#asides = new Table(database, ReactionAsideRow);
  }

  async approve(approval: ReactionApproval): Promise<void> {
    await this.#approvals.add(approval);
  }

  async refuse(refusal: ReactionRefusal): Promise<void> {
    await this.#database.em.fork().transactional(async (em) => {
      await this.#refusals.add(refusal, em);
      await this.#refusals.evict('refused_at desc, digest', maxRefusals, em);
    });
  }

  async withdraw(digest: string): Promise<boolean> {
    const removed = [await this.#approvals.delete({ digest }), await this.#refusals.delete({ digest })];
    return removed.some((rows) => rows === 1);
  }

  approvals(): Promise<readonly ReactionApproval[]> {
    return this.#approvals.list({}, { reaction: 'asc', at: 'asc', digest: 'asc' });
  }

  refusals(): Promise<readonly ReactionRefusal[]> {
    return this.#refusals.list({}, { at: 'desc', digest: 'asc' });
  }

  async begin(call: NewReactionCall): Promise<RecordedCall | null> {
    const query = this.#calls.into({ ...call, state: 'begun' }).onConflict(['key']);
    query.merge(['reaction', 'operation', 'seq', 'depth', 'at', 'state']).where({ state: 'waiting' });
    if ((await query.execute('run')).affectedRows === 1) return null;
    const rows: unknown[] = await this.#calls.qb().select('*').where({ key: call.key }).execute('all', false);
    // It was deleted between the two statements: retry.
    if (rows.length === 0) return this.begin(call);
    const [before] = this.#calls.read(rows);
    if (before !== undefined) return toCall(before);
    // Nobody knows whether a call was made whose record cannot be read.
    return { ...call, state: 'unknown', outcome: 'its record cannot be read', record: null, endedAt: null };
  }

  async wait(call: NewReactionCall): Promise<void> {
    await this.#calls.add({ ...call, state: 'waiting' });
  }

  async end(key: string, end: CallEnd): Promise<boolean> {
    const isOpen = { key, state: { $in: ['begun', 'unknown'] } } as const;
    if (end.state === 'free') return (await this.#calls.delete({ ...isOpen })) === 1;
    const { service: recordService = null, id: recordId = null } = (end.state === 'done' ? end.record : null) ?? {};
    const { state, outcome, at: endedAt } = end;
    return (await this.#calls.update(isOpen, { state, outcome, recordService, recordId, endedAt })) === 1;
  }

  async calls({
    limit,
    ...query
  }: Readonly<{ reaction?: string; state?: CallState; limit: number }>): Promise<readonly RecordedCall[]> {
    const found = this.#calls.qb().select('*').where(given(query)).orderBy({ at: 'desc', key: 'asc' });
    return (await this.#calls.rows(found.limit(Math.trunc(limit)))).map(toCall);
  }

  async touchedSince({ service, id }: TouchedRecord, since: number): Promise<RecordedCall | null> {
    const where = { recordService: service, recordId: id, endedAt: { $gte: since } };
    const found = this.#calls.qb().select('*').where(where).orderBy({ endedAt: 'desc', key: 'asc' });
    const [call] = await this.#calls.rows(found.limit(1));
    return call === undefined ? null : toCall(call);
  }

  noteRuns(runs: readonly ReactionRun[]): Promise<void> {
    return this.#database.em.fork().transactional(async (em) => {
      // In one order, so that two transactions do not wait for each other.
      const ordered = runs.toSorted((left, right) => (left.reaction < right.reaction ? -1 : 1));
      for (const run of ordered) await this.#noteRun(run, em);
    });
  }

  async #noteRun(run: ReactionRun, em: SqlEntityManager): Promise<void> {
    const { reaction, seq, at, outcome, result } = run;
    const query = this.#results.qb(em).select(['result']).where({ reaction, seq });
    const [before = { result: 'unmet' as const }] = await this.#results.some(query, ['result']);
    await this.#results.put(run, em);
    const [ran, failed] = [isRun(result), result === 'failed'];
    const more = {
      runs: Number(ran && !isRun(before.result)),
      faults: Number(failed) - Number(before.result === 'failed'),
    };
    if (!ran && !isRun(before.result)) return;
    const added = this.#runs.into({ reaction, at, outcome, isFault: failed, ...more }, em).onConflict(['reaction']);
    const counts = {
      runs: raw('reaction_runs.runs + excluded.runs'),
      faults: raw('reaction_runs.faults + excluded.faults'),
    };
    const last = ran ? { at, outcome, isFault: raw('excluded.last_is_fault') } : {};
    await added.merge({ ...last, ...counts }).execute('run');
  }

  runs({ reaction, before, limit }: Parameters<ReactionLog['runs']>[0]): Promise<readonly ReactionRun[]> {
    const where = given({ reaction, seq: given({ $lt: before }) });
    const query = this.#results.qb().select('*').where(where).orderBy({ seq: 'desc' });
    return this.#results.rows(query.limit(Math.trunc(limit)));
  }

  runsOf(seq: number): Promise<readonly ReactionRun[]> {
    const query = this.#results.qb().select('*').where({ seq }).orderBy({ reaction: 'asc' });
    return this.#results.rows(query.limit(maxRunsOfDelivery));
  }

  pruneRuns(before: number): Promise<number> {
    return this.#results.deleteBefore('at', before);
  }

  counts(): Promise<readonly ReactionCount[]> {
    return this.#runs.list({}, { reaction: 'asc' });
  }

  async scheduledTo(reaction: string): Promise<number | null> {
    return (await this.#schedules.find({ reaction }))?.runTo ?? null;
  }

  async advance(reaction: string, from: number | null, to: number): Promise<boolean> {
    if (from === null) return this.#schedules.add({ reaction, runTo: to });
    return (await this.#schedules.update({ reaction, runTo: from }, { runTo: to })) === 1;
  }

  async setSwitch(name: string, isOn: boolean): Promise<void> {
    await (isOn ? this.#switches.delete({ name }) : this.#switches.add({ name }));
  }

  async switchedOff(): Promise<readonly string[]> {
    return (await this.#switches.list({}, { name: 'asc' })).map(({ name }) => name);
  }

  async setAside(note: SetAsideNote): Promise<void> {
    await this.#database.em.fork().transactional(async (em) => {
      await this.#asides.add(note, em);
      await this.#asides.evict('set_aside_at desc, digest', maxSetAside, em);
    });
  }

  setAsideNotes(): Promise<readonly SetAsideNote[]> {
    return this.#asides.list({}, { at: 'desc', digest: 'asc' });
  }
}

function toCall({ recordService: service, recordId: id, ...row }: TableRow<typeof ReactionCallRow>): RecordedCall {
  return { ...row, record: service === null || id === null ? null : { service, id } };
}
