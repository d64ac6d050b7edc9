import { LegacyListener } from '#adapters/mcp/changes/listener.ts';
import type { Listeners } from '#adapters/mcp/changes/listeners.ts';
import { ClientChannel } from '#adapters/mcp/protocol/client-channel.ts';
import type { Dispatcher, McpCaller } from '#adapters/mcp/protocol/dispatcher.ts';
import { isObject, type RpcRequest, readIncoming, rpcCodes, rpcError } from '#adapters/mcp/protocol/json-rpc.ts';
import { textOf } from '#adapters/mcp/protocol/messages.ts';
import { RequestsUnderWay } from '#adapters/mcp/protocol/requests-under-way.ts';
import { everyTool, type ToolChoice } from '#adapters/mcp/protocol/tool-choice.ts';
import type { User } from '#domain/users/user.ts';

const capabilitiesMember = 'io.modelcontextprotocol/clientCapabilities';

/** The user served on standard input and output, and the tools that they chose. */
export type StdioDependencies = Readonly<{
  dispatcher: Dispatcher;
  listeners: Listeners;
  user: User;
  /** The user as they are now: their rights may change during the session. */
  current: () => Promise<User>;
  /** When they signed in, in Unix ms; null when they need no session. */
  since: number | null;
  choice?: ToolChoice;
  /** Lines from the client, which has disconnected when they end. */
  lines: AsyncIterable<string>;
  write: (line: string) => void;
}>;

/** Serves one client by lines of JSON (protocol, stdio) until it disconnects; then cancels what is under way. */
export async function serveStdio(dependencies: StdioDependencies): Promise<void> {
  const { dispatcher, listeners, user, choice = everyTool, since, lines, write } = dependencies;
  const channel = new ClientChannel();
  const underWay = new RequestsUnderWay(dispatcher);
  const line = { send: (_: string, json: string) => write(json), end: () => {} };
  const remove = listeners.add(new LegacyListener({ user, choice, since }, channel, line));
  const start = async (request: RpcRequest, asker: User): Promise<void> => {
    const answered = await underWay.start(request, callerOf(request, { user: asker, choice, channel, write }));
    if (answered !== null) write(textOf(answered.json));
  };
  for await (const line of lines) {
    if (line.trim() === '') continue;
    const parsed = parse(line);
    if (parsed === null) {
      write(rpcError(null, rpcCodes.parseError, 'Parse error: the line is not JSON.'));
      continue;
    }
    const message = readIncoming(parsed.value);
    if (message.kind === 'request') void start(message.request, await dependencies.current());
    else if (message.kind === 'notification') underWay.notice(message.method, message.params);
    else if (message.kind === 'response') channel.settle(message.response);
    else write(message.error);
  }
  remove();
  underWay.cancelAll();
}

type Line = Readonly<{ user: User; choice: ToolChoice; channel: ClientChannel; write: (line: string) => void }>;

/** The caller of a request. One with an envelope is of the modern era, and declares its client's capabilities itself. */
function callerOf({ params = {} }: RpcRequest, { user, choice, channel, write }: Line): McpCaller {
  const meta = isObject(params['_meta']) ? params['_meta'] : {};
  const capabilities = meta[capabilitiesMember];
  return isObject(capabilities)
    ? { user, era: 'modern', choice, channel: null, capabilities, send: write }
    : { user, era: 'legacy', choice, channel, capabilities: null, send: write };
}

function parse(line: string): Readonly<{ value: unknown }> | null {
  try {
    return { value: JSON.parse(line) };
  } catch {
    return null;
  }
}
