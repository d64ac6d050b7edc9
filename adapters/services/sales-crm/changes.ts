import { type ChangeRules, shownInput } from '#adapters/services/changes/change-rule.ts';
import { irreversible, makes, removes, updates } from '#adapters/services/changes/change-rules.ts';
import { type Members, namedMember } from '#adapters/services/changes/changed-values.ts';
import type { RecordFacts } from '#adapters/services/changes/record-facts.ts';
import type { Operation } from '#adapters/services/requests/operation-table.ts';
import { customFieldKey } from '#adapters/services/sales-crm/inputs.ts';
import { rows } from '#adapters/services/sales-crm/rows.ts';
import { isObject } from '#domain/json/json-data.ts';
import { own } from '#domain/shared/own.ts';

const textIn = (record: Members, name: string): string | null => {
  const value = own(record, name);
  return typeof value === 'string' && value !== '' ? value : null;
};

const addressParts = [
  'value',
  'country',
  'admin_area_level_1',
  'admin_area_level_2',
  'locality',
  'sublocality',
  'route',
  'street_number',
  'subpremise',
  'postal_code',
];

/** What an input takes of the parts of a value; services answer further parts. */
const parts: Readonly<Record<string, readonly string[]>> = {
  emails: ['value', 'primary', 'label'],
  phones: ['value', 'primary', 'label'],
  prices: ['currency', 'price', 'cost', 'direct_cost'],
  participants: ['person_id', 'primary'],
  attendees: ['email', 'name', 'status', 'is_organizer', 'person_id', 'user_id'],
  address: addressParts,
  location: addressParts,
};

function withParts(value: unknown, names: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((one) => withParts(one, names));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name, part]) => names.includes(name) && part != null));
}

/** The value of an input in a record: custom fields are in a group, or beside the others; flags are off unless on. */
function inputOf(record: Members, name: string): unknown {
  const key = name.replace('custom_fields.', '');
  if (customFieldKey.test(key)) return namedMember(record, `custom_fields.${key}`) ?? own(record, key) ?? null;
  const value = namedMember(record, name) ?? null;
  if (name.startsWith('is_') || name === 'done') return value ?? false;
  if (name.startsWith('pinned_to_')) return Number(value === true || value === 1);
  const names = own(parts, name);
  return names === undefined ? value : withParts(value, names);
}

/** The facts of a kind of record that is read by its id. */
const readById = (one: string, operation: string, titled: string, more: Partial<RecordFacts> = {}): RecordFacts => ({
  one,
  read: ({ id }) => ({ name: operation, input: { id } }),
  title: (record) => textIn(record, titled),
  value: inputOf,
  ...more,
});

/** The same, where the custom fields to read can be named: a service may not show others. */
const readWhole = (one: string, operation: string, titled: string, more: Partial<RecordFacts> = {}): RecordFacts =>
  readById(one, operation, titled, {
    read: ({ id }, custom) => {
      const some = custom.length > 0 && custom.length <= 15 ? { custom_fields: custom } : {};
      return { name: operation, input: { id, ...some } };
    },
    ...more,
  });

/** A deal's stage decides its status and its pipeline; a closed one says when and why. */
function alsoOfDeal(names: readonly string[], before: Members): readonly string[] {
  const isMoved = names.includes('pipeline_id') || names.includes('status');
  const closing = ['won_time', 'lost_time', 'lost_reason'];
  const isClosed = names.includes('status') && before['status'] !== 'open';
  return [...(isMoved ? ['stage_id'] : []), ...(isClosed ? closing : [])].filter((name) => own(before, name) != null);
}

const deal = readWhole('deal', 'deals.get', 'title', { also: alsoOfDeal });
const person = readWhole('person', 'persons.get', 'name');
const organization = readWhole('organization', 'organizations.get', 'name');
const activity = readById('activity', 'activities.get', 'subject');
const lead = readById('lead', 'leads.get', 'title', { mayLackRead: true });
const note = readById('note', 'notes.get', 'content', { mayLackRead: true });
const product = readById('product', 'products.list', 'name', {
  read: ({ id }) => ({ name: 'products.list', input: { ids: [id] } }),
  found: (data, { id }) => (Array.isArray(data) ? data.filter(isObject).find((one) => one['id'] === id) : null) ?? null,
});
/** The facts of what no operation reads by its id. */
function named(one: string, title: RecordFacts['title'] = (record) => textIn(record, 'name')): RecordFacts {
  return { one, read: null, title };
}

function titleOfFile({ file, name = file }: Members): string | null {
  const shown = shownInput(name);
  return typeof shown === 'string' ? shown : null;
}

const goal = readById('goal', 'goals.get', 'title', {
  found: inGoal,
  answered: inGoal,
});

function inGoal(data: unknown): Members | null {
  if (!isObject(data)) return null;
  return isObject(data['goal']) ? data['goal'] : data;
}

/** The inputs that a record which is made again does not get: its service decides them. */
const decided = ['probability', 'is_deleted', 'is_archived', 'archive_time', 'pipeline_id', 'add_time', 'update_time'];

/** The inputs by which a record is made again; references by name are no values of a record. */
function remaking({ input: { shape } }: Operation): readonly string[] {
  const names = ['owner', 'person', 'org', 'pipeline', 'stage'];
  return Object.keys(shape).filter((name) => ![...decided, ...names].includes(name));
}

/** The rules of a kind of record that is made, changed and deleted by operations of one form. */
function recordRules(name: string, facts: RecordFacts, create: Operation, restore?: Restoring): ChangeRules {
  return {
    [`${name}.create`]: makes(facts, { remove: `${name}.delete`, isSparse: true }),
    [`${name}.update`]: updates(facts, `${name}.update`),
    [`${name}.delete`]: removes(facts, {
      make: `${name}.create`,
      inputs: remaking(create),
      ...(restore && { restore }),
    }),
  };
}

type Restoring = NonNullable<Parameters<typeof removes>[1]['restore']>;

const merged = 'The record that is merged is deleted for good, and its values are lost.';
const webhook = 'Webhooks are not taken back.';
const restoredDeal: Restoring = ({ id }) => ({ name: 'deals.update', input: { id, is_deleted: false } });

/** Of a sales CRM that attaches files by notes. */
export const fileWithNote = makes(named('file', titleOfFile), {
  remove: 'files.delete',
  partly: 'The note by which the file is attached stays.',
});

/** Of a sales CRM that does not restore deals. */
export const dealDeletedForGood = removes(deal, { make: 'deals.create', inputs: remaking(rows['deals.create']) });

/** How the changes of the sales CRM are planned and taken back (UNDO-020). */
export const changeRules: ChangeRules = {
  ...recordRules('deals', deal, rows['deals.create'], restoredDeal),
  'deals.add_product': irreversible('There is no operation that removes a product from a deal.', deal),
  'deals.merge': irreversible(merged, deal),
  ...recordRules('persons', person, rows['persons.create']),
  'persons.merge': irreversible(merged, person),
  ...recordRules('organizations', organization, rows['organizations.create']),
  'organizations.merge': irreversible(merged, organization),
  ...recordRules('activities', activity, rows['activities.create']),
  'pipelines.create': makes(named('pipeline'), { remove: null }),
  'stages.create': makes(named('stage'), { remove: null }),
  ...recordRules('leads', lead, rows['leads.create']),
  'leads.convert': irreversible('The lead is gone once it is a deal; only the deal can be deleted then.', lead),
  ...recordRules('products', product, rows['products.create']),
  ...recordRules('notes', note, rows['notes.create']),
  'files.upload': makes(named('file', titleOfFile), { remove: 'files.delete' }),
  'files.delete': irreversible('The contents of a file are not kept: it can be restored in the sales CRM only.'),
  ...recordRules('goals', goal, rows['goals.create']),
  'webhooks.create': irreversible(webhook),
  'webhooks.delete': irreversible(webhook),
};
