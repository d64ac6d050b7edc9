import type {
  Claim,
  Ending,
  EntryPlace,
  InboxEntry,
  InboxState,
  NewInboxEntry,
  WebhookInbox,
} from '#application/ports/webhook-inbox.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { AesGcmBox } from '#infrastructure/crypto/aes-gcm-box.ts';

/** Encrypts the bodies of deliveries before a store has them, and decrypts them when it gives them back (INBOX-008). */
export class SealedInbox implements WebhookInbox {
  readonly #store: WebhookInbox;
  readonly #box: Pick<AesGcmBox, 'seal' | 'open'>;

  constructor(store: WebhookInbox, box: Pick<AesGcmBox, 'seal' | 'open'>) {
    this.#store = store;
    this.#box = box;
  }

  keep(entries: readonly NewInboxEntry[]): Promise<number> {
    return this.#store.keep(
      entries.map((entry) => ({ ...entry, body: this.#box.seal(entry.body, bodyContext(entry)) })),
    );
  }

  async body(entry: EntryPlace): Promise<string | null> {
    const sealed = await this.#store.body(entry);
    return sealed === null ? null : this.#box.open(sealed, bodyContext(entry));
  }

  claim(claim: Claim): Promise<readonly InboxEntry[]> {
    return this.#store.claim(claim);
  }

  renew(owner: string, leaseMs: number): Promise<number> {
    return this.#store.renew(owner, leaseMs);
  }

  end(entry: InboxEntry, ending: Ending): Promise<boolean> {
    return this.#store.end(entry, ending);
  }

  find(seq: number): Promise<InboxEntry | null> {
    return this.#store.find(seq);
  }

  list(query: Parameters<WebhookInbox['list']>[0]): Promise<readonly InboxEntry[]> {
    return this.#store.list(query);
  }

  counts(): Promise<Readonly<Record<InboxState, number>>> {
    return this.#store.counts();
  }

  oldestOpen(): Promise<number | null> {
    return this.#store.oldestOpen();
  }

  lastReceived(service: ServiceKey): Promise<number | null> {
    return this.#store.lastReceived(service);
  }

  wake(service: ServiceKey, inMs?: number): Promise<number> {
    return this.#store.wake(service, inMs);
  }

  awaited(): Promise<readonly ServiceKey[]> {
    return this.#store.awaited();
  }

  replay(seq: number): Promise<boolean> {
    return this.#store.replay(seq);
  }

  skip(seq: number): Promise<boolean> {
    return this.#store.skip(seq);
  }

  prune(finishedBefore: number): Promise<number> {
    return this.#store.prune(finishedBefore);
  }
}

/** The context that a body's encryption is bound to: the same for any store. */
export function bodyContext({ service, deliveryId }: Pick<EntryPlace, 'service' | 'deliveryId'>): string {
  return `webhook_inbox/body/${service}/${deliveryId}`;
}
