import { z } from 'zod';
import type { Shape } from '#adapters/services/requests/operation-table.ts';

/** An object that rejects unknown members, except names like those of custom fields; its JSON Schema says the same. */
export function objectOf<Inputs extends Shape>(inputs: Inputs, customNames?: RegExp): z.ZodObject<Inputs> {
  if (customNames === undefined) return z.object(inputs).catchall(z.never());
  const open: z.ZodObject<Inputs> = z.object(inputs).catchall(z.unknown());
  const check = z.check<Record<string, unknown>>(({ value, issues }) => {
    const keys = Object.keys(value).filter((name) => !Object.hasOwn(inputs, name) && !customNames.test(name));
    if (keys.length > 0) issues.push({ code: 'unrecognized_keys', keys, input: value, inst: open });
  });
  // Report unknown names together with the other errors, not after them.
  check._zod.def.when = ({ value }) => typeof value === 'object' && value !== null;
  return open.check(check).meta({
    patternProperties: { [customNames.source]: { description: 'A custom field' } },
    additionalProperties: false,
  });
}
