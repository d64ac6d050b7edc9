import { type PortMutants, texts } from '#test/mutants/mutant.ts';

const line = 'adapters/mcp/transports/line-transport.ts';
const dispatcher = 'adapters/mcp/protocol/protocol-dispatcher.ts';
const rpc = 'adapters/mcp/protocol/json-rpc.ts';
const streams = 'adapters/mcp/transports/stream-sessions.ts';
const streamable = 'adapters/mcp/transports/streamable.ts';
const routes = 'adapters/http/mcp-routes.ts';
const exchange = 'adapters/mcp/transports/exchange.ts';
const tools = 'adapters/mcp/tools/tool-methods.ts';
const lines = 'infrastructure/streams/bounded-lines.ts';
const serving = 'bootstrap/serve-lines.ts';
const sdk = 'test/examples/sdk-transport.ts';

/** Ways in which transports, and what they hand messages to, can be broken. */
export const mcpTransport: PortMutants = {
  port: 'mcp-transport',
  mutants: [
    ...texts('stdio', line, [
      [
        "this.#send(rpcError(null, rpcCodes.parseError, 'Parse error: the line is not JSON.'));",
        '',
        'is silent about what is no JSON',
      ],
      [
        'rpcError(null, rpcCodes.parseError,',
        'rpcError(null, rpcCodes.invalidRequest,',
        'reports invalid JSON with another code',
      ],
      ['else this.#send(message.error);', 'else this.close();', 'closes at what is no request'],
      [
        'void this.#answer(request, user);',
        'await this.#answer(request, user);',
        'answers one request after the other',
      ],
      ['this.#inFlight.notice(message.method, message.params);', 'void 0;', 'does not hear of cancellations'],
      [
        'await this.#client.current().catch(',
        'await (this.known ??= this.#client.current()).catch(',
        'knows the user as they were at first',
      ],
      ['this.#inFlight.cancelAll();', '', 'lets the calls of a client that has gone run on'],
      [
        'for (const [line, client] of this.#lines) {\n      line.close();\n      client.end();',
        'for (const [line] of this.#lines) {\n      line.close();',
        'leaves the lines open at a stop',
      ],
      [
        'dependencies.listeners.add(new LegacyListener(',
        '(() => () => {})(new LegacyListener(',
        'does not hear of other tools',
      ],
    ]),
    ...texts('stdio', dispatcher, [
      ['|| !isTooDeep(params)) return null;', '|| true) return null;', 'takes parameters of any depth'],
      ['this.#isStopping = true;', '', 'takes requests after a stop'],
      [
        'const idle = new Promise<void>((resolve) => {',
        'return;\n    const idle = new Promise<void>((resolve) => {',
        'does not wait for running calls at a stop',
      ],
      ['for (const dispatched of this.#running) dispatched.cancel();', '', 'waits for ever at a stop'],
      [
        'new RpcError(rpcCodes.methodNotFound,',
        'new RpcError(rpcCodes.invalidParams,',
        'reports an unknown method with another code',
      ],
      ['if (done <= last) return;', '', 'reports progress that does not rise'],
      [
        'progressToken, progress: done',
        "progressToken: 'another', progress: done",
        'reports progress under another token',
      ],
      ['"id":${JSON.stringify(id)},"result"', '"id":"${id}","result"', 'answers a number under a text'],
      ['controller.abort();', '', 'does not abort a cancelled call'],
    ]),
    ...texts('stdio', tools, [
      [
        "rpcCodes.internalError, 'Internal error')",
        'rpcCodes.internalError, String(error))',
        'reports internal errors',
      ],
    ]),
    ...texts('stdio', rpc, [
      ["if (jsonrpc !== '2.0')", 'if (false)', 'takes messages of any version of JSON-RPC'],
      ['if (isGiven && !isObject(params))', 'if (false)', 'takes parameters that are a list'],
      ['if (id !== undefined && knownId === null)', 'if (false)', 'takes an id that is an object for none'],
    ]),
    ...texts('stdio', lines, [
      ["toString('utf8')", "toString('latin1')", 'reads other letters'],
      [
        "text.endsWith('\\r') ? text.slice(0, -1) : text",
        'text',
        'leaves the first half of a line end of Windows',
        'A blank behind JSON is no part of it.',
      ],
    ]),
    ...texts('a Unix socket', lines, [['if (!wasOver) yield null;', '', 'is silent about a line that is too long']]),
    ...texts('a Unix socket', serving, [
      ['socket.write(`${json}\\n`);', 'socket.write(json);', 'ends no line'],
      ['end: () => socket.destroySoon(),', 'end: () => undefined,', 'leaves connections open at a stop'],
    ]),
    ...texts('HTTP+SSE', streams, [
      ['remove();\n      inFlight.cancelAll();', 'remove();', 'lets the calls of a client that has gone run on'],
      ['setImmediate(() => setImmediate(() => line.end()));', '', 'leaves the streams open at a stop'],
      ['inFlight.notice(message.method, message.params);', 'void 0;', 'does not hear of cancellations'],
    ]),
    ...texts('HTTP+SSE', exchange, [
      ['err(answer(400, message.error))', 'err(answer(202, null))', 'is silent about what is no request'],
    ]),
    ...texts('streamable HTTP', streamable, [
      ['exchange.onClose(() => inFlight.cancelAll());', '', 'lets the calls of a client that has gone run on'],
      [
        'else this.#sessions.cancel(session, message.method, message.params);',
        'else inFlight.notice(message.method, message.params);',
        'hears of cancellations in the same message only',
      ],
    ]),
    ...texts('streamable HTTP', routes, [
      [
        'send(ctx, { status: 413, json: ',
        'send(ctx, { status: 202, json: null && ',
        'is silent about a message that is too large',
      ],
    ]),
    ...texts('the SDK’s server', sdk, [
      ['id: asked.request.id', 'id: message.id', 'answers under its own numbers'],
      ['channel.isInitialized = true;', 'void 0;', 'does not know that its client has initialized'],
      [
        "method: 'notifications/cancelled', params: { requestId: id }",
        "method: 'notifications/cancelled', params: { requestId: -1 }",
        'does not abort a cancelled call',
      ],
    ]),
  ],
};
