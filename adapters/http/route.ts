import type { Context } from 'koa';
import type { Visit } from '#adapters/http/visit.ts';
import { own } from '#domain/shared/own.ts';

/**
 * Who may call a route:
 * - `public`: anybody; no session is looked at.
 * - `visitor`: anybody; `visitorOf(ctx)` is the person who is signed in, and null for an app, the guest and strangers.
 * - `person`: a person who signed in in this browser, never an app: whatever only a person decides.
 * - `person-or-app`: a signed-in person, the guest, or an app with full access.
 * - `granted`: also an app with limited access: what the route does must depend on what its user may see and change.
 *
 * The last three find the user with `userOf(ctx)`.
 */
export type Who = 'public' | 'visitor' | 'person' | 'person-or-app' | 'granted';

/** The context of a route's handler. `ctx.body`, `ctx.status` and headers are the response. */
export type RouteContext = Context;

/**
 * One route, mounted in the order of EDGE-010 (route match → body → authentication → handler). The pipeline decides who
 * may call it, from `who` and `permission` alone.
 * `body`: how the body is parsed before the handler; `none` leaves the bytes unread (webhooks, streams, uploads). A
 * body that cannot be parsed is rejected after authentication, never before.
 */
export type RouteOf<V extends Visit> = Readonly<{
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** A path in path-to-regexp 8 syntax: '/connect/:service', '/files/*path'. */
  path: string;
  who: Who;
  /** What the user needs besides; nothing by default. */
  permission?: 'administrator';
  body: 'none' | 'json' | 'form' | 'json-or-form';
  run: (ctx: V) => Promise<void> | void;
  /** The maximum length of the body in bytes; by default the app's own limits (1 MiB, and 4 MiB on `/message`). */
  bodyLimitBytes?: number;
  /** Answers a body that cannot be parsed, in the error format of the route's protocol; by default the app answers. */
  refuseBody?: (ctx: Visit, error: BodyError) => void;
  /** True for a route below `/api` that takes parameters in its query, and checks them; others refuse any. */
  hasQuery?: boolean;
  /** True for a GET whose response does not end: HEAD is rejected with 405. */
  isStream?: boolean;
  /** True for a route that programs call frequently and that needs only a `Visit`: it is served beneath Koa too. */
  isProgram?: boolean;
}>;

/** A route mounted on Koa. */
export type Route = RouteOf<RouteContext>;

/** A group of related routes. */
export type RouteGroup = readonly Route[];

/** A constant answer that a server without time gives instead of running the route. */
export type BusyAnswer = Readonly<{ status: number; retryAfterS: number; body: string }>;

/**
 * A route that is served beneath Koa. `refusal` is asked before the pipeline: what it returns is all that is answered,
 * with the headers of every answer.
 */
export type ProgramRoute = RouteOf<Visit> &
  Readonly<{ body: 'none'; isProgram: true; refusal?: () => BusyAnswer | null }>;

/** Whether a route is served beneath Koa. */
export function isProgram(route: Route): route is ProgramRoute {
  return route.isProgram === true;
}

/** Why a body was not parsed: 400 malformed, 413 too large, 415 an unsupported media type, charset or encoding. */
export type BodyError = Readonly<{ status: 400 | 413 | 415; message: string }>;

/** A parameter of the route's path. Throws when the path has none of that name, which is a bug. */
export function parameterOf(ctx: RouteContext, name: string): string {
  const matched: Readonly<Record<string, string>> = ctx['params'];
  const value = own(matched, name);
  if (value === undefined) throw new Error(`${ctx.path} has no parameter ${name}`);
  return value;
}

/** All parameters of the route's path, decoded. */
export function parametersOf({ params = {} }: Visit): Readonly<Record<string, string>> {
  return params;
}
