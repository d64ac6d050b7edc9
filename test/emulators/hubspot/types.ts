/** A property of a type of record. */
export type EmulatedProperty = Readonly<{
  name: string;
  type: string;
  fieldType: string;
  hubspotDefined: boolean;
}>;

/** A type of record: its id, its names, and its properties by name with their types. */
export type EmulatedType = Readonly<{
  id: string;
  plural: string;
  singular: string;
  properties: readonly EmulatedProperty[];
}>;

function type(
  id: string,
  plural: string,
  singular: string,
  properties: Readonly<Record<string, string>>,
): EmulatedType {
  const all = {
    ...properties,
    hs_object_id: 'number',
    hs_createdate: 'datetime',
    hs_lastmodifieddate: 'datetime',
    createdate: 'datetime',
    hubspot_owner_id: 'enumeration',
  };
  return {
    id,
    plural,
    singular,
    properties: Object.entries(all).map(([name, given]) => ({
      name,
      type: given,
      fieldType: given === 'enumeration' ? 'select' : 'text',
      hubspotDefined: true,
    })),
  };
}

const text = 'string';
const parts = (prefix: string, more: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(more).map(([name, given]) => [`${prefix}${name}`, given]));

/** The types of record that every account has. */
export const types: readonly EmulatedType[] = [
  type('0-1', 'contacts', 'contact', {
    firstname: text,
    lastname: text,
    email: text,
    hs_additional_emails: text,
    phone: text,
    mobilephone: text,
    lastmodifieddate: 'datetime',
  }),
  type('0-2', 'companies', 'company', {
    name: text,
    domain: text,
    website: text,
    description: text,
    address: text,
    city: text,
    state: text,
    zip: text,
    country: text,
  }),
  type('0-3', 'deals', 'deal', {
    dealname: text,
    amount: 'number',
    deal_currency_code: 'enumeration',
    closedate: 'datetime',
    closed_lost_reason: text,
    dealstage: 'enumeration',
    pipeline: 'enumeration',
    description: text,
  }),
  type('0-136', 'leads', 'lead', { hs_lead_name: text }),
  type('0-7', 'products', 'product', {
    name: text,
    hs_sku: text,
    description: text,
    price: 'number',
    hs_cost_of_goods_sold: 'number',
    recurringbillingfrequency: 'enumeration',
  }),
  type('0-8', 'line_items', 'line_item', {
    hs_product_id: text,
    name: text,
    quantity: 'number',
    price: 'number',
    description: text,
    discount: 'number',
    hs_discount_percentage: 'number',
    recurringbillingfrequency: 'enumeration',
    hs_recurring_billing_start_date: 'date',
  }),
  type('0-46', 'notes', 'note', { hs_note_body: text, hs_timestamp: 'datetime', hs_attachment_ids: text }),
  type('0-27', 'tasks', 'task', {
    hs_timestamp: 'datetime',
    ...parts('hs_task_', { subject: text, body: text, status: 'enumeration', type: 'enumeration' }),
  }),
  type('0-48', 'calls', 'call', {
    hs_timestamp: 'datetime',
    ...parts('hs_call_', { title: text, body: text, status: 'enumeration', duration: 'number' }),
  }),
  type('0-47', 'meetings', 'meeting', {
    hs_timestamp: 'datetime',
    ...parts('hs_meeting_', { title: text, body: text, start_time: 'datetime', end_time: 'datetime' }),
    ...parts('hs_meeting_', { outcome: 'enumeration', location: text }),
  }),
  type('0-74', 'goal_targets', 'goal_target', {
    hs_goal_name: text,
    hs_target_amount: 'number',
    hs_start_datetime: 'datetime',
    hs_end_datetime: 'datetime',
  }),
];

/** The type that a path or an input names. */
export function typeNamed(name: string): EmulatedType | undefined {
  return types.find(({ id, plural, singular }) => [id, plural, singular].includes(name));
}

/** The ids of the usual associations by the types that they are between; a primary one is also an unlabelled one. */
export const associationTypes: Readonly<Record<string, readonly number[]>> = {
  'deals contacts': [3],
  'deals companies': [341, 5],
  'contacts companies': [279, 1],
  'leads contacts': [608, 578],
  'leads companies': [610],
  'notes deals': [214],
  'notes leads': [855],
  'notes contacts': [202],
  'notes companies': [190],
  'tasks deals': [216],
  'tasks leads': [647],
  'tasks contacts': [204],
  'tasks companies': [192],
  'calls deals': [206],
  'calls leads': [597],
  'calls contacts': [194],
  'calls companies': [182],
  'meetings deals': [212],
  'meetings leads': [601],
  'meetings contacts': [200],
  'meetings companies': [188],
  'line_items deals': [20],
};

/** The ids that stand for a primary association. */
export const primaryTypes: readonly number[] = [5, 1, 578];
