import { grantedServices, type ListKind, listKinds, type ShownServices } from '#adapters/mcp/changes/shown-services.ts';
import type { ClientChannel } from '#adapters/mcp/protocol/client-channel.ts';
import type { ToolChoice } from '#adapters/mcp/protocol/tool-choice.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { User } from '#domain/users/user.ts';

/** An open connection to one client that has asked for change notifications. */
export interface Listener {
  readonly userId: number;
  /** The services that its notifications may concern, and those of them whose tools its client has chosen. */
  readonly granted: readonly ServiceKey[] | null;
  /** The id of the app's grant that it was opened with; null without one. */
  readonly grantId: string | null;
  readonly choice: ToolChoice;
  /** The lists whose changes its client has asked for. */
  readonly lists: readonly ListKind[];
  /** When it was opened, in Unix ms, as if a session began then; null for a line that needs no session. */
  readonly since: number | null;
  /** What its user's lists consisted of at the last check; null before the first. */
  shown: ShownServices | null;
  /**
   * The client's own spelling of a watched resource's address, by the spelling under which changes are published; undefined
   * when it does not watch it.
   */
  watchedAs(address: string): string | undefined;
  /** Sends a notification. */
  notify(method: string, params: Readonly<Record<string, unknown>>): void;
  /** Ends the line, when its user has signed out everywhere, is deleted, or has revoked its app. */
  end(): void;
}

/** The output of a legacy listener's line. */
export type ListenerLine = Readonly<{ send(event: string, data: string): unknown; end(): void }>;

/** The user of a line, the tools they chose, and when it was opened. */
export type ListenerOwner = Readonly<{ user: User; choice: ToolChoice; since: number | null }>;

/** A line to a client of a revision before 2026-07-28; it gets notifications of all lists once it has sent `initialize`. */
export class LegacyListener implements Listener {
  readonly userId: number;
  readonly granted: readonly ServiceKey[] | null;
  readonly grantId: string | null;
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
