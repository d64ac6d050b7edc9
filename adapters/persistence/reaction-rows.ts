import { z } from 'zod';
import {
  callStates,
  type ReactionApproval,
  type ReactionCount,
  type RecordedCall,
  type SetAsideNote,
} from '#application/ports/reaction-log.ts';

const whole = z.coerce.number().int();
const wholeOrNull = z.union([z.null(), whole]);

const approvals = z.array(
  z.object({ digest: z.string(), reaction: z.string(), allowed_by: z.string(), allowed_at: whole }),
);
const calls = z.array(
  z.object({
    call_key: z.string(),
    reaction: z.string(),
    operation: z.string(),
    seq: whole,
    depth: whole,
    begun_at: whole,
    state: z.enum(callStates),
    outcome: z.string().nullable(),
    record_service: z.string().nullable(),
    record_id: z.string().nullable(),
    ended_at: wholeOrNull,
  }),
);
const counts = z.array(
  z.object({
    reaction: z.string(),
    runs: whole,
    faults: whole,
    last_at: whole,
    last_outcome: z.string(),
    last_is_fault: whole,
  }),
);

const asides = z.array(z.object({ digest: z.string(), reaction: z.string(), set_aside_at: whole }));

/** The columns of a recorded call. */
export const callColumns =
  'call_key, reaction, operation, seq, depth, begun_at, state, outcome, record_service, record_id, ended_at';

/** Parses rows of permissions. */
export function approvalsOf(rows: unknown): readonly ReactionApproval[] {
  return approvals
    .parse(rows)
    .map((row) => ({ digest: row.digest, reaction: row.reaction, by: row.allowed_by, at: row.allowed_at }));
}

/** Parses rows of calls. */
export function callsOf(rows: unknown): readonly RecordedCall[] {
  return calls.parse(rows).map((row) => ({
    key: row.call_key,
    reaction: row.reaction,
    operation: row.operation,
    seq: row.seq,
    depth: row.depth,
    at: row.begun_at,
    state: row.state,
    outcome: row.outcome,
    record:
      row.record_service === null || row.record_id === null ? null : { service: row.record_service, id: row.record_id },
    endedAt: row.ended_at,
  }));
}

/** Parses rows of counts. */
export function countsOf(rows: unknown): readonly ReactionCount[] {
  return counts.parse(rows).map((row) => ({
    reaction: row.reaction,
    runs: row.runs,
    faults: row.faults,
    at: row.last_at,
    outcome: row.last_outcome,
    isFault: row.last_is_fault === 1,
  }));
}

/** Parses rows of notes that are set aside. */
export function setAsideNotesOf(rows: unknown): readonly SetAsideNote[] {
  return asides.parse(rows).map(({ set_aside_at: at, ...same }) => ({ ...same, at }));
}
