import { raw } from '@mikro-orm/core';
import type { InboxState } from '#application/ports/webhook-inbox.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { given } from '#infrastructure/database/table.ts';

/** Most entries are in these states, and those of a service among them are soon found by the service. */
const commonStates: readonly InboxState[] = ['done', 'ignored'];

/** The filter that an index is to be used for. */
export function indexedFilter(state: InboxState | undefined, service: ServiceKey | undefined) {
  if (state === undefined || service === undefined) return given({ state, service });
  return commonStates.includes(state) ? { service } : { state };
}

/** The other filter of the two, in a form for which there is no index: SQLite would choose one by chance. */
export function otherFilter(state: InboxState, service: ServiceKey) {
  return commonStates.includes(state) ? raw("state || '' = ?", [state]) : raw("service || '' = ?", [service]);
}
