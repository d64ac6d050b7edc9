import { z } from 'zod';
import { del, get, post, put } from '#adapters/services/requests/request-rows.ts';
import { channel, module, pages } from '#adapters/services/suite-crm/inputs.ts';
import * as outputs from '#adapters/services/suite-crm/outputs.ts';

/** What a channel's deliveries echo as their proof (HOOK-006). */
const secrets = ['token'];

/** The rows of users, organization, modules, fields and notification channels (SUITE-004, WREG-003). */
export const settingsRows = {
  'users.list': get(
    '/crm/v8/users',
    'Lists the users of the CRM; paged. Use their ids for Owner of records and in queries',
    {
      type: z
        .enum([
          'AllUsers',
          'ActiveUsers',
          'DeactiveUsers',
          'ConfirmedUsers',
          'NotConfirmedUsers',
          'DeletedUsers',
          'ActiveConfirmedUsers',
          'AdminUsers',
          'ActiveConfirmedAdmins',
          'CurrentUser',
        ])
        .optional()
        .describe('Which users; all by default'),
      ...pages,
    },
    { tool: 'suite_users_list', output: outputs.userPages, page: 'page' },
  ),
  'organization.get': get('/crm/v8/organization', 'Gets the organization', {}, { output: outputs.organization }),
  'modules.list': get(
    '/crm/v8/modules',
    'Lists the modules; other suite tools accept their API names as `module`. Not paged',
    { status: z.string().optional().describe('Only modules of these states, comma separated, such as "visible"') },
    { tool: 'suite_modules_list', output: outputs.modules },
  ),
  'modules.fields': get(
    '/crm/v8/modules/{module}/fields',
    'Lists the fields of a module: their API names, types and choices, and which are mandatory. Call it before creating, updating or querying records',
    {
      module,
      type: z.enum(['all', 'used', 'unused']).optional().describe('Which fields; those in use by default'),
    },
    {
      tool: 'suite_fields_list',
      output: outputs.moduleFields,
    },
  ),
  'roles.list': get('/crm/v8/settings/roles', 'Lists the roles', {}, { output: outputs.namedList }),
  'profiles.list': get(
    '/crm/v8/settings/profiles',
    'Lists the profiles',
    {
      type: z.enum(['normal_profile', 'private_profile']).optional().describe('Which profiles; all by default'),
    },
    { output: outputs.namedList },
  ),

  'watch.create': post(
    '/crm/v8/actions/watch',
    'Opens notification channels, which live for at most 7 days',
    {
      watch: z.array(channel).min(1).max(50).describe('The channels to open'),
    },
    // Its deliveries go to an address outside.
    { output: outputs.results, withheld: secrets, effect: 'reach' },
  ),
  // Detects channels that were lost on a restart, or closed elsewhere.
  'watch.list': get(
    '/crm/v8/actions/watch',
    'Lists the notification channels that are open',
    {
      module: module.optional().describe('Only the channels of this module'),
      channel_id: z
        .string()
        .regex(/^\d{1,19}$/)
        .optional()
        .describe('Only this channel'),
      page: pages.page,
      per_page: pages.per_page,
    },
    { output: outputs.channelPages, withheld: secrets, page: 'page' },
  ),
  // Renewing an open channel (WREG-003) is an update at the provider, not a new registration.
  'watch.renew': put(
    '/crm/v8/actions/watch',
    'Updates open notification channels, such as when they end',
    {
      watch: z.array(channel).min(1).max(50).describe('The new state of the open channels, by their `channel_id`'),
    },
    { output: outputs.results, withheld: secrets, effect: 'reach' },
  ),
  // Closes the channels of a connection that is removed.
  'watch.delete': del(
    '/crm/v8/actions/watch',
    'Closes notification channels',
    {
      channel_ids: z
        .array(z.string().regex(/^\d{1,19}$/))
        .min(1)
        .max(50)
        .describe('Ids of the channels'),
    },
    { output: outputs.results, withheld: secrets },
  ),
} as const;
