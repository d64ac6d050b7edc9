import type { Connections } from '#application/ports/connections.ts';
import type { ServiceQuestions } from '#application/ports/service-questions.ts';
import type { AskServices, Unanswered } from '#application/workspace/ask-services.ts';
import { type Failure, failed } from '#domain/operations/outcome.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { ServiceNames } from '#domain/services/service-names.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import { isPermitted } from '#domain/users/rights.ts';
import type { User } from '#domain/users/user.ts';
import { mergedHits, type WorkspaceHit } from '#domain/workspace/found-record.ts';

/** The dependencies of the use case: what is asked of each service that can be searched. */
export type SearchWorkspaceDependencies = Readonly<{
  services: ReadonlyMap<ServiceKey, ServiceQuestions>;
  asking: Pick<AskServices, 'ask'>;
  connections: Pick<Connections, 'overview'>;
  names: ServiceNames;
}>;

/** A search: `services` are those that the caller names, null for all; `isOpen` are those that the client chose. */
export type WorkspaceSearch = Readonly<{
  query: string;
  services: readonly ServiceKey[] | null;
  limit: number;
  isOpen: (service: ServiceKey) => boolean;
  signal: AbortSignal;
}>;

/** What was found, and the services that were asked and did not answer. */
export type WorkspaceFound = Readonly<{
  hits: readonly WorkspaceHit[];
  searched: readonly ServiceKey[];
  unanswered: readonly Unanswered[];
}>;

/** The failure of a user who has no service that could be asked. */
export const noService = failed(
  'forbidden',
  'There is no service that this caller may use and is connected to. A person connects services on the page /page.',
);

/** Searches all services that a user may read and is connected to, side by side. */
export class SearchWorkspace {
  readonly #dependencies: SearchWorkspaceDependencies;

  constructor(dependencies: SearchWorkspaceDependencies) {
    this.#dependencies = dependencies;
  }

  /** Returns the merged hits; fails only when none of the services answered. */
  async run(user: User, search: WorkspaceSearch): Promise<Result<WorkspaceFound, Failure>> {
    const { services, asking, connections, names } = this.#dependencies;
    const { query, limit, signal, isOpen } = search;
    const connected = (await connections.overview(user.id)).services;
    const isOffered = (service: ServiceKey) => isOpen(service) && isPermitted(user, service) && connected.has(service);
    // A service may have nothing that can be asked at the moment.
    const questionsOf = (service: ServiceKey) => services.get(service)?.search(query, limit) ?? [];
    const isAskable = (service: ServiceKey) => questionsOf(service).length > 0;
    const chosen =
      search.services ?? [...services.keys()].filter((service) => isOffered(service) && isAskable(service));
    if (chosen.length === 0) return err(noService);
    const asked = chosen.filter((service) => isOpen(service) && isAskable(service));
    const left = chosen
      .filter((service) => !asked.includes(service))
      .map((service) => ({ service, ...(isOpen(service) ? unsearchable(names.of(service)) : notChosen) }));
    const questions = asked.flatMap((service) => questionsOf(service).map((question) => ({ service, question })));
    const { records, unanswered } = await asking.ask(user, questions, signal);
    const failures = [...left, ...unanswered];
    const [first] = failures;
    const isAll = chosen.every((service) => failures.some((failure) => failure.service === service));
    if (first !== undefined && isAll && records.flat().length === 0) {
      return err(failed(first.reason, failures.map(({ message }) => message).join(' ')));
    }
    return ok({
      hits: mergedHits(records, query, limit).map(hitOf),
      searched: asked,
      unanswered: failures,
    });
  }
}

const notChosen = { reason: 'forbidden', message: 'This connection was set up without the service.' } as const;

const unsearchable = (name: string) => ({ reason: 'rejected', message: `The ${name} cannot be searched.` }) as const;

/** A hit with what is shown of it. */
const hitOf = ({ title, kind, service, id, state, time, link }: WorkspaceHit): WorkspaceHit => ({
  title,
  kind,
  service,
  id,
  state,
  time,
  link,
});
