import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { operationTools } from '#adapters/mcp/tools/operation-tools.ts';
import { catalogOf } from '#adapters/services/catalog.ts';
import type { Provider } from '#adapters/services/definitions/provider.ts';
import type { OperationCaller } from '#application/ports/operation-caller.ts';
import { guest } from '#domain/users/user.ts';
import { runOver } from '#test/support/mcp/mcp-catalog.ts';

/** What a tool answered: its texts, and structured content, which is null for tools without a schema for it. */
export type ToolAnswer = Readonly<{ texts: readonly string[]; content: Readonly<Record<string, unknown>> | null }>;

/**
 * Calls tools of the provider over the gateway, and checks each success as MCP clients do: there is structured content, and it fits the
 * schema that the tool has published. Throws for failures.
 */
export function documentedTools(provider: Provider, gateway: OperationCaller) {
  const tools = operationTools(catalogOf([provider]), { run: runOver(gateway), baseUrl: 'http://localhost:3000' });
  const user = { ...guest, id: 1, permissions: [provider.service] };
  const validator = new AjvJsonSchemaValidator();
  return async (name: string, args: Readonly<Record<string, unknown>> = {}): Promise<ToolAnswer> => {
    const tool = tools.find((candidate) => candidate.name === name);
    if (tool === undefined) throw new Error(`There is no tool ${name}.`);
    const { isError, content, structuredContent } = await tool.run(user, args, { signal: AbortSignal.timeout(60_000) });
    const texts = content.map((part) => (part.type === 'text' ? part.text : ''));
    if (isError === true) throw new Error(`${name}: ${texts.join('\n')}`);
    if (tool.outputSchema === undefined) return { texts, content: null };
    const checked = validator.getValidator(tool.outputSchema)(structuredContent);
    if (!checked.valid) throw new Error(`${name}: ${checked.errorMessage}: ${JSON.stringify(structuredContent)}`);
    return { texts, content: structuredContent ?? null };
  };
}

/** JSON without the members that are null, which structured content need not have; any other text as it is. */
export function withoutNulls(text: string): string {
  return /^[{[]/.test(text) ? JSON.stringify(filled(JSON.parse(text))) : text;
}

function filled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(filled);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => (member === null ? [] : [[name, filled(member)]])),
  );
}
