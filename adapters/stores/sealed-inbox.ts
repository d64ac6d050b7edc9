import { ForwardingInbox } from '#adapters/stores/forwarding-inbox.ts';
import type { EntryPlace, NewInboxEntry, WebhookInbox } from '#application/ports/webhook-inbox.ts';
import type { AesGcmBox } from '#infrastructure/crypto/aes-gcm-box.ts';

/** Encrypts the bodies of deliveries before they are stored, and decrypts them on reading (INBOX-008). */
export class SealedInbox extends ForwardingInbox {
  readonly #box: Pick<AesGcmBox, 'seal' | 'open'>;

  constructor(store: WebhookInbox, box: Pick<AesGcmBox, 'seal' | 'open'>) {
    super(store);
    this.#box = box;
  }

  override keep(entries: readonly NewInboxEntry[]): Promise<number> {
    return this.inner.keep(
      entries.map((entry) => ({ ...entry, body: this.#box.seal(entry.body, bodyContext(entry)) })),
    );
  }

  override async body(entry: EntryPlace): Promise<string | null> {
    const sealed = await this.inner.body(entry);
    return sealed === null ? null : this.#box.open(sealed, bodyContext(entry));
  }
}

/** The context that a body's encryption is bound to; the same for any store. */
export function bodyContext({ service, deliveryId }: Pick<EntryPlace, 'service' | 'deliveryId'>): string {
  return `webhook_inbox/body/${service}/${deliveryId}`;
}
