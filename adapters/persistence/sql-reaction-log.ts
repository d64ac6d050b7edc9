import { z } from 'zod';
import { callColumns, toApproval, toCall, toCount, toSetAsideNote } from '#adapters/persistence/reaction-rows.ts';
import {
  type CallEnd,
  type CallState,
  maxSetAside,
  type NewReactionCall,
  type ReactionApproval,
  type ReactionCount,
  type ReactionLog,
  type ReactionRun,
  type RecordedCall,
  type SetAsideNote,
  type TouchedRecord,
} from '#application/ports/reaction-log.ts';
import type { Database } from '#infrastructure/database/open-database.ts';

const schedule = z.object({ run_to: z.coerce.number().int() });
const switched = z.object({ name: z.string() });
const approvals = { table: 'reaction_approvals', keys: ['digest'] } as const;
const calls = { table: 'reaction_calls', keys: ['call_key'] } as const;
const counts = { table: 'reaction_runs', keys: ['reaction'] } as const;
const schedules = { table: 'reaction_schedules', keys: ['reaction'] } as const;
const switches = { table: 'reaction_switches', keys: ['name'] } as const;
const asides = { table: 'reaction_asides', keys: ['digest'] } as const;

type Parameters = readonly (string | number | null)[];

/** Stores the log of reactions in the database. Each change is a single statement. */
export class SqlReactionLog implements ReactionLog {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async approve({ digest, reaction, by, at }: ReactionApproval): Promise<void> {
    await this.#run(
      `insert into reaction_approvals (digest, reaction, allowed_by, allowed_at) values (?, ?, ?, ?)
       on conflict (digest) do nothing`,
      [digest, reaction, by, at],
    );
  }

  async withdraw(digest: string): Promise<boolean> {
    const gone = await this.#run('delete from reaction_approvals where digest = ? returning digest', [digest]);
    return gone.length === 1;
  }

  async approvals(): Promise<readonly ReactionApproval[]> {
    const rows = await this.#run(
      'select digest, reaction, allowed_by, allowed_at from reaction_approvals order by reaction, allowed_at, digest',
    );
    return this.#database.rows.read(approvals, rows, toApproval);
  }

  async begin(call: NewReactionCall): Promise<RecordedCall | null> {
    const begun = await this.#run(
      `insert into reaction_calls (call_key, reaction, operation, seq, depth, begun_at, state)
       values (?, ?, ?, ?, ?, ?, 'begun')
       on conflict (call_key) do update set reaction = excluded.reaction, operation = excluded.operation,
         seq = excluded.seq, depth = excluded.depth, begun_at = excluded.begun_at, state = 'begun'
       where reaction_calls.state = 'waiting' returning call_key`,
      valuesOf(call),
    );
    if (begun.length === 1) return null;
    const rows = await this.#run(`select ${callColumns} from reaction_calls where call_key = ?`, [call.key]);
    // It was deleted between the two statements: retry.
    if (rows.length === 0) return this.begin(call);
    const [before] = this.#database.rows.read(calls, rows, toCall);
    // Nobody knows whether a call was made whose record cannot be read.
    return before ?? { ...call, state: 'unknown', outcome: 'its record cannot be read', record: null, endedAt: null };
  }

  async wait(call: NewReactionCall): Promise<void> {
    await this.#run(
      `insert into reaction_calls (call_key, reaction, operation, seq, depth, begun_at, state)
       values (?, ?, ?, ?, ?, ?, 'waiting') on conflict (call_key) do nothing`,
      valuesOf(call),
    );
  }

  async end(key: string, end: CallEnd): Promise<boolean> {
    const isOpen = "call_key = ? and state in ('begun', 'unknown') returning call_key";
    if (end.state === 'free')
      return (await this.#run(`delete from reaction_calls where ${isOpen}`, [key])).length === 1;
    const record = end.state === 'done' ? end.record : null;
    const ended = await this.#run(
      `update reaction_calls set state = ?, outcome = ?, record_service = ?, record_id = ?, ended_at = ? where ${isOpen}`,
      [end.state, end.outcome, record?.service ?? null, record?.id ?? null, end.at, key],
    );
    return ended.length === 1;
  }

  async calls({
    reaction,
    state,
    limit,
  }: Readonly<{ reaction?: string; state?: CallState; limit: number }>): Promise<readonly RecordedCall[]> {
    const conditions = [
      ...(reaction === undefined ? [] : ['reaction = ?']),
      ...(state === undefined ? [] : ['state = ?']),
    ];
    const where = conditions.length === 0 ? '' : `where ${conditions.join(' and ')}`;
    const rows = await this.#run(
      `select ${callColumns} from reaction_calls ${where} order by begun_at desc, call_key limit ${Math.trunc(limit)}`,
      [reaction, state].filter((value) => value !== undefined),
    );
    return this.#database.rows.read(calls, rows, toCall);
  }

  async touchedSince({ service, id }: TouchedRecord, since: number): Promise<RecordedCall | null> {
    const rows = await this.#run(
      `select ${callColumns} from reaction_calls where record_service = ? and record_id = ? and ended_at >= ?
       order by ended_at desc, call_key limit 1`,
      [service, id, since],
    );
    return this.#database.rows.read(calls, rows, toCall)[0] ?? null;
  }

  async noteRun({ reaction, at, outcome, isFault }: ReactionRun): Promise<void> {
    const fault = isFault ? 1 : 0;
    await this.#run(
      `insert into reaction_runs (reaction, runs, faults, last_at, last_outcome, last_is_fault) values (?, 1, ?, ?, ?, ?)
       on conflict (reaction) do update set runs = reaction_runs.runs + 1, faults = reaction_runs.faults + excluded.faults,
         last_at = excluded.last_at, last_outcome = excluded.last_outcome, last_is_fault = excluded.last_is_fault`,
      [reaction, fault, at, outcome, fault],
    );
  }

  async counts(): Promise<readonly ReactionCount[]> {
    const rows = await this.#run(
      'select reaction, runs, faults, last_at, last_outcome, last_is_fault from reaction_runs order by reaction',
    );
    return this.#database.rows.read(counts, rows, toCount);
  }

  async scheduledTo(reaction: string): Promise<number | null> {
    const rows = await this.#run('select reaction, run_to from reaction_schedules where reaction = ?', [reaction]);
    return this.#database.rows.read(schedules, rows, (row) => schedule.parse(row).run_to)[0] ?? null;
  }

  async advance(reaction: string, from: number | null, to: number): Promise<boolean> {
    const moved =
      from === null
        ? await this.#run(
            'insert into reaction_schedules (reaction, run_to) values (?, ?) on conflict (reaction) do nothing returning reaction',
            [reaction, to],
          )
        : await this.#run(
            'update reaction_schedules set run_to = ? where reaction = ? and run_to = ? returning reaction',
            [to, reaction, from],
          );
    return moved.length === 1;
  }

  async setSwitch(name: string, isOn: boolean): Promise<void> {
    if (isOn) await this.#run('delete from reaction_switches where name = ?', [name]);
    else await this.#run('insert into reaction_switches (name) values (?) on conflict (name) do nothing', [name]);
  }

  async switchedOff(): Promise<readonly string[]> {
    const rows = await this.#run('select name from reaction_switches order by name');
    return this.#database.rows.read(switches, rows, (row) => switched.parse(row).name);
  }

  async setAside({ digest, reaction, at }: SetAsideNote): Promise<void> {
    await this.#database.em.fork().transactional(async (em) => {
      await em.execute(
        'insert into reaction_asides (digest, reaction, set_aside_at) values (?, ?, ?) on conflict (digest) do nothing',
        [digest, reaction, at],
      );
      await em.execute(
        `delete from reaction_asides where digest in (
           select digest from reaction_asides order by set_aside_at desc, digest limit 100 offset ${maxSetAside})`,
      );
    });
  }

  async setAsideNotes(): Promise<readonly SetAsideNote[]> {
    const rows = await this.#run(
      'select digest, reaction, set_aside_at from reaction_asides order by set_aside_at desc, digest',
    );
    return this.#database.rows.read(asides, rows, toSetAsideNote);
  }

  #run(statement: string, parameters: Parameters = []): Promise<unknown[]> {
    return this.#database.em.fork().execute(statement, [...parameters]);
  }
}

function valuesOf({ key, reaction, operation, seq, depth, at }: NewReactionCall): Parameters {
  return [key, reaction, operation, seq, depth, at];
}
