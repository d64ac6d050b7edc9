import type {
  RemoteConnector,
  RemoteFailure,
  RemoteReach,
  RemoteSession,
  SessionOptions,
} from '#adapters/contracts/remote-sessions.ts';
import type { Result } from '#domain/shared/result.ts';

/**
 * Opens sessions with the client of the MCP SDK, which is loaded by the first one: a server without remote servers never
 * loads it. `version` is how this product introduces itself.
 */
export class SdkConnector implements RemoteConnector {
  readonly #version: string;

  constructor(version: string) {
    this.#version = version;
  }

  async open(reach: RemoteReach, options: SessionOptions): Promise<Result<RemoteSession, RemoteFailure>> {
    const { openSession } = await import('#adapters/mcp-client/open-session.ts');
    return openSession(reach, { ...options, version: this.#version });
  }
}
