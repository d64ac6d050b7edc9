import type { Dispatcher } from '#adapters/mcp/dispatcher.ts';
import { type Answer, answer, type Exchange } from '#adapters/mcp/exchange.ts';
import { type Incoming, type RpcRequest, wantsProgress } from '#adapters/mcp/json-rpc.ts';
import { type Body, readBody } from '#adapters/mcp/read-message.ts';
import { RequestsUnderWay } from '#adapters/mcp/requests-under-way.ts';

/**
 * Streamable HTTP (protocol 2025-03-26 … 2025-11-25) without sessions: a POST is answered by JSON, or by a stream of events
 * when the client takes one and asked for progress. Null means: answered on the stream, or nobody waits any more.
 */
export async function streamable(dispatcher: Dispatcher, exchange: Exchange): Promise<Answer | null> {
  const body = readBody(exchange);
  if (!body.ok) return body.failure;
  const requests = body.value.messages.flatMap((message) => (message.kind === 'request' ? message.request : []));
  const isOwed = requests.length > 0 || body.value.messages.some(({ kind }) => kind === 'invalid');
  if (isOwed && isStreamWanted(exchange.headers['accept'], requests)) {
    await byStream(dispatcher, exchange, body.value);
    return null;
  }
  const [only] = requests;
  if (only !== undefined && !body.value.isBatch) return single(dispatcher, exchange, only);
  return batch(dispatcher, exchange, body.value);
}

async function single(dispatcher: Dispatcher, exchange: Exchange, request: RpcRequest): Promise<Answer | null> {
  const dispatched = dispatcher.dispatch(request, { user: exchange.user });
  exchange.onClose(dispatched.cancel);
  const json = await dispatched.answer;
  return json === null ? null : answer(200, json);
}

async function batch(dispatcher: Dispatcher, exchange: Exchange, body: Body): Promise<Answer> {
  const underWay = new RequestsUnderWay(dispatcher);
  exchange.onClose(() => underWay.cancelAll());
  const answers = await Promise.all(body.messages.map((message) => answerTo(underWay, message, exchange)));
  const given = answers.filter((json) => json !== null);
  return given.length === 0 ? answer(202, null) : answer(200, `[${given.join(',')}]`);
}

async function byStream(dispatcher: Dispatcher, exchange: Exchange, body: Body): Promise<void> {
  const underWay = new RequestsUnderWay(dispatcher);
  const line = exchange.openStream();
  line.onClose(() => underWay.cancelAll());
  const notify = (json: string) => line.send('message', json);
  const each = async (message: Incoming) => {
    const json = await answerTo(underWay, message, exchange, notify);
    if (json !== null) line.send('message', json);
  };
  await Promise.all(body.messages.map(each));
  line.end();
}

async function answerTo(
  underWay: RequestsUnderWay,
  message: Incoming,
  { user }: Exchange,
  notify?: (json: string) => void,
): Promise<string | null> {
  switch (message.kind) {
    case 'request':
      return underWay.start(message.request, notify === undefined ? { user } : { user, notify });
    case 'notification':
      underWay.notice(message.method, message.params);
      return null;
    case 'response':
      return null;
    case 'invalid':
      return message.error;
  }
}

/** By stream when the client names event streams and either asked for progress or takes no JSON. */
function isStreamWanted(accept: string | readonly string[] | undefined, requests: readonly RpcRequest[]): boolean {
  const types = typeof accept === 'string' ? accept : '';
  if (!types.includes('text/event-stream')) return false;
  const takesJson = /application\/json|application\/\*|\*\/\*/.test(types);
  return !takesJson || requests.some(wantsProgress);
}
