import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ParsedUrlQuery } from 'node:querystring';
import type { UnreadableRows } from '#adapters/contracts/unreadable-rows.ts';
import type { Caller } from '#application/session/identify-caller.ts';

/**
 * The pipeline's state of a request: its id, the caller once authenticated or the visitor once looked for, the paths of
 * all pages and the numbers of waiting approvals and of what needs the user, for the navigation, and the stored rows that cannot be read.
 */
export type VisitState = {
  requestId?: string;
  caller?: Caller;
  visitor?: Caller | null;
  pagePaths?: ReadonlySet<string>;
  waiting?: number;
  attention?: number;
  unreadable?: UnreadableRows;
};

/**
 * A request and its response, with the members that the pipeline's steps use. Implemented by Koa's context and by
 * `BareVisit`.
 */
export interface Visit {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly method: string;
  readonly path: string;
  /** The raw query, without `?`. */
  readonly querystring: string;
  readonly query: ParsedUrlQuery;
  /** The decoded parameters of a route whose path is a pattern. */
  readonly params?: Readonly<Record<string, string>>;
  /** The requested host name; behind a trusted proxy, the forwarded one. */
  readonly host: string;
  readonly protocol: string;
  /** The address of the caller; behind a trusted proxy, the one that it states last. */
  readonly ip: string;
  /** Whether the caller's cached copy is still valid. */
  readonly fresh: boolean;
  /** The pipeline's state of the request, read by `requestIdOf`, `callerOf` and `visitorOf`. */
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
