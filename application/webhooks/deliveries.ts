import type { ConnectionGate } from '#application/ports/connection-gate.ts';
import type { ReactionLog } from '#application/ports/reaction-log.ts';
import type { ReceiptLog, SecretUse, StaleDelivery } from '#application/ports/receipt-log.ts';
import type {
  InboxEntry,
  InboxFinds,
  InboxQuery,
  InboxSearch,
  InboxState,
  WebhookInbox,
} from '#application/ports/webhook-inbox.ts';
import { effectLine } from '#application/webhooks/apply-steps.ts';
import { type DeliveryReaction, deliveryReactions } from '#application/webhooks/delivery-reactions.ts';
import type { EntryPlan, PlanEntry } from '#application/webhooks/plan-entry.ts';
import { dryRun, type Targets } from '#application/webhooks/targets.ts';
import type { Failure } from '#domain/operations/outcome.ts';
import { own } from '#domain/shared/own.ts';
import { maskedBody } from '#domain/webhooks/masked-body.ts';

/** The dependencies of the use case. `secrets` are masked wherever they occur in a body. */
type DeliveriesDependencies = Readonly<{
  inbox: WebhookInbox;
  reactionLog: Pick<ReactionLog, 'runsOf'>;
  receipts: ReceiptLog;
  plan: PlanEntry;
  gate: ConnectionGate;
  targets: Targets;
  secrets: readonly string[];
  secretIds: Readonly<Record<string, readonly string[]>>;
  /** Called when an entry is requeued or skipped. */
  onReplay: () => void;
}>;

/** A secret's id, and when it last verified a delivery; null for never. */
export type SecretUsage = Readonly<Omit<SecretUse, 'usedAt'> & { usedAt: number | null }>;

/**
 * The result of a dry run: one line for each change, and how the entry would end. `fetched` is the event, secrets masked,
 * if its record was fetched for it; null otherwise.
 */
export type DryRun = Readonly<{ changes: readonly string[]; ending: string; fetched: string | null }>;

/** An entry with its masked body, null when it was pruned, and what it came to for each reaction. */
export type ShownEntry = Readonly<{
  entry: InboxEntry;
  body: string | null;
  reactions: readonly DeliveryReaction[];
}>;

/** The deliveries that failed: those given up, those on which only a reaction failed, or both. */
export type FailedDeliveries = 'dead' | 'faulty' | 'all';

type PlannedSteps = Extract<EntryPlan, { kind: 'steps' }>;

/** The maximum number of failed deliveries that are replayed together, and the number in one statement. */
export const maxReplayed = 10_000;
const replayedAtOnce = 1_000;

/**
 * The maximum number of deliveries that a search looks at, and one that continues another: those who search further back wait
 * longer rather than ask fifty times.
 */
const [maxSearched, maxSearchedFurther] = [20_000, 200_000];

/** The maximum number of stale deliveries shown. */
const shownStale = 20;

/** Lists, shows and manages the deliveries, for the page and the command line. */
export class Deliveries {
  readonly #dependencies: DeliveriesDependencies;

  constructor(dependencies: DeliveriesDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Lists the matching entries, the newest first. The error of those that wait for a connection is replaced by the
   * connection's current problem and retry time.
   */
  async list(query: InboxQuery): Promise<readonly InboxEntry[]> {
    return Promise.all((await this.#dependencies.inbox.list(query)).map((entry) => this.#asOfNow(entry)));
  }

  /** Searches the matching entries for a text. A search that continues another looks at more of them at once. */
  async search(query: Omit<InboxSearch, 'most'>): Promise<InboxFinds> {
    const most = query.before === undefined ? maxSearched : maxSearchedFurther;
    const { entries, searchedTo } = await this.#dependencies.inbox.search({ ...query, most });
    return { entries: await Promise.all(entries.map((entry) => this.#asOfNow(entry))), searchedTo };
  }

  /** Counts the entries by state. */
  counts(): Promise<Readonly<Record<InboxState, number>>> {
    return this.#dependencies.inbox.counts();
  }

  /** Counts the deliveries on which a reaction failed, although they are done. */
  faulty(): Promise<number> {
    return this.#dependencies.inbox.faulty();
  }

  /** Returns the entry with its body, secrets masked; null when there is none. */
  async show(seq: number): Promise<ShownEntry | null> {
    const entry = await this.#dependencies.inbox.find(seq);
    if (entry === null) return null;
    const body = await this.#dependencies.inbox.body(entry);
    return {
      entry: await this.#asOfNow(entry),
      body: body === null ? null : maskedBody(body, this.#dependencies.secrets),
      reactions: deliveryReactions(entry, await this.#dependencies.reactionLog.runsOf(seq)),
    };
  }

  /** Requeues a finished or dead entry; false when it is neither, or its body was pruned. */
  async replay(seq: number): Promise<boolean> {
    const isReplayed = await this.#dependencies.inbox.replay(seq);
    if (isReplayed) this.#dependencies.onReplay();
    return isReplayed;
  }

  /**
   * Requeues the failed deliveries, the oldest first and at most `maxReplayed`; they are then processed in the
   * background. Returns their number.
   */
  async replayFailed(which: FailedDeliveries): Promise<number> {
    let replayed = 0;
    for (let more = replayedAtOnce; more === replayedAtOnce && replayed < maxReplayed; replayed += more) {
      const query = { limit: replayedAtOnce, ...(which === 'all' ? {} : { only: which }) };
      more = await this.#dependencies.inbox.replayFailed(query);
      if (more > 0) this.#dependencies.onReplay();
    }
    return replayed;
  }

  /** Skips a dead or pending entry, so that those behind it can continue; false when it is neither. */
  async skip(seq: number): Promise<boolean> {
    const isSkipped = await this.#dependencies.inbox.skip(seq);
    if (isSkipped) this.#dependencies.onReplay();
    return isSkipped;
  }

  async #asOfNow(entry: InboxEntry): Promise<InboxEntry> {
    if (entry.state !== 'pending') return entry;
    const { gate } = this.#dependencies;
    const reasonToPause = await gate.reasonToPause();
    const reasonToWait = reasonToPause ?? (entry.calls === null ? null : await gate.reasonToWait(entry.calls));
    return reasonToWait === null ? entry : { ...entry, error: reasonToWait };
  }

  /** Returns what processing the entry now would do, without doing it; null when there is no such entry. */
  async dryRun(seq: number): Promise<DryRun | null> {
    const entry = await this.#dependencies.inbox.find(seq);
    if (entry === null) return null;
    const plan = await this.#dependencies.plan.run(entry);
    return plan.kind === 'steps' ? this.#tried(plan) : { changes: [], fetched: null, ending: endingOf(plan) };
  }

  async #tried({ steps, fetched }: PlannedSteps): Promise<DryRun> {
    const changes: string[] = [];
    const shown = fetched === undefined ? null : maskedBody(JSON.stringify(fetched), this.#dependencies.secrets);
    const applySteps = dryRun(this.#dependencies.targets, (line) => changes.push(line));
    const endings: string[] = [];
    for (const step of steps) {
      const effect = await applySteps.run(step);
      if (!effect.ok) return { changes, fetched: shown, ending: `failed: ${failureText(effect.failure)}` };
      endings.push(effectLine(step, effect.value));
    }
    return { changes, fetched: shown, ending: `done: ${endings.join('; ')}` };
  }

  /** Lists the latest stale deliveries. */
  stale(): Promise<readonly StaleDelivery[]> {
    return this.#dependencies.receipts.stale(shownStale);
  }

  /** Lists the configured secrets, and those used before that are no longer configured. */
  async secrets(): Promise<readonly (SecretUsage & Readonly<{ isConfigured: boolean }>)[]> {
    const { secretIds, receipts } = this.#dependencies;
    const uses = await receipts.uses();
    const configured = Object.entries(secretIds).flatMap(([service, ids]) =>
      ids.map((secretId) => {
        const use = uses.find((one) => one.service === service && one.secretId === secretId);
        return { service, secretId, usedAt: use?.usedAt ?? null, isConfigured: true };
      }),
    );
    const former = uses
      .filter(({ service, secretId }) => own(secretIds, service)?.includes(secretId) !== true)
      .map((use) => ({ ...use, isConfigured: false }));
    return [...configured, ...former];
  }
}

function endingOf(plan: Exclude<EntryPlan, PlannedSteps>): string {
  switch (plan.kind) {
    case 'unfetched':
      return `failed: ${failureText(plan.failure)}`;
    case 'ignored':
      return `ignored: ${plan.outcome}`;
    case 'dead':
    case 'failed':
      return `${plan.kind}: ${plan.error}`;
  }
}

function failureText({ reason, message }: Failure): string {
  return `${reason}: ${message}`;
}
