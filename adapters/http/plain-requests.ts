import { randomUUID } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { credentialsOf } from '#adapters/http/middleware/credentials.ts';
import { hostJudge, isCorsPath, type OriginRules } from '#adapters/http/middleware/origin-guard.ts';
import type { Refusal } from '#adapters/http/middleware/refuse.ts';
import { brokenHere, logRequest } from '#adapters/http/middleware/request-edge.ts';
import type { Header } from '#adapters/http/middleware/security-headers.ts';
import { faultOfRequest } from '#adapters/http/middleware/well-formed.ts';
import type { PlainVisit, Route } from '#adapters/http/route.ts';
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
  const credentials = credentialsOf(request.headers);
  const identified = credentials.bearer === null ? null : await identifyCaller.run(credentials);
  if (identified?.ok !== true || (!isGranted && isLimited(identified.value.user))) {
    otherwise(request, response);
    return;
  }
  const { user } = identified.value;
  const requestId = randomUUID();
  logger.debug({ requestId, userId: user.id }, 'Session accepted');
  const visit: PlainVisit = { request, response, user, head: [...head, 'X-Request-Id', requestId] };
  const { method = '' } = request;
  try {
    await run(visit);
  } catch (error) {
    logger.error({ requestId, method, path, err: error }, 'Request failed');
    if (response.headersSent) response.destroy();
    else answerBroken(visit, brokenHere(requestId));
  }
  logRequest(logger, { requestId, method, path, status: response.statusCode, started });
}

function answerBroken({ response, head }: PlainVisit, { status, error, description }: Refusal): void {
  response
    .writeHead(status, [...head, 'Content-Type', 'application/json; charset=utf-8'])
    .end(JSON.stringify({ error, error_description: description }));
}
