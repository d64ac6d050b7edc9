import { Readable } from 'node:stream';
import { sendFailure } from '#adapters/http/answers/problem.ts';
import { refuse } from '#adapters/http/answers/refuse.ts';
import { userOf } from '#adapters/http/middleware/authentication.ts';
import { inputReader, type Texts } from '#adapters/http/requests/operation-input.ts';
import { takeAskedParameters } from '#adapters/http/rest/asked-parameters.ts';
import { openUpload, type UnknownKind } from '#adapters/http/rest/uploads.ts';
import type { ProgramRoute, Route, RouteContext } from '#adapters/http/route.ts';
import type { Visit } from '#adapters/http/visit.ts';
import type { RunOperationFor } from '#application/operations/run-operation.ts';
import type { OperationCatalog, OperationInfo } from '#application/ports/operation-catalog.ts';
import { missingScope, scopeChallenge } from '#domain/oauth/scope-challenge.ts';
import { type FileContent, isFileContent } from '#domain/operations/file-content.ts';
import type { Outcome } from '#domain/operations/outcome.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { User } from '#domain/users/user.ts';
import { allowUpload, discardRest } from '#infrastructure/http/server-bodies.ts';
import { lazy } from '#infrastructure/memory/lazy.ts';

type Addressed = OperationInfo & { route: NonNullable<OperationInfo['route']> };

/**
 * The REST routes of all operations, `/api/{service}/…` (REST-001), the most specific path first. With `metadataUrl`,
 * the address of this server's metadata, the answer to a call that lacks a scope names it.
 */
export function operationRoutes(
  catalog: OperationCatalog,
  run: RunOperationFor,
  metadataUrl: string | null = null,
): readonly Route[] {
  const { keys } = catalog.names;
  return catalog.operations
    .filter((operation): operation is Addressed => operation.route !== null)
    .map((operation) => ({ operation, rank: rankOf(operation.route.path) }))
    .sort((left, right) => (left.rank < right.rank ? -1 : Number(left.rank > right.rank)))
    .map(({ operation }) => routeOf(operation, run, challengesOf(operation, keys, metadataUrl)));
}

/** Builds the WWW-Authenticate header for a user's call of an operation; null where another scope would not help. */
type Challenges = (user: User) => string | null;

function challengesOf(
  { service, effect }: Addressed,
  all: readonly ServiceKey[],
  metadataUrl: string | null,
): Challenges {
  if (metadataUrl === null) return () => null;
  return (user) => {
    const scope = missingScope(user, { service, isReading: effect === 'read' }, all);
    return scope === null ? null : scopeChallenge(scope, metadataUrl);
  };
}

function routeOf(operation: Addressed, run: RunOperationFor, challengeFor: Challenges): Route | ProgramRoute {
  const { method } = operation.route;
  const reader = lazy(() => inputReader(operation.inputSchema));
  const { service, name, upload, isFile } = operation;
  const place = {
    method,
    path: `/api/${service}${routerPath(operation.route.path)}`,
    who: 'granted',
    hasQuery: true,
  } as const;
  const takesAsked = operation.effect !== 'read';
  const applySteps = async (visit: Visit, body: unknown, texts?: Texts): Promise<Outcome> => {
    const input = reader()(visit, body, texts);
    const signal = abortedWith(visit);
    if (!takesAsked) return run(userOf(visit), { service, name, input, signal });
    const taken = takeAskedParameters(operation, input, visit);
    if (!taken.ok) return taken.failure;
    return run(userOf(visit), { service, name, ...taken.value, signal });
  };
  const challenge = (visit: Visit, outcome: Outcome | UnknownKind): void => {
    const text = outcome.ok || outcome.reason !== 'forbidden' ? null : challengeFor(userOf(visit));
    if (text !== null) visit.set('WWW-Authenticate', text);
  };
  if (method === 'GET' && upload === null && !isFile) {
    // Programs read frequently, and a read needs only a `Visit`: it is served beneath Koa.
    const read = async (visit: Visit): Promise<void> => {
      const outcome = await applySteps(visit, {});
      challenge(visit, outcome);
      answer(visit, outcome);
    };
    return { ...place, body: 'none', isProgram: true, run: read };
  }
  const isBodyless = method === 'GET' || method === 'DELETE' || upload !== null;
  const runWithBody = async (ctx: RouteContext): Promise<void> => {
    const apply = (body: unknown, texts?: Texts): Promise<Outcome> => applySteps(ctx, body, texts);
    const outcome = upload === null ? await apply(ctx.request.body) : await runUpload(ctx, upload, apply);
    challenge(ctx, outcome);
    if (outcome.ok && isFileContent(outcome.data)) sendFile(ctx, outcome.data);
    else answer(ctx, outcome);
  };
  return { ...place, body: isBodyless ? 'none' : 'json', run: runWithBody };
}

/** Runs an upload while its body arrives. An error in the body takes precedence over the operation's outcome. */
async function runUpload(
  ctx: RouteContext,
  input: string,
  applySteps: (body: unknown, texts: Texts) => Promise<Outcome>,
): Promise<Outcome | UnknownKind> {
  allowUpload(ctx.req);
  const opened = await openUpload(ctx, input);
  if (!opened.ok) return opened;
  const { body, texts, error, close } = opened.data;
  try {
    const outcome = await applySteps(body, texts);
    return error() ?? outcome;
  } finally {
    close();
  }
}

/**
 * Ranks static segments before parameters, and parameters before wildcards, so that `/notes` is not taken for
 * `/{module}`.
 */
function rankOf(path: string): string {
  return path
    .split('/')
    .map((segment) => (segment.startsWith('{+') ? '2' : segment.startsWith('{') ? '1' : '0'))
    .join('');
}

/** Converts `{id}` to `:id` and `{+path}` to `*path`. */
function routerPath(path: string): string {
  return path.replaceAll(/\{\+([^{}]+)\}/g, '*$1').replaceAll(/\{([^{}]+)\}/g, ':$1');
}

/** An abort signal for the outbound request that fires when the caller disconnects. */
function abortedWith({ res }: Visit): AbortSignal {
  const controller = new AbortController();
  res.once('close', () => {
    if (!res.writableFinished) controller.abort();
  });
  return controller.signal;
}

function answer(ctx: Visit, outcome: Outcome | UnknownKind): void {
  if (outcome.ok) {
    const { data, pagination, warnings, revision, path } = outcome;
    ctx.status = 200;
    ctx.body = {
      data: data ?? null,
      ...(pagination === undefined ? {} : { pagination }),
      ...(warnings === undefined ? {} : { warnings }),
      ...(revision === undefined ? {} : { revision }),
      ...(path === undefined ? {} : { path }),
    };
    return;
  }
  if (outcome.reason !== 'unsupported') {
    sendFailure(ctx, outcome);
    return;
  }
  discardRest(ctx.req);
  refuse(ctx, { status: 415, error: 'unsupported_media_type', description: outcome.message });
}

/** Streams a file as a download, never inline, so that no browser renders it as a page of this server. */
function sendFile(ctx: RouteContext, file: FileContent): void {
  ctx.attachment(file.name);
  ctx.type = file.mediaType;
  ctx.set('X-Content-Type-Options', 'nosniff');
  if (file.size !== null) ctx.length = file.size;
  ctx.body = Readable.from(file.bytes, { objectMode: false });
}
