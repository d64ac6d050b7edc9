import type { ResourceContents } from '#adapters/mcp/protocol/messages.ts';
import type { MethodContext } from '#adapters/mcp/protocol/method.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';

/** A resource as a list shows it. */
export type ResourceEntry = Readonly<{
  uri: string;
  name: string;
  title?: string;
  description?: string;
  mimeType?: string;
  size?: number;
}>;

/** A URI template (RFC 6570). */
export type ResourceTemplate = Readonly<{
  uriTemplate: string;
  name: string;
  title: string;
  description: string;
  mimeType?: string;
}>;

/** A page of a list; `next` is the cursor of the next page, null at the end. */
export type ListPage<Entry> = Readonly<{ entries: readonly Entry[]; next: string | null }>;

/** Resources of one kind. */
export interface ResourceSource {
  readonly templates: readonly ResourceTemplate[];
  /** The templates of one whose templates come and go, as the user may see them; in place of `templates`. */
  templatesFor?(context: Pick<MethodContext, 'user' | 'choice'>): readonly ResourceTemplate[];
  /** Whether its templates are shown to the user, given the client's choice; always by default. */
  isShownTo?(context: Pick<MethodContext, 'user' | 'choice'>): boolean;
  /**
   * The service that an address of this source requires; null when it is not of this source. By default none is
   * required.
   */
  serviceOf?(uri: string): ServiceKey | null;
  /** A page of the user's resources; `cursor` is one that this source returned, null for the first page. Null for an unknown cursor. */
  list(context: MethodContext, cursor: string | null): Promise<ListPage<ResourceEntry> | null>;
  /** Reads the resource at an address; null when it is not of this source, does not exist, or is not the user's. */
  read(context: MethodContext, uri: string): Promise<readonly ResourceContents[] | null>;
  /**
   * The canonical form of an address, under which its changes are published; null when it is not of this source, or the
   * user has no access.
   */
  addressOf(context: Pick<MethodContext, 'user'>, uri: string): string | null;
  /**
   * Completes an argument of a template with values that what was typed starts, or is a part of; null when the template is not of
   * this source.
   */
  complete(context: MethodContext, uriTemplate: string, typed: string): Promise<readonly string[] | null>;
}
