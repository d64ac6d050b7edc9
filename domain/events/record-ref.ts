import type { ServiceKey } from '#domain/services/service-key.ts';

/** Which record at which service: `kind` is our word for it ('issue', 'deal'), `id` the service's id as text. */
export type RecordRef = Readonly<{ service: ServiceKey; kind: string; id: string }>;

/** Returns the key that orders the events of one record: 'tracker:issue:42'. */
export function orderKeyOf({ service, kind, id }: RecordRef): string {
  return `${service}:${kind}:${id}`;
}
