import { digestOfTool, type RemoteTool } from '#domain/remote-servers/remote-tool.ts';

/*
 * What a remote MCP server offers besides tools is known, accepted and switched off as its tools are, under names that
 * no tool can have.
 */

/** What an item is besides a tool: one prompt, one template of resources, or all resources. */
export type ItemKind = 'tool' | 'prompt' | 'template' | 'resources';

/** The name of the item that stands for all resources of a server: which they are, is asked when they are listed. */
export const resourcesItem = 'resources:*';

/** The name of the item of a prompt, or of a template of resources. */
export function itemName(kind: 'prompt' | 'template', name: string): string {
  return `${kind}:${name}`;
}

/** What an item is, and the name that its server gives it. */
export function readItem(item: string): Readonly<{ kind: ItemKind; name: string }> {
  const [, kind, name = ''] = /^(prompt|template|resources):(.*)$/s.exec(item) ?? [];
  return kind === 'prompt' || kind === 'template' || kind === 'resources'
    ? { kind, name }
    : { kind: 'tool', name: item };
}

/** The item of all resources of a server, which reads and has no words of its own. */
export const allResources: RemoteTool = {
  name: resourcesItem,
  title: 'All resources',
  description: '',
  inputSchema: { type: 'object' },
  outputSchema: null,
  hints: { readOnlyHint: true },
};

/** The digests of items by name, as their server lists them now. */
export function digestsOf(items: readonly RemoteTool[]): ReadonlyMap<string, string> {
  return new Map(items.map((item) => [item.name, digestOfTool(item)]));
}
