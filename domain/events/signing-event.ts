import type { EventFacts, Fields } from '#domain/events/event-facts.ts';

/** The event names of the signing service (REACT-003, REACT-004). The record is the document. */
export const signingEventNames = [
  'document_state_changed',
  'recipient_completed',
  'document_updated',
  'document_deleted',
  'document_creation_failed',
  'document_completed_pdf_ready',
] as const;

/** One of the six event names. */
export type SigningEventName = (typeof signingEventNames)[number];

/**
 * A document as sent; null means not sent. `status` is the service's word: 'document.completed'. Texts are untrusted.
 */
export type SigningDocument = Readonly<{ id: string; name: string | null; status: string | null }>;

/** An event about a document; `fields` are all that was sent of it. */
export type SigningEvent = EventFacts<'signing', SigningEventName> &
  Readonly<{ document: SigningDocument; fields: Fields }>;
