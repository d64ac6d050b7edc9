import { z } from 'zod';
import { del, get, post, put } from '#adapters/services/operation-table.ts';
import { channel, module, pages } from '#adapters/services/suite-crm/inputs.ts';
import { withPermissions } from '#adapters/services/suite-crm/own-words.ts';
import { ownPaging } from '#adapters/services/suite-crm/paging.ts';

/** What the CRM is set up as, and notification channels (contract, Outbound: suite CRM). */
export const settingsRows = {
  'users.list': get(
    '/crm/v8/users',
    'Lists the users of the CRM',
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
        .describe('Which users; all when not given'),
      ...pages,
    },
    { tool: 'suite_users_list', page: 'page', own: { adapt: ownPaging } },
  ),
  'organization.get': get('/crm/v8/organization', 'Gets the organization', {}, { own: { path: '/crm/v8/org' } }),
  'modules.list': get(
    '/crm/v8/modules',
    'Lists the modules with their API names',
    { status: z.string().optional().describe('Only modules of these states, comma separated, such as "visible"') },
    { tool: 'suite_modules_list', own: { path: '/crm/v8/settings/modules' } },
  ),
  'modules.fields': get(
    '/crm/v8/modules/{module}/fields',
    'Lists the fields of a module with their API names, types and which are mandatory',
    {
      module,
      type: z.enum(['all', 'used', 'unused']).optional().describe('Which fields; those in use when not given'),
    },
    { tool: 'suite_fields_list', own: { path: '/crm/v8/settings/fields', adapt: withPermissions } },
  ),
  'roles.list': get('/crm/v8/settings/roles', 'Lists the roles', {}),
  'profiles.list': get('/crm/v8/settings/profiles', 'Lists the profiles', {
    type: z.enum(['normal_profile', 'private_profile']).optional().describe('Which profiles; all when not given'),
  }),

  'watch.create': post('/crm/v8/actions/watch', 'Opens notification channels, which live for 7 days at the most', {
    watch: z.array(channel).min(1).max(50),
  }),
  // Not in the contract: how a channel that a restart forgot, or that was closed elsewhere, is noticed.
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
    { page: 'page', own: { adapt: ownPaging } },
  ),
  // Not in the contract: "re-registered before expiry" is a change of an open channel to the provider, not another one.
  'watch.renew': put('/crm/v8/actions/watch', 'Changes open notification channels, such as when they end', {
    watch: z.array(channel).min(1).max(50),
  }),
  // Not in the contract: a connection that is forgotten takes its channels with it.
  'watch.delete': del('/crm/v8/actions/watch', 'Closes notification channels', {
    channel_ids: z
      .array(z.string().regex(/^\d{1,19}$/))
      .min(1)
      .max(50)
      .describe('Ids of the channels'),
  }),
} as const;
