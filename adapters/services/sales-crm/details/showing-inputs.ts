import { own } from '#domain/shared/own.ts';

/** Inputs that only change how records are shown. */
export const showingInputs = ['include_fields', 'include_labels', 'include_option_labels', 'search_for_related_items'];

/** What is said of such inputs where they have no effect at the vendor. */
export function ignoredIn(input: Readonly<Record<string, unknown>>, vendor: string): readonly string[] {
  const names = showingInputs.filter((name) => (own(input, name) ?? false) !== false);
  return names.map((name) => `\`${name}\` has no equivalent at ${vendor}, and was ignored.`);
}
