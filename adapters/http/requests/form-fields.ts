import type { RouteContext } from '#adapters/http/route.ts';
import { queryFields } from '#domain/shared/query-fields.ts';

/** The parsed fields of a form body, in order, with repeated fields kept. */
export function formFields(ctx: RouteContext): URLSearchParams {
  const { rawBody } = ctx.request;
  return queryFields(typeof rawBody === 'string' ? rawBody : '');
}

/** The field's value; an empty string when the form lacks the field, or repeats it, which is ambiguous. */
export function fieldOf(fields: URLSearchParams, name: string): string {
  const values = fields.getAll(name);
  return values.length === 1 ? (values[0] ?? '') : '';
}
