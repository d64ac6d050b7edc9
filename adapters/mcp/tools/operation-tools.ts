import type { ToolResult } from '#adapters/mcp/protocol/messages.ts';
import { withoutGivenTexts } from '#adapters/mcp/results/change-answers.ts';
import { fileResult } from '#adapters/mcp/results/file-result.ts';
import { withoutNestedIds } from '#adapters/mcp/results/nested-ids.ts';
import { refused, type Showing, toolResult } from '#adapters/mcp/results/tool-result.ts';
import type { Limit } from '#adapters/mcp/results/truncate.ts';
import { type RunAsked, runAsking } from '#adapters/mcp/tools/ask-user.ts';
import { askingFor } from '#adapters/mcp/tools/asked-questions.ts';
import type { AwaitDecision } from '#adapters/mcp/tools/decisions.ts';
import type { HeldCalls } from '#adapters/mcp/tools/held-calls.ts';
import { ambiguousName } from '#adapters/mcp/tools/questions.ts';
import { limitOf } from '#adapters/mcp/tools/result-budget.ts';
import type { Tool, ToolCall } from '#adapters/mcp/tools/tool.ts';
import { isRestOnly } from '#application/operations/rest-only.ts';
import type { RunOperationFor } from '#application/operations/run-operation.ts';
import type { OperationCatalog, OperationInfo } from '#application/ports/operation-catalog.ts';
import type { OperationCall } from '#application/ports/service-gateway.ts';
import { isObject } from '#domain/json/json-data.ts';
import { hintsOf } from '#domain/operations/effect.ts';
import { isFileContent } from '#domain/operations/file-content.ts';
import { failed, type Outcome } from '#domain/operations/outcome.ts';
import { type Awaitable, andThen } from '#domain/shared/result.ts';
import type { User } from '#domain/users/user.ts';

type Args = Readonly<Record<string, unknown>>;

/**
 * Converts the operations that have a tool name to tools, ordered by service, then as in the catalog.
 */
export function operationTools(catalog: OperationCatalog, running: Running): readonly Tool[] {
  return ordered(catalog).flatMap((operation) =>
    operation.tool === null ? [] : [toolOf(operation, operation.tool, running)],
  );
}

/**
 * Converts the operations that have a REST route and no tool to tools by their own names, such as
 * `tracker.comments.update`, for the catalogue mode; those that stay REST only are left out (TOOL-018).
 */
export function otherOperationTools(catalog: OperationCatalog, running: Running): readonly Tool[] {
  return ordered(catalog).flatMap((operation) =>
    operation.tool !== null || operation.route === null || isRestOnly(operation)
      ? []
      : [toolOf(operation, `${operation.service}.${operation.name}`, running)],
  );
}

/** The operations by service, then as in the catalog. */
function ordered({ names: { keys }, operations }: OperationCatalog): readonly OperationInfo[] {
  return operations.toSorted((left, right) => keys.indexOf(left.service) - keys.indexOf(right.service));
}

/**
 * How tools run: `baseUrl` is how clients reach this server, `decided` waits for what a person decides elsewhere, and
 * `held` keeps calls whose service has asked their user; without it those of clients that repeat requests ask nobody.
 */
export type Running = Readonly<{ run: RunOperationFor; baseUrl: string; decided?: AwaitDecision; held?: HeldCalls }>;

function toolOf(operation: OperationInfo, tool: string, { run, baseUrl, decided, held }: Running): Tool {
  const { title, summary, output, service, name, effect, effects, isIdempotent, isOpenWorld, remote } = operation;
  return {
    name: tool,
    title,
    description: summary,
    get inputSchema() {
      return operation.inputSchema;
    },
    get listedSchema() {
      return operation.listedSchema ?? operation.inputSchema;
    },
    get outputSchema() {
      return output?.contentSchema;
    },
    annotations: hintsOf(effect, isIdempotent, isOpenWorld),
    service,
    operation: { service, name, effect, effects },
    run: async (user, input, call) => {
      const made = (questions: Questions) => answered(questions, { user, input, call: { ...call, ...questions } });
      const { client, signal } = call;
      if (remote === undefined) return made({ signal });
      if (held?.takes(client) !== true || client === undefined) return made({ signal, ...askingFor(remote, client) });
      return held.run({ userId: user.id, client, signal, title: remote }, made);
    },
  };
  async function answered({ onQuestion, signal }: Questions, { user, input, call }: Answering): Promise<ToolResult> {
    const { onProgress } = call;
    const progress = onProgress === undefined ? {} : { onProgress };
    const questions = onQuestion === undefined ? {} : { onQuestion };
    const isReading = effect === 'read';
    const runOnce: RunAsked = (args, asked) =>
      run(user, { service, name, input: args, signal, ...progress, ...questions, ...(isReading ? {} : { asked }) });
    const asking = () => runAsking(runOnce, { title, user, args: input, call, decided });
    const first = isReading ? await runOnce(input, {}) : await asking();
    // A call that reads has nothing to ask but what a name means.
    const isUnclear = isReading && !first.ok && ambiguousName(first.inputErrors) !== null;
    const outcome = isUnclear ? await asking() : first;
    // What a dry run answers is no record.
    if (call.asked?.isDry === true && outcome.ok) return toolResult(outcome, { connectUrl: '', limit: limitOf(call) });
    return resultOf(shownOf(outcome, operation, input), {
      operation,
      input,
      baseUrl,
      limit: limitOf(call, () => pageInputOf(operation)),
      form: call.form,
    });
  }
}

type Questions = Pick<OperationCall, 'onQuestion'> & Readonly<{ signal: AbortSignal }>;
type Answering = Readonly<{ user: User; input: Args; call: ToolCall }>;

/** An outcome as a model reads it: without what the call itself gave, and without ids that no tool needs. */
function shownOf(outcome: Outcome, { effect, output }: OperationInfo, input: Args): Outcome {
  if (!outcome.ok) return outcome;
  if (effect !== 'read') return { ...outcome, data: withoutGivenTexts(outcome.data, input) };
  if (output?.kind !== 'list') return outcome;
  return { ...outcome, data: withoutNestedIds(outcome.data, output.dataSchema, input['fields']) };
}

type Called = Readonly<{ operation: OperationInfo; input: Args; baseUrl: string; limit: Limit }> &
  Pick<Showing, 'form'>;

function resultOf(outcome: Outcome, { operation, input, baseUrl, limit, form }: Called): Awaitable<ToolResult> {
  const address = () => addressOf(operation, input, baseUrl);
  if (!outcome.ok || !operation.isFile || !isFileContent(outcome.data)) {
    return toolResult(outcome, { connectUrl: `${baseUrl}/page`, output: operation.output, limit, form, address });
  }
  const tooLarge = failed('too_large', 'The file is too large to return.');
  return andThen(fileResult(outcome.data, address(), limit.maxTokens), (result) => result ?? refused(tooLarge));
}

/** The names under which providers take the length of a page. */
const pageInputs: readonly string[] = ['limit', 'first', 'count', 'per_page'];

function pageInputOf({ inputSchema }: OperationInfo): string | null {
  const { properties } = inputSchema;
  return isObject(properties) ? (pageInputs.find((name) => Object.hasOwn(properties, name)) ?? null) : null;
}

/** The address of this server's REST route for the same call; null when it has no GET route. */
function addressOf({ service, route }: OperationInfo, input: Args, baseUrl: string): string | null {
  if (route?.method !== 'GET') return null;
  const left = new Map(
    Object.entries(input).flatMap(([name, value]) => (isPlain(value) ? [[name, String(value)] as const] : [])),
  );
  const path = route.path.replaceAll(/\{(\+?)([^{}]+)\}/g, (_, rest: string, name: string) => {
    const value = left.get(name) ?? '';
    left.delete(name);
    return rest === '' ? encodeURIComponent(value) : value.split('/').map(encodeURIComponent).join('/');
  });
  const query = new URLSearchParams([...left]).toString();
  return `${baseUrl}/api/${service}${path}${query === '' ? '' : `?${query}`}`;
}

function isPlain(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
