import type { ServiceKey } from '#domain/services/service-key.ts';

/**
 * Identifies a record at a service: `kind` is the neutral term ('issue', 'deal'), `id` the service's id as text. Where a
 * service has several vendors, `vendor` names the one of this record, and the ids of all but the first one begin with
 * it: 'acme/42'.
 */
export type RecordRef = Readonly<{ service: ServiceKey; kind: string; id: string; vendor?: string }>;

/** Returns the key by which events are ordered per record: 'tracker:issue:42'. */
export function orderKeyOf({ service, kind, id }: RecordRef): string {
  return `${service}:${kind}:${id}`;
}

/** Returns a record's id as its vendor has it. */
export function idAtVendor({ id, vendor }: Pick<RecordRef, 'id' | 'vendor'>): string {
  return vendor !== undefined && id.startsWith(`${vendor}/`) ? id.slice(vendor.length + 1) : id;
}

/** Returns the reference to a record that another one mentions, which is at the same vendor. */
export function mentionedBy(record: RecordRef, kind: string, id: string): RecordRef {
  const { service, vendor } = record;
  if (vendor === undefined) return { service, kind, id };
  return { service, kind, id: idAtVendor(record) === record.id ? id : `${vendor}/${id}`, vendor };
}
