import { sendFailure } from '#adapters/http/answers/problem.ts';
import { refuse } from '#adapters/http/answers/refuse.ts';
import { sendFile } from '#adapters/http/answers/send-file.ts';
import { userOf } from '#adapters/http/middleware/authentication.ts';
import { parametersOf, type Route, type RouteContext } from '#adapters/http/route.ts';
import { openUpload, type UnknownKind } from '#adapters/http/uploads.ts';
import type { RunOperationFor } from '#application/operations/run-operation.ts';
import type { JsonObjectSchema, OperationCatalog, OperationInfo } from '#application/ports/operation-catalog.ts';
import { missingScope, scopeChallenge } from '#domain/oauth/scope-challenge.ts';
import { isFileContent } from '#domain/operations/file-content.ts';
import type { Outcome } from '#domain/operations/outcome.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { User } from '#domain/users/user.ts';
import { discardRest } from '#infrastructure/http/server-bodies.ts';
import { lazy } from '#infrastructure/memory/lazy.ts';

type Addressed = OperationInfo & { route: NonNullable<OperationInfo['route']> };

/**
 * The REST routes of all operations, `/api/{service}/…` (REST-001), the most specific path first. With `metadataUrl`,
 * the address of this server's metadata, a call that lacks a scope is told which one.
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

function routeOf(operation: Addressed, run: RunOperationFor, challengeFor: Challenges): Route {
  const { method, path } = operation.route;
  const reader = lazy(() => inputReader(operation.inputSchema));
  const { service, name, upload } = operation;
  const isBodyless = method === 'GET' || method === 'DELETE' || upload !== null;
  return {
    method,
    path: `/api/${service}${routerPath(path)}`,
    access: 'granted',
    body: isBodyless ? 'none' : 'json',
    run: async (ctx) => {
      const applySteps = (body: unknown, texts?: Texts): Promise<Outcome> =>
        run(userOf(ctx), { service, name, input: reader()(ctx, body, texts), signal: abortedWith(ctx) });
      const outcome = upload === null ? await applySteps(ctx.request.body) : await runUpload(ctx, upload, applySteps);
      const challenge = outcome.ok || outcome.reason !== 'forbidden' ? null : challengeFor(userOf(ctx));
      if (challenge !== null) ctx.set('WWW-Authenticate', challenge);
      return answer(ctx, outcome);
    },
  };
}

/** Runs an upload while its body arrives. An error in the body takes precedence over the operation's outcome. */
async function runUpload(
  ctx: RouteContext,
  input: string,
  applySteps: (body: unknown, texts: Texts) => Promise<Outcome>,
): Promise<Outcome | UnknownKind> {
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
  return path.replaceAll(/\{\+([^}]+)\}/g, '*$1').replaceAll(/\{([^}]+)\}/g, ':$1');
}

/** Inputs that arrive as text: fields of a form. */
type Texts = Readonly<Record<string, string>>;

/**
 * Builds the reader of a call's input. Query, path and form fields are text, converted to numbers or booleans by the
 * schema. Path takes precedence over body, body over query.
 */
function inputReader(schema: JsonObjectSchema): (ctx: RouteContext, body: unknown, texts?: Texts) => unknown {
  const properties: unknown = schema['properties'];
  const readers = new Map(
    Object.entries(typeof properties === 'object' && properties !== null ? properties : {}).map(([name, property]) => [
      name,
      textReader(property),
    ]),
  );
  const readText = (values: Iterable<readonly [string, unknown]>) =>
    Object.fromEntries([...values].map(([name, value]) => [name, readers.get(name)?.(value) ?? value]));
  return (ctx, body = {}, texts = {}) => {
    if (typeof body !== 'object' || body === null || Array.isArray(body)) return body;
    const [query, fields, path] = [ctx.query, texts, parametersOf(ctx)].map((given) => readText(Object.entries(given)));
    return { ...query, ...fields, ...body, ...path };
  };
}

/**
 * Converts a text to the type of the property's schema; leaves it unchanged when it does not parse. Of several
 * branches, the first that parses it applies.
 */
function textReader(property: unknown): (value: unknown) => unknown {
  if (typeof property === 'object' && property !== null && 'anyOf' in property && Array.isArray(property.anyOf)) {
    const readers = property.anyOf.map(textReader);
    return (value) => readers.map((read) => read(value)).find((read) => read !== value) ?? value;
  }
  const type = typeof property === 'object' && property !== null && 'type' in property ? property.type : undefined;
  if (type === 'integer' || type === 'number') {
    return (value) =>
      typeof value === 'string' && value.trim() !== '' && Number.isFinite(Number(value)) ? Number(value) : value;
  }
  if (type === 'boolean') return (value) => (value === 'true' ? true : value === 'false' ? false : value);
  if (type === 'array') {
    const items = typeof property === 'object' && property !== null && 'items' in property ? property.items : undefined;
    const readItem = textReader(items);
    return (value) => {
      const items = typeof value === 'string' ? listIn(value) : value;
      return Array.isArray(items) ? items.map(readItem) : items;
    };
  }
  if (type === 'object') return (value) => (typeof value === 'string' ? parsedOr(value) : value);
  return (value) => value;
}

/** Parses a list in a text: as JSON, else comma-separated. */
function listIn(text: string): unknown {
  const parsed = text.trimStart().startsWith('[') ? parsedOr(text) : null;
  return Array.isArray(parsed) ? parsed : text.split(',');
}

/** Parses JSON in a text, such as a filter; invalid JSON stays text, which input validation then reports. */
function parsedOr(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** An abort signal for the outbound request that fires when the caller disconnects. */
function abortedWith(ctx: RouteContext): AbortSignal {
  const controller = new AbortController();
  ctx.res.once('close', () => {
    if (!ctx.res.writableFinished) controller.abort();
  });
  return controller.signal;
}

function answer(ctx: RouteContext, outcome: Outcome | UnknownKind): void {
  if (outcome.ok && isFileContent(outcome.data)) {
    sendFile(ctx, outcome.data);
    return;
  }
  if (outcome.ok) {
    const { data, pagination, warnings } = outcome;
    ctx.body = {
      data: data ?? null,
      ...(pagination === undefined ? {} : { pagination }),
      ...(warnings === undefined ? {} : { warnings }),
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
