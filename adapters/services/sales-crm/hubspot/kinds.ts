import { z } from 'zod';
import { nameParts } from '#adapters/services/sales-crm/details/kind-formats.ts';
import { filled, type Texts } from '#adapters/services/sales-crm/hubspot/values.ts';
import { isObject } from '#domain/json/json-data.ts';

/** Inputs of an operation, or members of a record, by name. */
export type Members = Readonly<Record<string, unknown>>;

/** How one of the sales CRM's types of record is kept at HubSpot. */
export type RecordKind = Readonly<{
  /** Its type in paths. */
  type: string;
  /** The members that are one property each, with its type. */
  fields: Readonly<Record<string, readonly [property: string, type: string]>>;
  /** The members that are associations: the other type in paths, and the association's type. */
  links: Readonly<Record<string, readonly [type: string, typeId: number]>>;
  /** The properties that `read` needs. */
  properties: readonly string[];
  /** The members made of several properties. */
  read(texts: Texts): Members;
  /**
   * The texts for inputs that are several properties; null when there is no room for a value. `before` are the record's
   * members, none for a new one.
   */
  write: Readonly<Record<string, (value: unknown, input: Members, before: Members) => Texts | null>>;
  /** The properties by which lists are sorted. */
  sorts: Readonly<Record<string, string>>;
}>;

type OwnFacts = Pick<RecordKind, 'type' | 'fields'> & Partial<RecordKind>;

const usual = { links: {}, properties: [], read: () => ({}), write: {} };

/** Completes a kind with what most have. */
export const recordKind = ({ fields, sorts, ...own }: OwnFacts): RecordKind => ({
  ...usual,
  ...own,
  fields: { owner_id: ['hubspot_owner_id', 'number'], ...fields },
  sorts: { id: 'hs_object_id', update_time: 'hs_lastmodifieddate', add_time: 'createdate', ...sorts },
});

/** Deals, whose stage says which status they have. */
export const dealKind = recordKind({
  type: '0-3',
  fields: {
    title: ['dealname', 'string'],
    value: ['amount', 'number'],
    currency: ['deal_currency_code', 'string'],
    expected_close_date: ['closedate', 'date'],
    lost_reason: ['closed_lost_reason', 'string'],
  },
  links: { person_id: ['contacts', 3], org_id: ['companies', 5] },
  properties: ['dealstage', 'pipeline'],
});

/** Leads. */
export const leadKind = recordKind({
  type: 'leads',
  fields: { title: ['hs_lead_name', 'string'] },
  links: { person_id: ['contacts', 578], organization_id: ['companies', 610] },
  sorts: { add_time: 'hs_createdate' },
});

type TypeIds = readonly [deal: number, lead: number, person: number, org: number];

/** What notes and activities belong to, with the types of the associations. */
export const activityLinks = ([deal, lead, person, org]: TypeIds): RecordKind['links'] => ({
  deal_id: ['deals', deal],
  lead_id: ['leads', lead],
  person_id: ['contacts', person],
  org_id: ['companies', org],
});

/** Notes, whose author is their owner. */
export const noteKind = recordKind({
  type: 'notes',
  fields: {
    content: ['hs_note_body', 'string'],
    add_time: ['hs_timestamp', 'datetime'],
    user_id: ['hubspot_owner_id', 'number'],
  },
  links: activityLinks([214, 855, 202, 190]),
  sorts: { add_time: 'hs_timestamp' },
});

/** HubSpot's word for a billing frequency; a product without one is billed once. */
export const frequencyText = (every: unknown): string =>
  every === 'one-time' ? '' : every === 'semi-annually' ? 'per_six_months' : String(every);
const frequencyIn = (text: string | null | undefined): string =>
  text ? text.replace('per_six_months', 'semi-annually') : 'one-time';

/** Products, which have one price, in the account's currency. */
export const productKind = recordKind({
  type: 'products',
  fields: { name: ['name', 'string'], code: ['hs_sku', 'string'], description: ['description', 'string'] },
  properties: ['price', 'hs_cost_of_goods_sold', 'recurringbillingfrequency'],
  read: ({ price, hs_cost_of_goods_sold: cost, recurringbillingfrequency: every }) => ({
    prices: price ? [{ price: Number(price), ...(cost ? { cost: Number(cost) } : {}) }] : [],
    billing_frequency: frequencyIn(every),
  }),
  write: { billing_frequency: (every) => ({ recurringbillingfrequency: frequencyText(every) }) },
  sorts: { name: 'name' },
});

/** Line items, which are the products of a deal. */
export const lineItemKind = recordKind({
  type: 'line_items',
  fields: {
    product_id: ['hs_product_id', 'number'],
    item_price: ['price', 'number'],
    quantity: ['quantity', 'number'],
    comments: ['description', 'string'],
    billing_start_date: ['hs_recurring_billing_start_date', 'string'],
  },
  links: { deal_id: ['deals', 20] },
  write: {
    tax: (tax) => (tax === 0 ? {} : null),
    is_enabled: (isEnabled) => (isEnabled === true ? {} : null),
    discount_type: () => ({}),
    discount: (discount, { discount_type: type }) => ({
      [type === 'amount' ? 'discount' : 'hs_discount_percentage']: String(discount),
    }),
    billing_frequency: (every) => ({ recurringbillingfrequency: frequencyText(every) }),
  },
});

/** Goals, which HubSpot makes from templates. */
export const goalKind = recordKind({
  type: 'goal_targets',
  fields: { title: ['hs_goal_name', 'string'] },
  properties: ['hs_target_amount', 'hs_start_datetime', 'hs_end_datetime'],
  read: ({ hs_target_amount: target, hs_start_datetime: start, hs_end_datetime: end }) => ({
    ...(target ? { expected_outcome: { target: Number(target) } } : {}),
    duration: { start: start?.slice(0, 10), end: end?.slice(0, 10) },
  }),
});

const flag = z.boolean().default(false);
const channels = z.array(z.looseObject({ value: z.string(), primary: flag, label: z.string().optional() }));
const primaryFirst = (given: unknown): z.output<typeof channels> =>
  channels.parse(given).toSorted((left, right) => Number(right.primary) - Number(left.primary));

/** Persons are contacts. Their name has two parts; they have one telephone number, and a mobile one. */
export const personKind = recordKind({
  type: 'contacts',
  fields: {},
  links: { org_id: ['companies', 1] },
  properties: ['firstname', 'lastname', 'email', 'hs_additional_emails', 'phone', 'mobilephone'],
  read: ({ firstname, lastname, email, hs_additional_emails: more, phone, mobilephone }) => ({
    name: filled([firstname, lastname]).join(' ') || email || undefined,
    first_name: firstname,
    last_name: lastname,
    emails: filled([email, ...(more ?? '').split(';')]).map((value, index) => ({ value, primary: index === 0 })),
    phones: [
      ...filled([phone]).map((value) => ({ value, label: 'work' })),
      ...filled([mobilephone]).map((value) => ({ value, label: 'mobile' })),
    ].map((one, index) => ({ ...one, primary: index === 0 })),
  }),
  write: { name: (name) => nameParts(String(name)), emails: emailTexts, phones: phoneTexts },
  sorts: { update_time: 'lastmodifieddate' },
});

function emailTexts(given: unknown): Texts {
  const [email = '', ...more] = primaryFirst(given).map(({ value }) => value);
  return { email, hs_additional_emails: more.join(';') };
}

function phoneTexts(given: unknown): Texts | null {
  const phones = primaryFirst(given);
  if (phones.length > 2) return null;
  const mobile = phones.find(({ label }) => label === 'mobile') ?? phones[1];
  return { phone: phones.find((one) => one !== mobile)?.value ?? '', mobilephone: mobile?.value ?? '' };
}

/** Organizations are companies. An address given as one text is kept as the street. */
export const organizationKind = recordKind({
  type: 'companies',
  fields: { name: ['name', 'string'], website: ['website', 'string'], domain: ['domain', 'string'] },
  properties: ['address', 'city', 'state', 'zip', 'country'],
  read: ({ address: route, city: locality, state: admin_area_level_1, zip: postal_code, country }) => {
    const value = filled([route, filled([postal_code, locality]).join(' '), admin_area_level_1, country]).join(', ');
    return value === '' ? {} : { address: { value, route, locality, admin_area_level_1, postal_code, country } };
  },
  write: {
    address: (given) => {
      const { value, ...parts } = z.record(z.string(), z.string()).parse(isObject(given) ? given : {});
      const street = [filled([parts['route'], parts['street_number'], parts['subpremise']]).join(' ')];
      const line = filled([...street, parts['sublocality'], parts['admin_area_level_2']]).join(', ');
      const address = Object.keys(parts).length === 0 ? value : line;
      const { locality: city, admin_area_level_1: state, postal_code: zip, country } = parts;
      const all = Object.entries({ address, city, state, zip, country });
      return Object.fromEntries(all.map(([name, text]) => [name, text ?? '']));
    },
  },
});
