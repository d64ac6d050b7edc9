import { z } from 'zod';
import { approvalAsJson } from '#adapters/contracts/approval-json.ts';
import type { ToolResult } from '#adapters/mcp/protocol/messages.ts';
import { refused, toolResult } from '#adapters/mcp/results/tool-result.ts';
import { confirmedInClient, isConfirmedInClient, type RunAsked, runAsking } from '#adapters/mcp/tools/ask-user.ts';
import { checking } from '#adapters/mcp/tools/checked-tool.ts';
import type { AwaitDecision } from '#adapters/mcp/tools/decisions.ts';
import { limitOf } from '#adapters/mcp/tools/result-budget.ts';
import type { Tool, ToolCall } from '#adapters/mcp/tools/tool.ts';
import type { TakeBack } from '#application/changes/take-back.ts';
import type { KeptSummary } from '#application/ports/kept-changes.ts';
import { digestOfJson } from '#domain/changes/change-digest.ts';
import { differenceText } from '#domain/changes/difference-text.ts';
import { undoStateOf } from '#domain/changes/undo-state.ts';
import { hintsOf } from '#domain/operations/effect.ts';
import { type Failure, failed, type Outcome, succeeded } from '#domain/operations/outcome.ts';
import type { User } from '#domain/users/user.ts';
import { jsonSchemaOf, listedSchemaOf } from '#infrastructure/json-schema/tool-schema.ts';

const inputs = z.strictObject({
  activity: z.string().min(1).max(100).describe('Id of a change, as listed with dry: true').optional(),
  since: z.iso
    .datetime({ offset: true, local: false })
    .describe('All changes since then, the latest first: an ISO time such as 2026-11-28T09:30:00Z')
    .optional(),
});

/** The maximum number of listed changes, and the maximum length of a failure's message, in characters. */
const maxShown = 50;
const maxMessage = 500;

/** The dependencies of the tool. */
type UndoToolDependencies = Readonly<{
  takeBack: Pick<TakeBack, 'list' | 'open' | 'find' | 'run' | 'since'>;
  now: () => number;
  /** Waits for what a person decides at `/approvals`; without it nothing is waited for. */
  decided?: AwaitDecision;
}>;

const title = 'Take changes back';

/**
 * The tool that takes changes back: of those that the same app made for the user. Callers who may only read do not have
 * it.
 */
export function workspaceUndo(dependencies: UndoToolDependencies): Tool {
  return checking(inputs, {
    name: 'workspace_undo',
    title,
    description:
      'Takes back changes that this app made: one (activity), or all since a time. With dry: true it lists them with their ids, or shows what taking one back would change',
    listedSchema: listedSchemaOf(jsonSchemaOf(inputs)),
    annotations: hintsOf('lose', false, true),
    service: null,
    needsService: true,
    isAskable: true,
    run: async (user, { activity, since }, call) => {
      if (activity !== undefined && since !== undefined) return refused(oneOfBoth);
      if (activity !== undefined) return takeOne(dependencies, user, { id: activity, call });
      const isDry = call.asked?.isDry === true;
      if (isDry) return list(dependencies, user, { since: since ?? null, call });
      return since === undefined ? refused(whichOne) : takeSince(dependencies, user, { since, call });
    },
  });
}

async function takeOne(
  { takeBack, decided }: UndoToolDependencies,
  user: User,
  { id, call }: Readonly<{ id: string; call: ToolCall }>,
): Promise<ToolResult> {
  const { signal } = call;
  const run: RunAsked = (_, asked) => takeBack.run(user, id, { signal, asked });
  const outcome = await runAsking(run, { title, user, args: {}, call, decided });
  const isDry = call.asked?.isDry === true;
  const shown = outcome.ok && !isDry ? { ...succeeded({ id, taken_back: true }), ...warningsOf(outcome) } : outcome;
  return toolResult(shown, { connectUrl: '', limit: limitOf(call) });
}

async function list(
  { takeBack, now }: UndoToolDependencies,
  user: User,
  { since, call }: Readonly<{ since: string | null; call: ToolCall }>,
): Promise<ToolResult> {
  const found = await takeBack.list(user, since === null ? 0 : Date.parse(since));
  const changes = found.slice(0, maxShown).map((one) => {
    const state = undoStateOf(one, now());
    const whyNot = state === 'impossible' ? { why_not: one.irreversible } : {};
    return { ...named(one), at: new Date(one.at).toISOString(), undo: state, ...whyNot };
  });
  return toolResult(succeeded({ dry: true, changes }), { connectUrl: '', limit: limitOf(call) });
}

async function takeSince(
  { takeBack }: UndoToolDependencies,
  user: User,
  { since, call }: Readonly<{ since: string; call: ToolCall }>,
): Promise<ToolResult> {
  const { signal, asked = {} } = call;
  if (asked.approval !== undefined) return refused(approvalOfOne);
  const failure = await unconfirmed(takeBack, user, { since: Date.parse(since), call });
  if (failure !== null) return refused(failure);
  const all = await takeBack.since(user, Date.parse(since), { signal, asked });
  const done = all.flatMap(({ change, outcome }) => (outcome.ok ? [{ ...named(change), ...warningsOf(outcome) }] : []));
  const left = all.flatMap(({ change, outcome }) => {
    if (outcome.ok) return [];
    const { reason, message, approval } = outcome;
    const asking = approval === undefined ? {} : { approval: approvalAsJson(approval) };
    return [{ ...named(change), reason, message: message.slice(0, maxMessage), ...asking }];
  });
  const answer = succeeded({ taken_back: done, refused: left });
  return toolResult(answer, { connectUrl: '', limit: limitOf(call) });
}

/** The failure where the user does not confirm in the client that several changes are taken back; null to go on. */
async function unconfirmed(
  takeBack: UndoToolDependencies['takeBack'],
  user: User,
  { since, call }: Readonly<{ since: number; call: ToolCall }>,
): Promise<Failure | null> {
  if (!isConfirmedInClient(user, call)) return null;
  const changes = await takeBack.open(user, since);
  const differences = [];
  for (const { id } of changes) {
    const found = await takeBack.find(user, id);
    if (found.ok) differences.push(...found.value.content.differences);
  }
  if (differences.length === 0) return null;
  const digest = digestOfJson(changes.map(({ id }) => id));
  const text = `These changes are taken back:\n${differenceText(differences)}`;
  return confirmedInClient(title, { digest, effect: 'lose', text }, call);
}

/** What names a change in an answer. */
function named({ id, service, operation, recordId }: KeptSummary) {
  return { id, operation: `${service}.${operation}`, ...(recordId === null ? {} : { record: recordId }) };
}

function warningsOf(outcome: Outcome): Readonly<{ warnings?: readonly string[] }> {
  return outcome.ok && outcome.warnings !== undefined ? { warnings: outcome.warnings } : {};
}

const oneOfBoth = failed('invalid_input', 'Give `activity` or `since`, not both.');
const whichOne = failed(
  'invalid_input',
  'Give `activity`, the id of a change, or `since`, a time. With `dry: true` alone the changes are listed.',
);
const approvalOfOne = failed('invalid_input', 'An approval is for one change: give its `activity` as well.');
