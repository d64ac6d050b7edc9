import type { Effect } from '#domain/operations/effect.ts';

/** What a person chose to be asked before: nothing, what loses or reaches, or every change; null when they did not choose. */
export const askChoices = ['never', 'lose', 'change'] as const;

/** One of the choices. */
export type AskChoice = (typeof askChoices)[number];

/** Returns the choice of that name; null for another text. */
export function askChoiceOf(text: string | undefined): AskChoice | null {
  return askChoices.find((choice) => choice === text) ?? null;
}

const askedBefore: Readonly<Record<AskChoice, readonly Effect[]>> = {
  never: [],
  lose: ['lose', 'reach'],
  change: ['add', 'change', 'lose', 'reach'],
};

/** Whether clients are asked before a call with this effect, until its user has chosen: it loses something, or reaches others. */
export function isAskedBefore(effect: Effect): boolean {
  return askedBefore.lose.includes(effect);
}

/** What decides whether a person is asked. */
export type AskPolicy = Readonly<{
  choice: AskChoice | null;
  /** Whether an administrator has every such change asked first. */
  isFloor: boolean;
  /** Whether the person always allows this operation to this app. */
  isAlwaysAllowed: boolean;
}>;

/** Whether a person has to allow a change of this effect at `/approvals` before it is done. */
export function mustBeAllowed(effect: Effect, { choice, isFloor, isAlwaysAllowed }: AskPolicy): boolean {
  if (isFloor) return true;
  const isAsked = choice !== null && askedBefore[choice].includes(effect);
  return isAsked && !(isAlwaysAllowed && mayAlwaysBeAllowed(effect));
}

/** Whether a person may allow an operation of this effect once for all: never what reaches other people. */
export function mayAlwaysBeAllowed(effect: Effect): boolean {
  return effect !== 'reach';
}
