import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ParsedUrlQuery } from 'node:querystring';
import type { User } from '#domain/users/user.ts';

/** The steps' state of a request: its id, the caller once that is known, and the paths of all pages, for the navigation. */
export type VisitState = { requestId?: string; user?: User; pagePaths?: ReadonlySet<string> };

/** A request and its answer, with the members that the pipeline's steps use. Koa's context is one, `BareVisit` another. */
export interface Visit {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly method: string;
  readonly path: string;
  /** The query as it came, without `?`. */
  readonly querystring: string;
  readonly query: ParsedUrlQuery;
  /** The values in the path of a route that is a pattern, decoded. */
  readonly params?: Readonly<Record<string, string>>;
  /** The host name that was requested; behind a trusted proxy the one that it forwards. */
  readonly host: string;
  readonly protocol: string;
  /** Whether the caller's cached copy is still valid. */
  readonly fresh: boolean;
  /** The steps' state of the request: `requestIdOf` and `userOf` read it. */
  readonly state: VisitState;
  status: number;
  type: string;
  body: unknown;
  /** False once a step answers, or has answered, on `res` itself. */
  respond?: boolean | undefined;
  get(header: string): string;
  set(header: string, value: string): void;
  vary(header: string): void;
}

/** A step of the pipeline: it answers the visit, or continues with `next`, or both. */
export type PipelineStep<V extends Visit = Visit> = (visit: V, next: () => Promise<unknown>) => unknown;
