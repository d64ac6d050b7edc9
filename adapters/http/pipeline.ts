import { isBelow } from '#adapters/http/answers/places.ts';
import { admission } from '#adapters/http/middleware/admission.ts';
import { authentication, visitorFinder } from '#adapters/http/middleware/authentication.ts';
import { answerErrors, logRequests, nameRequest, securityHeaders } from '#adapters/http/middleware/every-answer.ts';
import { bodyRejection } from '#adapters/http/middleware/read-body.ts';
import { refuseQuery } from '#adapters/http/middleware/refuse-query.ts';
import {
  answerCors,
  type HostRules,
  hostGuard,
  type OriginRules,
  originGuard,
  refuseMalformed,
} from '#adapters/http/middleware/request-guards.ts';
import { traceRequests, traceUnrouted } from '#adapters/http/middleware/trace-requests.ts';
import { authenticateUnrouted, methodRejection, type RoutesAt } from '#adapters/http/middleware/unrouted.ts';
import { resourceMetadataUrl } from '#adapters/http/oauth/well-known-routes.ts';
import type { Route, RouteOf } from '#adapters/http/route.ts';
import { serveStaticFiles } from '#adapters/http/static-files.ts';
import type { PipelineStep, Visit } from '#adapters/http/visit.ts';
import type { Logger } from '#application/ports/logger.ts';
import type { Tracer } from '#application/ports/tracer.ts';
import type { IdentifyCaller } from '#application/session/identify-caller.ts';
import type { User } from '#domain/users/user.ts';

/** The pipeline's settings on how the server is reached. */
export type PipelineSettings = HostRules & OriginRules & Readonly<{ oauthMetadata: boolean }>;

/** The pipeline's dependencies: authentication, and the log. */
export type PipelineDependencies = Readonly<{
  identifyCaller: IdentifyCaller;
  logger: Logger;
  /** Null or absent when tracing is off. */
  tracer?: Tracer | null;
  /** Counts what waits for a user's decision, for the navigation of pages; nothing when not given. */
  waitingFor?: (user: User) => Promise<number>;
  /** Counts what needs a user's attention, for the same; nothing when not given. */
  attentionFor?: (user: User) => Promise<number>;
  /** Called for each request whose client disconnected before it was complete. */
  onAbort?: () => void;
  settings: PipelineSettings;
}>;

/** The steps of a request: the common ones, then those of its route, or of an unmatched address. */
export type Pipeline = Readonly<{
  /** The steps of every request; for programs' routes, whose addresses are fixed, without static files. */
  always(routes: 'any' | 'program'): readonly PipelineStep[];
  to<V extends Visit>(route: RouteOf<V>, reading: readonly PipelineStep<V>[]): readonly PipelineStep<V>[];
  elsewhere(routesAt: RoutesAt): readonly PipelineStep[];
}>;

/**
 * Builds the steps that every HTTP request passes in order, whatever they are mounted on (EDGE-010). There is no other
 * entry.
 */
export function pipeline({
  identifyCaller,
  logger,
  settings,
  tracer = null,
  onAbort = () => {},
  waitingFor = async () => 0,
  attentionFor = async () => 0,
}: PipelineDependencies): Pipeline {
  const { baseUrl, oauthMetadata } = settings;
  const metadataUrlOf = oauthMetadata ? (path: string) => resourceMetadataUrl(baseUrl, path) : null;
  const authenticate = authentication({ identifyCaller, logger, metadataUrlOf });
  const findVisitor = visitorFinder(identifyCaller);
  const entryTo = (route: Pick<Route, 'who' | 'permission'>): readonly PipelineStep[] => {
    if (route.who === 'public') return [];
    return route.who === 'visitor' ? [findVisitor] : [authenticate, ...admission(route)];
  };
  const count = countWaiting(waitingFor, attentionFor);
  return {
    always: (routes) => [
      nameRequest,
      securityHeaders({ isHttps: baseUrl.startsWith('https:') }),
      logRequests(logger, onAbort),
      answerErrors(logger, baseUrl),
      refuseMalformed,
      ...(routes === 'program' ? [] : [serveStaticFiles]),
      hostGuard(settings),
      originGuard(settings),
      answerCors,
    ],
    to: (route, reading) => [
      ...(tracer === null ? [] : [traceRequests(tracer, route)]),
      ...reading,
      ...entryTo(route),
      ...(route.body === 'none' ? [] : [bodyRejection(route.refuseBody)]),
      ...(route.hasQuery === true || !isBelow(route.path, '/api') ? [] : [refuseQuery]),
      ...(isPage(route) ? [count] : []),
      route.run,
    ],
    elsewhere: (routesAt) => [
      ...(tracer === null ? [] : [traceUnrouted(tracer)]),
      authenticateUnrouted(routesAt, authenticate),
      methodRejection(routesAt),
    ],
  };
}

/** Whether a route serves pages with a navigation. */
function isPage({
  method,
  path,
  who,
  isStream,
  isProgram,
}: Pick<Route, 'method' | 'path' | 'who' | 'isStream' | 'isProgram'>): boolean {
  const isShown = who === 'person' || who === 'person-or-app';
  return method === 'GET' && isShown && isStream !== true && isProgram !== true && !isBelow(path, '/api');
}

/** Counts what waits for, and what needs, the person who is shown a page. */
function countWaiting(
  waitingFor: (user: User) => Promise<number>,
  attentionFor: (user: User) => Promise<number>,
): PipelineStep {
  return async function showWaiting({ state }, next) {
    const user = state.caller?.by === 'person' ? state.caller.user : null;
    if (user !== null) [state.waiting, state.attention] = await Promise.all([waitingFor(user), attentionFor(user)]);
    return next();
  };
}
