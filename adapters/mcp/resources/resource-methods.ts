import { RpcError, type RpcParams, rejectCursor, rpcCodes } from '#adapters/mcp/protocol/json-rpc.ts';
import type { MethodResults } from '#adapters/mcp/protocol/messages.ts';
import type { Method, MethodContext, Methods } from '#adapters/mcp/protocol/method.ts';
import type { ResourceEntry, ResourceSource } from '#adapters/mcp/resources/resource.ts';
import { checkAddress, maxWatched, watchedAddress } from '#adapters/mcp/resources/watched-address.ts';

/** The protocol's methods for resources over several sources; a page contains entries of one source only. */
export function resourceMethods(sources: readonly ResourceSource[]): Methods {
  const templates: Method<MethodResults['resources/templates/list']> = {
    isCacheable: true,
    run: (params, context) => {
      rejectCursor(params, 'the list of templates has one page');
      const shown = sources.filter((source) => source.isShownTo?.(context) ?? true);
      return { resourceTemplates: shown.flatMap((source) => source.templatesFor?.(context) ?? source.templates) };
    },
  };
  return {
    'resources/list': { isCacheable: true, run: (params, context) => list(sources, params, context) },
    'resources/templates/list': templates,
    'resources/read': { isCacheable: true, run: (params, context) => read(sources, uriOf(params), context) },
    'resources/subscribe': { era: 'legacy', run: (params, context) => subscribe(sources, uriOf(params), context) },
    'resources/unsubscribe': {
      era: 'legacy',
      run: (params, context) => {
        const uri = uriOf(params);
        context.channel?.unwatch(watchedAddress(sources, context, uri) ?? uri);
        return {};
      },
    },
  };
}

/** Lists one page. A cursor is the index of the source, a colon, and the source's own cursor. */
async function list(sources: readonly ResourceSource[], { cursor }: RpcParams, context: MethodContext) {
  const [, place = '0', rest = ''] = typeof cursor === 'string' ? (/^(\d+):(.*)$/s.exec(cursor) ?? [cursor, 'x']) : [];
  const resources: ResourceEntry[] = [];
  let own = rest === '' ? null : rest;
  for (let index = Number(place); index < sources.length; index += 1) {
    const page = await sources[index]?.list(context, own);
    if (page === null || page === undefined) break;
    resources.push(...page.entries);
    if (page.next !== null) return { resources, nextCursor: `${index}:${page.next}` };
    own = null;
    if (index === sources.length - 1) return { resources };
  }
  throw new RpcError(rpcCodes.invalidParams, 'Unknown cursor: pass the nextCursor of the previous page.');
}

async function read(sources: readonly ResourceSource[], uri: string, context: MethodContext) {
  for (const source of sources) {
    const contents = await source.read(context, uri);
    if (contents !== null) return { contents };
  }
  throw notFound(uri, context);
}

function notFound(uri: string, { era }: MethodContext): RpcError {
  const code = era === 'modern' ? rpcCodes.invalidParams : rpcCodes.resourceNotFound;
  return new RpcError(code, 'Resource not found', { uri });
}

function subscribe(sources: readonly ResourceSource[], uri: string, context: MethodContext): object {
  const { channel } = context;
  if (channel === null) {
    throw new RpcError(rpcCodes.methodNotFound, 'Subscriptions need a session, which this client does not have.');
  }
  const address = watchedAddress(sources, context, checkAddress(uri));
  if (address === null) throw notFound(uri, context);
  if (channel.watches >= maxWatched && channel.watchedAs(address) === undefined) {
    throw new RpcError(rpcCodes.invalidRequest, `A session may watch ${maxWatched} resources.`);
  }
  channel.watch(address, uri);
  return {};
}

function uriOf({ uri }: RpcParams): string {
  if (typeof uri !== 'string') throw new RpcError(rpcCodes.invalidParams, 'The parameter uri must be a text.');
  return uri;
}
