import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { credentialsOf } from '#adapters/http/middleware/credentials.ts';
import { hostJudge, isCorsPath, type OriginRules } from '#adapters/http/middleware/origin-guard.ts';
import { answerFor, logRequest, logThrown, type ThrownAnswer } from '#adapters/http/middleware/request-edge.ts';
import type { Header } from '#adapters/http/middleware/security-headers.ts';
import { faultOfRequest } from '#adapters/http/middleware/well-formed.ts';
import type { Route } from '#adapters/http/route.ts';
import type { Logger } from '#application/ports/logger.ts';
import type { IdentifyCaller } from '#application/session/identify-caller.ts';
import { isLimited } from '#domain/users/user.ts';

/** What plain requests are answered with. */
export type PlainParts = Readonly<{
  routes: readonly Route[];
  headers: readonly Header[];
  rules: OriginRules;
  identifyCaller: IdentifyCaller;
  logger: Logger;
}>;

/** A route that answers plain requests, and the headers of all its answers, name and value in turns. */
type PlainRoute = Readonly<{
  path: string;
  isGranted: boolean;
  run: NonNullable<Route['runPlain']>;
  head: readonly string[];
}>;

/**
 * Answers plain requests past Koa, whose context costs more than a whole answer of ours: those of programs, to routes that have
 * `runPlain`, well-formed, by a name of ours, from no browser, with a bearer token that counts there. All others, and so all refusals,
 * are left to `otherwise` untouched, and what a plain request meets there on its way is the same here.
 */
export function plainRequests(parts: PlainParts, otherwise: RequestListener): RequestListener {
  const routes = plainRoutes(parts);
  const isHostOurs = hostJudge(parts.rules);
  return (request, response) => {
    const route = isPlain(request, isHostOurs) ? routes.get(`${request.method} ${pathOf(request)}`) : undefined;
    if (route === undefined) otherwise(request, response);
    else void answer(parts, route, { request, response, otherwise });
  };
}

function plainRoutes({ routes, headers }: PlainParts): ReadonlyMap<string, PlainRoute> {
  const plain = routes.flatMap(({ method, path, access, runPlain: run }) => {
    if (run === undefined || access === 'public') return [];
    const head = [...headers.flat(), ...(isCorsPath(path) ? ['Vary', 'Origin'] : [])];
    return [[`${method} ${path}`, { path, isGranted: access === 'granted', run, head }] as const];
  });
  return new Map(plain);
}

/** Whether nothing about the request but its token has to be judged. A name that a proxy hands on is Koa's to judge. */
function isPlain(request: IncomingMessage, isHostOurs: (host: string) => boolean): boolean {
  // First of all, since it settles which host is asked for.
  const fault = faultOfRequest(request);
  const { host, origin, authorization, 'x-forwarded-host': forwarded } = request.headers;
  return (
    fault === null &&
    authorization !== undefined &&
    host !== undefined &&
    origin === undefined &&
    forwarded === undefined &&
    isHostOurs(host)
  );
}

function pathOf({ url = '' }: IncomingMessage): string {
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
}

type Exchange = Readonly<{ request: IncomingMessage; response: ServerResponse; otherwise: RequestListener }>;

async function answer(
  { identifyCaller, logger }: PlainParts,
  { path, isGranted, run, head }: PlainRoute,
  { request, response, otherwise }: Exchange,
): Promise<void> {
  const started = performance.now();
  const requestId = randomUUID();
  const ownHead = [...head, 'X-Request-Id', requestId];
  const { method = '' } = request;
  try {
    const credentials = credentialsOf(request.headers);
    const identified = credentials.bearer === null ? null : await identifyCaller.run(credentials);
    if (identified?.ok !== true || (!isGranted && isLimited(identified.value.user))) {
      otherwise(request, response);
      return;
    }
    const { user } = identified.value;
    logger.debug({ requestId, userId: user.id }, 'Session accepted');
    await run({ request, response, user, head: ownHead });
  } catch (error) {
    logThrown(logger, error, { requestId, method, path });
    if (response.headersSent) response.destroy();
    else answerThrown(response, ownHead, answerFor(error, requestId));
  }
  logRequest(logger, { requestId, method, path, status: response.statusCode, started });
}

function answerThrown(response: ServerResponse, head: readonly string[], answer: ThrownAnswer): void {
  const { status, error, description, retryAfterS } = answer;
  const later = retryAfterS === undefined ? [] : ['Retry-After', String(retryAfterS)];
  response
    .writeHead(status, [...head, ...later, 'Content-Type', 'application/json; charset=utf-8'])
    .end(JSON.stringify({ error, error_description: description }));
}
