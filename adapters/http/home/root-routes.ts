import { Buffer } from 'node:buffer';
import type { MessageEndpoint } from '#adapters/contracts/mcp-exchange.ts';
import { refuse } from '#adapters/http/answers/refuse.ts';
import { type McpOptions, mcpActions, readMessage, refusalUnless, route } from '#adapters/http/mcp-routes.ts';
import { isPageAtRoot } from '#adapters/http/requests/own-page.ts';
import type { ProgramRoute } from '#adapters/http/route.ts';
import type { Visit } from '#adapters/http/visit.ts';

/**
 * The routes of the root `/`: `/message` by another name for requests that speak MCP (MCP-029); for browsers a redirect
 * to the home page (PAGE-011).
 */
export function rootRoutes(
  endpoint: MessageEndpoint,
  { mayCall = () => true, ...streams }: McpOptions = {},
): readonly ProgramRoute[] {
  const { answer, stream, end, maxMessageBytes } = mcpActions(endpoint, streams);
  const post = async (ctx: Visit): Promise<void> => {
    if (!isJson(ctx)) return refuseMethod(ctx);
    const body = await readMessage(ctx, maxMessageBytes);
    if (body === null) return undefined;
    return speaksRpc(body) ? answer(ctx, body) : refuseMethod(ctx);
  };
  return [
    route('GET', '/', (ctx) => (isPageAtRoot(ctx) ? toHome(ctx) : stream(ctx))),
    { ...route('POST', '/', post), refusal: refusalUnless(mayCall) },
    route('DELETE', '/', (ctx) => (ctx.get('Mcp-Session-Id') === '' ? refuseMethod(ctx) : end(ctx))),
  ];
}

function isJson(ctx: Visit): boolean {
  return /^application\/(?:[\w.-]+\+)?json\b/i.test(ctx.get('Content-Type'));
}

/** Whether a body is meant as JSON-RPC, also if it is not valid. */
function speaksRpc(body: Uint8Array): boolean {
  return Buffer.from(body.buffer, body.byteOffset, body.byteLength).includes('"jsonrpc"');
}

function refuseMethod(ctx: Visit): void {
  ctx.set('Allow', 'GET, HEAD');
  refuse(ctx, { status: 405, error: 'method_not_allowed', description: 'This address allows GET, HEAD.' });
}

function toHome(ctx: Visit): void {
  ctx.status = 303;
  ctx.set('Location', '/floki/index');
  ctx.body = '';
}
