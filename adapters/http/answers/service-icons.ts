import type { GlyphName } from '#adapters/http/answers/glyphs.ts';
import { own } from '#domain/shared/own.ts';

const marks: Readonly<Record<string, GlyphName>> = {
  sales_crm: 'funnel',
  signing: 'pen',
  suite_crm: 'people',
  tracker: 'ticket',
  vault: 'notebook',
};

/** The icon of a service; a compass for custom services. */
export function iconOf(service: string): GlyphName {
  return own(marks, service) ?? 'compass';
}
