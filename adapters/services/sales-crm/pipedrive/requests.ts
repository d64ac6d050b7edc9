import type { z } from 'zod';
import { lacks } from '#adapters/services/definitions/vendor-operations.ts';
import { objectOf } from '#adapters/services/requests/input-object.ts';
import type { RequestRow, Shape } from '#adapters/services/requests/operation-table.ts';
import type { RowInDialect } from '#adapters/services/requests/row-options.ts';
import { customFieldKey } from '#adapters/services/sales-crm/inputs.ts';
import { operations } from '#adapters/services/sales-crm/operations.ts';
import { convertLead } from '#adapters/services/sales-crm/pipedrive/conversions.ts';
import { own } from '#domain/shared/own.ts';

type Inputs = Readonly<Record<string, unknown>>;

/** The provider's v1 lists page by the offset `start`; `next` of such a list is that number as text. */
const fromStart = {
  adapt: ({ cursor, ...inputs }: Inputs) => ({ ...inputs, start: cursor }),
} as const satisfies RowInDialect;

/** The provider's v2 accepts custom fields only inside `custom_fields`. */
const withCustomFieldsInside = { adapt: customFieldsInside } as const satisfies RowInDialect;

/** Moves custom fields given beside the others into `custom_fields`. */
function customFieldsInside(inputs: Inputs): Inputs {
  const entries = Object.entries(inputs);
  const loose = entries.filter(([name]) => customFieldKey.test(name));
  if (loose.length === 0) return inputs;
  const given: unknown = inputs['custom_fields'];
  const inside = { ...(typeof given === 'object' ? given : null), ...Object.fromEntries(loose) };
  return { ...Object.fromEntries(entries.filter(([name]) => !customFieldKey.test(name))), custom_fields: inside };
}

/** Pipedrive's actions for the neutral ones. */
const pipedriveAction: Readonly<Record<string, string>> = {
  added: 'create',
  updated: 'change',
  deleted: 'delete',
  // The provider reports a merge as the deletion of the merged record.
  merged: 'delete',
  '*': '*',
};

/** Adds what Pipedrive requires of a webhook, and names the event in its words. */
function completeWebhook(inputs: Inputs): Inputs {
  return {
    name: `Portolan: ${String(inputs['event_action'])}.${String(inputs['event_object'])}`,
    version: '2.0',
    ...inputs,
    event_action: own(pipedriveAction, String(inputs['event_action'])),
  };
}

/** The requests in which Pipedrive differs, by operation. */
export const requests = {
  'deals.create': withCustomFieldsInside,
  'deals.update': withCustomFieldsInside,
  'deals.merge': { path: '/v1/deals/{id}/merge' },
  'leads.convert': convertLead,
  'persons.merge': { path: '/v1/persons/{id}/merge' },
  'organizations.merge': { path: '/v1/organizations/{id}/merge' },
  'persons.create': withCustomFieldsInside,
  'persons.update': withCustomFieldsInside,
  'organizations.create': withCustomFieldsInside,
  'organizations.update': withCustomFieldsInside,
  'products.create': withCustomFieldsInside,
  'products.update': withCustomFieldsInside,
  'leads.list': fromStart,
  'notes.list': fromStart,
  'files.list': fromStart,
  'roles.list': fromStart,
  'goals.list': { path: '/v1/goals/find' },
  'goals.get': lacks(),
  'webhooks.create': { adapt: completeWebhook },
} as const;

/** The operations as Pipedrive has them: none of its documents has custom fields of activities, and it is strict. */
export const listed = {
  ...operations,
  'activities.create': withoutCustomFields(operations['activities.create']),
  'activities.update': withoutCustomFields(operations['activities.update']),
};

function withoutCustomFields<Inputs extends Shape>(row: RequestRow<z.ZodObject<Inputs>>): RequestRow {
  const { custom_fields: _, ...inputs }: Shape = row.input.shape;
  const { customNames: __, ...options } = row.options;
  return { ...row, input: objectOf(inputs), options };
}
