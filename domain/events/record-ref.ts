import type { ServiceKey } from '#domain/services/service-key.ts';

/** Identifies a record at a service: `kind` is the neutral term ('issue', 'deal'), `id` the service's id as text. */
export type RecordRef = Readonly<{ service: ServiceKey; kind: string; id: string }>;

/** Returns the key by which events are ordered per record: 'tracker:issue:42'. */
export function orderKeyOf({ service, kind, id }: RecordRef): string {
  return `${service}:${kind}:${id}`;
}
