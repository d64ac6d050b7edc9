import type { MessageAnswer, MessageExchange } from '#adapters/contracts/mcp-exchange.ts';
import type { Subscriptions } from '#adapters/mcp/changes/subscriptions.ts';
import type { Dispatcher } from '#adapters/mcp/protocol/dispatcher.ts';
import { type RpcRequest, readIncoming, rpcCodes, rpcError } from '#adapters/mcp/protocol/json-rpc.ts';
import type { ToolChoice } from '#adapters/mcp/protocol/tool-choice.ts';
import { modernVersion } from '#adapters/mcp/protocol/versions.ts';
import { answer, headerText, LazyLine, metaOf, versionMember } from '#adapters/mcp/transports/exchange.ts';
import { listenOverHttp } from '#adapters/mcp/transports/listen-over-http.ts';
import { isObject } from '#domain/json/json-data.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';

const capabilitiesMember = 'io.modelcontextprotocol/clientCapabilities';

/**
 * Serves Streamable HTTP of protocol 2026-07-28: one request per POST, each with its own envelope, and no session. Null
 * when answered on a stream, or when the client no longer waits.
 */
export async function modern(
  { dispatcher, subscriptions }: Readonly<{ dispatcher: Dispatcher; subscriptions: Subscriptions }>,
  exchange: MessageExchange,
  { value, choice }: Readonly<{ value: unknown; choice: ToolChoice }>,
): Promise<MessageAnswer | null> {
  const message = readIncoming(value);
  if (message.kind === 'invalid') return answer(400, message.error);
  if (message.kind === 'notification') return answer(202, null);
  if (message.kind === 'response') {
    return answer(
      400,
      rpcError(null, rpcCodes.invalidRequest, `Protocol ${modernVersion} has no responses of clients.`),
    );
  }
  const checked = check(message.request, exchange);
  if (!checked.ok) return checked.failure;
  if (message.request.method === 'subscriptions/listen') {
    return listenOverHttp(subscriptions, exchange, { request: message.request, choice });
  }
  const line = new LazyLine(exchange, message.request);
  const dispatched = dispatcher.dispatch(message.request, {
    user: exchange.user,
    era: 'modern',
    choice,
    channel: null,
    capabilities: checked.value,
    send: line.send,
  });
  exchange.onClose(dispatched.cancel);
  const answered = await dispatched.answer;
  return answered === null ? null : line.finish(statuses.get(answered.errorCode) ?? 200, answered.json);
}

/** The errors that have an HTTP status of their own; all others are answered with 200, like results. */
const statuses: ReadonlyMap<number, number> = new Map([
  [rpcCodes.methodNotFound, 404],
  [rpcCodes.headerMismatch, 400],
  [rpcCodes.missingCapability, 400],
  [rpcCodes.unsupportedVersion, 400],
]);

/** Checks that envelope and headers are valid and agree; returns the client's capabilities. */
function check(request: RpcRequest, { headers }: MessageExchange): Result<Record<string, unknown>, MessageAnswer> {
  const meta = metaOf(request);
  const { [versionMember]: version, [capabilitiesMember]: capabilities } = meta;
  const refuse = (code: number, message: string, data: Readonly<Record<string, unknown>> | null = null) =>
    err(answer(400, rpcError(request.id, code, message, data)));
  if (typeof version !== 'string') return refuse(rpcCodes.invalidParams, `_meta needs ${versionMember}.`);
  if (!isObject(capabilities)) return refuse(rpcCodes.invalidParams, `_meta needs ${capabilitiesMember}.`);
  for (const [name, expected] of expectedHeaders(request, version)) {
    const said = decoded(headerText(headers[name]));
    if (said === expected) continue;
    const how = said === undefined ? 'is missing or malformed' : 'is not what the body says';
    return refuse(rpcCodes.headerMismatch, `Header mismatch: ${name} ${how}.`);
  }
  if (version !== modernVersion) {
    const data = { supported: [modernVersion], requested: version };
    return refuse(rpcCodes.unsupportedVersion, `Unsupported protocol version: ${version.slice(0, 50)}`, data);
  }
  return ok(capabilities);
}

function expectedHeaders(
  { method, params = {} }: RpcRequest,
  version: string,
): readonly (readonly [string, unknown])[] {
  const name = method === 'resources/read' ? params['uri'] : params['name'];
  const isNamed = method === 'tools/call' || method === 'prompts/get' || method === 'resources/read';
  return [
    ['mcp-protocol-version', version],
    ['mcp-method', method],
    ...(isNamed && typeof name === 'string' ? [['mcp-name', name] as const] : []),
  ];
}

/** Decodes a header's value, which may be base64 of UTF-8 between markers (protocol 2026-07-28, Value Encoding). */
function decoded(value: string | undefined): string | undefined {
  const encoded = value === undefined ? null : /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/.exec(value);
  return encoded === null ? value : Buffer.from(encoded[1] ?? '', 'base64').toString();
}
