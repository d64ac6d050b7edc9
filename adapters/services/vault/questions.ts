import { z } from 'zod';
import { emailsOf, joinedById, joinedByName, recordsOf, stateOf } from '#adapters/services/answers/answered-records.ts';
import type { operations } from '#adapters/services/vault/operations.ts';
import type { AnsweredRecord, Question, ServiceQuestions } from '#application/ports/service-questions.ts';
import { isObject } from '#domain/json/json-data.ts';
import { own } from '#domain/shared/own.ts';
import { isDomain, searchedNames } from '#domain/workspace/brief-subject.ts';
import type { RecordId } from '#domain/workspace/found-record.ts';

type Asked = Question<Extract<keyof typeof operations, string>>;

const note = z.looseObject({ filename: z.string().min(1), matches: z.array(z.string()).catch([]) });

/** The address of a note among the resources of this server. */
const addressOf = (path: string): string => `vault://${path.split('/').map(encodeURIComponent).join('/')}`;

const noteAt = (path: string, state: string | null): AnsweredRecord => ({
  kind: 'note',
  id: path,
  title: path.replace(/^.*\//, '').replace(/\.md$/, ''),
  state,
  time: null,
  link: addressOf(path),
});

const notes = recordsOf(note, ({ filename, matches }) => noteAt(filename, stateOf(matches[0]?.slice(0, 160))));

/** The keys of frontmatter that hold the id of a record, and what kind of record it is. */
const kinds = {
  deal: 'deal',
  org: 'organization',
  organization: 'organization',
  account: 'organization',
  person: 'person',
  contact: 'person',
  document: 'document',
  issue: 'issue',
} as const;
const idKey = /^(sales_crm|signing|suite_crm|tracker)_([a-z]+)_id$/;

/** Reads what a note's frontmatter says of records: their ids, e-mail addresses and domains. */
function carriedBy(frontmatter: unknown): NonNullable<AnsweredRecord['carries']> {
  const entries = isObject(frontmatter) ? Object.entries(frontmatter) : [];
  const refs = entries.flatMap(([key, value]): readonly RecordId[] => {
    const [, service, name = ''] = idKey.exec(key) ?? [];
    const kind = own(kinds, name);
    if (service === undefined || kind === undefined) return [];
    return typeof value === 'string' || typeof value === 'number' ? [{ service, kind, id: String(value) }] : [];
  });
  const textsAt = (wanted: string) =>
    entries
      .flatMap(([key, value]) => (key === wanted ? [value].flat() : []))
      .filter((value) => typeof value === 'string');
  const domains = textsAt('domain').map((domain) => domain.toLowerCase());
  return { refs, emails: emailsOf(textsAt('email')), domains: domains.filter(isDomain) };
}

/** The search for notes whose frontmatter has a key with one of these values; a number may be there as text. */
function withValues(values: readonly (readonly [key: string, value: string])[]): readonly Asked[] {
  if (values.length === 0) return [];
  const is = (key: string, value: string | number) => ({ '===': [{ var: `frontmatter.${key}` }, value] });
  const either = values.flatMap(([key, value]) => [
    is(key, value),
    ...(/^\d{1,15}$/.test(value) ? [is(key, Number(value))] : []),
  ]);
  return [
    {
      operation: 'search.advanced',
      input: { query: { or: either }, type: 'jsonlogic' },
      records: joinedById(recordsOf(note, ({ filename }) => noteAt(filename, null))),
    },
  ];
}

/** The keys under which notes hold the id of a record. */
const keysOf = ({ service, kind }: RecordId): readonly string[] =>
  Object.entries(kinds).flatMap(([name, of]) => (of === kind ? [`${service}_${name}_id`] : []));

function frontmatterOf(path: string): Asked {
  return {
    operation: 'frontmatter.get',
    input: { path },
    records: (data) => [{ ...noteAt(path, null), carries: carriedBy(data) }],
  };
}

/** What the tools over all services ask of a vault. */
export const questions: ServiceQuestions<Extract<keyof typeof operations, string>> = {
  search: (query, limit) => [
    {
      operation: 'search.notes',
      input: { query, contextLength: 60, limit },
      records: notes,
    },
  ],
  brief: (subject) => [
    ...withValues([
      ...[...subject.records, ...subject.parts].flatMap((one) => keysOf(one).map((key) => [key, one.id] as const)),
      ...subject.emails.map((email) => ['email', email] as const),
      ...subject.domains.map((domain) => ['domain', domain] as const),
    ]),
    ...searchedNames(subject).map(
      (query): Asked => ({
        operation: 'search.notes',
        input: { query, contextLength: 60, limit: 15 },
        records: joinedByName(notes),
      }),
    ),
    ...subject.others
      .filter(({ service, kind }) => service === 'vault' && kind === 'note')
      .map(({ id }) => frontmatterOf(id)),
  ],
};
