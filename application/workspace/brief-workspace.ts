import type { Clock } from '#application/ports/clock.ts';
import type { Connections } from '#application/ports/connections.ts';
import type { PartyLinks } from '#application/ports/party-links.ts';
import type { ServiceQuestions } from '#application/ports/service-questions.ts';
import type { AskServices, ServiceQuestion } from '#application/workspace/ask-services.ts';
import { Gathering } from '#application/workspace/gathering.ts';
import { noService } from '#application/workspace/search-workspace.ts';
import type { Failure } from '#domain/operations/outcome.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import { isPermitted } from '#domain/users/rights.ts';
import type { User } from '#domain/users/user.ts';
import { ambiguousSubject, unknownSubject } from '#domain/workspace/brief-failures.ts';
import {
  type BriefRecord,
  type BriefSubject,
  grown,
  isDomain,
  readRecordId,
  related,
  textSubject,
} from '#domain/workspace/brief-subject.ts';
import { briefText } from '#domain/workspace/brief-text.ts';
import { fitOf, type RecordId, recordKey } from '#domain/workspace/found-record.ts';
import { mergedRecords } from '#domain/workspace/merged-records.ts';
import { resolved } from '#domain/workspace/resolve-subject.ts';

/** The dependencies of the use case: what is asked of each service. */
export type BriefWorkspaceDependencies = Readonly<{
  services: ReadonlyMap<ServiceKey, ServiceQuestions>;
  asking: Pick<AskServices, 'ask'>;
  connections: Pick<Connections, 'overview'>;
  partyLinks: Pick<PartyLinks, 'find' | 'findByRemote'>;
  clock: Clock;
}>;

/** What a brief is asked about; `isOpen` are the services that the client chose. */
export type BriefRequest = Readonly<{
  about: string;
  isOpen: (service: ServiceKey) => boolean;
  signal: AbortSignal;
}>;

/** How many times the services are asked, each time with what the answers before said. */
const maxRounds = 3;
const maxFound = 20;

/** Gathers what all services of a user know of a company, a person or a deal. */
export class BriefWorkspace {
  readonly #dependencies: BriefWorkspaceDependencies;

  constructor(dependencies: BriefWorkspaceDependencies) {
    this.#dependencies = dependencies;
  }

  /** Returns the brief as Markdown; fails when several records fit, and when none does. */
  async run(user: User, { about, isOpen, signal }: BriefRequest): Promise<Result<string, Failure>> {
    const { services, asking, connections, clock } = this.#dependencies;
    const connected = (await connections.overview(user.id)).services;
    const open = [...services].filter(([key]) => isOpen(key) && isPermitted(user, key) && connected.has(key));
    if (open.length === 0) return err(noService);
    const gathering = new Gathering((questions) => asking.ask(user, questions, signal));
    const found = await this.#find(about, open, gathering);
    if (!found.ok) return found;
    let subject = found.value;
    for (let round = 0; round < maxRounds; round += 1) {
      subject = { ...subject, records: await this.#withLinks(subject) };
      const questions = open.flatMap(([service, each]) => questionsOn(subject, service, each));
      if (!(await gathering.ask(questions))) break;
      subject = grown(subject, gathering.records);
    }
    const { unanswered, full } = gathering;
    const records = related(gathering.records, subject);
    return ok(briefText({ subject, records, unanswered, full: full.map(operationOf), now: clock.now() }));
  }

  async #find(
    about: string,
    open: readonly (readonly [ServiceKey, ServiceQuestions])[],
    gathering: Gathering,
  ): Promise<Result<BriefSubject, Failure>> {
    const exact = readRecordId(about);
    const questions = open.flatMap(([service, each]) => {
      const byId = exact === null || exact.service === service ? (each.byId?.(exact?.id ?? about) ?? []) : [];
      return [...(exact === null ? each.search(about, maxFound) : []), ...byId].map((question) => ({
        service,
        question,
      }));
    });
    const found = await gathering.look(questions);
    const records = isDomain(about) ? await withOrganizations(found, open, gathering) : found;
    const known = resolved(about, records);
    if (known.subject !== null) return ok(known.subject);
    if (known.candidates.length > 0) return err(ambiguousSubject(about, known.candidates));
    const isKnown = exact === null && records.some((record) => isAbout(record, about));
    return isKnown ? ok(textSubject(about)) : err(unknownSubject(about, records, gathering.unanswered));
  }

  /** The subject's records with those that are linked to them in the other CRM. */
  async #withLinks({ records }: BriefSubject): Promise<BriefSubject['records']> {
    const { partyLinks } = this.#dependencies;
    const linked = await Promise.all(
      records.map(async (record) => {
        const { service, kind, id } = record;
        if (service === 'sales_crm') {
          const link = await partyLinks.find(record);
          return link === null ? [] : [{ service: 'suite_crm', kind, id: link.remoteId }];
        }
        const ref = service === 'suite_crm' ? await partyLinks.findByRemote(kind, id) : null;
        return ref === null ? [] : [{ service: ref.service, kind, id: ref.id }];
      }),
    );
    return uniqueIds([...records, ...linked.flat()]);
  }
}

/**
 * Adds the organizations of the persons, which some services do not say in their searches: a domain means the company
 * rather than its only person that is known.
 */
async function withOrganizations(
  found: readonly BriefRecord[],
  open: readonly (readonly [ServiceKey, ServiceQuestions])[],
  gathering: Gathering,
): Promise<readonly BriefRecord[]> {
  const read = async (ids: readonly RecordId[]): Promise<readonly BriefRecord[]> => {
    const questions = ids.slice(0, maxFound).flatMap(({ service, id }) => {
      const asked = open.find(([key]) => key === service)?.[1].byId?.(id) ?? [];
      return asked.map((question) => ({ service, question }));
    });
    const wanted = new Set(ids.map(recordKey));
    const records = questions.length === 0 ? [] : await gathering.look(questions);
    return records.filter((record) => wanted.has(recordKey(record)));
  };
  const persons = found.filter(({ kind, carries }) => kind === 'person' && (carries?.organization ?? null) === null);
  const whole = mergedRecords([...found, ...(await read(persons))]);
  const parents = whole.flatMap(({ carries }) => carries?.refs ?? []).filter(({ kind }) => kind === 'organization');
  const isKnown = (ref: RecordId) => whole.some((record) => recordKey(record) === recordKey(ref));
  return [...whole, ...(await read(uniqueIds(parents.filter((ref) => !isKnown(ref)))))];
}

/** What is asked of a service on a subject; of one that has no questions of its own, the search for its name. */
function questionsOn(subject: BriefSubject, service: ServiceKey, each: ServiceQuestions): readonly ServiceQuestion[] {
  const asked = each.brief?.(subject) ?? subject.names.slice(0, 1).flatMap((name) => each.search(name, maxFound));
  return asked.map((question) => ({ service, question }));
}

const operationOf = ({ service, question: { operation } }: ServiceQuestion): string => `${service}.${operation}`;

/** Whether a record that is no company, person or deal shows that there is something of that name or address. */
const isAbout = ({ kind, title, carries }: BriefRecord, about: string): boolean =>
  kind !== 'lead' && (fitOf(title, about) >= 2 || carries?.emails?.includes(about.toLowerCase()) === true);

const uniqueIds = (ids: BriefSubject['records']): BriefSubject['records'] => [
  ...new Map(ids.map((one) => [recordKey(one), one])).values(),
];
