import type { RouteContext } from '#adapters/http/route.ts';

/** The parsed fields of a form body, in order, with repeated fields kept. */
export function formFields(ctx: RouteContext): URLSearchParams {
  const { rawBody } = ctx.request;
  return fieldsIn(typeof rawBody === 'string' ? rawBody : '');
}

/** Parses fields in the form of a query. */
export function fieldsIn(text: string): URLSearchParams {
  // Node takes quadratic time for fields without an equals sign.
  const whole = text.split('&').map((field) => (field === '' || field.includes('=') ? field : `${field}=`));
  return new URLSearchParams(whole.join('&'));
}

/** The field's value; an empty string when the form lacks the field, or repeats it, which is ambiguous. */
export function fieldOf(fields: URLSearchParams, name: string): string {
  const values = fields.getAll(name);
  return values.length === 1 ? (values[0] ?? '') : '';
}
