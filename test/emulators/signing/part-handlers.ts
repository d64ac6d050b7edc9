import { documentIn, wrongState } from '#test/emulators/signing/document-store.ts';
import {
  type Ask,
  done,
  invalid,
  json,
  notFound,
  objectIn,
  type Reply,
  textOr,
} from '#test/emulators/signing/exchange.ts';
import type { Handler, HandlerDependencies } from '#test/emulators/signing/handler.ts';
import { type Document, type Json, moment, newId } from '#test/emulators/signing/world.ts';

/** A handler for what a document has; 404 without the document. */
const ofDocument =
  (handle: (document: Document, ask: Ask, parts: HandlerDependencies) => Reply): Handler =>
  (parts, ask) => {
    const document = documentIn(parts.world, ask.params['id']);
    return document === null ? notFound : handle(document, ask, parts);
  };

/** GET /documents/{id}/recipients, which the provider does not have */
export const listRecipients = ofDocument((document) => json(200, { results: document.recipients }));

/** POST /documents/{id}/recipients */
export const addRecipient = ofDocument((document, ask, { world }) => {
  const body = objectIn(ask);
  const contact = world.contacts.find(({ id }) => id === body?.['id']);
  if (contact === undefined) return invalid({ id: ['Contact not found.'] });
  if (!['contact', 'contact_group'].includes(textOr(body?.['kind'], ''))) {
    return invalid({ kind: ['value is not a valid choice.'] });
  }
  const id = newId();
  document.recipients.push({
    id,
    email: textOr(contact['email'], ''),
    first_name: textOr(contact['first_name'], ''),
    last_name: textOr(contact['last_name'], ''),
    role: '',
    recipient_type: 'CC',
    has_completed: false,
    contact_id: textOr(contact['id'], ''),
  });
  return json(200, { recipient_id: id });
});

/** PATCH /documents/{id}/recipients/{rid} */
export const updateRecipient = ofDocument((document, ask) => {
  const recipient = document.recipients.find(({ id }) => id === ask.params['rid']);
  if (recipient === undefined) return notFound;
  const body = objectIn(ask);
  if (body === null) return invalid({ non_field_errors: ['A JSON object is required.'] });
  const { id, has_completed, recipient_type } = recipient;
  Object.assign(recipient, body, { id, has_completed, recipient_type });
  return done;
});

/** DELETE /documents/{id}/recipients/{rid} */
export const deleteRecipient = ofDocument((document, { params }) => {
  const index = document.recipients.findIndex(({ id }) => id === params['rid']);
  if (index < 0) return notFound;
  document.recipients.splice(index, 1);
  return done;
});

/** GET /documents/{id}/fields */
export const listFields = ofDocument((document) => json(200, { fields: document.fields }));

/** GET /documents/{id}/attachments: a bare list */
export const listAttachments = ofDocument((document) => json(200, document.attachments));

/** POST /documents/{id}/editing-sessions: a draft only */
export const editingSession = ofDocument((document, ask, { world }) => {
  const body = objectIn(ask);
  const lifetime = Number(body?.['lifetime'] ?? 3600);
  if (typeof body?.['email'] !== 'string') return invalid({ email: ['This field is required.'] });
  if (!(lifetime >= 60 && lifetime <= 86_400)) {
    return json(400, { type: 'request_error', detail: { lifetime: ['Ensure this value is between 60 and 86400.'] } });
  }
  if (document.state !== 'draft') return wrongState(world, document);
  const expires_at = moment(Date.now() + lifetime * 1000);
  return json(201, { id: newId(), email: body['email'], expires_at, token: newId(), document_id: document.id });
});

/** POST /documents/{id}/session: a document that was sent */
export const signingSession = ofDocument((document, ask, { world }) => {
  const body = objectIn(ask);
  if (!document.recipients.some(({ email }) => email === body?.['recipient'])) {
    return invalid({ recipient: ['Not a recipient of the document.'] });
  }
  if (!['sent', 'viewed'].includes(document.state)) return wrongState(world, document);
  return json(201, { id: newId(), expires_at: moment(Date.now() + Number(body?.['lifetime'] ?? 3600) * 1000) });
});

/** GET /documents/{id}/quotes, which the provider does not have */
export const listQuotes = ofDocument((document) => json(200, { results: document.quotes }));

/** PATCH, in the provider's own words PUT, /documents/{id}/quotes/{qid} */
export const updateQuote = ofDocument((document, ask, { world }) => {
  const index = document.quotes.findIndex(({ id }) => id === ask.params['qid']);
  const quote = document.quotes[index];
  if (quote === undefined) return notFound;
  const body = objectIn(ask);
  if (body === null) return invalid({ non_field_errors: ['A JSON object is required.'] });
  if (document.state !== 'draft') return wrongState(world, document);
  const changed: Json = { ...quote, ...body, id: quote['id'] };
  document.quotes[index] = changed;
  return json(200, changed);
});

/** POST /documents/{id}/linked-objects: each CRM once */
export const link = ofDocument((document, ask) => {
  const body = objectIn(ask);
  const missing = ['provider', 'entity_type', 'entity_id'].filter((name) => typeof body?.[name] !== 'string');
  if (body === null || missing.length > 0) {
    return invalid(Object.fromEntries(missing.map((name) => [name, ['This field is required.']])));
  }
  if (document.linkedObjects.some(({ provider }) => provider === body['provider'])) {
    return json(409, { type: 'request_error', detail: 'The document is linked with this CRM already.' });
  }
  const linked = { ...body, id: newId() };
  document.linkedObjects.push(linked);
  return json(201, linked);
});

/** GET /documents/{id}/linked-objects */
export const listLinks = ofDocument((document) => json(200, { linked_objects: document.linkedObjects }));

/** DELETE /documents/{id}/linked-objects/{lid} */
export const unlink = ofDocument((document, { params }) => {
  const index = document.linkedObjects.findIndex(({ id }) => id === params['lid']);
  if (index < 0) return notFound;
  document.linkedObjects.splice(index, 1);
  return done;
});
