import { z } from 'zod';
import { del, get, post, put } from '#adapters/services/requests/request-rows.ts';
import {
  changes,
  converted,
  criteria,
  fields,
  id,
  ids,
  module,
  pages,
  records,
  relatedList,
  searchSorting,
  sorting,
  trigger,
} from '#adapters/services/suite-crm/inputs.ts';
import * as outputs from '#adapters/services/suite-crm/outputs.ts';
import { whenGiven } from '#domain/operations/effect.ts';

/** The rows of records of any module, and of related records (SUITE-003, SUITE-004). */
export const recordRows = {
  'records.list': get(
    '/crm/v8/{module}',
    'Lists the records of a module; paged, newest first. To filter use suite_search or suite_coql_query. Fields come from suite_fields_list',
    {
      module,
      fields,
      ...pages,
      ...sorting,
      ids,
      cvid: id.optional().describe('Of this custom view'),
      converted,
      territory_id: id.optional().describe('Of this territory'),
      include_child: z.boolean().optional().describe('Also those of child territories'),
    },
    { tool: 'suite_record_list', output: outputs.recordPages, page: 'page' },
  ),
  'records.get': get(
    '/crm/v8/{module}/{id}',
    'Gets a record, with all its fields by their API names. Its id comes from suite_search, suite_coql_query or suite_record_list',
    { module, id },
    { tool: 'suite_record_get', output: outputs.oneRecord },
  ),
  'records.create': post(
    '/crm/v8/{module}',
    'Creates records of a module; up to 100, with a result for each. suite_fields_list has API names, choices and mandatory fields. Check with suite_search first, to avoid duplicates',
    { module, data: records, trigger },
    { tool: 'suite_record_create', output: outputs.results },
  ),
  'records.update': put(
    '/crm/v8/{module}/{id}',
    'Updates fields of a record; others stay unchanged. API names and choices come from suite_fields_list. For tags use suite_tag_add',
    { module, id, data: changes, trigger },
    { tool: 'suite_record_update', output: outputs.changed },
  ),
  'records.delete': del(
    '/crm/v8/{module}/{id}',
    'Deletes a record; it goes to the recycle bin. Its id comes from suite_search or suite_record_list',
    { module, id },
    { tool: 'suite_record_delete', output: outputs.gone },
  ),
  'records.upsert': post(
    '/crm/v8/{module}/upsert',
    'Creates up to 100 records, or updates existing ones found by the duplicate check',
    {
      module,
      data: records,
      duplicate_check_fields: z
        .array(z.string())
        .min(1)
        .optional()
        .describe(
          'API names of the fields that identify duplicates, the first match decides; the unique fields of the module by default',
        ),
      trigger,
    },
    { output: outputs.upserted, isIdempotent: true, effect: 'change' },
  ),
  'records.search': get(
    '/crm/v8/{module}/search',
    'Searches the records of a module by exactly one of criteria, e-mail address, telephone number or word',
    {
      module,
      criteria,
      email: z.string().min(1).max(255).optional().describe('An e-mail address, in any e-mail field'),
      phone: z
        .string()
        .regex(/^[+]?[0-9\s\-().]{3,50}$/)
        .optional()
        .describe('A telephone number, in any telephone field'),
      word: z.string().min(2).max(100).optional().describe('A word, in any text field; at least two characters'),
      fields,
      converted,
      ...searchSorting,
      ...pages,
    },
    { output: outputs.recordPages, page: 'page' },
  ),
  'records.deleted': get(
    '/crm/v8/{module}/deleted',
    'Lists the deleted records of a module',
    {
      module,
      type: z
        .enum(['all', 'recycle', 'permanent'])
        .default('all')
        .describe('all; recycle: those in the recycle bin; permanent: those deleted permanently'),
      ...pages,
    },
    { output: outputs.deletedPages, page: 'page' },
  ),

  'related.list': get(
    '/crm/v8/{module}/{id}/{related_list}',
    'Lists the records of a related list of a record',
    { module, id, related_list: relatedList, fields, ...pages, ...sorting, ids, converted },
    { output: outputs.recordPages, page: 'page' },
  ),
  'related.link': put(
    '/crm/v8/{module}/{id}/{related_list}/{rid}',
    'Links a record into a related list of another',
    {
      module,
      id,
      related_list: relatedList,
      rid: id.describe('Id of the record that is linked, as text'),
      data: changes.optional().describe('Fields of the link itself, such as a contact role'),
    },
    { output: outputs.gone, effect: 'add', effectBy: whenGiven('change', 'data') },
  ),
  'related.unlink': del(
    '/crm/v8/{module}/{id}/{related_list}/{rid}',
    'Removes a record from a related list of another',
    {
      module,
      id,
      related_list: relatedList,
      rid: id.describe('Id of the record that is taken out, as text'),
    },
    { output: outputs.gone },
  ),
} as const;
