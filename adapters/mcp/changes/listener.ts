import { grantedServices, type ListKind, listKinds, type ShownServices } from '#adapters/mcp/changes/shown-services.ts';
import type { ClientChannel } from '#adapters/mcp/protocol/client-channel.ts';
import type { ToolChoice } from '#adapters/mcp/protocol/tool-choice.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { User } from '#domain/users/user.ts';

/** An open connection to a client that has asked for change notifications. */
export interface Listener {
  readonly userId: number;
  /** The services whose changes it may be notified of, null for all; and the tools its client has chosen. */
  readonly granted: readonly ServiceKey[] | null;
  /** The id of the app's grant under which it was opened; null without one. */
  readonly grantId: string | null;
  /** The id of the person's session in which it was opened; null without one. */
  readonly sessionId: string | null;
  readonly choice: ToolChoice;
  /** The lists whose changes its client has asked for. */
  readonly lists: readonly ListKind[];
  /** When it was opened, in Unix ms, which counts as the start of a session; null when no session is needed. */
  readonly since: number | null;
  /** The state of the user's lists at the last check; null before the first. */
  shown: ShownServices | null;
  /**
   * Returns the client's own spelling of a watched resource's address, given the canonical one under which changes are
   * published; undefined when it does not watch the resource.
   */
  watchedAs(address: string): string | undefined;
  /** Sends a notification. */
  notify(method: string, params: Readonly<Record<string, unknown>>): void;
  /** Closes the connection: its user has signed out, was deleted, or has revoked the app. */
  end(): void;
}

/** The output of a legacy listener's connection. */
type ListenerLine = Readonly<{ send(event: string, data: string): unknown; end(): void }>;

/** The user of a connection, the tools chosen, and when it was opened. */
export type ListenerOwner = Readonly<{ user: User; choice: ToolChoice; since: number | null }>;

/**
 * A connection to a client of a revision before 2026-07-28. It receives notifications of all lists once it has sent
 * `initialize`.
 */
export class LegacyListener implements Listener {
  readonly userId: number;
  readonly granted: readonly ServiceKey[] | null;
  readonly grantId: string | null;
  readonly sessionId: string | null;
  readonly choice: ToolChoice;
  readonly lists = listKinds;
  readonly since: number | null;
  shown: ShownServices | null = null;
  readonly #channel: ClientChannel;
  readonly #line: ListenerLine;

  constructor({ user, choice, since }: ListenerOwner, channel: ClientChannel, line: ListenerLine) {
    this.userId = user.id;
    this.granted = grantedServices(user);
    this.grantId = user.app?.grantId ?? null;
    this.sessionId = user.signedInBy ?? null;
    this.choice = choice;
    this.since = since;
    this.#channel = channel;
    this.#line = line;
  }

  watchedAs(address: string): string | undefined {
    return this.#channel.watchedAs(address);
  }

  notify(method: string, params: Readonly<Record<string, unknown>>): void {
    if (!this.#channel.isInitialized) return;
    this.#line.send('message', JSON.stringify({ jsonrpc: '2.0', method, params }));
  }

  end(): void {
    this.#line.end();
  }
}
