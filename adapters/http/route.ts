import type { Context } from 'koa';
import type { Visit } from '#adapters/http/visit.ts';
import { own } from '#domain/shared/own.ts';

/** The context of a route's handler. `ctx.body`, `ctx.status` and headers are the answer. */
export type RouteContext = Context;

/**
 * One route: the app mounts it in the order of EDGE-010 (route match → body → authentication → handler).
 * `access`: a `public` route has no user; a `protected` one has passed authentication and finds the user with `userOf(ctx)`.
 * A `granted` one is protected, and open to access tokens too that do not mean everything: what it does goes by what the user
 * is permitted and may change, always.
 * `body`: what is parsed before the handler; `none` leaves the bytes unread (webhooks, streams, uploads).
 * A body that cannot be parsed is refused after authentication has been settled, never before.
 */
export type RouteOf<V extends Visit> = Readonly<{
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** A path in path-to-regexp 8 syntax: '/connect/:service', '/files/*path'. */
  path: string;
  access: 'public' | 'protected' | 'granted';
  body: 'none' | 'json' | 'form' | 'json-or-form';
  run: (ctx: V) => Promise<void> | void;
  /** The maximum length of the body in bytes; without it the app's own limits hold (1 MiB, and 4 MiB on `/message`). */
  bodyLimitBytes?: number;
  /** Answers a body that cannot be parsed, in the error format of the route's protocol; without it the app answers. */
  refuseBody?: (ctx: Visit, error: BodyError) => void;
  /** True for a GET whose answer does not end: HEAD is rejected there with 405. */
  isStream?: boolean;
  /** True where programs call all the time, and where a visit is all that `run` needs: the route is answered beneath Koa too. */
  isProgram?: boolean;
}>;

/** A route mounted on Koa. */
export type Route = RouteOf<RouteContext>;

/** Routes that belong together. */
export type Room = readonly Route[];

/** A route that is answered beneath Koa. */
export type ProgramRoute = RouteOf<Visit> & Readonly<{ body: 'none'; isProgram: true }>;

/** Whether a route is answered beneath Koa. */
export function isProgram(route: Route): route is ProgramRoute {
  return route.isProgram === true;
}

/** Why a body was not parsed: 400 malformed, 413 too large, 415 an unsupported media type, charset or encoding. */
export type BodyError = Readonly<{ status: 400 | 413 | 415; message: string }>;

/** A parameter of the route's path. Throws when the path has none of that name: that is a bug. */
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
