import { type Answer, content, failureAnswer, json, problemAnswer, refuse } from '#adapters/vault-rest/answer.ts';
import { openapiYaml } from '#adapters/vault-rest/openapi.ts';
import { routesOf } from '#adapters/vault-rest/routes.ts';
import type { Logger } from '#application/ports/logger.ts';
import { bodyTooLarge, type Vault } from '#application/vault/vault.ts';
import type { VaultGuard } from '#application/vault/vault-guard.ts';
import { vaultInfo } from '#application/vault/vault-info.ts';
import { equalTo } from '#domain/shared/equal.ts';
import { queryFields } from '#domain/shared/query-fields.ts';
import { type Awaitable, andThen } from '#domain/shared/result.ts';

/** The options of the handler. */
export type VaultHandlerOptions = Readonly<{
  vault: Vault;
  guard: VaultGuard;
  /** The bearer key that every route except `GET /` requires. */
  apiKey: string;
  logger: Logger;
}>;

/** A call of the vault's REST interface. */
export type VaultCall = Readonly<{
  method: string;
  /** Path and query as sent, percent-encoded. */
  target: string;
  /** Returns a header's value by its lower-cased name. */
  header(name: string): string | undefined;
  /** Reads the body, after the call has been authenticated and routed. Null when it exceeds `limit` bytes. */
  body(limit: number): Awaitable<Buffer | null>;
}>;

/** Answers a call; never throws. */
export type VaultHandler = (call: VaultCall) => Promise<Answer>;

/** Builds the handler of the vault's REST interface. Every route except `GET /` requires the key (EMB-012). */
export function vaultHandler({ vault, guard, apiKey, logger }: VaultHandlerOptions): VaultHandler {
  const isKey = equalTo(`Bearer ${apiKey}`);
  const routes = routesOf(vault);
  const matchers = Map.groupBy(
    routes.map((route) => ({ route, expression: expressionOf(route.pattern) })),
    ({ route }): string => route.method,
  );

  const answer = (call: VaultCall): Awaitable<Answer> => {
    const isAuthenticated = isKey(call.header('authorization') ?? '');
    const method = call.method === 'HEAD' ? 'GET' : call.method;
    const { path, search } = partsOf(call.target);
    if (method === 'GET' && path === '/') return json(vaultInfo(isAuthenticated));
    if (!isAuthenticated) return refuse(40101);
    if (method === 'GET' && path === '/openapi.yaml')
      return content(openapiYaml(routes), 'application/yaml; charset=utf-8');
    for (const { route, expression } of matchers.get(method) ?? []) {
      const match = expression.exec(path);
      if (match === null) continue;
      const encoding = call.header('content-encoding') ?? '';
      if (encoding !== '' && encoding !== 'identity') return unreadEncoding(encoding);
      const query = search === '' ? noQuery : queryFields(search);
      return andThen(call.body(vault.maxBody), (body) => {
        if (body === null) return failureAnswer(bodyTooLarge(vault.maxBody));
        const request = { method, path, query, header: call.header, body };
        return guard.enter(() => route.run(request, match.groups ?? {}), problemAnswer);
      });
    }
    return failureAnswer({ reason: 'not_found' });
  };

  return async (call) => {
    try {
      return await answer(call);
    } catch (error) {
      // Only the body can fail here: its sender went away.
      logger.debug({ err: error, method: call.method }, 'A caller of the vault went away');
      return failureAnswer({ reason: 'failed' });
    }
  };
}

const unreadEncoding = (encoding: string): Answer =>
  problemAnswer({
    errorCode: 41500,
    message: `Unsupported Media Type\nThe encoding '${encoding}' is not read here.`,
  });

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

/** Compiles '/a/{b}/{+c}' to a regular expression with named groups; a final slash is optional. */
function expressionOf(pattern: string): RegExp {
  const source = pattern
    .replace(/\/$/, '/?')
    .replaceAll('.', '\\.')
    .replaceAll(/\{\+(\w+)\}/g, '(?<$1>.*)')
    .replaceAll(/\{(\w+)\}/g, '(?<$1>[^/]+)');
  return new RegExp(`^${source}$`, 's');
}
