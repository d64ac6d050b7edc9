import { z } from 'zod';
import { type AskableClient, type ClientRequest, silentClient } from '#adapters/mcp/protocol/client-requests.ts';
import { RpcError } from '#adapters/mcp/protocol/json-rpc.ts';
import { type AwaitDecision, undecided } from '#adapters/mcp/tools/decisions.ts';
import {
  ambiguousName,
  type Chosen,
  choiceQuestion,
  chosenIn,
  confirmQuestion,
  isConfirmed,
  pageQuestion,
  withChosen,
} from '#adapters/mcp/tools/questions.ts';
import type { ToolCall } from '#adapters/mcp/tools/tool.ts';
import type { AskedOfChange } from '#application/ports/service-gateway.ts';
import { type ChangeToConfirm, type Failure, failed, type Outcome } from '#domain/operations/outcome.ts';
import type { User } from '#domain/users/user.ts';

type Args = Readonly<Record<string, unknown>>;

/** A call whose user may be asked through the client. `decided` waits for what a person decides elsewhere. */
export type AskingCall = Readonly<{
  title: string;
  user: User;
  args: Args;
  call: ToolCall;
  decided?: AwaitDecision | undefined;
}>;

/** Runs a call with these arguments, and what is asked of its change besides. */
export type RunAsked = (args: Args, asked: AskedOfChange) => Promise<Outcome>;

/** The maximum number of questions of one call. */
const maxQuestions = 5;

/** How long a call waits for the answer of a client that opens a page, and for a person's decision there, in ms. */
const maxWaitMs = 25_000;

/** What an earlier request of the same call led to (protocol 2026-07-28): what was chosen, and the approval that it got. */
const stateSchema = z.object({
  chosen: z.array(z.object({ input: z.string(), given: z.string(), value: z.string() })),
  approval: z.string().optional(),
});
type State = z.output<typeof stateSchema>;

/**
 * Runs a call, and asks its user through the client, if that can ask: which of several things a name means, whether a
 * change is made that loses something or reaches others, or to open the page where a person decides (TOOL-008).
 */
export async function runAsking(run: RunAsked, { title, user, args, call, decided }: AskingCall): Promise<Outcome> {
  const { client = silentClient, asked = {} } = call;
  const { chosen, approval }: State = begunBefore(client);
  const current = asked.approval ?? approval;
  const attempt: Attempt = { chosen, confirmed: null };
  if (current !== undefined) {
    const outcome = await run(withChosen(args, chosen), { ...asked, ...given(args, chosen), approval: current });
    return asked.approval === undefined ? opened(run, outcome, { title, args, call, decided, attempt }) : outcome;
  }
  return attempted(run, { title, user, args, call, decided }, attempt);
}

type Attempt = Readonly<{ chosen: readonly Chosen[]; confirmed: string | null }>;

async function attempted(run: RunAsked, asking: AskingCall, begun: Attempt): Promise<Outcome> {
  const { title, user, args, call } = asking;
  const { client = silentClient, asked = {} } = call;
  const isForm = client.elicits('form');
  let attempt = begun;
  for (let questions = 0; ; questions += 1) {
    const { chosen, confirmed } = attempt;
    const confirming = isConfirmedInClient(user, call) ? { confirmed } : {};
    const outcome = await run(withChosen(args, chosen), { ...asked, ...given(args, chosen), ...confirming });
    if (outcome.ok || questions >= maxQuestions) return outcome;
    if (outcome.toConfirm !== undefined) {
      const { digest } = outcome.toConfirm;
      const state = { chosen, confirm: digest };
      if (!isConfirmed(await answerTo(client, confirmQuestion(title, outcome.toConfirm), state))) return notConfirmed;
      attempt = { chosen, confirmed: digest };
      continue;
    }
    const name = isForm ? ambiguousName(outcome.inputErrors) : null;
    if (name === null) return opened(run, outcome, { ...asking, attempt });
    const state = { chosen, choose: name.path };
    const one = chosenIn(name, await answerTo(client, choiceQuestion(name), state));
    if (one === null) return outcome;
    attempt = { chosen: [...chosen, one], confirmed };
  }
}

/** Confirms a change that is known already, such as many at once; null to go on, else the failure. */
export async function confirmedInClient(
  title: string,
  change: ChangeToConfirm,
  { client = silentClient }: ToolCall,
): Promise<Failure | null> {
  const state = { chosen: [], confirm: change.digest };
  return isConfirmed(await answerTo(client, confirmQuestion(title, change), state)) ? null : notConfirmed;
}

/**
 * Whether the client's user is asked before a change that loses something or reaches others: nobody has chosen what is
 * asked, and the change is made now.
 */
export function isConfirmedInClient(user: User, { client = silentClient, asked = {} }: ToolCall): boolean {
  const hasChosen = (user.app?.ask ?? null) !== null;
  return client.elicits('form') && !hasChosen && asked.isDry !== true && asked.approval === undefined;
}

/** Has the client open the page of an approval, and waits a little for what a person decides there. */
async function opened(
  run: RunAsked,
  outcome: Outcome,
  { title, args, call, decided = undecided, attempt: { chosen } }: Omit<AskingCall, 'user'> & { attempt: Attempt },
): Promise<Outcome> {
  const { client = silentClient, asked = {}, signal } = call;
  if (outcome.ok || outcome.approval === undefined || !client.elicits('url')) return outcome;
  const { approval } = outcome;
  const until = AbortSignal.any([signal, AbortSignal.timeout(maxWaitMs)]);
  const answer = await answerTo(client, pageQuestion(title, approval), { chosen, approval: approval.id }, until);
  if (answer?.['action'] !== 'accept' || !(await decided(approval.id, until))) return outcome;
  return run(withChosen(args, chosen), { ...asked, ...given(args, chosen), approval: approval.id });
}

/** The answer to one question; undefined where the client fails to answer one that it may leave open until then. */
async function answerTo(client: AskableClient, question: ClientRequest, state: object, until?: AbortSignal) {
  try {
    return (await client.ask({ answer: question }, JSON.stringify(state), until))['answer'];
  } catch (error) {
    if (until !== undefined && error instanceof RpcError) return undefined;
    throw error;
  }
}

/** What the arguments were before something was chosen, by which an approval is known. */
const given = (args: Args, chosen: readonly Chosen[]) => (chosen.length === 0 ? {} : { given: args });

function begunBefore({ state }: AskableClient): State {
  if (state === null) return { chosen: [] };
  // The state is authenticated, and one of ours unless another version of this server began the call.
  const read = stateSchema.safeParse(jsonOrNull(state));
  return read.success ? read.data : { chosen: [] };
}

function jsonOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

const notConfirmed = failed('declined', 'The user did not confirm this, and nothing was changed.');
