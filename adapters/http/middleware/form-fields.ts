import type { RouteContext } from '#adapters/http/route.ts';

/** The fields of a form body that has been read, in order, each as often as it came. */
export function formFields(ctx: RouteContext): URLSearchParams {
  const { rawBody } = ctx.request;
  return new URLSearchParams(typeof rawBody === 'string' ? rawBody : '');
}

/** The field's first value, or an empty text when the form has no such field. */
export function fieldOf(fields: URLSearchParams, name: string): string {
  return fields.get(name) ?? '';
}
