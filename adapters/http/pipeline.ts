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
import { traceRequests } from '#adapters/http/middleware/trace-requests.ts';
import { authenticateUnrouted, methodRejection, type RoutesAt } from '#adapters/http/middleware/unrouted.ts';
import { resourceMetadataUrl } from '#adapters/http/oauth/well-known-routes.ts';
import type { Route, RouteOf } from '#adapters/http/route.ts';
import { serveStaticFiles } from '#adapters/http/static-files.ts';
import type { PipelineStep, Visit } from '#adapters/http/visit.ts';
import type { Logger } from '#application/ports/logger.ts';
import type { Tracer } from '#application/ports/tracer.ts';
import type { IdentifyCaller } from '#application/session/identify-caller.ts';

/** The pipeline's settings on how the server is reached. */
export type PipelineSettings = HostRules & OriginRules & Readonly<{ oauthMetadata: boolean }>;

/** The pipeline's dependencies: authentication, and the log. */
export type PipelineDependencies = Readonly<{
  identifyCaller: IdentifyCaller;
  logger: Logger;
  /** Null or absent when tracing is off. */
  tracer?: Tracer | null;
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
}: PipelineDependencies): Pipeline {
  const { baseUrl, oauthMetadata } = settings;
  const metadataUrlOf = oauthMetadata ? (path: string) => resourceMetadataUrl(baseUrl, path) : null;
  const authenticate = authentication({ identifyCaller, logger, metadataUrlOf });
  const findVisitor = visitorFinder(identifyCaller);
  const entryTo = (route: Pick<Route, 'who' | 'permission'>): readonly PipelineStep[] => {
    if (route.who === 'public') return [];
    return route.who === 'visitor' ? [findVisitor] : [authenticate, ...admission(route)];
  };
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
      route.run,
    ],
    elsewhere: (routesAt) => [authenticateUnrouted(routesAt, authenticate), methodRejection(routesAt)],
  };
}
