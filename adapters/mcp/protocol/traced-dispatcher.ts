import type { Dispatched, Dispatcher, McpCaller } from '#adapters/mcp/protocol/dispatcher.ts';
import type { RpcRequest } from '#adapters/mcp/protocol/json-rpc.ts';
import type { Tracer } from '#application/ports/tracer.ts';
import { isObject } from '#domain/json/json-data.ts';

/** The methods that get a span name of their own; all others share one. */
const methods: ReadonlySet<string> = new Set(
  ['initialize', 'ping', 'server/discover', 'tools/list', 'tools/call', 'resources/list', 'resources/read'].concat(
    ['resources/templates/list', 'resources/subscribe', 'resources/unsubscribe', 'prompts/list', 'prompts/get'],
    ['completion/complete', 'logging/setLevel', 'subscriptions/listen'],
  ),
);

/** Records each request of the protocol as a span that continues the trace of its `_meta` (`traceparent`). */
export class TracedDispatcher implements Dispatcher {
  readonly #inner: Dispatcher;
  readonly #tracer: Tracer;
  readonly #isTool: (name: string) => boolean;

  /** `isTool` tells which names are tools: only those are recorded, since a client may send any text. */
  constructor(inner: Dispatcher, tracer: Tracer, isTool: (name: string) => boolean) {
    this.#inner = inner;
    this.#tracer = tracer;
    this.#isTool = isTool;
  }

  dispatch(request: RpcRequest, caller: McpCaller): Dispatched {
    let under: Dispatched | null = null;
    const method = methods.has(request.method) ? request.method : 'other';
    const tool = this.#toolOf(request);
    const start = {
      name: tool === null ? method : `${method} ${tool}`,
      kind: 'server' as const,
      attributes: { 'mcp.method.name': method, ...(tool === null ? {} : { 'gen_ai.tool.name': tool }) },
      parent: traceparentOf(request),
    };
    const answer = this.#tracer.span(start, async (span) => {
      under = this.#inner.dispatch(request, caller);
      const answered = await under.answer;
      if (answered !== null && answered.errorCode !== 0) {
        span.set({ 'rpc.response.status_code': String(answered.errorCode) });
        span.fail(String(answered.errorCode));
      }
      return answered;
    });
    return { answer, cancel: () => under?.cancel() };
  }

  #toolOf({ method, params }: RpcRequest): string | null {
    const name = method === 'tools/call' ? params?.['name'] : null;
    return typeof name === 'string' && this.#isTool(name) ? name : null;
  }
}

function traceparentOf({ params }: RpcRequest): string | null {
  const meta = params?.['_meta'];
  const parent = isObject(meta) ? meta['traceparent'] : null;
  return typeof parent === 'string' ? parent : null;
}
