import { z } from 'zod';
import { parsedTime } from '#adapters/services/webhooks/webhook-time.ts';
import type { Fields } from '#domain/events/event-facts.ts';

type Stage = Readonly<{ key: string; id: number; status: string }>;
type Value = Readonly<{ value?: string | null | undefined; timestamp?: string | null | undefined }>;

/**
 * Where a deal was before its stage last changed, and when it did: the member `stage_change`. Nothing for one whose stage
 * never has. The values of its stage are the vendor's, the latest first.
 */
export function stageChange(stages: readonly Stage[], [now, before]: readonly Value[]): Fields {
  const former = stages.find(({ key }) => key === before?.value);
  if (former === undefined) return {};
  return { stage_change: { at: now?.timestamp ?? null, from_stage_id: former.id, from_status: former.status } };
}

const changeSchema = z.object({ at: z.string(), from_stage_id: z.number(), from_status: z.string().nullable() });

/** How much earlier than its event the change of a stage may be recorded, in ms. */
const recordedBeforeMs = 60_000;

/** What a deal was before an event, if the event is the change of its stage; null otherwise. */
export function previousOf(change: unknown, occurredAt: number): Fields | null {
  const { at, from_stage_id, from_status } = changeSchema.safeParse(change).data ?? {};
  const changedAt = parsedTime(at);
  if (changedAt === null || changedAt < occurredAt - recordedBeforeMs) return null;
  return { stage_id: from_stage_id, status: from_status ?? null };
}
