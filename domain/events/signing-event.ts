import type { EventFacts, Fields } from '#domain/events/event-facts.ts';

/** What the signing service tells (contract, Events by service). The record is the document. */
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

/** The document as sent with the event. */
export type SigningEvent = EventFacts<'signing', SigningEventName> & Readonly<{ document: Fields }>;
