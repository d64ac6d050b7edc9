import { joinedPage } from '#adapters/services/answers/joined-lists.ts';
import { withWarnings } from '#adapters/services/answers/read-answers.ts';
import { nameParts } from '#adapters/services/sales-crm/details/kind-formats.ts';
import { ignoredIn } from '#adapters/services/sales-crm/details/showing-inputs.ts';
import { type Call, pipelinesOf, type Stage, stagesIn } from '#adapters/services/sales-crm/hubspot/account.ts';
import { statusFilter } from '#adapters/services/sales-crm/hubspot/deals.ts';
import * as kinds from '#adapters/services/sales-crm/hubspot/kinds.ts';
import { equals, type Filter, listRecords, noPlace } from '#adapters/services/sales-crm/hubspot/lists.ts';
import { isObject } from '#domain/json/json-data.ts';
import { type Outcome, refusedInput, succeeded } from '#domain/operations/outcome.ts';
import { own } from '#domain/shared/own.ts';

type Members = kinds.Members;
type Fields = Readonly<Record<string, readonly string[]>>;

/** What can be searched: the kind's name for it, and the properties of the fields to search, the main one first. */
const searchable = {
  deal: [kinds.dealKind, { title: ['dealname'], description: ['description'] }],
  person: [kinds.personKind, { name: ['firstname', 'lastname'], email: ['email'], phone: ['phone', 'mobilephone'] }],
  organization: [kinds.organizationKind, { name: ['name'], address: ['address', 'city', 'zip'] }],
  product: [kinds.productKind, { name: ['name'], code: ['hs_sku'], description: ['description'] }],
  lead: [kinds.leadKind, { title: ['hs_lead_name'] }],
} as const satisfies Readonly<Record<string, readonly [kinds.RecordKind, Fields]>>;

/**
 * Searches records of one type. Without `fields` and `exact_match` HubSpot searches its default properties; with them
 * the properties behind these fields are compared.
 */
export async function searchOne(call: Call, item: keyof typeof searchable, input: Members): Promise<Outcome> {
  const [kind, fields]: readonly [kinds.RecordKind, Fields] = searchable[item];
  const { term, fields: wanted, exact_match: isExact, status, ...rest } = input;
  const given = Array.isArray(wanted) ? wanted.map(String) : isExact === true ? Object.keys(fields).slice(0, 1) : null;
  const groups = given?.flatMap((name) => textGroups(name, own(fields, name) ?? [], String(term), isExact === true));
  if (groups?.length === 0) return refusedInput([noPlace('fields')]);
  const pipelines = item === 'deal' ? await pipelinesOf(call) : succeeded([]);
  if (!pipelines.ok) return pipelines;
  const found = await listRecords(call, kind, rest, {
    ...(groups === undefined ? { query: String(term) } : { groups }),
    filters: status === undefined ? [] : [statusFilter(pipelines.data, status)],
  });
  const stages = stagesIn(pipelines.data);
  return found.ok ? { ...found, data: found.data.map((members) => hitOf(item, members, stages)) } : found;
}

/** The most words of a term that are compared: a group has at most six conditions. */
const maxWords = 3;

/** The conditions that a field contains the term, or is it; of groups, one has to be met. */
function textGroups(name: string, properties: readonly string[], term: string, isExact: boolean): Filter[][] {
  const contains = (property: string, text: string) =>
    text.split(/\s+/, maxWords).map((word) => equals(property, `*${word}*`, 'CONTAINS_TOKEN'));
  const meets = isExact ? (property: string, text: string) => [equals(property, text)] : contains;
  const { firstname, lastname } = nameParts(term);
  // The name of a person is two properties; a single word may be either.
  const isWhole = name === 'name' && properties.length === 2 && lastname !== '';
  if (isWhole) return [[...meets('firstname', firstname), ...meets('lastname', lastname)]];
  return properties.map((property) => meets(property, term.trim()));
}

function hitOf(type: string, members: Members, stages: readonly Stage[]): Members {
  const { id, title, name, status, value, currency, stage_id, person_id, org_id, organization_id } = members;
  const stage = stages.find((one) => one.id === stage_id);
  const part = (of: unknown) => (of == null ? undefined : { id: of });
  const fields = { title, name, status, value, currency };
  const item = {
    ...fields,
    emails: valuesIn(members['emails']),
    phones: valuesIn(members['phones']),
    stage: stage === undefined ? undefined : { name: stage.name, id: stage.id },
    person: part(person_id),
    organization: part(org_id ?? organization_id),
  };
  return { item: { type, ...Object.fromEntries(Object.entries(item).filter(([, one]) => one !== undefined)), id } };
}

function valuesIn(channels: unknown): readonly unknown[] | undefined {
  return Array.isArray(channels) ? channels.map((one) => (isObject(one) ? one['value'] : one)) : undefined;
}

const items = ['deal', 'person', 'organization', 'product', 'lead'] as const;

/** Searches records of all types: the best of each. */
export async function searchAll(call: Call, input: Members): Promise<Outcome> {
  const { item_types: types, search_for_related_items: _, include_fields: __, cursor, limit, fields, ...rest } = input;
  const wanted = Array.isArray(types) ? types.map(String) : null;
  const names = Array.isArray(fields) ? fields.map(String) : null;
  const named = names === null ? {} : { fields: names };
  const lists = items
    .filter((item) => wanted?.includes(item) ?? true)
    .filter((item) => names?.some((name) => Object.hasOwn(searchable[item][1], name)) ?? true)
    .map((name) => ({ name, page: (page: Members) => searchOne(call, name, { ...rest, ...page, ...named }) }));
  if (lists.length === 0) return refusedInput([noPlace(wanted === null ? 'fields' : 'item_types')]);
  return withWarnings(await joinedPage(lists, { limit, cursor }), ignoredIn(input, 'HubSpot'));
}
