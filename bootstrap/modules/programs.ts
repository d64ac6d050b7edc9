import { availableParallelism } from 'node:os';
import { ContainerModule } from 'inversify';
import { describedFailure } from '#adapters/mcp/results/tool-result.ts';
import type { Tool } from '#adapters/mcp/tools/tool.ts';
import { ProgramThreads } from '#adapters/programs/program-threads.ts';
import { AskApproval } from '#application/approvals/ask-approval.ts';
import { RunOperation } from '#application/operations/run-operation.ts';
import { type OtherCall, RunProgram } from '#application/programs/run-program.ts';
import { tokens } from '#bootstrap/modules/tokens.ts';
import { isObject } from '#domain/json/json-data.ts';

/** Binds what runs the programs of apps. */
export const programRuns = new ContainerModule(({ bind }) => {
  bind(ProgramThreads)
    .toDynamicValue(() => new ProgramThreads({ maxThreads: Math.max(1, availableParallelism() - 1) }))
    .onDeactivation((threads) => threads.close());
  bind(tokens.programs).toDynamicValue((on) => {
    const { settings } = on.get(tokens.runtime);
    if (!settings.PROGRAMS) return null;
    const tools = new Map(on.get(tokens.workspaceTools).map((tool) => [tool.name, tool]));
    const others = ['search', 'brief'].flatMap((path) => {
      const tool = tools.get(`workspace_${path}`);
      return tool === undefined ? [] : [[path, calling(tool)] as const];
    });
    return new RunProgram({
      sandbox: on.get(ProgramThreads),
      run: on.get(tokens.awaitedCalls),
      asking: on.get(AskApproval),
      note: on.get(RunOperation),
      catalog: on.get(tokens.catalog),
      gateway: on.get(tokens.gateway),
      connections: on.get(tokens.connections),
      clock: on.get(tokens.clock),
      random: on.get(tokens.random),
      describe: describedFailure,
      others: new Map(others),
      keepsChanges: settings.UNDO_DAYS > 0,
    });
  });
});

/** Calls a tool over all services from a program, which may give a text in place of an object with a query. */
function calling(tool: Tool): OtherCall {
  return async (user, inputs, { signal, choice }) => {
    const args = typeof inputs === 'string' ? { query: inputs } : isObject(inputs) ? inputs : {};
    const full = { ...choice, isCatalogue: false, isPrograms: false, isFull: false };
    const { structuredContent, content, isError } = await tool.run(user, args, { signal, choice: full });
    const text = content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n');
    if (isError !== true) return { ok: true, value: structuredContent ?? text };
    return { ok: false, error: { message: text, ...structuredContent } };
  };
}
