import { z } from 'zod';
import type { ToolResult } from '#adapters/mcp/protocol/messages.ts';
import { everyTool } from '#adapters/mcp/protocol/tool-choice.ts';
import { toolResult } from '#adapters/mcp/results/tool-result.ts';
import { confirmedInClient, isConfirmedInClient } from '#adapters/mcp/tools/ask-user.ts';
import { checking } from '#adapters/mcp/tools/checked-tool.ts';
import { limitOf } from '#adapters/mcp/tools/result-budget.ts';
import type { Tool, ToolCall } from '#adapters/mcp/tools/tool.ts';
import type { OperationInfo } from '#application/ports/operation-catalog.ts';
import { maxCode } from '#application/programs/asked-program.ts';
import { programEffect, programSwitch } from '#application/programs/program-operations.ts';
import type { RunProgram } from '#application/programs/run-program.ts';
import { digestOfJson } from '#domain/changes/change-digest.ts';
import { differenceText } from '#domain/changes/difference-text.ts';
import { hintsOf } from '#domain/operations/effect.ts';
import { type Failure, recordIdOf } from '#domain/operations/outcome.ts';
import { jsonSchemaOf, listedSchemaOf } from '#infrastructure/json-schema/tool-schema.ts';

const inputs = z.strictObject({
  code: z
    .string()
    .min(1)
    .max(maxCode)
    .describe('JavaScript or TypeScript: the body of an async function; return its result as JSON'),
  input: z
    .unknown()
    .optional()
    .describe('What the code finds as `input`')
    .meta({ type: 'object', additionalProperties: true }),
});

/** The tool that runs a program over all operations that the app may use. Apps that may only read have it for reading. */
export function workspaceRun(programs: Pick<RunProgram, 'run'>): Tool {
  const tool = checking(inputs, {
    name: 'workspace_run',
    title: 'Run a program',
    description:
      "Runs a small program that calls operations near the data, for tasks of many calls: `await portolan.tracker.issues_list({…})` (a tool's name after its service), `for await (const item of portolan.pages(portolan.tracker.issues_list, {…}))`, portolan.search, log(…). Lists answer {data, pagination}. Failed calls throw with reason and hint. Nothing else is there: no network, files or timers. search_tools with code: true declares operations",
    listedSchema: listedSchemaOf(jsonSchemaOf(inputs)),
    annotations: hintsOf(programEffect, false, true),
    service: null,
    needsService: true,
    isAskable: true,
    operation: programSwitch,
    run: async (user, { code, input }, call): Promise<ToolResult> => {
      const { signal, onProgress, choice = everyTool, asked = {} } = call;
      const { services, isReadonly } = choice;
      const outcome = await programs.run(user, {
        code,
        input: input ?? null,
        choice: { services, isReadonly },
        isDry: asked.isDry === true,
        explain: asked.explain ?? null,
        approval: asked.approval ?? null,
        signal,
        ...(onProgress === undefined ? {} : { onCall: (done, message) => onProgress({ done, total: null, message }) }),
        ...(isConfirmedInClient(user, call) ? { confirm: asksOnce(call) } : {}),
      });
      return toolResult(outcome, { connectUrl: '', limit: limitOf(call), detailsAre: 'What it did', hints });
    },
  });
  return { ...tool, forReaders: { ...tool, annotations: hintsOf('read', true, true) } };
}

/** What to do about a program that failed by itself. */
const hints = {
  invalid_input: 'Correct the code or the arguments by what the message says, and run it again.',
  rejected: 'Correct the code at that line, or handle what the call threw, and run it again.',
  too_large: 'Do less in one program: fewer calls, a narrower search, a shorter result.',
};

/** Asks the user before the first change that loses something or reaches others; the answer counts for the program. */
function asksOnce(call: ToolCall): (operation: OperationInfo, input: unknown) => Promise<Failure | null> {
  let asked: Promise<Failure | null> | null = null;
  return (operation, input) => {
    const title = `A program: ${operation.title} (and whatever else it does after this)`;
    const fields = Object.entries({ ...Object(input) }).map(([field, after]) => ({ field, after }));
    const text = differenceText([{ kind: 'record', id: recordIdOf(input, null), title: null, fields }]);
    const digest = digestOfJson([operation.service, operation.name, input]);
    asked ??= confirmedInClient(title, { digest, effect: operation.effectOf(input), text }, call);
    return asked;
  };
}
