import type { RecordRef } from '#domain/events/record-ref.ts';

/** A record's key in a map: no two records have the same, whatever is in their parts. */
export function recordKeyOf({ service, kind, id }: RecordRef): string {
  return JSON.stringify([service, kind, id]);
}
