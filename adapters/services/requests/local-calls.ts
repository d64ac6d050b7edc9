import type { NoteChange } from '#adapters/contracts/changes.ts';
import { EndedBeforeSent, endedOr, PlanOnce } from '#adapters/services/changes/change-rule.ts';
import type { SentEffects } from '#adapters/services/changes/sent-effects.ts';
import type { LocalOperation } from '#adapters/services/requests/operation-table.ts';
import type { Inputs } from '#adapters/services/requests/wire-request.ts';
import type { OperationCall } from '#application/ports/service-gateway.ts';
import type { Undo } from '#domain/changes/planned-change.ts';
import type { Effect } from '#domain/operations/effect.ts';
import { failed, type Outcome } from '#domain/operations/outcome.ts';
import { type Awaitable, andThen } from '#domain/shared/result.ts';
import { accountOf } from '#domain/tokens/account.ts';
import type { TokenRecord } from '#domain/tokens/token-record.ts';

/** The context of one call; `effects` and `plan` as in the gateway. */
type LocalPlace = Readonly<{
  call: OperationCall;
  record: TokenRecord;
  effects: SentEffects | null;
  plan: PlanOnce | null;
  onNoteChange: ((change: NoteChange) => void) | undefined;
}>;

/** An operation that this process does itself, and its valid input. */
type LocalCall = Readonly<{ local: LocalOperation; effect: Effect; input: Inputs }>;

/** Does an operation in this process. A cancelled one goes on, but its caller is not kept waiting. */
export function runLocally(call: LocalCall, place: LocalPlace): Awaitable<Outcome> {
  const { plan } = place;
  return plan === null || call.effect === 'read' ? runNow(call, place) : runPlanned(call, place, plan);
}

/** Takes a change back in this process. */
export function undoLocally(
  local: LocalOperation,
  input: Readonly<{ undo: Undo; isForced: boolean }>,
  place: LocalPlace,
): Awaitable<Outcome> {
  const { call, record, effects } = place;
  const effect = input.undo['effect'] === 'lose' ? 'lose' : 'change';
  const { onPlanned } = call;
  const plan = onPlanned === undefined ? null : new PlanOnce(onPlanned, { effect, account: accountOf(record) });
  const done = endedOr(() => runLocally({ local, effect, input }, { ...place, plan }));
  return done.then((outcome) => (outcome.ok || effects === null ? outcome : effects.of(outcome)));
}

/** Does an operation that says what it changes before it writes any of it. */
async function runPlanned(call: LocalCall, place: LocalPlace, plan: PlanOnce): Promise<Outcome> {
  const ends: Outcome[] = [];
  const local: LocalOperation = (given, onChange) =>
    call.local(given, onChange, async (change) => {
      const end = await plan.endOf(call.input, change);
      if (end !== null) ends.push(end);
      return end === null;
    });
  const outcome = await runNow({ ...call, local }, { ...place, effects: null });
  const [end] = ends;
  if (end !== undefined) throw new EndedBeforeSent(end);
  place.effects?.note(call.effect, outcome);
  return outcome;
}

function runNow({ local, effect, input }: LocalCall, { call, effects, onNoteChange }: LocalPlace): Awaitable<Outcome> {
  const { signal, departure } = call;
  if (signal?.aborted === true || departure?.begin() === false) return failed('unavailable', cancelled);
  const done = local(input, (change) => onNoteChange?.({ userId: null, ...change }));
  const cut = departure === undefined ? signal : departure.cut;
  const outcome = done instanceof Promise && cut !== undefined ? untilCut(done, cut) : done;
  return andThen(outcome, (settled) => {
    effects?.note(effect, settled);
    return settled;
  });
}

const cancelled = 'The call was cancelled.';

function untilCut(work: Promise<Outcome>, cut: AbortSignal): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const end = (): void => resolve(failed('unavailable', cancelled, { sent: 'unknown' }));
    if (cut.aborted) end();
    cut.addEventListener('abort', end, { once: true });
    work.then(resolve, reject).finally(() => cut.removeEventListener('abort', end));
  });
}
