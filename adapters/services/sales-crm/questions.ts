import { z } from 'zod';
import {
  domainsOf,
  emailsOf,
  idText,
  recordsOf,
  stateOf,
  textOr,
} from '#adapters/services/answers/answered-records.ts';
import type { operations } from '#adapters/services/sales-crm/operations.ts';
import type { AnsweredRecord, Question, ServiceQuestions } from '#application/ports/service-questions.ts';
import { own } from '#domain/shared/own.ts';
import type { RecordId } from '#domain/workspace/found-record.ts';

type Asked = Question<Extract<keyof typeof operations, string>>;

const service = 'sales_crm';
const idOr = idText.nullish().catch(null);
const named = z.looseObject({ name: textOr, id: idOr }).nullish().catch(null);
const found = z.looseObject({
  item: z.looseObject({
    type: z.string(),
    id: idText,
    title: textOr,
    name: textOr,
    status: textOr,
    value: textOr,
    currency: textOr,
    stage: named,
    person: named,
    organization: named,
    emails: z.array(z.string()).catch([]),
    domain: textOr,
    update_time: textOr,
  }),
});

/** The operation that reads a record of each type. */
const reading = { deal: 'deals.get', person: 'persons.get', organization: 'organizations.get' } as const;

const pageOf = (kind: string, id: string) => {
  const operation = own(reading, kind);
  return operation === undefined ? {} : { at: { operation, id } };
};

/** The references to records of this service; null and unknown ids are none. */
function refsTo(ids: Readonly<Record<string, string | null | undefined>>): readonly RecordId[] {
  return Object.entries(ids).flatMap(([kind, id]) => (id == null ? [] : [{ service, kind, id }]));
}

const hits = recordsOf(found, ({ item }): AnsweredRecord => {
  const { type, id, title, name, status, value, currency, stage, person, organization, emails } = item;
  return {
    kind: type,
    id,
    title: title ?? name ?? id,
    state: stateOf(status, amount(value, currency), stage?.name, organization?.name, emails[0]),
    time: item.update_time ?? null,
    link: null,
    carries: {
      emails: emailsOf(emails),
      domains: domainsOf([item.domain]),
      refs: refsTo({ organization: organization?.id, person: person?.id }),
      organization: organization?.name ?? null,
    },
    ...pageOf(type, id),
  };
});

const deal = z.looseObject({
  id: idText,
  title: textOr,
  status: textOr,
  value: textOr,
  currency: textOr,
  expected_close_date: textOr,
  lost_reason: textOr,
  update_time: textOr,
  org_id: idOr,
  person_id: idOr,
  stage_id: idOr,
});
const deals = recordsOf(deal, (one): AnsweredRecord => {
  const { id, title, status, value, currency, expected_close_date: closes, lost_reason: lost, update_time: time } = one;
  const isOpen = status === 'open';
  return {
    kind: 'deal',
    id,
    title: title ?? id,
    state: stateOf(status, amount(value, currency), isOpen && closes != null ? `closes ${closes}` : null, lost),
    time: time ?? null,
    link: null,
    carries: { isOpen, refs: refsTo({ organization: one.org_id, person: one.person_id, stage: one.stage_id }) },
    ...pageOf('deal', id),
  };
});

const channels = z.array(z.looseObject({ value: z.string() })).catch([]);
const person = z.looseObject({ id: idText, name: textOr, emails: channels, phones: channels, org_id: idOr });
const persons = recordsOf(
  person,
  ({ id, name, emails, phones, org_id: organization }): AnsweredRecord => ({
    kind: 'person',
    id,
    title: name ?? id,
    state: stateOf(emails[0]?.value, phones[0]?.value),
    time: null,
    link: null,
    carries: { emails: emailsOf(emails.map(({ value }) => value)), refs: refsTo({ organization }) },
    ...pageOf('person', id),
  }),
);

const organization = z.looseObject({
  id: idText,
  name: textOr,
  address: z.looseObject({ value: textOr }).nullish().catch(null),
  domain: textOr,
  website: textOr,
});
const organizations = recordsOf(
  organization,
  ({ id, name, address, domain, website }): AnsweredRecord => ({
    kind: 'organization',
    id,
    title: name ?? id,
    state: stateOf(address?.value),
    time: null,
    link: null,
    carries: { domains: domainsOf([domain, website]) },
    ...pageOf('organization', id),
  }),
);

const activity = z.looseObject({
  id: idText,
  subject: textOr,
  type: textOr,
  done: z.boolean().catch(false),
  due_date: textOr,
  due_time: textOr,
  deal_id: idOr,
  person_id: idOr,
  org_id: idOr,
});
const activities = recordsOf(
  activity,
  (one): AnsweredRecord => ({
    kind: 'activity',
    id: one.id,
    title: one.subject ?? one.id,
    state: stateOf(one.type),
    time: one.due_date == null ? null : `${one.due_date} ${timeOf(one.due_time)}`.trim(),
    link: null,
    carries: {
      isOpen: !one.done,
      refs: refsTo({ deal: one.deal_id, person: one.person_id, organization: one.org_id }),
    },
  }),
);

/** The time of day; none for the whole day, which some vendors state as midnight. */
const timeOf = (time: string | null | undefined): string => (time == null || time === '00:00' ? '' : time.slice(0, 5));

const lead = z.looseObject({
  id: idText,
  title: textOr,
  is_archived: z.boolean().nullish().catch(null),
  value: z.looseObject({ amount: textOr, currency: textOr }).nullish().catch(null),
});
const leadsOf = (of: RecordId) =>
  recordsOf(
    lead,
    ({ id, title, value, is_archived: isArchived }): AnsweredRecord => ({
      kind: 'lead',
      id,
      title: title ?? id,
      state: stateOf(amount(value?.amount, value?.currency), isArchived === true ? 'archived' : null),
      time: null,
      link: null,
      carries: { refs: [of] },
    }),
  );

const note = z.looseObject({ id: idText, content: textOr, add_time: textOr });
const notesOf = (of: RecordId) =>
  recordsOf(
    note,
    ({ id, content, add_time: time }): AnsweredRecord => ({
      kind: 'remark',
      id,
      title: (content ?? '').slice(0, 2_000).replaceAll(/<[^<>]{0,200}>/g, ' '),
      state: null,
      time: time ?? null,
      link: null,
      carries: { refs: [of] },
    }),
  );

const stage = z.looseObject({ id: idText, name: textOr });
const stages = recordsOf(
  stage,
  ({ id, name }): AnsweredRecord => ({
    kind: 'stage',
    id,
    title: name ?? id,
    state: null,
    time: null,
    link: null,
  }),
);

const readers = { deal: deals, person: persons, organization: organizations } as const;

function reads({ kind, id }: Pick<RecordId, 'kind' | 'id'>): readonly Asked[] {
  const [operation, read] = [own(reading, kind), own(readers, kind)];
  if (operation === undefined || read === undefined || !/^\d{1,15}$/.test(id)) return [];
  return [{ operation, input: { id: Number(id) }, records: (one) => read([one]) }];
}

/** The input that filters by a record of each kind. */
const filters = { deal: 'deal_id', person: 'person_id', organization: 'org_id' } as const;

/** What belongs to a record. */
function partsOf(of: RecordId): readonly Asked[] {
  const filter = own(filters, of.kind);
  if (filter === undefined || !/^\d{1,15}$/.test(of.id)) return [];
  const by = { [filter]: Number(of.id) };
  const latest = { sort_by: 'update_time', sort_direction: 'desc' };
  const next = { done: false, sort_by: 'due_date', sort_direction: 'asc', limit: 20 };
  const last = { done: true, sort_by: 'due_date', sort_direction: 'desc', limit: 5 };
  const ofParty: readonly Asked[] = [
    { operation: 'deals.list', input: { ...by, status: 'open', ...latest, limit: 50 }, limit: 50, records: deals },
    { operation: 'deals.list', input: { ...by, ...latest, limit: 10 }, records: deals },
  ];
  const leads = { [of.kind === 'person' ? 'person_id' : 'organization_id']: Number(of.id), limit: 10 };
  return [
    ...reads(of),
    ...(of.kind === 'deal'
      ? []
      : [...ofParty, { operation: 'leads.list', input: leads, records: leadsOf(of) } as const]),
    ...(of.kind === 'organization'
      ? [{ operation: 'persons.list', input: { ...by, limit: 20 }, records: persons } as const]
      : []),
    { operation: 'activities.list', input: { ...by, ...next }, limit: 20, records: activities },
    { operation: 'activities.list', input: { ...by, ...last }, records: activities },
    { operation: 'notes.list', input: { ...by, sort: 'add_time DESC', limit: 5 }, records: notesOf(of) },
    { operation: 'stages.list', input: { limit: 100 }, records: stages },
  ];
}

/** What the tools over all services ask of a sales CRM. */
export const questions: ServiceQuestions<Extract<keyof typeof operations, string>> = {
  search: (query, limit) => [
    {
      operation: 'items.search',
      input: { term: query, item_types: ['deal', 'person', 'organization', 'lead'], limit: Math.min(limit, 100) },
      records: hits,
    },
  ],
  byId: (id) => Object.keys(reading).flatMap((kind) => reads({ kind, id })),
  brief: ({ records, others }) => [
    ...records.filter((one) => one.service === service).flatMap(partsOf),
    ...others.filter((one) => one.service === service).flatMap(reads),
  ],
};

function amount(value: string | null | undefined, currency: string | null | undefined): string | null {
  return value == null ? null : [value, currency ?? ''].join(' ').trim();
}
