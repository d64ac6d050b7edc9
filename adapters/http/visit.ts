import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ParsedUrlQuery } from 'node:querystring';
import type { User } from '#domain/users/user.ts';

/** What the steps note of a request: its id, and who calls once that is known. */
export type VisitState = { requestId?: string; user?: User };

/** A request and its answer to be, as far as the pipeline's steps look at them. Koa's context is one, `BareVisit` another. */
export interface Visit {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly method: string;
  readonly path: string;
  /** The query as it came, without `?`. */
  readonly querystring: string;
  readonly query: ParsedUrlQuery;
  /** The host name that was asked for; behind a trusted proxy the one that it hands on. */
  readonly host: string;
  readonly protocol: string;
  /** Whether the caller's copy is as good as the answer. */
  readonly fresh: boolean;
  /** What the steps know of the request: `requestIdOf` and `userOf` read it. */
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

/** A step of the pipeline: it answers the visit, or leads on with `next`, or both. */
export type PipelineStep<V extends Visit = Visit> = (visit: V, next: () => Promise<unknown>) => unknown;
