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

const approval = z.object({ digest: z.string(), reaction: z.string(), allowed_by: z.string(), allowed_at: whole });
const call = z.object({
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
});
const count = z.object({
  reaction: z.string(),
  runs: whole,
  faults: whole,
  last_at: whole,
  last_outcome: z.string(),
  last_is_fault: whole,
});
const aside = z.object({ digest: z.string(), reaction: z.string(), set_aside_at: whole });

/** The columns of a recorded call. */
export const callColumns =
  'call_key, reaction, operation, seq, depth, begun_at, state, outcome, record_service, record_id, ended_at';

/** Parses the row of a permission. */
export function toApproval(raw: unknown): ReactionApproval {
  const row = approval.parse(raw);
  return { digest: row.digest, reaction: row.reaction, by: row.allowed_by, at: row.allowed_at };
}

/** Parses the row of a call. */
export function toCall(raw: unknown): RecordedCall {
  const row = call.parse(raw);
  return {
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
  };
}

/** Parses the row of a count. */
export function toCount(raw: unknown): ReactionCount {
  const row = count.parse(raw);
  return {
    reaction: row.reaction,
    runs: row.runs,
    faults: row.faults,
    at: row.last_at,
    outcome: row.last_outcome,
    isFault: row.last_is_fault === 1,
  };
}

/** Parses the row of a note that is set aside. */
export function toSetAsideNote(raw: unknown): SetAsideNote {
  const { set_aside_at: at, ...same } = aside.parse(raw);
  return { ...same, at };
}
