import type {
  Claim,
  Ending,
  EntryPlace,
  InboxEntry,
  InboxQuery,
  InboxState,
  NewInboxEntry,
  WebhookInbox,
} from '#application/ports/webhook-inbox.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';

/** Forwards every call to another inbox. Base class of wrappers, which override only what they change. */
export class ForwardingInbox implements WebhookInbox {
  protected readonly inner: WebhookInbox;

  constructor(inner: WebhookInbox) {
    this.inner = inner;
  }

  keep(entries: readonly NewInboxEntry[]): Promise<number> {
    return this.inner.keep(entries);
  }

  body(entry: EntryPlace): Promise<string | null> {
    return this.inner.body(entry);
  }

  claim(claim: Claim): Promise<readonly InboxEntry[]> {
    return this.inner.claim(claim);
  }

  renew(owner: string, leaseMs: number): Promise<number> {
    return this.inner.renew(owner, leaseMs);
  }

  end(entry: InboxEntry, ending: Ending): Promise<boolean> {
    return this.inner.end(entry, ending);
  }

  find(seq: number): Promise<InboxEntry | null> {
    return this.inner.find(seq);
  }

  list(query: InboxQuery): Promise<readonly InboxEntry[]> {
    return this.inner.list(query);
  }

  counts(): Promise<Readonly<Record<InboxState, number>>> {
    return this.inner.counts();
  }

  oldestOpen(): Promise<number | null> {
    return this.inner.oldestOpen();
  }

  lastReceived(service: ServiceKey): Promise<number | null> {
    return this.inner.lastReceived(service);
  }

  wake(service: ServiceKey, inMs?: number): Promise<number> {
    return this.inner.wake(service, inMs);
  }

  awaited(): Promise<readonly ServiceKey[]> {
    return this.inner.awaited();
  }

  replay(seq: number): Promise<boolean> {
    return this.inner.replay(seq);
  }

  skip(seq: number): Promise<boolean> {
    return this.inner.skip(seq);
  }

  prune(finishedBefore: number): Promise<number> {
    return this.inner.prune(finishedBefore);
  }
}
