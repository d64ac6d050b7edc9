import { renderTemplate } from '#adapters/http/answers/templates.ts';

/** A page that says one thing: a title, a sentence, and perhaps where to go from here. */
export function messagePage(
  message: Readonly<{ title: string; text: string; link: Readonly<{ href: string; text: string }> | null }>,
): string {
  return renderTemplate('message', message);
}
