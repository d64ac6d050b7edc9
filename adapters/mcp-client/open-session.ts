import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { SSEClientTransport } from '@modelcontextprotocol/sdk/client/sse.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import type { RemoteFailure, RemoteReach, RemoteSession, SessionOptions } from '#adapters/contracts/remote-sessions.ts';
import { ChildTransport } from '#adapters/mcp-client/child-transport.ts';
import { ownFetch } from '#adapters/mcp-client/own-fetch.ts';
import { SdkSession } from '#adapters/mcp-client/sdk-session.ts';
import { SessionTrouble } from '#adapters/mcp-client/session-trouble.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';

/** The maximum size of one message of a remote server, in bytes. */
const maxBytes = 8 * 1024 * 1024;
/** How long a remote server has to introduce itself, in ms. */
const openingMs = 15_000;

/** No validator of the SDK is made of a server's schemas: answers are checked where they are used. */
const noValidators = {
  getValidator: () => () => ({ valid: false as const, data: undefined, errorMessage: 'Not checked here.' }),
};

/** Opens a session over the transports that the server may speak, in order. */
export async function openSession(
  reach: RemoteReach,
  options: SessionOptions & Readonly<{ version: string }>,
): Promise<Result<RemoteSession, RemoteFailure>> {
  let failure: RemoteFailure = { reason: 'unavailable', message: 'The server has no transport.', sent: 'no' };
  for (const begin of transportsOf(reach)) {
    const trouble = new SessionTrouble();
    const client = new Client(
      { name: 'portolan', version: options.version },
      { capabilities: { elicitation: { form: {} } }, jsonSchemaValidator: noValidators },
    );
    const session = new SdkSession(client, trouble, options);
    try {
      const transport = begin({ bearer: options.bearer, trouble, onTooLarge: () => session.abandon(tooLarge) });
      await client.connect(transport, { timeout: openingMs, signal: options.signal });
      session.begin(transport);
      return ok(session);
    } catch (error) {
      failure = { ...trouble.failureOf(error), sent: 'no' };
      await session.close();
      if (!isOtherTransport(error)) return err(failure);
    }
  }
  return err(failure);
}

const tooLarge: RemoteFailure = {
  reason: 'too_large',
  message: `It sent a message of more than ${maxBytes / 1024 / 1024} MB.`,
  sent: 'yes',
};

type Begin = (parts: Readonly<{ bearer: () => string; trouble: SessionTrouble; onTooLarge: () => void }>) => Transport;

function transportsOf(reach: RemoteReach): readonly Begin[] {
  if (reach.kind === 'command') return [({ onTooLarge }) => new ChildTransport({ ...reach, maxBytes, onTooLarge })];
  const { url, transport } = reach;
  const fetchFor = ({ bearer, trouble, onTooLarge }: Parameters<Begin>[0]) =>
    ownFetch({ url, bearer, maxBytes, onTooLarge, onChallenge: (challenge) => trouble.challenged(challenge) });
  const streamable: Begin = (parts) => new StreamableHTTPClientTransport(new URL(url), { fetch: fetchFor(parts) });
  const sse: Begin = (parts) => new SSEClientTransport(new URL(url), { fetch: fetchFor(parts) });
  return transport === 'http' ? [streamable] : transport === 'sse' ? [sse] : [streamable, sse];
}

/** Whether a server answered that it does not speak this transport (MCP specification, backwards compatibility). */
function isOtherTransport(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  return code === 400 || code === 404 || code === 405;
}
