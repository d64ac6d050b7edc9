import { StillReading } from '#adapters/vault-folder/index/first-read.ts';
import {
  type Answer,
  content,
  json,
  notFound,
  refuse,
  refuseStatus,
  withHeaders,
} from '#adapters/vault-folder/routes/answer.ts';
import { openapiYaml } from '#adapters/vault-folder/routes/openapi.ts';
import type { VaultRoute } from '#adapters/vault-folder/routes/vault-route.ts';
import type { Logger } from '#application/ports/logger.ts';
import { equalTo } from '#domain/shared/equal.ts';
import { type Awaitable, andThen } from '#domain/shared/result.ts';
import { errorCode } from '#infrastructure/files/error-code.ts';

/** The options of the handler. */
export type VaultHandlerOptions = Readonly<{
  routes: readonly VaultRoute[];
  apiKey: string;
  logger: Logger;
  /** The maximum size of a body, in bytes. */
  bodyLimit: number;
  /** Returns why the folder cannot be used now, as sentences; null when it can. */
  trouble?: () => string | null;
}>;

/** A call of the vault's REST interface, over a socket or in process. */
export type VaultCall = Readonly<{
  method: string;
  /** Path and query as sent, percent-encoded. */
  target: string;
  /** Returns a header's value by its lower-cased name. */
  header(name: string): string | undefined;
  /** Reads the body, after the call has been authenticated and routed. Null when it exceeds `limit` bytes. */
  body(limit: number): Awaitable<Buffer | null>;
}>;

/** Answers a call, synchronously when there is nothing to wait for; never throws. */
export type VaultHandler = (call: VaultCall) => Awaitable<Answer>;

/** The version of the REST interface, as reported by `GET /`; independent of Portolan's version. */
const interfaceVersion = '1.0.0';

/**
 * Builds the handler of the vault's REST interface, for calls over a socket or in process. Every route except `GET /`
 * requires the key.
 */
export function vaultHandler({
  routes,
  apiKey,
  logger,
  bodyLimit,
  trouble = () => null,
}: VaultHandlerOptions): VaultHandler {
  const isKey = equalTo(`Bearer ${apiKey}`);
  const matchers = Map.groupBy(
    routes.map((route) => ({ route, expression: expressionOf(route.pattern) })),
    ({ route }): string => route.method,
  );
  let openapi: string | null = null;

  const answer = (call: VaultCall): Awaitable<Answer> => {
    const isAuthenticated = isKey(call.header('authorization') ?? '');
    const method = call.method === 'HEAD' ? 'GET' : call.method;
    const { path, search } = partsOf(call.target);
    if (method === 'GET' && path === '/') return status(isAuthenticated);
    if (!isAuthenticated) return refuse(40101);
    if (method === 'GET' && path === '/openapi.yaml') {
      openapi ??= openapiYaml(routes, interfaceVersion);
      return content(openapi, 'application/yaml; charset=utf-8');
    }
    const away = trouble();
    if (away !== null) return refuseStatus(503, away);
    for (const { route, expression } of matchers.get(method) ?? []) {
      const match = expression.exec(path);
      if (match === null) continue;
      const encoding = call.header('content-encoding') ?? '';
      if (encoding !== '' && encoding !== 'identity')
        return refuseStatus(415, `The encoding '${encoding}' is not read here.`);
      const query = search === '' ? noQuery : new URLSearchParams(search);
      return andThen(call.body(bodyLimit), (body) => {
        if (body === null) return refuseStatus(413, `A body may have ${bodyLimit} bytes at most.`);
        return route.run({ method, path, query, header: call.header, body }, match.groups ?? {});
      });
    }
    return notFound();
  };

  const broken = (error: unknown, method: string): Answer => {
    if (error instanceof StillReading)
      return withHeaders(refuseStatus(503, error.message), { 'retry-after': String(error.retryAfterS) });
    const isAborted = errorCode(error) === 'ECONNABORTED' || errorCode(error) === 'ECONNRESET';
    if (isAborted) logger.debug({ method }, 'A caller of the vault went away');
    else logger.error({ err: error, method }, 'A request to the vault failed');
    return refuseStatus(500, 'The vault failed; its log says why.');
  };

  return (call) => {
    try {
      const answered = answer(call);
      return answered instanceof Promise ? answered.catch((error: unknown) => broken(error, call.method)) : answered;
    } catch (error) {
      return broken(error, call.method);
    }
  };
}

const noQuery = new URLSearchParams();

/** Splits a request target, which may be in absolute form (RFC 9112 §3.2.2), into path and query. */
function partsOf(target: string): Readonly<{ path: string; search: string }> {
  const local = target.startsWith('/') ? target : target.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '');
  const fragment = local.indexOf('#');
  const beforeFragment = fragment === -1 ? local : local.slice(0, fragment);
  const at = beforeFragment.indexOf('?');
  const path = at === -1 ? beforeFragment : beforeFragment.slice(0, at);
  return { path: path === '' ? '/' : path, search: at === -1 ? '' : beforeFragment.slice(at + 1) };
}

function status(isAuthenticated: boolean): Answer {
  return json({
    status: 'OK',
    manifest: { id: 'embedded-vault', name: 'Embedded vault', version: interfaceVersion },
    versions: { vault: interfaceVersion, self: interfaceVersion },
    service: 'Portolan embedded vault',
    authenticated: isAuthenticated,
  });
}

/** Compiles '/a/{b}/{+c}' to a regular expression with named groups; a final slash is optional. */
function expressionOf(pattern: string): RegExp {
  const source = pattern
    .replace(/\/$/, '/?')
    .replaceAll('.', '\\.')
    .replaceAll(/\{\+(\w+)\}/g, '(?<$1>.*)')
    .replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)');
  return new RegExp(`^${source}$`, 's');
}
