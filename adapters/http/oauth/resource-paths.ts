/**
 * The paths of the protected resources, each with metadata of its own (RFC 9728 §3.1): MCP by its names (MCP-029), and
 * its older transport; '' stands for the origin.
 */
export const resourcePaths = ['', '/message', '/mcp', '/sse'] as const;

/** Whether a path, without a trailing slash, is the path of a protected resource. */
export function isResourcePath(path: string): boolean {
  return resourcePaths.some((known) => known === path);
}

/** The path of the protected resource at an address; any other address belongs to the origin. */
export function resourcePathOf(path: string): string {
  return resourcePaths.find((known) => known === path) ?? '';
}
