import { grantedServices, type ListKind, listKinds, type ShownServices } from '#adapters/mcp/changes/shown-services.ts';
import type { ClientChannel } from '#adapters/mcp/protocol/client-channel.ts';
import type { ToolChoice } from '#adapters/mcp/protocol/tool-choice.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import type { User } from '#domain/users/user.ts';

/** An open way to one client that wants to hear of changes. */
export interface Listener {
  readonly userId: number;
  /** The services that it may hear of at all, and those of them whose tools its client wants. */
  readonly granted: readonly ServiceKey[];
  readonly choice: ToolChoice;
  /** The lists whose changes it wants to hear of. */
  readonly lists: readonly ListKind[];
  /** When it was opened, in Unix ms, as if a session began then; null for a line that needs no session. */
  readonly since: number | null;
  /** What its user's lists were made of when it was last looked at; null before that. */
  shown: ShownServices | null;
  /** How the client wrote the address of a resource, given by the spelling that changes are told under; undefined when it does not watch it. */
  watchedAs(address: string): string | undefined;
  /** Sends a notification. */
  notify(method: string, params: Readonly<Record<string, unknown>>): void;
  /** Ends the line: its user has signed out everywhere, or is gone. */
  end(): void;
}

/** What a line of the older eras does for a listener. */
export type ListenerLine = Readonly<{ send(event: string, data: string): unknown; end(): void }>;

/** Who opened the line, which tools they chose, and when. */
export type ListenerOwner = Readonly<{ user: User; choice: ToolChoice; since: number | null }>;

/** A line to a client of before 2026-07-28, which hears of all lists once it has begun with `initialize`. */
export class LegacyListener implements Listener {
  readonly userId: number;
  readonly granted: readonly ServiceKey[];
  readonly choice: ToolChoice;
  readonly lists = listKinds;
  readonly since: number | null;
  shown: ShownServices | null = null;
  readonly #channel: ClientChannel;
  readonly #line: ListenerLine;

  constructor({ user, choice, since }: ListenerOwner, channel: ClientChannel, line: ListenerLine) {
    this.userId = user.id;
    this.granted = grantedServices(user);
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
