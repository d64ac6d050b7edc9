import type { Dispatcher } from '#adapters/mcp/protocol/dispatcher.ts';
import { everyTool, type ToolChoice } from '#adapters/mcp/protocol/tool-choice.ts';
import type { LineTransport } from '#adapters/mcp/transports/line-transport.ts';
import { serveTransport, type Transport } from '#adapters/mcp/transports/sdk-transport.ts';
import type { IdentifyCaller } from '#application/session/identify-caller.ts';

/** The client of a transport: its access token, validated again for each request, and its tools; all by default. */
export type ConnectingClient = Readonly<{ token: string; choice?: ToolChoice }>;

/** Answers MCP requests of any transport: single requests with `dispatch`, clients with `connect`. */
export interface ClientDispatcher extends Dispatcher {
  /**
   * Starts a transport of the MCP SDK and serves its client; false for an invalid token, without starting it. Message
   * limits, rights, rate limits, cancellation, notifications and shutdown work as for every other transport.
   */
  connect(transport: Transport, client: ConnectingClient): Promise<boolean>;
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
    connect: async (transport, { token, choice = everyTool }) => {
      const caller = await callerOf(token);
      if (caller === null) return false;
      const current = async () => (await callerOf(token))?.user ?? null;
      await serveTransport(lines, transport, caller.user, { current, since: caller.session.issuedAt, choice });
      return true;
    },
  };
}
