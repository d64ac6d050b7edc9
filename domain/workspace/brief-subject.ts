import { isEmail } from '#domain/users/email.ts';
import { type Carried, fitOf, type RecordId, recordKey, type WorkspaceHit } from '#domain/workspace/found-record.ts';

/** A record that a brief is made of. */
export type BriefRecord = WorkspaceHit & Readonly<{ carries?: Carried }>;

/**
 * What a brief is about, and what is known of it by which its records are found. `organizations` are the names of those
 * that a person or deal belongs to. `records` are its own in each service, whose deals, activities and so on are asked
 * for; `others` are read, but not what belongs to them.
 */
export type BriefSubject = Readonly<{
  kind: string;
  names: readonly string[];
  organizations: readonly string[];
  emails: readonly string[];
  domains: readonly string[];
  records: readonly RecordId[];
  others: readonly RecordId[];
  /** Deals and documents that belong to it, by whose ids notes are found. */
  parts: readonly RecordId[];
}>;

/** The kinds that a brief can be about; the first are preferred to what belongs to them. */
export const subjectKinds: readonly string[] = ['organization', 'person', 'deal'];

/** The maximum number of a subject's names, addresses and records that are followed. */
const maxFollowed = 6;
const maxOthers = 12;

/** The domains of mail providers, which say nothing of the organization. */
const publicDomains = new Set(
  'gmail.com googlemail.com outlook.com hotmail.com live.com msn.com yahoo.com icloud.com me.com aol.com gmx.de gmx.net gmx.at web.de t-online.de proton.me protonmail.com mail.ru qq.com 163.com orange.fr libero.it bluewin.ch'.split(
    ' ',
  ),
);

/** Whether a text is a domain. */
export const isDomain = (text: string): boolean => /^(?:[\p{L}\p{N}-]+\.)+[\p{L}\p{N}-]{2,}$/u.test(text);

/** Reads 'sales_crm/deal/41', by which a record is named for certain; null for anything else. */
export function readRecordId(text: string): RecordId | null {
  const [service, kind, ...id] = text.split('/');
  if (service === undefined || kind === undefined || id.length === 0 || !subjectKinds.includes(kind)) return null;
  return { service, kind, id: id.join('/') };
}

/** The subject of a name, address or domain that no CRM knows: it is looked for as a text. */
export function textSubject(about: string): BriefSubject {
  const typed = about.toLowerCase();
  return {
    kind: 'text',
    names: [about],
    organizations: [],
    emails: isEmail(about) ? [typed] : [],
    domains: isDomain(about) ? [typed] : [],
    records: [],
    others: [],
    parts: [],
  };
}

/** The names by which what belongs to the subject is searched; a deal's often bears the name of its organization only. */
export const searchedNames = ({ kind, names, organizations }: BriefSubject): readonly string[] =>
  kind === 'deal' ? [...names, ...organizations] : names;

/** Whether two records of one name are of two parties: they have addresses, or else organizations, and share none. */
export function areTwo({ carries: left = {} }: BriefRecord, { carries: right = {} }: BriefRecord): boolean {
  const [mine, theirs] = [left.emails ?? [], right.emails ?? []];
  if (mine.length > 0 && theirs.length > 0) return !mine.some((email) => theirs.includes(email));
  const [one, other] = [left.organization ?? null, right.organization ?? null];
  return one !== null && other !== null && fitOf(one, other) < 3;
}

/** Adds what the records say: the subject's addresses, its records in other services, and what its notes name. */
export function grown(subject: BriefSubject, found: readonly BriefRecord[]): BriefSubject {
  const { kind, names } = subject;
  const own = new Set(subject.records.map(recordKey));
  const isOwn = (record: RecordId) => own.has(recordKey(record));
  const twins = found.filter((one) => one.kind === kind && fitOf(one.title, names[0] ?? '') === 3);
  const mine = found.filter(isOwn);
  const same = twins.filter(
    (one) =>
      twins.filter(({ service }) => service === one.service).length === 1 &&
      !subject.records.some(({ service, kind: ownKind }) => service === one.service && ownKind === kind) &&
      !mine.some((own) => areTwo(own, one)),
  );
  const selves = found.filter((one) => isOwn(one) || same.includes(one));
  const people = kind === 'organization' ? found.filter((one) => one.kind === 'person' && refsOf(one).some(isOwn)) : [];
  const parents =
    kind === 'organization' ? [] : selves.flatMap(refsOf).filter((ref) => subjectKinds.includes(ref.kind));
  const isParent = (one: RecordId) => parents.some((parent) => recordKey(parent) === recordKey(one));
  const speakers = [
    ...selves,
    ...people,
    ...found.filter((one) => kind === 'deal' && one.kind === 'person' && isParent(one)),
  ];
  const emails = speakers.flatMap(({ carries }) => carries?.emails ?? []);
  const ofEmails = kind === 'organization' ? emails.map((email) => email.slice(email.indexOf('@') + 1)) : [];
  const notes = found.filter(
    (one) => one.kind === 'note' && (one.carries?.isByName !== true || fitOf(one.title, names[0] ?? '') >= 2),
  );
  const ofParents = found.flatMap((one) => (one.kind === 'organization' && isParent(one) ? [one.title] : []));
  const organizations = [...selves.flatMap(({ carries }) => carries?.organization ?? []), ...ofParents];
  // Whether a document of its organization is a person's, its recipients say.
  const documents = kind === 'person' ? found.filter(isContract) : [];
  const addresses = found.filter((one) => one.kind === 'contact');
  return {
    kind,
    names,
    organizations: kind === 'organization' ? [] : first([...subject.organizations, ...organizations], 2),
    emails: first([...subject.emails, ...emails], maxFollowed),
    domains: first(
      [...subject.domains, ...selves.flatMap(({ carries }) => carries?.domains ?? []), ...ofEmails].filter(
        (one) => !publicDomains.has(one),
      ),
      maxFollowed,
    ),
    records: firstRecords([...subject.records, ...same, ...addresses], maxFollowed * 2),
    others: firstRecords(
      [...subject.others, ...parents, ...documents, ...notes, ...notes.flatMap(refsOf)].filter((one) => !isOwn(one)),
      maxOthers,
    ),
    parts: firstRecords(
      found.filter((one) => (one.kind === 'deal' && refsOf(one).some(isOwn)) || isContract(one)),
      maxOthers,
    ),
  };
}

/** Returns the id of a record without what is known of it. */
export const recordId = ({ service, kind, id }: RecordId): RecordId => ({ service, kind, id });

const refsOf = ({ carries }: BriefRecord): readonly RecordId[] => carries?.refs ?? [];

const first = (texts: readonly string[], limit: number): readonly string[] => [...new Set(texts)].slice(0, limit);

const firstRecords = (records: readonly RecordId[], limit: number): readonly RecordId[] =>
  [...new Map(records.map((one) => [recordKey(one), recordId(one)])).values()].slice(0, limit);

/**
 * Returns the records that belong to the subject: those of its own, those that were read for it, and those that name one
 * of these. A document that only bears the name of a person's organization is not the person's, unless its recipients
 * say so.
 */
export function related(records: readonly BriefRecord[], subject: BriefSubject): readonly BriefRecord[] {
  const own = new Set(subject.records.map(recordKey));
  const others = new Set(subject.others.map(recordKey));
  return records.flatMap((record) => {
    const { kind, carries } = record;
    const isByMail = carries?.emails?.some((email) => subject.emails.includes(email)) === true;
    if (isByMail) return [{ ...record, carries: { ...carries, isByName: false } }];
    if (subject.kind === 'person' && isContract(record) && carries?.isByName === true) {
      return subject.names.some((name) => fitOf(record.title, name) >= 2) ? [record] : [];
    }
    const isRead = own.has(recordKey(record)) || others.has(recordKey(record));
    const belongs = !subjectKinds.includes(kind) || refsOf(record).some((ref) => own.has(recordKey(ref)));
    return isRead || belongs ? [record] : [];
  });
}

/** Whether a record is a document of the signing service. */
export const isContract = ({ kind, service }: BriefRecord): boolean => kind === 'document' && service === 'signing';
