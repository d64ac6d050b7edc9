import { z } from 'zod';
import {
  domainsOf,
  emailsOf,
  idText,
  joinedByName,
  recordsOf,
  stateOf,
  textOr,
} from '#adapters/services/answers/answered-records.ts';
import type { operations } from '#adapters/services/suite-crm/operations.ts';
import type { AnsweredRecord, Question, ServiceQuestions } from '#application/ports/service-questions.ts';
import { isEmail } from '#domain/users/email.ts';
import type { BriefSubject } from '#domain/workspace/brief-subject.ts';
import { fitOf, type RecordId } from '#domain/workspace/found-record.ts';

type Asked = Question<Extract<keyof typeof operations, string>>;

const service = 'suite_crm';
const lookup = z
  .looseObject({ name: textOr, id: idText.nullish().catch(null) })
  .nullish()
  .catch(null);
const record = z.looseObject({
  id: idText,
  Deal_Name: textOr,
  Full_Name: textOr,
  First_Name: textOr,
  Last_Name: textOr,
  Account_Name: z.union([z.string().transform((name) => ({ name, id: null })), lookup]).catch(null),
  Company: textOr,
  Stage: textOr,
  Amount: textOr,
  Email: textOr,
  Website: textOr,
  Closing_Date: textOr,
  Modified_Time: textOr,
});

/** The modules that are searched, and the neutral kind of their records. */
const modules = { Accounts: 'organization', Contacts: 'person', Deals: 'deal', Leads: 'lead' } as const;

type Module = keyof typeof modules;

/** The fields of the records that belong to another one. */
const partFields = {
  Contacts: ['First_Name', 'Last_Name', 'Full_Name', 'Email'],
  Deals: ['Deal_Name', 'Stage', 'Amount', 'Closing_Date', 'Modified_Time'],
};

/** The records of a module; with `of`, as belonging to that record. */
const recordsIn = (module: Module, of: readonly RecordId[] = []) =>
  recordsOf(record, (one): AnsweredRecord => {
    const {
      id,
      Deal_Name: deal,
      Full_Name: full,
      First_Name,
      Last_Name,
      Account_Name: account,
      Company,
      Email,
      Stage,
    } = one;
    const person = full ?? ([First_Name, Last_Name].filter((part) => part != null).join(' ') || null);
    const isAccount = module === 'Accounts';
    const closes = one.Closing_Date == null ? null : `closes ${one.Closing_Date}`;
    const parent = isAccount || account?.id == null ? [] : [{ service, kind: 'organization', id: account.id }];
    return {
      kind: modules[module],
      id,
      title: deal ?? person ?? account?.name ?? id,
      state: stateOf(Stage, one.Amount, closes, Email, isAccount ? null : account?.name, Company),
      time: one.Modified_Time ?? null,
      link: null,
      at: { operation: 'records.get', id: `${module}/${id}` },
      carries: {
        emails: emailsOf([Email]),
        domains: isAccount ? domainsOf([one.Website]) : [],
        refs: [...of, ...parent],
        organization: isAccount ? null : (account?.name ?? Company ?? null),
        ...(module === 'Deals' ? { isOpen: !/closed/i.test(Stage ?? '') } : {}),
      },
    };
  });

const moduleOf = (kind: string): Module | null =>
  kind === 'organization' ? 'Accounts' : kind === 'person' ? 'Contacts' : kind === 'deal' ? 'Deals' : null;

const isId = (id: string): boolean => /^\d{10,25}$/.test(id);

function reads({ kind, id }: Pick<RecordId, 'kind' | 'id'>): readonly Asked[] {
  const module = moduleOf(kind);
  if (module === null || !isId(id)) return [];
  return [{ operation: 'records.get', input: { module, id }, records: (one) => recordsIn(module)([one].flat()) }];
}

/** What belongs to a record. */
function partsOf(of: RecordId): readonly Asked[] {
  const module = moduleOf(of.kind);
  if (module === null || !isId(of.id)) return [];
  const lists =
    module === 'Accounts' ? (['Contacts', 'Deals'] as const) : module === 'Contacts' ? (['Deals'] as const) : [];
  return [
    ...reads(of),
    ...lists.map((list) => ({
      operation: 'related.list' as const,
      input: { module, id: of.id, related_list: list, fields: partFields[list], per_page: 30 },
      limit: 30,
      records: recordsIn(list, [of]),
    })),
  ];
}

/** The search for the subject itself, while no record of this service is known to be it. */
function itself({ kind, names: [name = ''], emails: [email], records }: BriefSubject): readonly Asked[] {
  const module = moduleOf(kind);
  if (module === null || records.some((one) => one.service === service)) return [];
  const isByMail = module === 'Contacts' && email !== undefined;
  const read = recordsIn(module);
  return [
    {
      operation: 'records.search',
      input: { module, ...(isByMail ? { email } : { word: name }), per_page: 10 },
      records: (data) =>
        isByMail ? read(data) : (joinedByName(read)(data)?.filter(({ title }) => fitOf(title, name) === 3) ?? null),
    },
  ];
}

/** What the tools over all services ask of a suite CRM: a search per module, since none goes over all. */
export const questions: ServiceQuestions<Extract<keyof typeof operations, string>> = {
  search: (query, limit) => {
    const per_page = Math.min(limit, 100);
    const isMail = isEmail(query);
    const all: readonly Module[] = isMail ? ['Contacts', 'Leads'] : ['Accounts', 'Contacts', 'Deals', 'Leads'];
    return all.map((module) => ({
      operation: 'records.search',
      input: { module, ...(isMail ? { email: query } : { word: query }), per_page },
      records: recordsIn(module),
    }));
  },
  byId: (id) => ['organization', 'person', 'deal'].flatMap((kind) => reads({ kind, id })),
  brief: (subject) => [
    ...itself(subject),
    ...subject.records.filter((one) => one.service === service).flatMap(partsOf),
    ...subject.others.filter((one) => one.service === service).flatMap(reads),
  ],
};
