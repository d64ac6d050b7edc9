import type { GlyphName } from '#adapters/http/answers/glyphs.ts';
import { own } from '#domain/shared/own.ts';

const marks: Readonly<Record<string, GlyphName>> = {
  sales_crm: 'funnel',
  signing: 'pen',
  suite_crm: 'people',
  tracker: 'ticket',
  vault: 'notebook',
};

/** The drawn mark of a service; a service of one's own has a compass. */
export function markOf(service: string): GlyphName {
  return own(marks, service) ?? 'compass';
}
