import type { ProgramEnd, ProgramError, ProgramFailure } from '#application/ports/program-sandbox.ts';
import type { ProgramCalls } from '#application/programs/program-calls.ts';
import { type FailureReason, failed, failureReasons, type Outcome, succeeded } from '#domain/operations/outcome.ts';

/** One run of a program: its id, how it ended, its calls, and whether its changes are kept to be taken back. */
export type ProgramPass = Readonly<{ id: string; end: ProgramEnd; calls: ProgramCalls; isKept: boolean }>;

/** How many changes an answer lists. */
const maxListed = 100;

/** The maximum length of the log in an answer, in characters; the first lines are kept. */
const maxLog = 8_000;

/** The answer of a dry run: what would change, and what the program returned. */
export function planAnswer(pass: ProgramPass): Outcome {
  const { end, calls } = pass;
  if (!end.ok) return programFailure(pass);
  const changes = calls.planned.map(({ planned: { service, operation }, shown }) => ({
    operation: `${service}.${operation}`,
    ...(typeof shown === 'object' ? shown : {}),
  }));
  return succeeded({ dry: true, changes, result: end.value, calls: calls.count, ...logOf(end) });
}

/** The answer of a program: what it returned, how much it changed, and the id by which that is taken back. */
export function programAnswer(pass: ProgramPass): Outcome {
  const { end, calls } = pass;
  if (!end.ok) return programFailure(pass);
  const failures = calls.done.filter(({ outcome }) => outcome !== 'ok');
  return succeeded({
    result: end.value,
    calls: calls.count,
    ...(calls.done.length === 0 ? {} : { changes: calls.done.length - failures.length, ...undoOf(pass) }),
    ...(failures.length === 0 ? {} : { failed: failures.slice(0, maxListed) }),
    ...logOf(end),
  });
}

/** The failure of a program, with what was done until then. */
export function programFailure(pass: ProgramPass): Outcome {
  const { end, calls } = pass;
  if (end.ok) return succeeded(end.value);
  const { kind, message, line, error } = end.failure;
  const at = line === null ? '' : ` (line ${line})`;
  const made = calls.done.filter(({ outcome }) => outcome === 'ok').length;
  const until =
    made === 0 ? 'Nothing was changed.' : `Until then ${made === 1 ? '1 change was' : `${made} changes were`} made.`;
  const details = {
    calls: calls.count,
    ...(calls.done.length === 0 ? {} : { done: calls.done.slice(0, maxListed), ...undoOf(pass) }),
    ...logOf(end),
  };
  const reason = kind === 'thrown' ? (reasonIn(error) ?? 'rejected') : reasons[kind];
  return failed(reason, `${sentence(message)}${at} ${until}`, { details, sent: made === 0 ? 'no' : 'yes' });
}

const reasons: Readonly<Record<Exclude<ProgramFailure['kind'], 'thrown'>, FailureReason>> = {
  limit: 'too_large',
  stopped: 'rejected',
  syntax: 'invalid_input',
  busy: 'rate_limited',
};

/** The reason of the call that failed. A program itself waits for nobody. */
function reasonIn(error: ProgramError | undefined): FailureReason | null {
  return failureReasons.find((reason) => reason === error?.['reason'] && reason !== 'approval_required') ?? null;
}

function undoOf({ id, calls, isKept }: ProgramPass): Readonly<{ activity?: string }> {
  return isKept && calls.done.some(({ outcome }) => outcome === 'ok') ? { activity: id } : {};
}

function logOf({ log }: ProgramEnd): Readonly<{ log?: readonly string[] }> {
  if (log.length === 0) return {};
  let left = maxLog;
  const kept = log.filter((line) => {
    left -= line.length;
    return left >= 0;
  });
  return { log: kept.length < log.length ? [...kept, `… ${log.length - kept.length} lines more`] : kept };
}

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);
