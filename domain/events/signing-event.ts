import type { EventFacts, Fields } from '#domain/events/event-facts.ts';

/** What the signing service tells (REACT-003, REACT-004). The record is the document. */
export const signingEventNames = [
  'document_state_changed',
  'recipient_completed',
  'document_updated',
  'document_deleted',
  'document_creation_failed',
  'document_completed_pdf_ready',
] as const;

/** One of its six events. */
export type SigningEventName = (typeof signingEventNames)[number];

/** A document as sent; what was not sent is null. `status` is the service's word: 'document.completed'. Texts are untrusted. */
export type SigningDocument = Readonly<{ id: string; name: string | null; status: string | null }>;

/** Something happened to a document; `fields` are all that was sent of it. */
export type SigningEvent = EventFacts<'signing', SigningEventName> &
  Readonly<{ document: SigningDocument; fields: Fields }>;
