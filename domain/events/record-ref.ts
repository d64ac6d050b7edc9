import type { WebhookServiceKey } from '#domain/services/service-key.ts';

/**
 * A reference to a record of a service: `kind` is the neutral word ('issue', 'deal'), `id` the service's id as text.
 */
export type RecordRef = Readonly<{ service: WebhookServiceKey; kind: string; id: string }>;

/** Returns the key that orders the events of one record: 'tracker:issue:42'. */
export function orderKeyOf({ service, kind, id }: RecordRef): string {
  return `${service}:${kind}:${id}`;
}
