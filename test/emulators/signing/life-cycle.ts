import type { Webhooks } from '#test/emulators/signing/webhooks.ts';
import { type Document, note, stateText, type World } from '#test/emulators/signing/world.ts';

/** Moves documents through their states (SIGN-003 to SIGN-005) and publishes it. */
export class LifeCycle {
  readonly #world: World;
  readonly #webhooks: Webhooks;

  constructor(world: World, webhooks: Webhooks) {
    this.#world = world;
    this.#webhooks = webhooks;
  }

  /** Takes a document in; it is made after the world's delay. */
  take(document: Document): void {
    this.#world.documents.set(document.id, document);
    note(document, 'created');
    if (this.#world.draftAfterMs === null) return;
    const timer = setTimeout(() => {
      this.#world.timers.delete(timer);
      this.process(document.id);
    }, this.#world.draftAfterMs);
    timer.unref();
    this.#world.timers.add(timer);
  }

  /** Ends the making of a document now. */
  process(id: string): void {
    const document = this.#world.documents.get(id);
    if (document?.state !== 'uploaded') return;
    if (this.#world.creationsToFail > 0) {
      this.#world.creationsToFail -= 1;
      this.#set(document, 'error');
      const error = { type: 'validation_error', detail: 'The PDF could not be read.' };
      this.#webhooks.emit('document_creation_failed', document, { error });
      return;
    }
    this.move(document, 'draft');
  }

  /** A recipient opens the document. */
  view(id: string): void {
    const document = this.#world.documents.get(id);
    if (document?.state !== 'sent') return;
    note(document, 'viewed', document.recipients[0]?.email);
    this.move(document, 'viewed');
  }

  /** A recipient signs; when all have, the document is completed and its PDF is ready. */
  sign(id: string, email: string): void {
    const document = this.#world.documents.get(id);
    if (document === undefined) return;
    this.view(id);
    const recipient = document.recipients.find((candidate) => candidate.email === email);
    if (document.state !== 'viewed' || recipient === undefined || recipient.has_completed) return;
    recipient.has_completed = true;
    note(document, 'signed', email);
    const action_date = new Date().toISOString();
    this.#webhooks.emit('recipient_completed', document, { action_by: recipient, action_date });
    const signers = document.recipients.filter(({ recipient_type }) => recipient_type === 'signer');
    if (!signers.every(({ has_completed }) => has_completed)) return;
    this.move(document, 'completed');
    this.#webhooks.emit('document_completed_pdf_ready', document);
  }

  /** All recipients sign. */
  complete(id: string): void {
    for (const { email } of this.#world.documents.get(id)?.recipients ?? []) this.sign(id, email);
  }

  /** Sets a state and publishes it. */
  move(document: Document, state: string): void {
    this.#set(document, state);
    note(document, stateText(this.#world, state));
    this.#webhooks.emit('document_state_changed', document);
  }

  #set(document: Document, state: string): void {
    document.state = state;
    document.modifiedAt = Date.now();
    if (state === 'completed') document.completedAt = document.modifiedAt;
    if (state === 'sent') document.sentAt = document.modifiedAt;
    if (state === 'draft') document.completedAt = null;
    if (state === 'draft') for (const recipient of document.recipients) recipient.has_completed = false;
  }
}
