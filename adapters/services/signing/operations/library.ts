import { z } from 'zod';
import { fileInput } from '#adapters/services/requests/file-input.ts';
import { del, get, patch, post } from '#adapters/services/requests/request-rows.ts';
import { newTemplate } from '#adapters/services/signing/inputs/records.ts';
import {
  email,
  flag,
  folderUuid,
  itemId,
  listOptions,
  paging,
  search,
  templateId,
} from '#adapters/services/signing/inputs.ts';
import { manyTemplates, oneTemplate } from '#adapters/services/signing/outputs.ts';

/** A PDF to upload, instead of an address to fetch it from. */
const pdfFile = fileInput.optional();

const tree = z
  .enum(['documents', 'templates'])
  .default('documents')
  .describe('Which folders, where the service keeps those of documents and of templates apart');

/**
 * The rows of what documents are created from: templates, forms, folders, content library, contacts, members
 * (SIGN-006).
 */
export const libraryRows = {
  'templates.list': get(
    '/public/v1/templates',
    'Lists templates, filtered by text, tag or folder; paged. Their ids are the `template_uuid` of signing_document_create',
    {
      ...paging,
      q: search.describe('Part of the name'),
      shared: flag.describe('Only shared ones'),
      deleted: flag.describe('Only deleted ones'),
      id: search.describe('Only the one with this id'),
      folder_uuid: folderUuid.describe('In this folder'),
      tag: search.describe('With this tag'),
    },
    { ...listOptions, tool: 'signing_templates_list', output: manyTemplates },
  ),
  'templates.create': post(
    '/public/v1/templates',
    'Creates a template from a PDF; it is ready a few seconds later',
    { ...newTemplate, file: pdfFile },
    {
      multipart: 'file',
    },
  ),
  'templates.get': get(
    '/public/v1/templates/{id}',
    'Gets a template: its name, state and dates',
    { id: templateId },
    { output: oneTemplate, route: null },
  ),
  // A template may define roles; only the vendor's dialect returns them here.
  'templates.details': get(
    '/public/v1/templates/{id}/details',
    'Gets a template with all its details, such as its roles',
    { id: templateId },
  ),
  'templates.delete': del('/public/v1/templates/{id}', 'Deletes a template', { id: templateId }),
  'forms.list': get(
    '/public/v1/forms',
    'Lists forms, filtered by name or status',
    {
      ...paging,
      name: search.describe('Part of the name'),
      status: z.enum(['draft', 'active', 'disabled']).optional().describe('Only forms with this status'),
      order_by: z
        .enum(['name', 'responses', 'status', 'created_date', 'modified_date'])
        .optional()
        .describe('What to sort by'),
      asc: flag.describe('Whether to sort in ascending order'),
    },
    listOptions,
  ),
  'forms.get': get('/public/v1/forms/{id}', 'Gets a form', { id: itemId('form') }),
  'folders.list': get(
    '/public/v1/folders',
    'Lists folders, those at the root or those in another folder',
    { ...paging, parent_uuid: folderUuid.describe('The folder to list; the root by default'), tree },
    {
      page: 'page',
      local: ['fields', 'tree'],
    },
  ),
  'folders.create': post(
    '/public/v1/folders',
    'Creates a folder',
    {
      name: z.string().min(1).describe('Name of the folder'),
      parent_uuid: folderUuid.describe('The folder to create it in; the root by default'),
      tree,
    },
    { local: ['tree'] },
  ),
  'folders.rename': patch(
    '/public/v1/folders/{id}',
    'Renames a folder',
    { id: itemId('folder'), name: z.string().min(1).describe('The new name'), tree },
    {
      isIdempotent: true,
      local: ['tree'],
    },
  ),
  'folders.delete': del('/public/v1/folders/{id}', 'Deletes a folder', { id: itemId('folder') }),
  'content_items.list': get(
    '/public/v1/content-library-items',
    'Lists the items of the content library, filtered by text, tag or folder',
    {
      ...paging,
      q: search.describe('Part of the name'),
      id: search.describe('Only the item with this id'),
      deleted: flag.describe('Only items that were deleted'),
      folder_uuid: folderUuid.describe('Only items in this folder'),
      tag: search.describe('Only items with this tag'),
    },
    listOptions,
  ),
  'content_items.create': post(
    '/public/v1/content-library-items',
    'Adds a file to the content library; it is ready a few seconds later',
    {
      file: fileInput,
      name: z.string().min(1).optional().describe('Name of the item; that of the file by default'),
    },
    {
      multipart: 'file',
    },
  ),
  'content_items.get': get('/public/v1/content-library-items/{id}', 'Gets an item of the content library', {
    id: itemId('item'),
  }),
  'contacts.list': get(
    '/public/v1/contacts',
    'Lists contacts, filtered by e-mail address',
    { ...paging, email: email.optional().describe('Only the contact with exactly this address') },
    { ...listOptions },
  ),
  'members.list': get('/public/v1/members', 'Lists the members of the workspace', paging, {
    ...listOptions,
  }),
} as const;
