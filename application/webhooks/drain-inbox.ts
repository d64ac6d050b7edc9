import type { Clock } from '#application/ports/clock.ts';
import type { Logger } from '#application/ports/logger.ts';
import type { Ending, InboxEntry, WebhookInbox } from '#application/ports/webhook-inbox.ts';
import type { WebhookSource } from '#application/ports/webhook-source.ts';
import type { CarryOutNote } from '#application/webhooks/carry-out-note.ts';
import type { NoteTemplates } from '#domain/notes/templates.ts';
import { react } from '#domain/reactions/react.ts';
import type { Step } from '#domain/reactions/step.ts';
import { isGivenUp, retryDelayMs } from '#domain/webhooks/retry-delay.ts';

/** What draining needs. `owner` is unique to this process; `chance` is from 0 to below 1, for the jitter. */
export type DrainInboxParts = Readonly<{
  inbox: WebhookInbox;
  sources: readonly WebhookSource[];
  carryOutNote: CarryOutNote;
  templates: NoteTemplates;
  clock: Clock;
  chance: () => number;
  logger: Logger;
  owner: string;
  leaseMs: number;
}>;

/** How many entries, each of another record, are worked on at a time. */
const atOnce = 4;

/** How often an entry is taken up at most: one that ends the process each time must not do so for ever. */
const maxAttempts = 500;

/** Has the entries of the inbox take effect: claim, read, react, carry out, and note how it ended. */
export class DrainInbox {
  readonly #parts: DrainInboxParts;
  #inFlight = 0;

  constructor(parts: DrainInboxParts) {
    this.#parts = parts;
  }

  /** Works on what is due until nothing is, or `isStopping` says so between two rounds; the number of entries ended. */
  async run(isStopping: () => boolean = () => false): Promise<number> {
    const { inbox, owner, leaseMs } = this.#parts;
    let ended = 0;
    while (!isStopping()) {
      const claimed = await inbox.claim({ owner, leaseMs, limit: atOnce });
      if (claimed.length === 0) break;
      this.#inFlight = claimed.length;
      try {
        await Promise.all(claimed.map((entry) => this.#work(entry)));
      } finally {
        this.#inFlight = 0;
      }
      ended += claimed.length;
    }
    return ended;
  }

  /** Keeps the leases of what is being worked on from running out. */
  async keepLeases(): Promise<void> {
    const { inbox, owner, leaseMs } = this.#parts;
    if (this.#inFlight > 0) await inbox.renew(owner, leaseMs);
  }

  async #work(entry: InboxEntry): Promise<void> {
    const { inbox, logger } = this.#parts;
    const log = logger.child({ delivery: `${entry.service}/${entry.deliveryId}`, event: entry.event });
    const ending = await this.#ending(entry, log);
    const isMine = await inbox.end(entry, ending);
    if (!isMine) log.warn({ seq: entry.seq }, 'the lease ran out while the delivery was worked on');
    else if (ending.kind === 'dead') log.error({ error: ending.error, attempts: entry.attempts }, 'delivery is dead');
    else if (ending.kind === 'retry') log.warn({ ...ending, attempts: entry.attempts }, 'delivery will be tried again');
    else log.info({ outcome: ending.outcome, attempts: entry.attempts }, `delivery ${ending.kind}`);
  }

  /** The edge: what is thrown in the work on an entry ends as a failed try of that entry. */
  async #ending(entry: InboxEntry, log: Logger): Promise<Ending> {
    if (entry.attempts > maxAttempts) return { kind: 'dead', error: `given up after ${maxAttempts} tries` };
    try {
      return await this.#effect(entry);
    } catch (error) {
      log.error({ err: error }, 'the work on a delivery broke');
      return this.#failed(entry, error instanceof Error ? error.message : String(error));
    }
  }

  async #effect(entry: InboxEntry): Promise<Ending> {
    const source = this.#parts.sources.find(({ service }) => service === entry.service);
    if (source === undefined) return this.#failed(entry, `no receiver is set up for ${entry.service}`);
    const body = await this.#parts.inbox.body(entry.seq);
    if (body === null) return { kind: 'dead', error: 'its body was pruned' };
    const event = source.read(JSON.parse(body));
    if (!event.ok) {
      const { reason, detail } = event.failure;
      return reason === 'unknown' ? { kind: 'ignored', outcome: detail } : { kind: 'dead', error: detail };
    }
    const steps = react(event.value, this.#parts.templates);
    return steps === null ? { kind: 'ignored', outcome: 'no reaction to this event' } : this.#carryOut(entry, steps);
  }

  async #carryOut(entry: InboxEntry, steps: readonly Step[]): Promise<Ending> {
    const outcomes: string[] = [];
    for (const step of steps) {
      const effect = await this.#parts.carryOutNote.run(step);
      if (!effect.ok) return this.#failed(entry, `${effect.failure.reason}: ${effect.failure.message}`);
      outcomes.push(`${effect.value.how}${effect.value.path === null ? '' : ` ${effect.value.path}`}`);
    }
    return { kind: 'done', outcome: outcomes.join('; ') };
  }

  #failed(entry: InboxEntry, error: string): Ending {
    if (isGivenUp(entry.failingSince, this.#parts.clock.now())) return { kind: 'dead', error };
    return { kind: 'retry', error, delayMs: retryDelayMs(entry.attempts, this.#parts.chance()) };
  }
}
