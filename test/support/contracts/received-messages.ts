import type { Message } from '#test/contracts/kit/transport-client.ts';
import type { TransportClient } from '#test/contracts/kit/transport-subject.ts';

/** The messages that a client of a test has received. */
export class ReceivedMessages implements Pick<TransportClient, 'received' | 'onMessage'> {
  readonly received: Message[] = [];
  readonly #hearing = new Set<(message: Message) => void>();

  /** Takes the JSON of a message, or of a batch. */
  take(json: string): void {
    for (const message of [JSON.parse(json)].flat()) {
      this.received.push(message);
      for (const run of this.#hearing) run(message);
    }
  }

  /** Takes a refusal of the transport that carries no message. */
  refuse(code: number, message: string): void {
    this.take(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } }));
  }

  readonly onMessage = (run: (message: Message) => void): (() => void) => {
    this.#hearing.add(run);
    return () => this.#hearing.delete(run);
  };
}
