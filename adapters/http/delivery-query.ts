import type { ParsedUrlQuery } from 'node:querystring';
import { z } from 'zod';
import { type InboxQuery, inboxStates } from '#application/ports/webhook-inbox.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { dayIn } from '#domain/text/days.ts';

/** The sequence number of a delivery, as in addresses and forms. */
export const seqSchema = z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER);

const day = z.iso.date().optional().catch(undefined);
const schema = z.object({
  state: z.enum(inboxStates).optional().catch(undefined),
  service: z.string().max(100).optional().catch(undefined),
  from: day,
  to: day,
  q: z.string().trim().max(100).optional().catch(undefined),
  before: seqSchema.optional().catch(undefined),
});

/** The filter of the list of deliveries, as a form sends it; empty strings count as not given. */
export type DeliveryFilter = Readonly<z.output<typeof schema>>;

/** Parses the filter from a query; invalid members count as not given. */
export function filterOf(query: ParsedUrlQuery, services: readonly ServiceKey[]): DeliveryFilter {
  const { service, q, ...same } = schema.parse(query);
  return {
    ...same,
    ...(service !== undefined && services.includes(service) ? { service } : {}),
    ...(q === undefined || q === '' ? {} : { q }),
  };
}

/** Converts the filter to an inbox query. Days are in the given time zone, the last one included. */
export function inboxQueryOf(
  { state, service, from, to, q, before }: DeliveryFilter,
  { limit, timeZone }: Readonly<{ limit: number; timeZone: string }>,
): InboxQuery {
  const first = from === undefined ? null : dayIn(from, timeZone);
  const last = to === undefined ? null : dayIn(to, timeZone);
  return {
    limit,
    ...(state === undefined ? {} : { state }),
    ...(service === undefined ? {} : { service }),
    ...(first === null ? {} : { since: first.from }),
    ...(last === null ? {} : { until: last.until }),
    ...(q === undefined ? {} : { text: q }),
    ...(before === undefined ? {} : { before }),
  };
}

/** The address of the list with this filter and some members changed; undefined removes a member. */
export function deliveriesHref(filter: DeliveryFilter, change: DeliveryFilter): string {
  const { before: _, ...rest } = filter;
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...rest, ...change })) {
    if (value !== undefined) parameters.set(name, String(value));
  }
  const query = parameters.toString();
  return query === '' ? '/deliveries' : `/deliveries?${query}`;
}
