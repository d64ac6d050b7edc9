import { z } from 'zod';
import { del, get, post } from '#adapters/services/requests/request-rows.ts';
import { fields, id, including, page, searching, smallPage } from '#adapters/services/sales-crm/inputs.ts';
import { found } from '#adapters/services/sales-crm/outputs.ts';

/** What a webhook's deliveries sign in with (HOOK-016). */
const secrets = ['http_auth_password'];

/** The rows of users, roles, the search over all kinds, and webhooks (SALES-011, SALES-012). */
export const account = {
  'users.list': get('/v1/users', 'Lists the users of the sales CRM', { fields }, { local: ['fields'] }),
  'users.me': get('/v1/users/me', 'Gets the current user of the sales CRM', {}),
  'roles.list': get(
    '/v1/roles',
    'Lists the roles of users',
    { ...page, fields },
    { page: 'offset', local: ['fields'] },
  ),
  'items.search': get(
    '/api/v2/itemSearch',
    'Searches all records: deals, persons, organizations, products, leads, files and projects; best matches first, paged. Returns ids for the other tools; for all records of a kind use its list tool',
    {
      ...searching(['title', 'name', 'email', 'phone', 'address', 'notes', 'custom_fields', 'code', 'description']),
      item_types: z
        .array(z.enum(['deal', 'person', 'organization', 'product', 'lead', 'file', 'mail_attachment', 'project']))
        .min(1)
        .optional()
        .describe('Kinds to search; all by default'),
      search_for_related_items: z.boolean().optional().describe('Whether to add related deals, leads and persons'),
      include_fields: including(['deal.cc_email', 'person.picture', 'product.price']),
      ...smallPage,
    },
    { tool: 'sales_crm_search', output: found, page: 'cursor' },
  ),
  'webhooks.create': post(
    '/v1/webhooks',
    'Registers a webhook for changes of records',
    {
      subscription_url: z
        .url({ protocol: /^https?$/ })
        .describe('Where the deliveries go; it must be reachable from outside'),
      event_action: z.enum(['added', 'updated', 'deleted', 'merged', '*']).describe('What happens; * is everything'),
      event_object: z
        .enum(['deal', 'person', 'organization', 'activity', 'lead', 'note', 'product', '*'])
        .describe('What it happens to; * is everything'),
      name: z.string().min(1).max(255).optional().describe('Name of the webhook'),
      user_id: id('user with whose rights it sees records; yourself by default').optional(),
      http_auth_user: z.string().nullable().optional().describe('User name that deliveries sign in with (HTTP Basic)'),
      http_auth_password: z
        .string()
        .nullable()
        .optional()
        .describe('Password that deliveries sign in with (HTTP Basic)'),
      version: z.enum(['1.0', '2.0']).optional().describe('Form of the deliveries'),
    },
    // Its deliveries go to an address outside.
    { withheld: secrets, effect: 'reach' },
  ),
  // Only the vendor's dialect has these: they handle webhooks that were disabled or are no longer desired.
  'webhooks.list': get('/v1/webhooks', 'Lists the registered webhooks', {}, { withheld: secrets }),
  'webhooks.delete': del('/v1/webhooks/{id}', 'Deletes a webhook', { id: id('webhook') }, { withheld: secrets }),
} as const;
