import type { PinnedList } from '#domain/remote-servers/pinned-list.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';

/** Stores which tools of remote MCP servers are known and accepted, by the service that was made of the server. */
export interface PinnedTools {
  /** Returns the list; null when the server has never listed its tools. */
  find(service: ServiceKey): Promise<PinnedList | null>;
  /** Replaces the list. */
  replace(service: ServiceKey, list: PinnedList): Promise<void>;
}
