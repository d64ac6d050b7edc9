import type { AddedServer } from '#domain/remote-servers/added-server.ts';

/** Stores the remote MCP servers that administrators added, encrypted at rest. */
export interface AddedServers {
  /** Returns all of them; none when they cannot be decrypted. */
  read(): Promise<readonly AddedServer[]>;
  /** Replaces all of them. */
  replace(servers: readonly AddedServer[]): Promise<void>;
}
