import type { RouteContext } from '#adapters/http/route.ts';

/** The parsed fields of a form body, in order, each as often as it came. */
export function formFields(ctx: RouteContext): URLSearchParams {
  const { rawBody } = ctx.request;
  return new URLSearchParams(typeof rawBody === 'string' ? rawBody : '');
}

/** The field's value; an empty text when the form lacks the field, or has it more than once, which is ambiguous. */
export function fieldOf(fields: URLSearchParams, name: string): string {
  const values = fields.getAll(name);
  return values.length === 1 ? (values[0] ?? '') : '';
}
