import { type AskChoice, askChoices } from '#domain/changes/ask-policy.ts';

/** A choice of what a person is asked before an app does it, as pages show it. */
export type AskOption = Readonly<{ value: AskChoice; text: string; isChosen: boolean }>;

/** The choices in the words of people. */
export const askTexts: Readonly<Record<AskChoice, string>> = {
  never: 'Don’t ask',
  lose: 'Ask before it deletes or overwrites something, or sends something to other people',
  change: 'Ask before every change',
};

/** The choices as pages show them; none is chosen for null. */
export function askOptions(chosen: AskChoice | null): readonly AskOption[] {
  return askChoices.map((value) => ({ value, text: askTexts[value], isChosen: value === chosen }));
}
