import type { OperationInfo } from '#application/ports/operation-catalog.ts';

/** The records whose operations stay REST only, by the first part of their names: addresses of events, and accounts. */
const administered: readonly string[] = ['webhooks', 'channels', 'watch', 'users', 'members'];

/** Operations of these that read one record. */
const readsOne: readonly string[] = ['get', 'me'];

/**
 * Whether an operation without a tool stays REST only: it deletes in the tracker, which may be for good (TOOL-002), or
 * lists, makes or removes webhooks, channels or users (TOOL-018).
 */
export function isRestOnly({ service, name }: Pick<OperationInfo, 'service' | 'name'>): boolean {
  const [records = '', act = ''] = name.split('.');
  if (service === 'tracker' && act === 'delete') return true;
  return administered.includes(records) && !readsOne.includes(act);
}
