import { setImmediate as nextTurn } from 'node:timers/promises';
import type { ConnectionGate } from '#application/ports/connection-gate.ts';
import type { InboxEntry, InboxState } from '#application/ports/webhook-inbox.ts';
import { noMetrics } from '#application/ports/webhook-metrics.ts';
import type { WorkScope } from '#application/ports/work-scope.ts';
import { DrainInbox } from '#application/webhooks/drain-inbox.ts';
import type { SlotShares } from '#application/webhooks/slots.ts';
import type { ClaimTiming } from '#application/webhooks/work-pace.ts';
import { type Failure, failed } from '#domain/operations/outcome.ts';
import { type CalledService, calledBy, type Step } from '#domain/reactions/step.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { err, ok } from '#domain/shared/result.ts';
import { SettableClock } from '#test/contracts/kit/settable-clock.ts';
import { MemoryWebhookInbox } from '#test/doubles/memory-webhook-inbox.ts';
import { neutralNames, webhookServiceKeys } from '#test/support/services/five-services.ts';
import { rememberingLogger, startAt } from '#test/support/webhooks/webhook-harness.ts';

/**
 * How a service treats the work on one delivery: it works, fails so, never answers, or answers what was sent only once the test says
 * so, whatever is cancelled.
 */
export type Treatment = 'works' | 'hangs' | 'is slow' | Failure;

const timing: ClaimTiming = { leaseMs: 15_000, maxLeaseMs: 30_000, renewMs: 5_000 };

/** What a service answers that is down. */
export const down = failed('unavailable', 'The connection failed (ECONNREFUSED).');

/** What is to be done about a delivery; its id is the record's. */
function stepOf({ deliveryId: id, event }: InboxEntry): Step {
  const record = { service: 'sales_crm', kind: 'organization', id } as const;
  if (event === 'push') {
    const party = { kind: 'organization', name: 'Acme', website: null, address: null } as const;
    return { do: 'push', record, party, occurredAt: 0 };
  }
  return { do: 'note', record, idKey: 'id', frontmatter: {}, history: [], occurredAt: 0, create: null };
}

/** Deliveries in an inbox in memory, processed by services that act as set up. */
export class DeliveryWork {
  readonly clock = new SettableClock(startAt);
  readonly inbox = new MemoryWebhookInbox(this.clock);
  readonly treatment: Record<CalledService, Treatment> = { vault: 'works', suite_crm: 'works' };
  /** The deliveries that were tried, by id, in order; and how many were at it at once, at most, by the service called. */
  readonly tried: string[] = [];
  readonly atOnce: Record<CalledService, number> = { vault: 0, suite_crm: 0 };
  /** Ids of deliveries that a service fails whatever it does with others. */
  readonly poison = new Set<string>();
  /** How many leases were lost. */
  lost = 0;
  /** Lets the slow ones be answered, in the order in which they were sent. */
  readonly slow: (() => void)[] = [];
  /** Why a service cannot be called. */
  readonly reasonsToWait = new Map<string, string>();
  /** Why nothing is worked on; null while it is. */
  reasonToPause: string | null = null;
  readonly #now: Record<CalledService, number> = { vault: 0, suite_crm: 0 };
  #kept = 0;

  readonly #gate: ConnectionGate = {
    reasonToPause: async () => this.reasonToPause,
    reasonToWait: async (service) => this.reasonsToWait.get(service) ?? null,
  };

  /** A process that works on them; `uptime` is its own clock, which claims run out by. */
  process(owner = 'a', shares?: SlotShares, uptime: () => number = () => 0): DrainInbox {
    const { inbox, clock } = this;
    let signal: AbortSignal | null = null;
    const scope: WorkScope = {
      run: (given, work) => {
        ({ signal } = given);
        return work();
      },
    };
    const plan = {
      run: async (entry: InboxEntry) => {
        await nextTurn();
        return { kind: 'steps', said: null, steps: [stepOf(entry)] } as const;
      },
    };
    const applySteps = { run: (step: Step) => this.#treat(step, signal) };
    const { logger } = rememberingLogger();
    const shared = {
      inbox,
      plan,
      applySteps,
      gate: this.#gate,
      scope,
      names: neutralNames,
      senders: webhookServiceKeys,
      metrics: {
        ...noMetrics,
        lost: () => {
          this.lost += 1;
        },
      },
      clock,
      logger,
    };
    const given = shares === undefined ? {} : { shares };
    return new DrainInbox({ ...shared, chance: () => 0.5, owner, timing, uptime, ...given });
  }

  /** Keeps deliveries, each about a record of its own; what their work calls is known unless it is left out. */
  async keep(from: ServiceKey, event: 'note' | 'push', count: number, hasCalls = true): Promise<void> {
    const calls = event === 'push' ? 'suite_crm' : 'vault';
    const entries = Array.from({ length: count }, () => {
      this.#kept += 1;
      const id = `${this.#kept}`;
      return {
        service: from,
        deliveryId: id,
        orderKey: id,
        event,
        calls: hasCalls ? calls : null,
        body: '{}',
      } as const;
    });
    await this.inbox.keep(entries);
  }

  /** Lets a process work until nothing moves any more, also while something hangs. */
  async settle(drain: DrainInbox): Promise<void> {
    let isFree = true;
    for (let quiet = 0; quiet < 20; quiet += 1) {
      if (isFree) {
        isFree = false;
        const begun = await drain.fill(() => {
          isFree = true;
        });
        if (begun > 0) quiet = 0;
      }
      await nextTurn();
      if (isFree) quiet = 0;
    }
  }

  /** The ids of deliveries in a state. */
  async ids(state: InboxState): Promise<readonly string[]> {
    return (await this.inbox.list({ state, limit: 1_000 })).map(({ deliveryId }) => deliveryId).toReversed();
  }

  async #treat(step: Step, signal: AbortSignal | null) {
    const service = calledBy(step);
    if (service === null) throw new Error('No delivery here makes such a step.');
    const { id } = step.record;
    this.tried.push(id);
    this.#now[service] += 1;
    this.atOnce[service] = Math.max(this.atOnce[service], this.#now[service]);
    const treatment = this.poison.has(id) ? down : this.treatment[service];
    if (treatment === 'is slow') {
      await new Promise<void>((resolve) => this.slow.push(resolve));
    } else if (treatment === 'hangs') {
      await new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve(), { once: true }));
    } else await nextTurn();
    this.#now[service] -= 1;
    if (treatment === 'hangs') return err(down);
    return treatment === 'works' || treatment === 'is slow'
      ? ok({ line: 'done', result: 'ran' as const })
      : err(treatment);
  }
}
