import { describe, expect, it } from 'vitest';
import type { MethodContext } from '#adapters/mcp/protocol/method.ts';
import { everyTool } from '#adapters/mcp/protocol/tool-choice.ts';
import { operationTools } from '#adapters/mcp/tools/operation-tools.ts';
import { toolMethods } from '#adapters/mcp/tools/tool-methods.ts';
import { ToolRegistry } from '#adapters/mcp/tools/tool-registry.ts';
import { guest } from '#domain/users/user.ts';
import { DatabaseUnavailable } from '#infrastructure/database/database-unavailable.ts';
import { fakeCatalog } from '#test/support/mcp/mcp-catalog.ts';
import { serviceKeys } from '#test/support/services/five-services.ts';

describe('a tool that cannot use the database', () => {
  it('answers that it is unavailable for now and may be called again, without a word of the driver’s (ERR-007)', async () => {
    const run = () =>
      Promise.reject(new DatabaseUnavailable('unreachable', new Error('connect ECONNREFUSED db.internal')));
    const all = new ToolRegistry(operationTools(fakeCatalog, { run, baseUrl: 'http://localhost:3000' }), '1');
    const warnings: unknown[] = [];
    const logger = { warn: (facts: unknown) => warnings.push(facts) };
    const connected = { of: async () => new Set(serviceKeys) };
    const methods = toolMethods({ lists: () => ({ all, catalogue: all }), connected, logger } as never);
    const user = { ...guest, id: 7, permissions: ['vault'] };
    const context = { user, choice: everyTool, signal: new AbortController().signal, requestId: 1, log: () => {} };
    const result = await methods['tools/call']?.run(
      { name: 'vault_note_read', arguments: {} },
      context as unknown as MethodContext,
    );
    expect(result).toMatchObject({
      isError: true,
      structuredContent: { reason: 'unavailable', retryable: true },
    });
    expect(JSON.stringify(result)).toContain('cannot use its database');
    expect(JSON.stringify(result)).not.toMatch(/ECONN|db\.internal|Database/);
    expect(warnings).toEqual([expect.objectContaining({ reason: 'unreachable', tool: 'vault_note_read' })]);
  });
});
