import { hash } from 'node:crypto';
import { canonicalJson } from '#domain/json/canonical-json.ts';
import type { Effect } from '#domain/operations/effect.ts';

/** What an MCP server hints about a tool (MCP specification, ToolAnnotations); each may be missing. */
export type RemoteHints = Readonly<{
  readOnlyHint?: boolean | undefined;
  destructiveHint?: boolean | undefined;
  idempotentHint?: boolean | undefined;
  openWorldHint?: boolean | undefined;
}>;

/** A tool as a remote MCP server lists it, within our bounds. `description` is '' where it gives none. */
export type RemoteTool = Readonly<{
  name: string;
  title: string | null;
  description: string;
  inputSchema: Readonly<Record<string, unknown>>;
  outputSchema: Readonly<Record<string, unknown>> | null;
  hints: RemoteHints;
}>;

/**
 * Returns the digest of a tool, base64url of SHA-256 over its canonical JSON (RFC 8785): what a model is shown, and what
 * its effect was derived from. Another title or output is no other tool.
 */
export function digestOfTool({ name, description, inputSchema, hints }: RemoteTool): string {
  return hash('sha256', canonicalJson({ name, description, inputSchema, annotations: hints }), 'base64url');
}

/**
 * The worst effect that a tool may have by its hints: one that is not said to read only, or not to destroy, may lose
 * something; one in an open world may reach others.
 */
export function effectOfHints({ readOnlyHint, destructiveHint, openWorldHint }: RemoteHints): Effect {
  if (readOnlyHint === true) return 'read';
  if (openWorldHint !== false) return 'reach';
  return destructiveHint === false ? 'add' : 'lose';
}
