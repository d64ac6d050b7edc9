import { z } from 'zod';
import { del, get, patch, post } from '#adapters/services/requests/request-rows.ts';
import {
  billingCycles,
  billingFrequency,
  customFieldKey,
  customFields,
  fields,
  filtering,
  id,
  page,
  showing,
  sorting,
} from '#adapters/services/sales-crm/inputs.ts';
import { whenGiven } from '#domain/operations/effect.ts';

const name = z.string().min(1).describe('Name of the product');

const changes = {
  code: z.string().optional().describe('Code of the product, such as an article number'),
  description: z.string().optional().describe('What the product is'),
  unit: z.string().optional().describe('What it is sold by, such as "piece" or "hour"'),
  tax: z.number().min(0).optional().describe('Tax in percent'),
  category: z.number().optional().describe('Id of its category'),
  owner_id: id('user who owns the product').optional(),
  is_linkable: z.boolean().optional().describe('Whether it can be added to deals; true by default at creation'),
  visible_to: z
    .literal([1, 3, 5, 7])
    .optional()
    .describe('Who sees it: 1 the owner, 3 everybody (or the group), 5 the group and those below, 7 everybody'),
  prices: z
    .array(
      z.strictObject({
        currency: z.string().min(1),
        price: z.number(),
        cost: z.number().optional(),
        direct_cost: z.number().optional(),
      }),
    )
    .optional()
    .describe('Its prices, one a currency, such as [{"currency": "EUR", "price": 90}]'),
  billing_frequency: billingFrequency('when not given at creation'),
  billing_frequency_cycles: billingCycles,
  custom_fields: customFields,
};

/** The rows of products (SALES-007). */
export const products = {
  'products.list': get(
    '/api/v2/products',
    'Lists products, filtered by owner, ids or filter',
    {
      ...filtering('products'),
      ...sorting(['id', 'name', 'add_time', 'update_time']),
      custom_fields: showing.custom_fields,
      ...page,
      fields,
    },
    { page: 'cursor', local: ['fields'] },
  ),
  'products.create': post(
    '/api/v2/products',
    'Creates a product',
    { name, ...changes },
    { customNames: customFieldKey },
  ),
  'products.update': patch(
    '/api/v2/products/{id}',
    'Updates a product; omitted inputs keep their values',
    { id: id('product'), name: name.optional(), ...changes },
    { customNames: customFieldKey, isIdempotent: true, effectBy: whenGiven('lose', 'prices') },
  ),
  'products.delete': del('/api/v2/products/{id}', 'Deletes a product; it can be restored for 30 days', {
    id: id('product'),
  }),
} as const;
