import { z } from 'zod';
import { del, get, patch, post, withChange } from '#adapters/services/requests/request-rows.ts';
import { quoteChange, recipientChange } from '#adapters/services/signing/inputs/records.ts';
import {
  documentId,
  email,
  lifetime,
  linkedObjectId,
  quoteId,
  recipientId,
} from '#adapters/services/signing/inputs.ts';
import { whenGiven } from '#domain/operations/effect.ts';

const id = documentId;
const rid = recipientId;

/** The rows of a document's parts: recipients, fields, attachments, sessions, quotes and linked objects (SIGN-006). */
export const partRows = {
  'recipients.list': get('/public/v1/documents/{id}/recipients', 'Lists the recipients of a document', { id }),
  'recipients.add': post(
    '/public/v1/documents/{id}/recipients',
    'Adds a contact to a document, who gets a copy',
    {
      id,
      recipient: z
        .strictObject({
          id: z.string().min(1).describe('The id of the contact or contact group'),
          kind: z.enum(['contact', 'contact_group']).default('contact'),
        })
        .describe('Whom to add, such as {"id": "kQDLgj54VGCocTSTzthywf", "kind": "contact"}'),
    },
    { body: 'recipient', effect: 'reach' },
  ),
  'recipients.update': withChange(
    patch(
      '/public/v1/documents/{id}/recipients/{rid}',
      'Updates a recipient of a document, such as a misspelt name or address',
      { id, rid, ...recipientChange },
      { effectBy: whenGiven('reach', 'email', 'phone', 'delivery_methods', 'members') },
    ),
  ),
  'recipients.delete': del('/public/v1/documents/{id}/recipients/{rid}', 'Removes a recipient from a document', {
    id,
    rid,
  }),
  'fields.list': get('/public/v1/documents/{id}/fields', 'Lists the fields of a document and who fills them', { id }),
  'attachments.list': get('/public/v1/documents/{id}/attachments', 'Lists the files attached to a document', { id }),
  'sessions.edit': post(
    '/public/v1/documents/{id}/editing-sessions',
    'Opens a session in which a member edits a draft in an embedded editor',
    { id, email: email.describe('E-mail address of the member'), lifetime: lifetime({ min: 60, max: 86_400 }) },
  ),
  'sessions.sign': post(
    '/public/v1/documents/{id}/session',
    'Opens a session in which a recipient reads and signs a sent document',
    {
      id,
      recipient: email.describe('E-mail address of the recipient'),
      lifetime: lifetime({ min: 1, max: 31_536_000 }),
    },
    { effect: 'reach' },
  ),
  'quotes.list': get(
    '/public/v1/documents/{id}/quotes',
    'Lists the quotes of a document, which are its pricing tables',
    { id },
  ),
  'quotes.update': withChange(
    patch(
      '/public/v1/documents/{id}/quotes/{qid}',
      'Updates a quote of a document; only while it is a draft',
      { id, qid: quoteId, ...quoteChange },
      { effectBy: whenGiven('lose', 'sections') },
    ),
  ),
  'linked_objects.create': post('/public/v1/documents/{id}/linked-objects', 'Links a document with a record of a CRM', {
    id,
    provider: z.string().min(1).describe('Name of the CRM in lower case, such as pipedrive'),
    entity_type: z.string().min(1).describe('Kind of the record, such as deal'),
    entity_id: z.string().min(1).describe('Id of the record'),
  }),
  'linked_objects.list': get(
    '/public/v1/documents/{id}/linked-objects',
    'Lists the records a document is linked with',
    {
      id,
    },
  ),
  'linked_objects.delete': del(
    '/public/v1/documents/{id}/linked-objects/{lid}',
    'Removes a link between a document and a record',
    { id, lid: linkedObjectId },
  ),
} as const;
