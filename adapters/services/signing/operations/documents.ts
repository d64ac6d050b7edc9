import { z } from 'zod';
import { fileInput } from '#adapters/services/requests/file-input.ts';
import { del, get, patch, post, withChange } from '#adapters/services/requests/request-rows.ts';
import { documentChange, newDocument, sending } from '#adapters/services/signing/inputs/records.ts';
import {
  documentId,
  documentState,
  flag,
  folderUuid,
  listOptions,
  moment,
  paging,
  search,
  settableState,
} from '#adapters/services/signing/inputs.ts';
import { documentDetails, manyDocuments, oneDocument } from '#adapters/services/signing/outputs.ts';
import { whenGiven } from '#domain/operations/effect.ts';
import { inLists } from '#infrastructure/json-schema/tool-schema.ts';

const id = documentId;

/** A PDF to upload, instead of an address to fetch it from. */
const pdfFile = fileInput.optional();

const orders = [
  'name',
  'date_created',
  'date_status_changed',
  'date_of_last_action',
  'date_modified',
  'date_sent',
] as const;
const moreOrders = ['date_completed', 'date_expiration', 'date_declined', 'status'] as const;
const allOrders = [...orders, ...moreOrders];

const separateFiles = flag.describe('A ZIP archive with a PDF for each section instead of one PDF');

/** A status that is set by hand reaches the recipients, unless they are not notified. */
export const notNotified = [{ when: { notify_recipients: [false] }, effect: 'lose' }] as const;

/** The rows of documents (SIGN-002). */
export const documentRows = {
  'documents.list': get(
    '/public/v1/documents',
    'Lists documents, filtered by status, text, template, folder, tag or date; last changed first, paged. Template ids come from signing_templates_list',
    {
      ...paging,
      q: search.describe('Part of the name, or reference number'),
      status: documentState.describe('With this status'),
      status__ne: documentState
        .describe('Only documents without this status')
        .meta(inLists({ type: 'string', description: 'Not with this status' })),
      template_id: search.describe('Created from this template'),
      form_id: search.describe('Created by this form; not with template_id').meta(inLists(false)),
      folder_uuid: folderUuid.describe('In this folder'),
      contact_id: search.describe('With this contact as recipient or approver'),
      membership_id: search.describe('Of this member'),
      id: search.describe('Only the document with this id').meta(inLists(false)),
      tag: search.describe('With this tag'),
      metadata: z.record(z.string(), z.string()).optional().describe('With this data, such as {"deal_id": "8"}'),
      deleted: flag.describe('Only deleted ones'),
      created_from: moment
        .describe('Created at or after this time, such as 2026-11-01T00:00:00Z')
        .meta(inLists('Created since, such as 2026-11-01T00:00:00Z')),
      created_to: moment
        .describe('Created before this time, such as 2026-12-01T00:00:00Z')
        .meta(inLists('Created before this time')),
      modified_from: moment
        .describe('Changed at or after this time, such as 2026-11-01T00:00:00Z')
        .meta(inLists('Changed since this time')),
      modified_to: moment
        .describe('Changed before this time, such as 2026-12-01T00:00:00Z')
        .meta(inLists('Changed before this time')),
      completed_from: moment
        .describe('Completed at or after this time, such as 2026-11-01T00:00:00Z')
        .meta(inLists('Completed since this time')),
      completed_to: moment
        .describe('Completed before this time, such as 2026-12-01T00:00:00Z')
        .meta(inLists('Completed before this time')),
      order_by: z
        .enum([...allOrders, ...allOrders.map((order) => `-${order}` as const)])
        .optional()
        .describe('Field to sort by; prefix "-" for descending')
        .meta(inLists({ type: 'string', enum: allOrders, description: 'Field to sort by; prefix "-" for descending' })),
    },
    {
      ...listOptions,
      tool: 'signing_documents_list',
      output: manyDocuments,
    },
  ),
  'documents.create': post(
    '/public/v1/documents',
    'Creates a document from a template or from a PDF; it is uploaded first and becomes a draft a few seconds later',
    { ...newDocument, file: pdfFile },
    {
      query: ['use_form_field_properties'],
      multipart: 'file',
    },
  ),
  'documents.get': get(
    '/public/v1/documents/{id}',
    'Gets a document: its name, status and dates; for signers, fields and prices use signing_document_details',
    { id },
    { tool: 'signing_document_get', output: oneDocument },
  ),
  'documents.update': withChange(
    patch(
      '/public/v1/documents/{id}',
      'Updates a document; only while it is a draft',
      { id, ...documentChange },
      { effectBy: whenGiven('lose', 'recipients', 'tags', 'pricing_tables', 'tables', 'images', 'texts') },
    ),
  ),
  'documents.delete': del('/public/v1/documents/{id}', 'Deletes a document', { id }),
  'documents.details': get(
    '/public/v1/documents/{id}/details',
    'Gets a document with recipients and signatures, fields, prices, variables, metadata and links; for the status alone use signing_document_get',
    { id },
    { tool: 'signing_document_details', output: documentDetails },
  ),
  'documents.send': post(
    '/public/v1/documents/{id}/send',
    'Sends a document to its recipients; only while it is a draft',
    { id, ...sending },
    { effect: 'reach' },
  ),
  'documents.set_status': patch(
    '/public/v1/documents/{id}/status',
    'Sets the status of a document by hand: completed, expired or declined',
    {
      id,
      status: settableState.describe('Status to set'),
      note: z.string().optional().describe('Private note on the reason'),
      notify_recipients: flag.describe('Whether to notify the recipients by e-mail'),
    },
    { effect: 'reach', effectBy: notNotified, isIdempotent: true },
  ),
  'documents.to_draft': post(
    '/public/v1/documents/{id}/draft',
    'Reverts a document to draft, whatever its status, to change it; its signatures are cleared, and it has to be sent again',
    { id },
    { tool: 'signing_document_revert', output: oneDocument, effect: 'lose', isIdempotent: true },
  ),
  'documents.download': get(
    '/public/v1/documents/{id}/download',
    'Downloads a document as PDF; signed or not, once it is a draft. Ids come from signing_documents_list',
    {
      id,
      watermark_text: z.string().optional().describe('Text across each page'),
      watermark_color: z
        .string()
        .regex(/^#[0-9a-fA-F]{6}$/, { error: 'must be a colour such as #FF5733' })
        .optional()
        .describe('Colour of the watermark, such as #FF5733'),
      watermark_font_size: z.number().int().min(1).optional().describe('Size of the watermark in points'),
      watermark_opacity: z.number().min(0).max(1).optional().describe('0.0 (not seen) to 1.0'),
      separate_files: separateFiles,
    },
    { tool: 'signing_document_download', answer: 'file', accept: { kind: '*/*' } },
  ),
  'documents.download_protected': get(
    '/public/v1/documents/{id}/download-protected',
    'Downloads a completed document as a PDF that proves its signatures; with production credentials only',
    { id, separate_files: separateFiles },
    { answer: 'file', accept: { kind: '*/*' } },
  ),
  'documents.audit_trail': get(
    '/public/v1/documents/{id}/audit-trail',
    'Lists the audit trail of a document: who did what, when and from where',
    { id, ...paging },
    {
      ...listOptions,
    },
  ),
} as const;
