import { z } from 'zod';
import { fileInput } from '#adapters/services/requests/file-input.ts';
import { del, get, post } from '#adapters/services/requests/request-rows.ts';
import { fields, id, leadId, smallPage } from '#adapters/services/sales-crm/inputs.ts';

/** The rows of files (SALES-009). */
export const files = {
  'files.list': get(
    '/v1/files',
    'Lists files',
    {
      sort: z.string().min(1).optional().describe('What to sort by: id or update_time, such as "update_time DESC"'),
      ...smallPage,
      fields,
    },
    { page: 'offset', local: ['fields'] },
  ),
  'files.upload': post(
    '/v1/files',
    'Uploads a file, and attaches it to a deal, person, organization, product, activity or lead',
    {
      file: fileInput,
      deal_id: id('deal').optional(),
      person_id: id('person').optional(),
      org_id: id('organization').optional(),
      product_id: id('product').optional(),
      activity_id: id('activity').optional(),
      lead_id: leadId.optional(),
    },
    { multipart: 'file' },
  ),
  'files.download': get(
    '/v1/files/{id}/download',
    'Downloads a file',
    { id: id('file') },
    { answer: 'file', accept: { kind: '*/*' } },
  ),
  'files.delete': del('/v1/files/{id}', 'Deletes a file; it can be restored for 30 days', { id: id('file') }),
} as const;
