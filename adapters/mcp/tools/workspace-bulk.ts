import { z } from 'zod';
import { approvalAsJson } from '#adapters/contracts/approval-json.ts';
import type { ToolResult } from '#adapters/mcp/protocol/messages.ts';
import { everyTool, isChosen } from '#adapters/mcp/protocol/tool-choice.ts';
import { changedValues, withoutGivenTexts } from '#adapters/mcp/results/change-answers.ts';
import { refused, toolResult } from '#adapters/mcp/results/tool-result.ts';
import { noPages, truncateJson } from '#adapters/mcp/results/truncate.ts';
import { confirmedInClient, isConfirmedInClient } from '#adapters/mcp/tools/ask-user.ts';
import { takeAsked } from '#adapters/mcp/tools/asked-arguments.ts';
import { checking } from '#adapters/mcp/tools/checked-tool.ts';
import { limitOf } from '#adapters/mcp/tools/result-budget.ts';
import type { Tool, ToolCall } from '#adapters/mcp/tools/tool.ts';
import { byOperations } from '#application/operations/by-operations.ts';
import type { OperationCatalog, OperationInfo } from '#application/ports/operation-catalog.ts';
import {
  type BulkItem,
  type BulkOutcome,
  maxBulkItems,
  maxEqualFailures,
  type RunBulk,
} from '#application/workspace/run-bulk.ts';
import { isAskedBefore } from '#domain/changes/ask-policy.ts';
import { digestOfJson } from '#domain/changes/change-digest.ts';
import { isObject } from '#domain/json/json-data.ts';
import { hintsOf } from '#domain/operations/effect.ts';
import { type Failure, failed, succeeded } from '#domain/operations/outcome.ts';
import { err, ok, type Result } from '#domain/shared/result.ts';
import { nearestName } from '#domain/text/nearest-name.ts';
import { isWhollyOff, permissionFailure, switchedOffFailure } from '#domain/users/rights.ts';
import type { User } from '#domain/users/user.ts';
import { jsonSchemaOf, listedSchemaOf } from '#infrastructure/json-schema/tool-schema.ts';

const inputs = z.strictObject({
  operation: z.string().min(1).max(200).describe('Name of the tool, such as tracker_issue_update'),
  items: z
    .array(z.unknown())
    .min(1)
    .max(maxBulkItems)
    .describe(`The arguments of each call, up to ${maxBulkItems}`)
    .meta({ items: { type: 'object' } }),
});

/** What a bulk is: the operation that it calls, and the inputs. */
type BulkCall = Readonly<{ operation: OperationInfo; items: readonly unknown[] }>;

/** The share of the budget for all answers together, and the maximum length of one of a change, in tokens. */
const answersShare = 0.7;
const maxChange = 300;

/** The maximum length of a failure's message, in characters. */
const maxMessage = 1_000;

/**
 * The tool that runs another one many times. Those who may only read have it too, as one that reads: it refuses what
 * changes something.
 */
export function workspaceBulk(bulk: Pick<RunBulk, 'run'>, catalog: OperationCatalog): Tool {
  const byName = byOperations(catalog, (operations) => {
    const offered = operations.filter(({ tool, isFile }) => tool !== null && !isFile);
    return new Map(
      offered.flatMap((one) => [[one.tool ?? '', one] as const, [`${one.service}.${one.name}`, one] as const]),
    );
  });
  const tool = checking(inputs, {
    name: 'workspace_bulk',
    title: 'Run a tool many times',
    description: `Runs one tool for up to ${maxBulkItems} items in order, each as if called alone. Answers what was done, refused (with reasons) and not tried; stops after ${maxEqualFailures} equal failures`,
    listedSchema: listedSchemaOf(jsonSchemaOf(inputs)),
    annotations: hintsOf('lose', false, true),
    service: null,
    needsService: true,
    isAskable: true,
    run: async (user, { operation: name, items }, call) => {
      const operation = byName().get(name);
      if (operation === undefined) return refused(unknownOperation(name, [...byName().keys()]));
      return runAll(bulk, user, { called: { operation, items }, call, catalog });
    },
  });
  return { ...tool, forReaders: { ...tool, annotations: hintsOf('read', true, true) } };
}

type Surroundings = Readonly<{ called: BulkCall; call: ToolCall; catalog: OperationCatalog }>;

async function runAll(
  bulk: Pick<RunBulk, 'run'>,
  user: User,
  { called, call, catalog }: Surroundings,
): Promise<ToolResult> {
  const { operation, items } = called;
  const rejection = rejectionOf(user, operation, { call, catalog });
  if (rejection !== null) return refused(rejection);
  const asking = items.map((item) => itemAsking(operation, item));
  const refusal = asking.find((one) => !one.ok);
  if (refusal?.ok === false) return refused(refusal.failure);
  const { signal, onProgress, asked = {} } = call;
  const given = asking.flatMap((one) => (one.ok ? [{ ...one.value, asked: { ...asked, ...one.value.asked } }] : []));
  const confirmed = await confirmedItems(bulk, user, { operation, call, items: given });
  if (!confirmed.ok) return refused(confirmed.failure);
  const progress = onProgress === undefined ? {} : { onProgress };
  const outcome = await bulk.run(user, { operation, items: confirmed.value, signal, ...progress });
  const limit = limitOf(call);
  const answer = shown(outcome, called, limit.maxTokens * answersShare);
  return toolResult(succeeded(answer), { connectUrl: '', limit });
}

/** The items that the user confirmed in the client, all at once, if one of them loses something or reaches others. */
async function confirmedItems(
  bulk: Pick<RunBulk, 'run'>,
  user: User,
  { operation, items, call }: Readonly<{ operation: OperationInfo; items: readonly BulkItem[]; call: ToolCall }>,
): Promise<Result<readonly BulkItem[], Failure>> {
  const places = items.flatMap(({ input, asked }, place) => {
    const isMade = asked.isDry !== true && asked.approval === undefined;
    return isMade && isAskedBefore(operation.effectOf(input)) ? [place] : [];
  });
  if (places.length === 0 || !isConfirmedInClient(user, call)) return ok(items);
  const asking = places.flatMap((place) => items[place] ?? []);
  const toAsk = asking.map((item) => ({ ...item, asked: { ...item.asked, confirmed: null } }));
  const { refused: answers } = await bulk.run(user, { operation, items: toAsk, signal: call.signal });
  const changes = answers.flatMap(({ item, failure: { toConfirm } }) =>
    toConfirm === undefined ? [] : [{ ...toConfirm, place: places[item - 1] ?? 0 }],
  );
  const [first] = changes;
  if (first === undefined) return ok(items);
  const effect = changes.some((one) => one.effect === 'reach') ? 'reach' : 'lose';
  const text = changes.map((one) => `${one.place + 1}. ${one.text}`).join('\n');
  const digest = digestOfJson(changes.map((one) => one.digest));
  const title = `${operation.title}, ${changes.length} times`;
  const failure = await confirmedInClient(title, { digest, effect, text }, call);
  if (failure !== null) return err(failure);
  const digests = new Map(changes.map((one) => [one.place, one.digest]));
  return ok(
    items.map((item, place) => {
      const confirmed = digests.get(place);
      return confirmed === undefined ? item : { ...item, asked: { ...item.asked, confirmed } };
    }),
  );
}

/** An item, with what it asks of its own change, such as its approval, apart from the input. */
function itemAsking(operation: OperationInfo, item: unknown): Result<BulkItem, Failure> {
  const { effect, inputSchema } = operation;
  if (!isObject(item)) return ok({ input: item, asked: {} });
  const taken = takeAsked({ annotations: hintsOf(effect, false, true), operation, inputSchema }, item);
  return taken.ok ? ok({ input: taken.value.args, asked: taken.value.asked }) : taken;
}

/** The reason why none of the calls would be permitted; each call is checked again. */
function rejectionOf(
  user: User,
  operation: OperationInfo,
  { call: { choice = everyTool }, catalog: { names } }: Omit<Surroundings, 'called'>,
): Failure | null {
  const { service, effect } = operation;
  const reads = effect === 'read';
  if (!isChosen({ service, annotations: { readOnlyHint: reads } }, choice)) {
    return failed('forbidden', 'This connection was set up without this tool.');
  }
  const failure = permissionFailure(user, { service, isReading: reads, names });
  return failure ?? (isWhollyOff(user, operation) ? switchedOffFailure(service, names) : null);
}

function unknownOperation(name: string, known: readonly string[]): Failure {
  const near = nearestName(name, known);
  const meant = near === null ? '' : ` Did you mean ${near}?`;
  return failed('invalid_input', `There is no tool "${name}" that can be run many times.${meant}`);
}

/** The answer: every item is named, whatever is cut of the answers; a change answers what names the record and the values given. */
function shown(
  { done, refused: failures, notTried, stopped }: BulkOutcome,
  { operation, items }: BulkCall,
  room: number,
) {
  const share = Math.floor(room / Math.max(1, done.length));
  const isReading = operation.effect === 'read';
  const limit = { maxTokens: isReading ? share : Math.min(share, maxChange), pageInput: noPages };
  const answered = (data: unknown, input: unknown) =>
    isReading ? data : changedValues(withoutGivenTexts(data, input), input);
  return {
    done: done.map(({ item, id, outcome: { data, pagination, warnings } }) => ({
      item,
      ...(id === null ? {} : { id }),
      ...(data === null || data === undefined
        ? {}
        : truncateJson({ answer: answered(data, items[item - 1]) }, limit).value),
      ...(pagination?.hasMore === true ? { pagination } : {}),
      ...(warnings === undefined ? {} : { warnings }),
    })),
    refused: failures.map(({ item, failure: { reason, message, sent, approval } }) => ({
      item,
      reason,
      message: message.slice(0, maxMessage),
      ...(sent === 'unknown' ? { sent } : {}),
      ...(approval === undefined ? {} : { approval: approvalAsJson(approval) }),
    })),
    not_tried: notTried,
    ...(stopped === null ? {} : { stopped }),
  };
}
