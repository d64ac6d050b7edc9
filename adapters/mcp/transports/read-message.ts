import { type Incoming, isObject, readIncoming, rpcCodes, rpcError } from '#adapters/mcp/protocol/json-rpc.ts';
import { legacyVersions, unsaidVersion } from '#adapters/mcp/protocol/versions.ts';
import { answer, type MessageAnswer, type MessageExchange } from '#adapters/mcp/transports/exchange.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';

/** A parsed body: one message, or a batch in its order. */
export type Body = Readonly<{ isBatch: boolean; messages: readonly Incoming[] }>;

/** The maximum number of messages in a batch: a limit of this server, not of the protocol. */
export const maxBatchLength = 100;

/** The last revision of the protocol that has batches (2025-06-18 removed them). */
const lastWithBatches = '2025-03-26';

/** Parses the JSON of a POST; the failure is the whole answer, always JSON. */
export function readJson({ headers, body }: MessageExchange): Result<unknown, MessageAnswer> {
  if (!isJson(headerText(headers['content-type']))) {
    return refused(415, rpcCodes.refused, 'The Content-Type must be application/json.');
  }
  if ((headerText(headers['content-encoding']) ?? 'identity') !== 'identity') {
    return refused(415, rpcCodes.refused, 'The body must be sent without a Content-Encoding.');
  }
  const parsed = parse(body);
  return parsed.ok ? parsed : refused(400, rpcCodes.parseError, 'Parse error: the body is not JSON.');
}

/** The member of a request's envelope that names its protocol version. */
export const versionMember = 'io.modelcontextprotocol/protocolVersion';

/** Whether a request is of protocol 2026-07-28 or later: its header or its envelope says so. */
export function isModernRequest({ headers }: MessageExchange, value: unknown): boolean {
  const version = headerText(headers['mcp-protocol-version']);
  return (version !== undefined && version > legacyVersions[0]) || metaOf(value)[versionMember] !== undefined;
}

/** Reads the messages of a client from before 2026-07-28; the failure is the whole answer. */
export function readLegacy({ headers }: Pick<MessageExchange, 'headers'>, value: unknown): Result<Body, MessageAnswer> {
  const version = headerText(headers['mcp-protocol-version']) ?? unsaidVersion;
  if (!legacyVersions.some((known) => known === version)) {
    const known = legacyVersions.join(', ');
    return refused(400, rpcCodes.refused, `Unsupported MCP-Protocol-Version; this server speaks ${known}.`);
  }
  return Array.isArray(value) ? readBatch(value, version) : readSingle(value);
}

function readSingle(value: unknown): Result<Body, MessageAnswer> {
  const message = readIncoming(value);
  return message.kind === 'invalid' ? err(answer(400, message.error)) : ok({ isBatch: false, messages: [message] });
}

function readBatch(values: readonly unknown[], version: string): Result<Body, MessageAnswer> {
  if (version > lastWithBatches) {
    return refused(400, rpcCodes.invalidRequest, `Protocol ${version} has no batches: send one message a request.`);
  }
  if (values.length === 0) return refused(400, rpcCodes.invalidRequest, 'A batch must hold at least one message.');
  if (values.length > maxBatchLength) {
    return refused(400, rpcCodes.invalidRequest, `A batch may hold ${maxBatchLength} messages, not ${values.length}.`);
  }
  return ok({ isBatch: true, messages: values.map((value) => withoutInitialize(readIncoming(value))) });
}

/** Rejects `initialize` in a batch (protocol 2025-03-26, Lifecycle). */
function withoutInitialize(message: Incoming): Incoming {
  if (message.kind !== 'request' || message.request.method !== 'initialize') return message;
  const error = rpcError(message.request.id, rpcCodes.invalidRequest, 'initialize must not be part of a batch.');
  return { kind: 'invalid', error };
}

function parse(body: Uint8Array): Result<unknown, null> {
  try {
    const value: unknown = JSON.parse(Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString());
    return ok(value);
  } catch {
    return err(null);
  }
}

function isJson(contentType: string | undefined): boolean {
  if (contentType === 'application/json') return true;
  return contentType?.split(';')[0]?.trim().toLowerCase() === 'application/json';
}

/** A header's value; several are joined, as HTTP has it. */
export function headerText(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : header?.join(', ');
}

function refused(status: number, code: number, message: string): Result<never, MessageAnswer> {
  return err(answer(status, rpcError(null, code, message)));
}

/** The envelope of a request, `_meta` in its parameters; empty when it has none. */
export function metaOf(value: unknown): Readonly<Record<string, unknown>> {
  const params = isObject(value) ? value['params'] : undefined;
  const meta = isObject(params) ? params['_meta'] : undefined;
  return isObject(meta) ? meta : {};
}
