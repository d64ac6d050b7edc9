import { renderTemplate } from '#adapters/http/answers/templates.ts';

/** The page that asks whether to sign out, here or everywhere. */
export function signOutPage(
  page: Readonly<{ email: string; banner: string | null; hidden: Readonly<Record<string, string>> }>,
): string {
  return renderTemplate('sign-out', { ...page, hidden: Object.entries(page.hidden) });
}
