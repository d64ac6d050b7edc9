import { type RpcRequest, wantsProgress } from '#adapters/mcp/protocol/json-rpc.ts';
import { type Json, textOf } from '#adapters/mcp/protocol/messages.ts';
import { answer, type EventLine, type MessageAnswer, type MessageExchange } from '#adapters/mcp/transports/exchange.ts';
import { headerText } from '#adapters/mcp/transports/read-message.ts';

/**
 * Answers one POST as plain JSON while the answer is the only message, and as a stream of events from the first message
 * before it. A client that takes no events gets the answer alone.
 */
export class LazyLine {
  /** Sends a message before the answer; null when the client takes no events. */
  readonly send: ((json: string) => void) | null;
  readonly #exchange: MessageExchange;
  #line: EventLine | null = null;

  /** Opens the stream at once when the client takes events alone, or waits for long work: heartbeats keep the line open. */
  constructor(exchange: MessageExchange, ...requests: readonly RpcRequest[]) {
    this.#exchange = exchange;
    const types = headerText(exchange.headers['accept']) ?? '';
    const takesEvents = types.includes('text/event-stream');
    this.send = takesEvents ? (json) => this.#opened().send('message', json) : null;
    const takesJson = /application\/json|application\/\*|\*\/\*/.test(types);
    if (takesEvents && requests.length > 0 && (!takesJson || requests.some(wantsProgress))) this.#opened();
  }

  /** Whether the answer has to go out as events. */
  get isOpen(): boolean {
    return this.#line !== null;
  }

  /** Ends with an answer: sends it on the stream when there is one, and returns null; else returns it as the whole answer. */
  finish(status: number, json: Json): MessageAnswer | null {
    if (this.#line === null) return answer(status, json);
    this.#line.send('message', textOf(json));
    this.#line.end();
    return null;
  }

  /** Ends a stream after what was sent. */
  end(): void {
    this.#line?.end();
  }

  #opened(): EventLine {
    this.#line ??= this.#exchange.openStream();
    return this.#line;
  }
}
