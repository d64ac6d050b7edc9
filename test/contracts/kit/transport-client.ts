import type { TransportClient } from '#test/contracts/kit/transport-subject.ts';

type Members = Readonly<Record<string, unknown>>;

/** A message from the server. */
export type Message = Readonly<{
  id?: unknown;
  method?: unknown;
  params?: Members;
  result?: Members;
  error?: Readonly<{ code: number; message: string }>;
}>;

/** How long to wait for a message, in ms: long enough for a busy machine; a message that never arrives fails the test. */
const patienceMs = 30_000;

/** Sends a request and waits for its answer. */
export async function asking(
  client: TransportClient,
  id: string | number,
  method: string,
  params?: object,
): Promise<Message> {
  await client.send(JSON.stringify({ jsonrpc: '2.0', id, method, ...(params === undefined ? {} : { params }) }));
  return answered(client, id);
}

/** Waits for the answer under an id. */
export function answered(client: TransportClient, id: string | number): Promise<Message> {
  return within(client, 0, (message) => message.id === id && message.method === undefined);
}

/** The answers that have come under an id. */
export function results(client: TransportClient, id: string | number): readonly Message[] {
  return client.received.filter((message) => message.id === id && message.method === undefined);
}

/** The method of a message; null for an answer. */
export const methodOf = ({ method }: Message): string | null => (typeof method === 'string' ? method : null);

/** Waits for the first matching message, starting at the given index. */
export function within(
  client: TransportClient,
  from: number,
  isMeant: (message: Message) => boolean,
): Promise<Message> {
  return new Promise((resolve, reject) => {
    const there = client.received.slice(from).find(isMeant);
    if (there !== undefined) {
      resolve(there);
      return;
    }
    const timer = setTimeout(() => {
      stop();
      reject(
        new Error(`The message did not come. There came ${JSON.stringify(client.received.slice(from)).slice(0, 500)}`),
      );
    }, patienceMs);
    const stop = client.onMessage((message) => {
      if (!isMeant(message)) return;
      clearTimeout(timer);
      stop();
      resolve(message);
    });
  });
}
