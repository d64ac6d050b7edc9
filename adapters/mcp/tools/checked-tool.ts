import type { z } from 'zod';
import { checkInput } from '#adapters/input/check-input.ts';
import type { ToolResult } from '#adapters/mcp/protocol/messages.ts';
import { refused } from '#adapters/mcp/results/tool-result.ts';
import type { Tool, ToolCall } from '#adapters/mcp/tools/tool.ts';
import { refusedInput } from '#domain/operations/outcome.ts';
import type { User } from '#domain/users/user.ts';
import { fullSchemaOf, jsonSchemaOf } from '#infrastructure/json-schema/tool-schema.ts';

/** A tool before its arguments are checked: its input schema follows from theirs. */
type CheckedTool<Args> = Omit<Tool, 'inputSchema' | 'run'> &
  Readonly<{ run: (user: User, args: Args, call: ToolCall) => Promise<ToolResult> }>;

/** Builds a tool that rejects arguments that do not conform to their schema. */
export function checking<Schema extends z.ZodObject>(schema: Schema, tool: CheckedTool<z.output<Schema>>): Tool {
  return {
    ...tool,
    inputSchema: fullSchemaOf(jsonSchemaOf(schema)),
    run: async (user, args, call) => {
      const checked = checkInput(schema, args);
      return checked.ok ? tool.run(user, checked.value, call) : refused(refusedInput(checked.failure));
    },
  };
}
