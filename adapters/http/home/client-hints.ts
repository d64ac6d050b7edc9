/**
 * One step in an app: its instruction; the text to copy, null where there is none; and the link that does it directly,
 * null where the app has none.
 */
export type ClientStep = Readonly<{
  hint: string;
  text: string | null;
  link: Readonly<{ href: string; text: string }> | null;
}>;

/** The steps in one app, in order; `isOpen` shows them expanded. */
export type ClientHint = Readonly<{ name: string; steps: readonly ClientStep[]; isOpen: boolean }>;

/** Builds a step with or without a text to copy. */
export const step = (hint: string, text: string | null = null): ClientStep => ({ hint, text, link: null });

/** Builds the steps of an app, collapsed. */
export const hint = (name: string, ...steps: readonly ClientStep[]): ClientHint => ({ name, steps, isOpen: false });
