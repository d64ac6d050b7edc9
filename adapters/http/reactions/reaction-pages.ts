import { notePage } from '#adapters/http/activity/note-routes.ts';
import { type ShownTime, shownAge, shownTime, type TimeReader } from '#adapters/http/answers/shown-time.ts';
import { shownText } from '#adapters/http/answers/templates.ts';
import { callText } from '#adapters/http/approvals/approval-pages.ts';
import { reactionPageOf, runTexts } from '#adapters/http/reactions/run-texts.ts';
import { reactionApprovalId } from '#application/approvals/decide-approval.ts';
import type { ReactionRun } from '#application/ports/reaction-log.ts';
import type { ShownBuiltIn } from '#application/reactions/built-in-switches.ts';
import type { ShownReaction } from '#application/reactions/manage-reactions.ts';
import { waitingIn } from '#application/reactions/reaction-approvals.ts';
import { runsText } from '#application/reactions/reaction-outcomes.ts';
import type { TriedEvent } from '#application/reactions/try-reaction.ts';
import { statusLine, triggerText } from '#domain/reaction-notes/reaction-note.ts';

/** The data of the page /reactions besides the users' reactions; `pageOf` returns the address of one. */
type ReactionsPageParts = Readonly<{
  /** The path after which the page begins; null on the first. */
  after: string | null;
  builtIn: readonly ShownBuiltIn[];
  hidden: readonly (readonly [string, string])[];
  reader: TimeReader;
  pageOf: (path: string) => string;
}>;

/** Builds the values of the page /reactions. */
export function reactionsPage(
  { reactions, next }: Readonly<{ reactions: readonly ShownReaction[]; next: string | null }>,
  { after, builtIn, hidden, reader, pageOf }: ReactionsPageParts,
) {
  return {
    builtIn,
    hidden,
    isFirst: after === null,
    reactions: reactions.map((one) => ({ ...inShort(one, reader), href: pageOf(one.path) })),
    more: next === null ? null : `/reactions?after=${encodeURIComponent(next)}`,
  };
}

/** The data of one reaction's page besides the reaction: `tried` after a dry run, and the forms' hidden fields. */
type ReactionPageParts = Readonly<{
  tried: readonly TriedEvent[] | null;
  /** A page of its runs, and where the next one begins; null on the last. */
  runs: readonly ReactionRun[];
  next: number | null;
  hidden: readonly (readonly [string, string])[];
  reader: TimeReader;
  /** The text of its note; null when it is no longer there. */
  text: string | null;
  /** Returns the name by which reactions call an operation. */
  nameOf: (operation: Readonly<{ service: string; name: string }>) => string;
}>;

/** The maximum number of lines of a note that are shown. */
const maxLines = 500;

/** The lines of a note, each with the errors in it. */
function linesOf(text: string | null, faults: ShownReaction['faults']) {
  const lines = (text ?? '').split(/\r?\n/).slice(0, maxLines);
  return lines.map((line, at) => ({
    number: at + 1,
    text: line.length > 500 ? `${line.slice(0, 500)}…` : line,
    faults: faults.filter((fault) => fault.line === at + 1).map(({ message }) => message),
  }));
}

/** Builds the values of the page of one reaction. */
export function reactionPage(
  shown: ShownReaction,
  { tried, runs, next, hidden, reader, text, nameOf }: ReactionPageParts,
) {
  const at = (time: number): ShownTime => shownTime(time, reader.timeZone);
  const { reaction, approval, refusal, closed, open } = shown;
  // What is still to be read has no errors yet.
  const faults = shown.isUnread === true ? [] : shown.faults;
  const waiting = waitingIn(shown);
  const facts = [
    ['When', reaction?.triggers.map(triggerText).join(', ') ?? null],
    ['If', reaction?.condition ?? null],
    ['Note', reaction?.note ?? null],
    ['Under', reaction?.under ?? null],
    ['Once', reaction?.once ?? null],
    ['Reads', closed.length === 0 ? null : `events of ${closed.join(', ')}, which not all users of the vault may use`],
    ['Set', reaction === null || Object.keys(reaction.set).length === 0 ? null : JSON.stringify(reaction.set)],
  ].filter(([, value]) => value !== null);
  return {
    ...inShort(shown, reader),
    facts,
    allowed: approval === null ? null : { by: approval.by, time: at(approval.at) },
    refused: refusal === null ? null : { by: refusal.by, time: at(refusal.at), comment: refusal.comment },
    faults,
    hidden,
    lines: linesOf(text, faults),
    calls: (reaction?.calls ?? []).map((call) => callText(call, 2, nameOf)),
    decideAt: waiting === null ? null : `/approvals#${reactionApprovalId(waiting.reaction)}`,
    canTry: reaction !== null,
    note: notePage(shown.path),
    waitingCalls: open.filter(({ state }) => state === 'waiting').length,
    runs: runs.map(({ seq, at: time, result, outcome }) => ({
      seq,
      time: at(time),
      ...runTexts[result],
      outcome: shownText(outcome, 400),
    })),
    older: next === null ? null : `${reactionPageOf(shown.path)}&before=${next}#runs`,
    open: open
      .filter(({ state }) => state === 'unknown')
      .map(({ key, operation, outcome, seq, at: time }) => ({
        key,
        seq,
        operation: shownOperation(operation, nameOf),
        time: at(time),
        outcome: outcome === null ? '' : `: ${shownText(outcome, 200)}`,
      })),
    tried: tried?.map((one) => ({ ...one, time: at(one.at) })) ?? null,
  };
}

/** The name of a recorded call's operation, as reactions write it. */
function shownOperation(operation: string, nameOf: ReactionPageParts['nameOf']): string {
  const [service = '', ...name] = operation.split('.');
  return nameOf({ service, name: name.join('.') });
}

const invalid = { state: 'Invalid', kind: 'bad' } as const;
const unread = { state: 'Not read yet', kind: 'plain' } as const;
const unapproved = { state: 'Needs approval', kind: 'warn' } as const;

const modes = {
  on: { state: 'On', kind: 'good' },
  off: { state: 'Off', kind: 'plain' },
  dry: { state: 'Dry', kind: 'info' },
} as const;

function stateOf({ reaction, isUnread }: ShownReaction, isWaiting: boolean) {
  if (isUnread === true) return unread;
  if (reaction === null) return invalid;
  return reaction.mode === 'on' && isWaiting ? unapproved : modes[reaction.mode];
}

/** What begins it; its first error, or that it is still to be read, where that is not known. */
function whenOf(shown: ShownReaction): string {
  const { reaction, isUnread, faults } = shown;
  if (isUnread === true) return faults[0]?.message ?? '';
  const triggers = reaction?.triggers.map(triggerText).join(', ');
  return shownText(triggers ?? statusLine(shown).replace(/^line/, 'Line'), 200);
}

function inShort(shown: ShownReaction, reader: TimeReader) {
  const { path, count, refusal, open, closed } = shown;
  const isWaiting = waitingIn(shown) !== null;
  return {
    path: shownText(path, 120),
    title: shownText(path.replace(/^.*\//, '').replace(/\.md$/, ''), 80),
    ...stateOf(shown, isWaiting),
    when: whenOf(shown),
    record: runsText(count) ?? 'Has not run yet',
    last: count === null ? null : { time: shownAge(count.at, reader), outcome: shownText(count.outcome, 200) },
    waits: [
      ...(isWaiting ? [closed.length > 0 ? 'waits for an administrator' : 'calls wait for approval'] : []),
      ...(refusal !== null ? ['refused by an administrator'] : []),
      ...(open.some(({ state }) => state === 'unknown') ? ['a call waits for a decision'] : []),
    ],
  };
}
