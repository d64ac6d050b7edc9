import type { BriefRecord } from '#domain/workspace/brief-subject.ts';
import { type Carried, recordKey } from '#domain/workspace/found-record.ts';

/**
 * Merges what several questions answered of the same record: the longest state, and all that it carries. Only its name
 * connects it unless an answer says that something else does.
 */
export function mergedRecords(records: readonly BriefRecord[]): readonly BriefRecord[] {
  const merged = new Map<string, BriefRecord>();
  for (const record of records) {
    const known = merged.get(recordKey(record));
    merged.set(recordKey(record), known === undefined ? record : merge(known, record));
  }
  return [...merged.values()];
}

function merge(known: BriefRecord, record: BriefRecord): BriefRecord {
  const [left, right] = [known.carries ?? {}, record.carries ?? {}];
  const isOpen = right.isOpen ?? left.isOpen;
  const isByName = left.isByName === false || right.isByName === false ? false : (left.isByName ?? right.isByName);
  const carries: Carried = {
    emails: [...new Set([...(left.emails ?? []), ...(right.emails ?? [])])],
    domains: [...new Set([...(left.domains ?? []), ...(right.domains ?? [])])],
    refs: [...new Map([...(left.refs ?? []), ...(right.refs ?? [])].map((ref) => [recordKey(ref), ref])).values()],
    organization: left.organization ?? right.organization ?? null,
    ...(isOpen === undefined ? {} : { isOpen }),
    ...(isByName === undefined ? {} : { isByName }),
  };
  const state = (record.state?.length ?? 0) > (known.state?.length ?? 0) ? record.state : known.state;
  return { ...known, state, time: known.time ?? record.time, link: known.link ?? record.link, carries };
}
