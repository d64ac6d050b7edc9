import type { ToolResult } from '#adapters/mcp/protocol/messages.ts';
import type { Tool, ToolCall } from '#adapters/mcp/tools/tool.ts';
import { hintsOf } from '#domain/operations/effect.ts';

/** A red dot, as PNG. */
export const redDot =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==';

/** No sound at all, as WAV. */
export const silence = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=';

type Run = (args: Readonly<Record<string, unknown>>, call: ToolCall) => Promise<ToolResult> | ToolResult;

/** A tool of the suite; all its arguments are texts. */
export function fixtureTool(name: string, run: Run, args: readonly string[] = []): Tool {
  const properties = Object.fromEntries(args.map((arg) => [arg, { type: 'string' }]));
  return {
    name,
    title: name,
    description: `What the conformance suite calls ${name}.`,
    inputSchema: { type: 'object', properties, required: args },
    annotations: hintsOf('read', true, false),
    service: null,
    run: async (_, given, call) => run(given, call),
  };
}

/** A result of one text. */
export const said = (text: string): ToolResult => ({ content: [{ type: 'text', text }] });
