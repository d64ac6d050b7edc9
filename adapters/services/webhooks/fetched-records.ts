import type { UserOfVendor } from '#application/connections/vendor-users.ts';
import type { EventRecords } from '#application/ports/event-records.ts';
import type { OperationCaller } from '#application/ports/operation-caller.ts';
import type { FetchCall, WebhookSource } from '#application/ports/webhook-source.ts';
import type { ServiceEvent } from '#domain/events/service-event.ts';
import { type Failure, failed } from '#domain/operations/outcome.ts';
import type { ServiceNames } from '#domain/services/service-names.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import { startDeadline } from '#infrastructure/time/deadline.ts';

/** The time limit of fetching one event's record, in ms: a source may need several calls. */
const fetchMs = 30_000;

/** The dependencies. `userOf`: whose connections are used, since deliveries carry no user of this server (REACT-009). */
type FetchedRecordsDependencies = Readonly<{
  sources: readonly WebhookSource[];
  caller: OperationCaller;
  userOf: UserOfVendor;
  names: ServiceNames;
  deadlineMs?: number;
}>;

/** Has each service's webhook source fetch the records of its events, over the connection to that service. */
export class FetchedRecords implements EventRecords {
  readonly #dependencies: FetchedRecordsDependencies;

  constructor(dependencies: FetchedRecordsDependencies) {
    this.#dependencies = dependencies;
  }

  async complete(event: ServiceEvent): Promise<Result<ServiceEvent, Failure>> {
    const { sources, caller, userOf, names, deadlineMs = fetchMs } = this.#dependencies;
    const { service } = event;
    const source = sources.find((one) => one.service === service);
    if (source?.fetch === undefined) return ok(event);
    const cut = new AbortController();
    const over = Promise.withResolvers<Result<ServiceEvent, Failure>>();
    const stopTimer = startDeadline(deadlineMs, () => {
      cut.abort();
      const within = `${Math.ceil(deadlineMs / 1000)} s`;
      over.resolve(err(failed('unavailable', `The ${names.of(service)} did not return the record within ${within}.`)));
    });
    const userId = await userOf(service, event.record.vendor);
    const call: FetchCall = (name, input) => caller.call({ userId, service, name, input, signal: cut.signal });
    try {
      const fetched = await Promise.race([source.fetch(event, call), over.promise]);
      return fetched.ok || !isGone(fetched.failure) ? fetched : ok(event);
    } finally {
      stopTimer();
    }
  }
}

function isGone({ reason }: Failure): boolean {
  return reason === 'not_found' || reason === 'gone';
}
