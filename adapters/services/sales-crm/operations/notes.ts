import { z } from 'zod';
import { del, get, post, put } from '#adapters/services/requests/request-rows.ts';
import {
  byName,
  date,
  dateTime,
  fields,
  id,
  leadId,
  namedInputs,
  page,
  stamp,
  withUnlisted,
} from '#adapters/services/sales-crm/inputs.ts';
import { oneNote } from '#adapters/services/sales-crm/outputs.ts';
import { whenGiven } from '#domain/operations/effect.ts';

const flag = (what: string) => z.literal([0, 1]).optional().describe(`1: pinned to the ${what}; 0: not`);

const pinning = {
  pinned_to_lead_flag: flag('lead'),
  pinned_to_deal_flag: flag('deal'),
  pinned_to_organization_flag: flag('organization'),
  pinned_to_person_flag: flag('person'),
  pinned_to_project_flag: flag('project'),
  pinned_to_task_flag: flag('task'),
};

const pins = [
  'pinned_to_lead_flag',
  'pinned_to_deal_flag',
  'pinned_to_organization_flag',
  'pinned_to_person_flag',
  'pinned_to_project_flag',
  'pinned_to_task_flag',
] as const;

const belonging = {
  lead_id: leadId.optional(),
  deal_id: id('deal').optional(),
  person_id: id('person').optional(),
  org_id: id('organization').optional(),
  project_id: id('project').optional(),
  task_id: id('task').optional(),
};

const changes = {
  ...belonging,
  user_id: id('user to set as author; administrators only').optional(),
  add_time: stamp('When it was written').optional(),
  ...pinning,
};

const content = z.string().min(1).describe('Text of the note, HTML');

/** The rows of notes (SALES-008), which are updated by PUT, not PATCH. */
export const notes = {
  'notes.list': get(
    '/v1/notes',
    'Lists notes, filtered by what they belong to, author or time',
    {
      user_id: z.int().min(1).optional().describe('Only notes by this user'),
      ...belonging,
      start_date: date('Only notes from this day on').optional(),
      end_date: date('Only notes up to this day').optional(),
      updated_since: dateTime('Only those changed at or after this time').optional(),
      ...pinning,
      sort: z
        .string()
        .min(1)
        .optional()
        .describe(
          'What to sort by, such as "update_time DESC"; of id, user_id, deal_id, person_id, org_id, content, add_time, update_time',
        ),
      ...page,
      fields,
    },
    { page: 'offset', local: ['fields'] },
  ),
  // Read before a note is changed (UNDO-021).
  'notes.get': get('/v1/notes/{id}', 'Gets a note by its id', { id: id('note') }, { output: oneNote }),
  'notes.create': post(
    '/v1/notes',
    'Writes a note; it needs a lead, deal, person, organization, project or task to belong to',
    {
      content,
      person: byName.person,
      org: byName.org,
      ...withUnlisted(changes, ['project_id', 'task_id', 'user_id', 'add_time', ...pins]),
    },
    {
      tool: 'sales_crm_note_create',
      output: oneNote,
      named: { person: namedInputs.person, org: namedInputs.org },
    },
  ),
  'notes.update': put(
    '/v1/notes/{id}',
    'Updates a note; omitted inputs keep their values',
    {
      id: id('note'),
      content: content.optional(),
      ...changes,
    },
    { effectBy: whenGiven('lose', 'content') },
  ),
  'notes.delete': del('/v1/notes/{id}', 'Deletes a note', { id: id('note') }),
} as const;
