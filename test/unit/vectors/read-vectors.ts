import { readFileSync } from 'node:fs';
import type { z } from 'zod';

/** A file of `test/vectors`, read by its form. Its cases are for unit tests in any language. */
export function readVectors<Schema extends z.ZodType>(name: string, schema: Schema): z.output<Schema> {
  return schema.parse(JSON.parse(readFileSync(`test/vectors/${name}.json`, 'utf8')));
}
