import type { ServiceKey } from '#domain/services/service-key.ts';

/**
 * A prompt of a remote MCP server as it is offered here: `name` is of this server, `asked` of the remote one. Its texts
 * are the remote server's words, as they were accepted.
 */
export type OfferedPrompt = Readonly<{
  name: string;
  asked: string;
  title: string;
  description: string;
  arguments: readonly Readonly<{ name: string; description: string; required: boolean }>[];
}>;

/** A template of a remote server's resources, with the words that were accepted; its URIs are of this server. */
export type OfferedTemplate = Readonly<{ uriTemplate: string; name: string; title: string; description: string }>;

/** What a remote MCP server offers besides tools; null `templates` where its resources are not used. */
export type RemoteOffer = Readonly<{
  service: ServiceKey;
  /** How the server is called in sentences. */
  title: string;
  prompts: readonly OfferedPrompt[];
  templates: readonly OfferedTemplate[] | null;
}>;

/** The operations by which a remote server's resources are listed and read, and its prompts got. */
export const offerOperations = {
  listResources: 'resources.list',
  readResource: 'resources.read',
  getPrompt: 'prompts.get',
} as const;
