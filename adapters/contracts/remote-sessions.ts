import type { OperationCall } from '#application/ports/service-gateway.ts';
import type { RemoteTool } from '#domain/remote-servers/remote-tool.ts';
import type { Result } from '#domain/shared/result.ts';

/**
 * How a remote MCP server is reached: at an address, by Streamable HTTP, HTTP+SSE or whichever it speaks; or as a
 * program of the configuration, which sees the variables `PATH`, `HOME` and those of `env`.
 */
export type RemoteReach =
  | Readonly<{ kind: 'http'; url: string; transport: 'http' | 'sse' | 'either' }>
  | Readonly<{
      kind: 'command';
      command: string;
      args: readonly string[];
      env: Readonly<Record<string, string>>;
    }>;

/**
 * Why a remote server did not do what was asked. `unauthorized` and `forbidden` are HTTP 401 and 403, with what it sent
 * as `WWW-Authenticate`; `rejected` is an error that it answered; after `session_lost` another session may do it; `sent` is as in outcomes.
 */
export type RemoteFailure = Readonly<{
  reason: 'unauthorized' | 'forbidden' | 'rejected' | 'too_large' | 'unavailable' | 'rate_limited' | 'session_lost';
  message: string;
  sent: 'no' | 'yes' | 'unknown';
  challenge?: string | undefined;
}>;

/** What a tool of a remote server returned: its content blocks, and its structured content where it has any. */
export type RemoteResult = Readonly<{
  content: readonly Readonly<Record<string, unknown>>[];
  structured: Readonly<Record<string, unknown>> | null;
  isError: boolean;
}>;

/** A call of a tool of a remote server. */
export type RemoteCall = Readonly<{
  name: string;
  input: Readonly<Record<string, unknown>>;
  signal: AbortSignal;
  onProgress?: OperationCall['onProgress'];
  /** Asks the user; absent where nobody can be asked: then the server is answered that the question was cancelled. */
  ask?: OperationCall['onQuestion'];
}>;

/** A resource as a remote server lists it, within our bounds; its URI is the server's own. */
export type RemoteResource = Readonly<{
  uri: string;
  name: string;
  mimeType: string | null;
  /** In bytes; null where it is not said. */
  size: number | null;
}>;

/** A page of resources; `next` is the server's cursor, null at the end. */
export type RemoteResources = Readonly<{ resources: readonly RemoteResource[]; next: string | null }>;

/** The content of a resource: text, or bytes as base64. */
export type RemoteContents = Readonly<{ uri: string; mimeType: string | null } & ({ text: string } | { blob: string })>;

/** A message of a prompt; its content is a block as in results. */
export type RemoteMessage = Readonly<{ role: 'user' | 'assistant'; content: RemoteResult['content'][number] }>;

/** A prompt to get, with its arguments. */
export type RemotePrompt = Readonly<{ name: string; args: Readonly<Record<string, string>> }>;

/** A session with a remote server. Failures are returned, never thrown. */
export interface RemoteSession {
  /** Whether it has ended, by either side. */
  readonly isClosed: boolean;
  /** Lists what it offers within our bounds, and the names of what is left out, with why. */
  list(signal: AbortSignal): Promise<Result<ListedTools, RemoteFailure>>;
  /** Calls a tool; cancels it there when the signal aborts. */
  call(call: RemoteCall): Promise<Result<RemoteResult, RemoteFailure>>;
  /** Lists a page of resources, from a cursor of the server or its beginning (null). */
  listResources(cursor: string | null, signal: AbortSignal): Promise<Result<RemoteResources, RemoteFailure>>;
  /** Reads a resource by the server's own URI. */
  readResource(uri: string, signal: AbortSignal): Promise<Result<readonly RemoteContents[], RemoteFailure>>;
  /** Gets the messages of a prompt. */
  getPrompt(prompt: RemotePrompt, signal: AbortSignal): Promise<Result<readonly RemoteMessage[], RemoteFailure>>;
  /** Ends the session, and the program if there is one. Idempotent. */
  close(): Promise<void>;
}

/**
 * What a server listed: its tools, then its prompts, templates and resources as items (see `readItem`). What is left out
 * has a name and why, as a phrase.
 */
export type ListedTools = Readonly<{
  tools: readonly RemoteTool[];
  leftOut: readonly Readonly<{ name: string; why: string }>[];
}>;

/** The options of a session. */
export type SessionOptions = Readonly<{
  /** The credentials that requests carry, read for each of them; '' for none. */
  bearer: () => string;
  /** Is called when the server says that its tools, prompts or templates may have changed; at most once a second. */
  onListChanged: () => void;
  /** Is called when the server says that its resources are others; at most once a second. */
  onResourcesChanged: () => void;
  signal: AbortSignal;
}>;

/** Opens sessions with remote MCP servers. */
export interface RemoteConnector {
  /** Opens a session. A server that cannot be reached, or is none, is a failure. */
  open(reach: RemoteReach, options: SessionOptions): Promise<Result<RemoteSession, RemoteFailure>>;
}
