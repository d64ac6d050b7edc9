import type { RowInDialect } from '#adapters/services/row-options.ts';

type Inputs = Readonly<Record<string, unknown>>;

/** The provider's keys of custom fields: 40 hexadecimal digits, some with a suffix (`…_currency`). */
export const customFieldKey = /^[0-9a-f]{40}(_[a-z_]+)?$/;

/** The provider's v1 lists page by the offset `start`; `next` of such a list is that number as text. */
export const fromStart = {
  adapt: ({ cursor, ...inputs }: Inputs) => ({ ...inputs, start: cursor }),
} as const satisfies RowInDialect;

/** Leads accept custom fields only beside the other fields. */
export function customFieldsBeside({ custom_fields: given, ...inputs }: Inputs): Inputs {
  return { ...(typeof given === 'object' ? given : null), ...inputs };
}

/** The provider's v2 accepts custom fields only inside `custom_fields`. */
export const withCustomFieldsInside = { adapt: customFieldsInside } as const satisfies RowInDialect;

/** Moves custom fields given beside the others into `custom_fields`. */
export function customFieldsInside(inputs: Inputs): Inputs {
  const entries = Object.entries(inputs);
  const loose = entries.filter(([name]) => customFieldKey.test(name));
  if (loose.length === 0) return inputs;
  const given: unknown = inputs['custom_fields'];
  const inside = { ...(typeof given === 'object' ? given : null), ...Object.fromEntries(loose) };
  return { ...Object.fromEntries(entries.filter(([name]) => !customFieldKey.test(name))), custom_fields: inside };
}
