import { isEmail } from '#domain/users/email.ts';
import {
  areTwo,
  type BriefRecord,
  type BriefSubject,
  grown,
  isDomain,
  readRecordId,
  recordId,
  subjectKinds,
} from '#domain/workspace/brief-subject.ts';
import { fitOf, recordKey, wordsOf } from '#domain/workspace/found-record.ts';

/** What was typed, resolved: the subject, or the candidates when several fit equally well. */
export type Resolved =
  | Readonly<{ subject: BriefSubject }>
  | Readonly<{ subject: null; candidates: readonly BriefRecord[] }>;

/** Finds what was typed among the records that were found for it. */
export function resolved(about: string, found: readonly BriefRecord[]): Resolved {
  const unique = [...new Map(found.map((record) => [recordKey(record), record])).values()];
  const fitting = fittingBest(
    about,
    unique.filter(({ kind }) => subjectKinds.includes(kind)),
  );
  const whole = withoutParts(fitting);
  const groups = Object.values(Object.groupBy(whole, subjectKey)).map((group) => group ?? []);
  const [only, another] = groups;
  const isOne = only !== undefined && another === undefined && isOneParty(only);
  if (!isOne) return { subject: null, candidates: whole };
  return { subject: subjectOf(only) };
}

/** The records that fit what was typed best: by id or address, else by the whole name, else by a part of it. */
function fittingBest(about: string, records: readonly BriefRecord[]): readonly BriefRecord[] {
  const typed = about.toLowerCase();
  const exact = readRecordId(about);
  if (exact !== null) return records.filter((record) => recordKey(record) === recordKey(exact));
  if (isEmail(about)) return records.filter(({ carries }) => carries?.emails?.includes(typed) === true);
  if (isDomain(about)) {
    const ofDomain = records.flatMap((record) => (hasDomain(record, typed) ? organizationOf(record, records) : []));
    if (ofDomain.length > 0) return [...new Map(ofDomain.map((record) => [recordKey(record), record])).values()];
  }
  const ranked = records.map((record) => ({ record, rank: rankOf(record, about) }));
  const best = Math.max(0, ...ranked.map(({ rank }) => rank));
  return best < 2 ? [] : ranked.flatMap(({ record, rank }) => (rank === best ? [record] : []));
}

function rankOf({ id, title }: BriefRecord, about: string): number {
  if (id === about) return 4;
  const fit = fitOf(title, about);
  if (fit >= 2) return fit;
  return foldedName(title).includes(foldedName(about)) ? 2 : fit;
}

function hasDomain({ carries = {} }: BriefRecord, domain: string): boolean {
  const { emails = [], domains = [] } = carries;
  return domains.includes(domain) || emails.some((email) => email.endsWith(`@${domain}`));
}

/** The organization that a record is or belongs to; the record itself when it has none. */
function organizationOf(record: BriefRecord, records: readonly BriefRecord[]): readonly BriefRecord[] {
  if (record.kind === 'organization') return [record];
  const ref = record.carries?.refs?.find(({ kind }) => kind === 'organization');
  const known = records.find((one) => ref !== undefined && recordKey(one) === recordKey(ref));
  if (known !== undefined) return [known];
  const title = record.carries?.organization ?? null;
  if (ref === undefined || title === null) return [record];
  return [{ ...ref, title, state: null, time: null, link: null }];
}

/** Leaves out what belongs to another candidate: the deals and persons of an organization that is one. */
function withoutParts(records: readonly BriefRecord[]): readonly BriefRecord[] {
  const organizations = new Set(records.flatMap((one) => (one.kind === 'organization' ? [foldedName(one.title)] : [])));
  return records.filter(({ kind, title, carries }) => {
    if (kind === 'organization') return true;
    const of = carries?.organization ?? null;
    const isPart = of !== null && organizations.has(foldedName(of));
    // A deal often bears the name of its organization, and in a suite it may be all that says whose it is.
    return !isPart && !(kind !== 'person' && organizations.has(foldedName(title)));
  });
}

const subjectKey = ({ kind, title }: BriefRecord): string => `${kind} ${foldedName(title)}`;

/** Whether records of one name may be of one party: there is one in each service, and nothing says that they are two. */
function isOneParty(records: readonly BriefRecord[]): boolean {
  const isOneEach = new Set(records.map(({ service }) => service)).size === records.length;
  return isOneEach && !records.some((one, place) => records.slice(place + 1).some((other) => areTwo(one, other)));
}

const foldedName = (name: string): string => wordsOf(name).join(' ');

function subjectOf(picked: readonly BriefRecord[]): BriefSubject {
  const [first] = picked;
  const start = {
    kind: first?.kind ?? 'text',
    names: [first?.title ?? ''],
    organizations: [],
    emails: [],
    domains: [],
    others: [],
    parts: [],
  };
  return grown({ ...start, records: picked.map(recordId) }, picked);
}
