import type { EventLine } from '#adapters/contracts/mcp-exchange.ts';
import type { Listener } from '#adapters/mcp/changes/listener.ts';
import type { ClientChannel } from '#adapters/mcp/protocol/client-channel.ts';
import type { RequestsInFlight } from '#adapters/mcp/protocol/requests-in-flight.ts';

/** A session of Streamable HTTP: the state of a client that can be asked. */
export type HttpSession = {
  readonly id: string;
  readonly userId: number;
  readonly channel: ClientChannel;
  readonly inFlight: Set<RequestsInFlight>;
  /** The stream for messages that belong to no request; null while the client has none open. */
  line: EventLine | null;
  /** The change listener on that stream, or on the last one. */
  listener: Listener | null;
  /** The state as last stored for all servers; null while only this server knows the session. */
  stored: string | null;
  /** Whether another server may have changed or ended it without this one having been notified. */
  isUnsure: boolean;
  /** When its use was last recorded for all servers, in Unix ms. */
  usedAt: number;
};
