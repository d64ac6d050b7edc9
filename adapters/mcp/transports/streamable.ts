import type { MessageAnswer, MessageExchange } from '#adapters/contracts/mcp-exchange.ts';
import type { Answered, Dispatcher, McpCaller } from '#adapters/mcp/protocol/dispatcher.ts';
import type { Incoming, RpcRequest } from '#adapters/mcp/protocol/json-rpc.ts';
import { textOf } from '#adapters/mcp/protocol/messages.ts';
import { RequestsInFlight } from '#adapters/mcp/protocol/requests-in-flight.ts';
import type { ToolChoice } from '#adapters/mcp/protocol/tool-choice.ts';
import { answer, type Body, headerText, LazyLine, readLegacy } from '#adapters/mcp/transports/exchange.ts';
import type { HttpSession } from '#adapters/mcp/transports/http-session.ts';
import type { HttpSessions } from '#adapters/mcp/transports/http-sessions.ts';
import { isObject } from '#domain/json/json-data.ts';

/** A legacy POST: its parsed JSON, and the client's choice of tools. */
type Given = Readonly<{ value: unknown; choice: ToolChoice }>;

/**
 * Serves Streamable HTTP (protocol 2025-03-26 … 2025-11-25): a POST is answered with JSON, or with an event stream when
 * there are messages besides the answer. A client that can be asked gets a session; all others are served without one.
 */
export class Streamable {
  readonly #dispatcher: Dispatcher;
  readonly #sessions: HttpSessions;

  constructor(dispatcher: Dispatcher, sessions: HttpSessions) {
    this.#dispatcher = dispatcher;
    this.#sessions = sessions;
  }

  /** Answers a POST; null when answered on a stream, or when the client no longer waits. */
  async post(exchange: MessageExchange, { value, choice }: Given): Promise<MessageAnswer | null> {
    const body = readLegacy(exchange, value);
    if (!body.ok) return body.failure;
    const id = headerText(exchange.headers['mcp-session-id']);
    if (id !== undefined) {
      const session = await this.#sessions.find(id, exchange.user.id);
      return session === null ? this.#sessions.notFound : this.#answer(exchange, body.value, choice, session);
    }
    if (!isAskable(body.value)) return this.#answer(exchange, body.value, choice, null);
    const session = this.#sessions.open(exchange.user.id);
    const answered = await this.#answer(exchange, body.value, choice, session);
    if (answered !== null) await this.#sessions.keep(session);
    return answered === null ? null : { ...answered, sessionId: session.id };
  }

  #answer(
    exchange: MessageExchange,
    body: Body,
    choice: ToolChoice,
    session: HttpSession | null,
  ): Promise<MessageAnswer | null> {
    const requests = body.messages.flatMap((message) => (message.kind === 'request' ? message.request : []));
    const line = new LazyLine(exchange, ...requests);
    const { user } = exchange;
    const channel = session?.channel ?? null;
    const caller = { user, era: 'legacy', choice, channel, capabilities: null, send: line.send } as const;
    const [only] = requests;
    if (session === null && only !== undefined && !body.isBatch) return this.#single(exchange, only, caller, line);
    return this.#several(exchange, body, { caller, line, session });
  }

  async #single(
    exchange: MessageExchange,
    request: RpcRequest,
    caller: McpCaller,
    line: LazyLine,
  ): Promise<MessageAnswer | null> {
    const dispatched = this.#dispatcher.dispatch(request, caller);
    exchange.onClose(dispatched.cancel);
    const answered = await dispatched.answer;
    return answered === null ? null : line.finish(200, answered.json);
  }

  async #several(
    exchange: MessageExchange,
    { messages, isBatch }: Body,
    { caller, line, session }: Readonly<{ caller: McpCaller; line: LazyLine; session: HttpSession | null }>,
  ): Promise<MessageAnswer | null> {
    const inFlight = new RequestsInFlight(this.#dispatcher);
    session?.inFlight.add(inFlight);
    exchange.onClose(() => inFlight.cancelAll());
    const each = async (message: Incoming) => {
      const json = await this.#answerTo(message, { inFlight, caller, session });
      if (session !== null && message.kind === 'request') await this.#sessions.save(session);
      if (json !== null && line.isOpen) line.send?.(json);
      return json;
    };
    const given = (await Promise.all(messages.map(each))).filter((json) => json !== null);
    session?.inFlight.delete(inFlight);
    if (line.isOpen) {
      line.end();
      return null;
    }
    if (given.length === 0) return answer(202, null);
    return answer(200, isBatch ? `[${given.join(',')}]` : (given[0] ?? null));
  }

  async #answerTo(
    message: Incoming,
    {
      inFlight,
      caller,
      session,
    }: Readonly<{ inFlight: RequestsInFlight; caller: McpCaller; session: HttpSession | null }>,
  ): Promise<string | null> {
    switch (message.kind) {
      case 'request':
        return jsonOf(await inFlight.start(message.request, caller));
      case 'notification':
        if (session === null) inFlight.notice(message.method, message.params);
        else this.#sessions.cancel(session, message.method, message.params);
        return null;
      case 'response':
        if (session !== null) this.#sessions.settle(session, message.response);
        return null;
      case 'invalid':
        return message.error;
    }
  }
}

/** Whether the message is an `initialize` of a client that supports elicitation or sampling. */
function isAskable({ messages: [message], isBatch }: Body): boolean {
  if (isBatch || message?.kind !== 'request' || message.request.method !== 'initialize') return false;
  const capabilities = message.request.params?.['capabilities'];
  return isObject(capabilities) && (isObject(capabilities['elicitation']) || isObject(capabilities['sampling']));
}

function jsonOf(answered: Answered | null): string | null {
  return answered === null ? null : textOf(answered.json);
}
