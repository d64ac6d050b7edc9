import { raw } from '@mikro-orm/core';
import { ReactionApprovalRow } from '#adapters/persistence/schema/reaction-approvals.ts';
import { ReactionAsideRow } from '#adapters/persistence/schema/reaction-asides.ts';
import { ReactionCallRow } from '#adapters/persistence/schema/reaction-calls.ts';
import { ReactionRefusalRow } from '#adapters/persistence/schema/reaction-refusals.ts';
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
import type { Database } from '#infrastructure/database/open-database.ts';
import { given, Table, type TableRow } from '#infrastructure/database/table.ts';

/** Stores the log of reactions in the database. Each change is a single statement. */
export class SqlReactionLog implements ReactionLog {
  readonly #database: Database;
  readonly #approvals;
  readonly #refusals;
  readonly #calls;
  readonly #runs;
  readonly #schedules;
  readonly #switches;
  readonly #asides;

  constructor(database: Database) {
    this.#database = database;
    this.#approvals = new Table(database, ReactionApprovalRow);
    this.#refusals = new Table(database, ReactionRefusalRow);
    this.#calls = new Table(database, ReactionCallRow);
    this.#runs = new Table(database, ReactionRunRow);
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

  async noteRun(run: ReactionRun): Promise<void> {
    const faults = run.isFault ? 1 : 0;
    const query = this.#runs.into({ ...run, runs: 1, faults }).onConflict(['reaction']);
    const { at, outcome } = run;
    const counts = { runs: raw('reaction_runs.runs + 1'), faults: raw('reaction_runs.faults + excluded.faults') };
    await query.merge({ at, outcome, isFault: raw('excluded.last_is_fault'), ...counts }).execute('run');
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
