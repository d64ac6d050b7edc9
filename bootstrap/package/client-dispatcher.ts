import type { Dispatcher } from '#adapters/mcp/protocol/dispatcher.ts';
import { everyTool, type ToolChoice } from '#adapters/mcp/protocol/tool-choice.ts';
import type { ClientLine, LineTransport } from '#adapters/mcp/transports/line-transport.ts';
import type { IdentifyCaller } from '#application/session/identify-caller.ts';

/** A client of a transport other than HTTP, as a pair of callbacks. */
export type ConnectingClient = Readonly<{
  /** The client's access token, validated again for each request. */
  token: string;
  /** The tools that the client selected; all when not given. */
  choice?: ToolChoice;
  /** Sends the client a message, as JSON on one line. */
  send(json: string): void;
  /** Ends the connection after everything sent so far. */
  end(): void;
}>;

/** Answers MCP requests of any transport: single requests with `dispatch`, clients with `connect`. */
export interface ClientDispatcher extends Dispatcher {
  /**
   * Connects a client and returns the line to pass its messages to; null for an invalid token. Message limits, rights,
   * rate limits, cancellation, notifications and shutdown work as for every other transport.
   */
  connect(client: ConnectingClient): Promise<ClientLine | null>;
}

/** Creates the `dispatcher` that `createPortolan` returns. */
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
