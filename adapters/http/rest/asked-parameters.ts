import { z } from 'zod';
import { checkedQuery } from '#adapters/http/requests/checked-input.ts';
import type { Visit } from '#adapters/http/visit.ts';
import type { OperationInfo } from '#application/ports/operation-catalog.ts';
import type { AskedOfChange } from '#application/ports/service-gateway.ts';
import { maxExplain } from '#domain/changes/approval.ts';
import { isObject } from '#domain/json/json-data.ts';
import type { Failure } from '#domain/operations/outcome.ts';
import { ok, type Result } from '#domain/shared/result.ts';

/** The query parameters of every changing operation, besides its own inputs (ASK-016). */
export const askedParameters = {
  dry: z.enum(['true', 'false']).optional().describe('true only shows what would change'),
  explain: z.string().max(maxExplain).optional().describe('Why, in your words; the user reads it'),
  approval: z.string().max(200).optional().describe('The id of an approval that this call was answered with'),
};

const schema = z.object(askedParameters);
const names = Object.keys(askedParameters);

/** Takes `dry`, `explain` and `approval` out of a call's input, where its query has them; an input of its own stays. */
export function takeAskedParameters(
  { inputSchema }: Pick<OperationInfo, 'inputSchema'>,
  input: unknown,
  { query }: Pick<Visit, 'query'>,
): Result<Readonly<{ input: unknown; asked: AskedOfChange }>, Failure> {
  const { properties } = inputSchema;
  const taken = names.filter(
    (name) => !(isObject(properties) && Object.hasOwn(properties, name)) && query[name] !== undefined,
  );
  if (taken.length === 0 || !isObject(input)) return ok({ input, asked: {} });
  const checked = checkedQuery({ query: Object.fromEntries(taken.map((name) => [name, query[name]])) }, schema);
  if (!checked.ok) return checked;
  const { dry, explain = '', approval } = checked.value;
  return ok({
    input: Object.fromEntries(Object.entries(input).filter(([name]) => !taken.includes(name))),
    asked: {
      ...(dry === 'true' ? { isDry: true } : {}),
      ...(explain.trim() === '' ? {} : { explain }),
      ...(approval === undefined ? {} : { approval }),
    },
  });
}
