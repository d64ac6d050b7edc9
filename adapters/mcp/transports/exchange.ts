import type { EventLine, MessageAnswer, MessageExchange } from '#adapters/contracts/mcp-exchange.ts';
import {
  type Incoming,
  type RpcRequest,
  readIncoming,
  rpcCodes,
  rpcError,
  wantsProgress,
} from '#adapters/mcp/protocol/json-rpc.ts';
import { maxBatchLength } from '#adapters/mcp/protocol/message-bounds.ts';
import { type Json, textOf } from '#adapters/mcp/protocol/messages.ts';
import { legacyVersions, unsaidVersion } from '#adapters/mcp/protocol/versions.ts';
import { isObject } from '#domain/json/json-data.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';

/** Builds a response with a JSON-RPC message. */
export const answer = (status: number, json: Json | null): MessageAnswer => ({ status, json });

/**
 * Answers one POST as plain JSON if the answer is the only message, and as an event stream from the first message
 * before it. A client that does not accept events gets only the answer.
 */
export class LazyLine {
  /** Sends a message before the answer; null when the client does not accept events. */
  readonly send: ((json: string) => void) | null;
  readonly #exchange: MessageExchange;
  #line: EventLine | null = null;

  /**
   * Opens the stream at once when the client accepts only events, or waits for long work: heartbeats then keep the
   * connection open.
   */
  constructor(exchange: MessageExchange, ...requests: readonly RpcRequest[]) {
    this.#exchange = exchange;
    const types = headerText(exchange.headers['accept']) ?? '';
    const takesEvents = types.includes('text/event-stream');
    this.send = takesEvents ? (json) => this.#opened().send('message', json) : null;
    const takesJson = /application\/json|application\/\*|\*\/\*/.test(types);
    if (takesEvents && requests.length > 0 && (!takesJson || requests.some(wantsProgress))) this.#opened();
  }

  /** Whether the answer must be sent as an event. */
  get isOpen(): boolean {
    return this.#line !== null;
  }

  /** Ends with an answer: sends it on the stream, if open, and returns null; else returns it as the whole response. */
  finish(status: number, json: Json): MessageAnswer | null {
    if (this.#line === null) return answer(status, json);
    this.#line.send('message', textOf(json));
    this.#line.end();
    return null;
  }

  /** Ends the stream after everything that was sent. */
  end(): void {
    this.#line?.end();
  }

  #opened(): EventLine {
    this.#line ??= this.#exchange.openStream();
    return this.#line;
  }
}

/** A parsed body: one message, or a batch in order. */
export type Body = Readonly<{ isBatch: boolean; messages: readonly Incoming[] }>;

/** The last revision of the protocol that has batches (2025-06-18 removed them). */
const lastWithBatches = '2025-03-26';

/** Parses the JSON of a POST; the failure is the whole response, always JSON. */
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

/** Whether a request is of protocol 2026-07-28 or later, according to its header or envelope. */
export function isModernRequest({ headers }: MessageExchange, value: unknown): boolean {
  const version = headerText(headers['mcp-protocol-version']);
  return (version !== undefined && version > legacyVersions[0]) || metaOf(value)[versionMember] !== undefined;
}

/** Parses the messages of a client from before 2026-07-28; the failure is the whole response. */
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

/** A header's value; multiple values are joined, as HTTP specifies. */
export function headerText(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : header?.join(', ');
}

function refused(status: number, code: number, message: string): Result<never, MessageAnswer> {
  return err(answer(status, rpcError(null, code, message)));
}

/** A request's envelope, i.e. `_meta` in its parameters; empty when it has none. */
export function metaOf(value: unknown): Readonly<Record<string, unknown>> {
  const params = isObject(value) ? value['params'] : undefined;
  const meta = isObject(params) ? params['_meta'] : undefined;
  return isObject(meta) ? meta : {};
}
