import type { Dispatcher } from '#adapters/mcp/protocol/dispatcher.ts';
import { everyTool, type ToolChoice } from '#adapters/mcp/protocol/tool-choice.ts';
import type { ClientLine, LineTransport } from '#adapters/mcp/transports/line-transport.ts';
import type { IdentifyCaller } from '#application/session/identify-caller.ts';

/** A client of a transport beside HTTP: the other end of whatever carries texts both ways. */
export type ConnectingClient = Readonly<{
  /** The access token that the client presents. It is read again for each request. */
  token: string;
  /** The tools that the client chose; every one when not given. */
  choice?: ToolChoice;
  /** Sends the client a message, as JSON in one line. */
  send(json: string): void;
  /** Ends the connection after what was sent. */
  end(): void;
}>;

/** Answers MCP requests of any transport: single ones by `dispatch`, and whole clients by `connect`. */
export interface ClientDispatcher extends Dispatcher {
  /**
   * Connects a client, and returns the line that takes its messages; null for a token that does not count. Bounds of
   * messages, rights, limits, cancellation, notifications and the stop order are those of every other transport.
   */
  connect(client: ConnectingClient): Promise<ClientLine | null>;
}

/** Makes what `createPortolan` returns as `dispatcher`. */
export function clientDispatcher(
  dispatcher: Dispatcher,
  lines: LineTransport,
  identify: Pick<IdentifyCaller, 'run'>,
): ClientDispatcher {
  const callerOf = async (bearer: string) => {
    const caller = await identify.run({ bearer, cookie: null });
    return caller.ok ? caller.value : null;
  };
  return {
    dispatch: (request, caller) => dispatcher.dispatch(request, caller),
    connect: async ({ token, choice = everyTool, send, end }) => {
      const caller = await callerOf(token);
      if (caller === null) return null;
      const current = async () => (await callerOf(token))?.user ?? null;
      return lines.open(caller.user, { current, since: caller.session.issuedAt, choice, send, end });
    },
  };
}
