import { shownText } from '#adapters/http/answers/templates.ts';
import type { ShownBuiltIn } from '#application/reactions/built-in-switches.ts';
import type { ShownReaction } from '#application/reactions/manage-reactions.ts';
import type { TriedEvent } from '#application/reactions/try-reaction.ts';
import { type ReactionTrigger, statusLine } from '#domain/reaction-notes/reaction-note.ts';

/** What is on the page /reactions beside those that people wrote; `pageOf` gives the address of one. */
export type ReactionsPageParts = Readonly<{
  builtIn: readonly ShownBuiltIn[];
  hidden: readonly (readonly [string, string])[];
  pageOf: (path: string) => string;
}>;

/** The values of the page /reactions. */
export function reactionsPage(reactions: readonly ShownReaction[], { builtIn, hidden, pageOf }: ReactionsPageParts) {
  return { builtIn, hidden, reactions: reactions.map((one) => ({ ...inShort(one), href: pageOf(one.path) })) };
}

/** What is on the page of one reaction beside it: `tried` after a dry run, and the fields of its forms. */
export type ReactionPageParts = Readonly<{
  tried: readonly TriedEvent[] | null;
  hidden: readonly (readonly [string, string])[];
}>;

/** The values of the page of one reaction. */
export function reactionPage(shown: ShownReaction, { tried, hidden }: ReactionPageParts) {
  const { reaction, approval, open, faults } = shown;
  const facts = [
    ['When', reaction?.triggers.map(triggerText).join(', ') ?? null],
    ['If', reaction?.condition ?? null],
    ['Note', reaction?.note ?? null],
    ['Under', reaction?.under ?? null],
    ['Once', reaction?.once ?? null],
    ['Set', reaction === null || Object.keys(reaction.set).length === 0 ? null : JSON.stringify(reaction.set)],
    ['Calls allowed by', approval === null ? null : `${approval.by}, ${timeText(approval.at)}`],
  ].filter(([, value]) => value !== null);
  return {
    ...inShort(shown),
    facts,
    faults,
    hidden,
    body: reaction?.body.trim() ?? '',
    calls: (reaction?.calls ?? []).map(
      ({ service, name, input }) => `${service}.${name} ${JSON.stringify(input, null, 2)}`,
    ),
    isAllowed: approval !== null,
    canTry: reaction !== null,
    open: open.map(({ key, operation, state, outcome, seq, at }) => ({
      key,
      seq,
      isUnknown: state === 'unknown',
      text: `${operation}, ${timeText(at)}${outcome === null ? '' : `: ${shownText(outcome, 200)}`}`,
    })),
    tried: tried?.map((one) => ({ ...one, at: timeText(one.at) })) ?? null,
  };
}

function inShort(shown: ShownReaction) {
  const { path, reaction, count, approval, open } = shown;
  const needs = reaction !== null && reaction.calls.length > 0 && approval === null;
  return {
    path: shownText(path, 120),
    title: shownText(path.replace(/^.*\//, '').replace(/\.md$/, ''), 80),
    state: reaction === null ? 'faulty' : reaction.mode,
    isFaulty: reaction === null,
    when: shownText(reaction?.triggers.map(triggerText).join(', ') ?? statusLine(shown), 200),
    note: [
      ...(count === null ? ['has not run'] : [`${count.runs} runs, ${count.faults} faults`]),
      ...(count === null ? [] : [`last ${timeText(count.at)}: ${shownText(count.outcome, 200)}`]),
      ...(needs ? ['its calls wait for an administrator'] : []),
      ...(open.some(({ state }) => state === 'unknown') ? ['a call waits for a decision'] : []),
    ].join(' · '),
  };
}

function triggerText(trigger: ReactionTrigger): string {
  if (trigger.kind === 'event') return `${trigger.service}.${trigger.name}`;
  return `schedule ${trigger.pattern} (${trigger.zone ?? 'UTC'})`;
}

function timeText(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
