import { z } from 'zod';
import { fileInput } from '#adapters/services/requests/file-input.ts';
import { del, get, post, put } from '#adapters/services/requests/request-rows.ts';
import { fields, id, module, pages, sorting, tags } from '#adapters/services/suite-crm/inputs.ts';
import * as outputs from '#adapters/services/suite-crm/outputs.ts';

const tagModule = module.describe('API name of the module that the tags belong to');

/** The rows of notes, files and tags of a record (SUITE-004). */
export const attachedRows = {
  'notes.create': post(
    '/crm/v8/notes',
    'Adds up to 100 notes to records',
    {
      data: z
        .array(
          z.strictObject({
            Note_Title: z.string().max(120).optional(),
            Note_Content: z.string().min(1).max(32_000),
            Parent_Id: z
              .strictObject({ module: z.strictObject({ api_name: module }), id })
              .describe('The record of the note: {"module": {"api_name": "Deals"}, "id": "…"}'),
          }),
        )
        .min(1)
        .max(100)
        .describe('The notes, each with its text and its record'),
    },
    { output: outputs.results },
  ),
  'notes.list': get(
    '/crm/v8/{module}/{id}/notes',
    'Lists the notes of a record; paged, newest first. To add one use suite_note_create',
    { module, id, fields, ...pages, ...sorting },
    {
      tool: 'suite_notes_list',
      output: outputs.notePages,
      page: 'page',
    },
  ),
  'attachments.upload': post(
    '/crm/v8/{module}/{id}/attachments',
    'Attaches a file to a record',
    { module, id, file: fileInput },
    { output: outputs.changed, multipart: 'file' },
  ),
  'attachments.list': get(
    '/crm/v8/{module}/{id}/attachments',
    'Lists the files that are attached to a record',
    { module, id, fields, ...pages },
    {
      output: outputs.attachmentPages,
      page: 'page',
    },
  ),
  // Without it, attachments could not be read.
  'attachments.download': get(
    '/crm/v8/{module}/{id}/attachments/{attachment_id}',
    'Downloads a file that is attached to a record',
    { module, id, attachment_id: id.describe('Id of the attachment, as text') },
    {
      answer: 'file',
      accept: { kind: '*/*' },
    },
  ),

  'tags.list': get(
    '/crm/v8/settings/tags',
    'Lists the tags of a module',
    { module: tagModule },
    { output: outputs.tagPages },
  ),
  'tags.create': post(
    '/crm/v8/settings/tags',
    'Creates tags of a module',
    { module: tagModule, tags },
    { output: outputs.results, query: ['module'] },
  ),
  'tags.update': put(
    '/crm/v8/settings/tags/{id}',
    'Renames a tag or changes its color',
    { id: id.describe('Id of the tag, as text'), module: tagModule, tags: tags.max(1) },
    {
      output: outputs.oneTag,
      query: ['module', 'id'],
    },
  ),
  'tags.delete': del(
    '/crm/v8/settings/tags/{id}',
    'Deletes a tag, also from the records that have it',
    {
      id: id.describe('Id of the tag, as text'),
    },
    { output: outputs.gone },
  ),
  'records.add_tags': post(
    '/crm/v8/{module}/{id}/actions/add_tags',
    'Adds tags to a record; other tags stay, unless `over_write` is true. Returns all its tags',
    { module, id, tags, over_write: z.boolean().optional().describe('Whether to remove its other tags') },
    {
      tool: 'suite_tag_add',
      output: outputs.tagsOfRecord,
      isIdempotent: true,
      effect: 'change',
      effectBy: [{ when: { over_write: [true] }, effect: 'lose' }],
    },
  ),
  'records.remove_tags': post(
    '/crm/v8/{module}/{id}/actions/remove_tags',
    'Removes tags from a record, by their names as suite_record_get shows them under Tag. Returns the remaining tags',
    { module, id, tags },
    { tool: 'suite_tag_remove', output: outputs.tagsOfRecord, effect: 'lose', isIdempotent: true },
  ),
} as const;
