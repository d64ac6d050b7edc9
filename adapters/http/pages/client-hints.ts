/**
 * One step in an app: its instruction, the text to copy for it, null where there is none, and the link that does it at
 * once, null where the app has none.
 */
export type ClientStep = Readonly<{
  hint: string;
  text: string | null;
  link: Readonly<{ href: string; text: string }> | null;
}>;

/** The steps in one app, in order; `isOpen` shows them unfolded. */
export type ClientHint = Readonly<{ name: string; steps: readonly ClientStep[]; isOpen: boolean }>;

/** A step with a text to copy, or none. */
export const step = (hint: string, text: string | null = null): ClientStep => ({ hint, text, link: null });

/** The steps in an app, folded. */
export const hint = (name: string, ...steps: readonly ClientStep[]): ClientHint => ({ name, steps, isOpen: false });
