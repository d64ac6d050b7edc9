import { z } from 'zod';
import { checkedFormQuery } from '#adapters/http/requests/checked-input.ts';
import type { Visit } from '#adapters/http/visit.ts';
import { wholeNumber } from '#adapters/input/texts.ts';
import type { InboxQuery } from '#application/ports/webhook-inbox.ts';
import type { Failure } from '#domain/operations/outcome.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { Result } from '#domain/shared/result.ts';
import { dayIn } from '#domain/text/days.ts';

/** The sequence number of a delivery, as in addresses and forms. */
export const seqSchema = wholeNumber(1);

/** The states that pages and filters distinguish: those of the inbox, and `faulty` for one that is done with faults. */
export const shownStates = ['pending', 'leased', 'done', 'faulty', 'ignored', 'skipped', 'dead'] as const;

/** One of those states. */
export type ShownState = (typeof shownStates)[number];

/** The query of /deliveries on a server of these services. */
function querySchema(services: readonly ServiceKey[]) {
  return z.strictObject({
    state: z.enum(shownStates).optional(),
    service: z.enum(services).optional(),
    from: z.iso.date().optional(),
    to: z.iso.date().optional(),
    q: z.string().trim().max(100).optional(),
    before: seqSchema.optional(),
  });
}

/** The filter of the list of deliveries. */
export type DeliveryFilter = Readonly<z.output<ReturnType<typeof querySchema>>>;

/** Reads the filter from a query, as a form sends it; the failure names what does not conform. */
export function filterOf(
  visit: Pick<Visit, 'query'>,
  services: readonly ServiceKey[],
): Result<DeliveryFilter, Failure> {
  return checkedFormQuery(visit, querySchema(services));
}

/** Converts the filter to an inbox query. Days are in the given time zone, the last one included. */
export function inboxQueryOf(
  { state, service, from, to, before }: DeliveryFilter,
  { limit, timeZone }: Readonly<{ limit: number; timeZone: string }>,
): InboxQuery {
  const first = from === undefined ? null : dayIn(from, timeZone);
  const last = to === undefined ? null : dayIn(to, timeZone);
  return {
    limit,
    ...(state === undefined ? {} : stateQuery(state)),
    ...(service === undefined ? {} : { service }),
    ...(first === null ? {} : { since: first.from }),
    ...(last === null ? {} : { until: last.until }),
    ...(before === undefined ? {} : { before }),
  };
}

function stateQuery(state: ShownState): Pick<InboxQuery, 'state' | 'isFaulty'> {
  if (state === 'faulty') return { isFaulty: true };
  return state === 'done' ? { state, isFaulty: false } : { state };
}

/** The address of the list with this filter and some members changed; undefined removes a member. */
export function deliveriesHref(filter: DeliveryFilter, change: DeliveryFilter): string {
  const { before: _, ...rest } = filter;
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...rest, ...change })) {
    if (value !== undefined && value !== '') parameters.set(name, String(value));
  }
  const query = parameters.toString();
  return query === '' ? '/deliveries' : `/deliveries?${query}`;
}
