import type { EventLine, MessageAnswer, MessageExchange } from '#adapters/contracts/mcp-exchange.ts';
import { type ListeningLine, noEvents, type Subscriptions } from '#adapters/mcp/changes/subscriptions.ts';
import { RpcError, type RpcRequest, rpcError } from '#adapters/mcp/protocol/json-rpc.ts';
import type { RpcId } from '#adapters/mcp/protocol/messages.ts';
import type { ToolChoice } from '#adapters/mcp/protocol/tool-choice.ts';
import { answer, headerText } from '#adapters/mcp/transports/exchange.ts';

/**
 * Answers `subscriptions/listen` with a stream; null when it is open, else the rejection. Bypasses the dispatcher: a
 * waiting request would keep everything that led to it in memory, and this one waits for hours.
 */
export function listenOverHttp(
  subscriptions: Subscriptions,
  exchange: MessageExchange,
  { request, choice }: Readonly<{ request: RpcRequest; choice: ToolChoice }>,
): MessageAnswer | null {
  const { id: requestId, params = {} } = request;
  try {
    if (headerText(exchange.headers['accept'])?.includes('text/event-stream') !== true) throw noEvents;
    const who = { user: exchange.user, choice, requestId, params };
    subscriptions.listen(who, () => lineOf(exchange.openStream(), requestId));
    return null;
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return answer(200, rpcError(requestId, error.code, error.message, error.data));
  }
}

/** Built separately, so that its closures keep only the stream in memory. */
function lineOf(line: EventLine, id: RpcId): ListeningLine {
  return {
    send: (json) => void line.send('message', json),
    end: (result) => {
      line.send('message', JSON.stringify({ jsonrpc: '2.0', id, result: { resultType: 'complete', ...result } }));
      line.end();
    },
    onClose: (run) => line.onClose(run),
  };
}
