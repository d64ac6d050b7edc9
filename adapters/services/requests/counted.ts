import { z } from 'zod';

/** A count from 1 to 100,000: a number, or a numeral as sent in a link or form. `isCount` marks it in a JSON schema. */
export const counted = z
  .preprocess(
    (value) => (typeof value === 'string' && /^\d{1,6}$/.test(value) ? Number(value) : value),
    z
      .int({ error: 'must be a whole number' })
      .min(1, { error: 'must be at least 1' })
      .max(100_000, { error: 'must be at most 100,000' }),
  )
  .meta({ isCount: true });
