import { answerErrors } from '#adapters/http/middleware/answer-errors.ts';
import { authentication, refuseLimited } from '#adapters/http/middleware/authentication.ts';
import { logRequests } from '#adapters/http/middleware/log-request.ts';
import { nameRequest } from '#adapters/http/middleware/name-request.ts';
import {
  answerCors,
  type HostRules,
  hostGuard,
  type OriginRules,
  originGuard,
} from '#adapters/http/middleware/origin-guard.ts';
import { bodyRefusal } from '#adapters/http/middleware/read-body.ts';
import { securityHeaders } from '#adapters/http/middleware/security-headers.ts';
import { authenticateUnrouted, methodRefusal, type RoutesAt } from '#adapters/http/middleware/unrouted.ts';
import { refuseMalformed } from '#adapters/http/middleware/well-formed.ts';
import type { RouteOf } from '#adapters/http/route.ts';
import { serveStaticFiles } from '#adapters/http/static-files.ts';
import type { PipelineStep, Visit } from '#adapters/http/visit.ts';
import type { Logger } from '#application/ports/logger.ts';
import type { IdentifyCaller } from '#application/session/identify-caller.ts';

/** The pipeline's settings on where the server is reached. */
export type PipelineSettings = HostRules & OriginRules & Readonly<{ oauthMetadata: boolean }>;

/** The pipeline's dependencies: authentication, and the log. */
export type PipelineDependencies = Readonly<{
  identifyCaller: IdentifyCaller;
  logger: Logger;
  settings: PipelineSettings;
}>;

/** The steps of a request: the common ones, and then those of its route, or of an address without one. */
export type Pipeline = Readonly<{
  always: readonly PipelineStep[];
  to<V extends Visit>(route: RouteOf<V>, reading: readonly PipelineStep<V>[]): readonly PipelineStep<V>[];
  elsewhere(routesAt: RoutesAt): readonly PipelineStep[];
}>;

/** Runs every HTTP request through these steps, from top to bottom, whatever they are mounted on (EDGE-010). There is no other way in. */
export function pipeline({ identifyCaller, logger, settings }: PipelineDependencies): Pipeline {
  const metadataUrl = settings.oauthMetadata ? `${settings.baseUrl}/.well-known/oauth-protected-resource` : null;
  const authenticate = authentication({ identifyCaller, logger, metadataUrl });
  return {
    always: [
      nameRequest,
      securityHeaders({ isHttps: settings.baseUrl.startsWith('https:') }),
      logRequests(logger),
      answerErrors(logger),
      refuseMalformed,
      serveStaticFiles,
      hostGuard(settings),
      originGuard(settings),
      answerCors,
    ],
    to: (route, reading) => [
      ...reading,
      ...(route.access === 'public' ? [] : [authenticate]),
      ...(route.access === 'protected' ? [refuseLimited] : []),
      ...(route.body === 'none' ? [] : [bodyRefusal(route.refuseBody)]),
      answerWith(route),
    ],
    elsewhere: (routesAt) => [authenticateUnrouted(routesAt, authenticate), methodRefusal(routesAt)],
  };
}

function answerWith<V extends Visit>({ run }: RouteOf<V>): PipelineStep<V> {
  const answer: PipelineStep<V> = (visit) => run(visit);
  return answer;
}
