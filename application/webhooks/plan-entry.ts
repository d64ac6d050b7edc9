import type { EventRecords } from '#application/ports/event-records.ts';
import type { RecordNames } from '#application/ports/record-names.ts';
import type { InboxEntry, WebhookInbox } from '#application/ports/webhook-inbox.ts';
import type { WebhookSource } from '#application/ports/webhook-source.ts';
import type { BuiltInSwitches } from '#application/reactions/built-in-switches.ts';
import type { PlanReactions } from '#application/reactions/plan-reactions.ts';
import type { ServiceEvent } from '#domain/events/service-event.ts';
import type { Failure } from '#domain/operations/outcome.ts';
import { switchedOn } from '#domain/reactions/built-in.ts';
import { namesWanted } from '#domain/reactions/deal-history.ts';
import { mayConcern, react } from '#domain/reactions/react.ts';
import type { Reaction, Surroundings } from '#domain/reactions/reaction.ts';
import type { ReactionResult } from '#domain/reactions/run-result.ts';
import type { Step } from '#domain/reactions/step.ts';
import { messageOf } from '#domain/shared/error-text.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';

type PlanEntryDependencies = Readonly<{
  inbox: WebhookInbox;
  sources: readonly WebhookSource[];
  reactions: readonly Reaction[];
  names: RecordNames;
  /** Completes events whose deliveries carry only ids; none are when not given. */
  records?: EventRecords;
  surroundings: Omit<Surroundings, 'nameOf'>;
  /** The user-written reactions; none when not given. */
  written?: Pick<PlanReactions, 'run' | 'mayConcern'>;
  /** The switches of built-in reactions; all are on when not given. */
  switches?: Pick<BuiltInSwitches, 'off'>;
}>;

/**
 * The plan for an entry: the steps, with a remark about reactions that are switched off, and the event if its record was
 * fetched; `ignored` with the reason; `results` are those of the user-written reactions without steps; `dead` when it can never be processed; `failed` when it cannot be processed now;
 * `unfetched` when its record could not be fetched from its service.
 */
export type EntryPlan =
  | Readonly<{ kind: 'steps'; steps: readonly Step[]; said: string | null; fetched?: ServiceEvent; results?: Results }>
  | Readonly<{ kind: 'ignored'; outcome: string; results?: Results }>
  | Readonly<{ kind: 'dead'; error: string }>
  | Readonly<{ kind: 'failed'; error: string }>
  | Readonly<{ kind: 'unfetched'; failure: Failure }>;

type Results = readonly ReactionResult[];

/** Parses an entry's event, has its record fetched if need be, and asks the reactions for steps; changes nothing. */
export class PlanEntry {
  readonly #dependencies: PlanEntryDependencies;

  constructor(dependencies: PlanEntryDependencies) {
    this.#dependencies = dependencies;
  }

  /** Returns the plan. Throws when the body cannot be decrypted. */
  async run(entry: InboxEntry): Promise<EntryPlan> {
    const { inbox, sources, reactions, names, surroundings } = this.#dependencies;
    const { service, receivedAt } = entry;
    const source = sources.find((one) => one.service === service);
    if (source === undefined) return { kind: 'failed', error: `no receiver is set up for ${service}` };
    const body = await inbox.body(entry);
    if (body === null) return { kind: 'dead', error: 'its body was pruned' };
    const read = attempted(() => source.read(JSON.parse(body), receivedAt));
    if (!read.ok) return read.failure;
    const event = read.value;
    if (!event.ok) {
      const { reason, detail } = event.failure;
      return reason === 'unknown' ? { kind: 'ignored', outcome: detail } : { kind: 'dead', error: detail };
    }
    const off = (await this.#dependencies.switches?.off()) ?? none;
    const { reactions: on, said } = switchedOn(reactions, off, event.value);
    const complete = await this.#complete(event.value, on);
    if (!complete.ok) return { kind: 'unfetched', failure: complete.failure };
    const nameOf = await names.of(namesWanted(complete.value));
    const reacted = attempted(() => react(on, complete.value, { ...surroundings, nameOf }));
    if (!reacted.ok) return reacted.failure;
    const planned = reacted.value ?? [];
    const written = await this.#dependencies.written?.run(complete.value, { seq: entry.seq, planned });
    const { steps: more = null, results = [] } = written ?? {};
    if (reacted.value === null && more === null) {
      return { kind: 'ignored', outcome: said ?? 'no reaction to this event', results };
    }
    const fetched = complete.value === event.value ? {} : { fetched: complete.value };
    return { kind: 'steps', steps: [...planned, ...(more ?? [])], said, results, ...fetched };
  }

  /** Returns the event with its record's fields, if any reaction may handle it. */
  async #complete(event: ServiceEvent, on: readonly Reaction[]): Promise<Result<ServiceEvent, Failure>> {
    const { records, written } = this.#dependencies;
    if (records === undefined) return ok(event);
    const isNeeded = mayConcern(on, event) || (await written?.mayConcern(event)) === true;
    return isNeeded ? records.complete(event) : ok(event);
  }
}

const none: ReadonlySet<string> = new Set();

/**
 * Runs a deterministic task, parsing or reacting: an exception would recur at every attempt, so the entry becomes dead.
 */
function attempted<Value>(task: () => Value): Result<Value, EntryPlan> {
  try {
    return ok(task());
  } catch (error) {
    const why = messageOf(error);
    return err({ kind: 'dead', error: `its content cannot be processed: ${why}` });
  }
}
