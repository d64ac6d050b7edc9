import { z } from 'zod';
import { checkInput } from '#adapters/input/check-input.ts';
import { errorsText } from '#domain/operations/input-error.ts';

const aFunction = z.custom<() => unknown>((value) => typeof value === 'function', { error: 'must be a function' });
const anObject = z.custom<object>((value) => typeof value === 'object' && value !== null, {
  error: 'must be an object',
});
const named = z.record(z.string(), z.string());

const row = z.looseObject(
  { kind: z.enum(['request', 'recipe']), summary: z.string() },
  { error: 'must be made by get(), post(), put(), patch(), del() or a recipe' },
);

/** What a definition must have, for configurations in JavaScript, which no compiler checks. */
const definitionSchema = z.strictObject({
  key: z.string().regex(/^[a-z]+(_[a-z]+)*$/, { error: 'must be lower-case words joined by _, such as "help_desk"' }),
  title: z.string().min(1),
  noun: z.string().min(1),
  icon: z.string().optional(),
  example: z.string().optional(),
  vendors: named.optional(),
  guides: anObject.optional(),
  settings: anObject.optional(),
  operations: z.record(z.string(), row),
  dialect: aFunction,
  oauth: aFunction.optional(),
  connection: z.strictObject({
    key: z.enum(['api_key', 'personal_token']).nullable(),
    extra: z.union([aFunction, anObject]).optional(),
    hasOwnAddress: z.boolean().optional(),
    probe: z.string().min(1),
    complete: aFunction.optional(),
  }),
  names: aFunction.optional(),
  changedNote: aFunction.optional(),
  changes: z.record(z.string(), z.strictObject({ plan: aFunction, takeBack: aFunction })).optional(),
  explainMissing: aFunction.optional(),
  recordAddresses: z.record(z.string(), aFunction).optional(),
  answeredAddresses: z.record(z.string(), aFunction).optional(),
  isOpenWorld: z.boolean().optional(),
  versionPrefixes: z.array(z.string()).optional(),
  timeoutMs: z.int().min(1).optional(),
  maxBytes: z.int().min(1).optional(),
  retries: z.strictObject({ tries: z.int().min(1), withinMs: z.number().min(0) }).optional(),
  webhooks: z
    .strictObject({
      secret: z.string().regex(/^[A-Z][A-Z0-9_]*$/, { error: 'must be the name of a variable' }),
      otherSecrets: aFunction.optional(),
      source: aFunction,
      desired: z.array(anObject).optional(),
      choosesSecrets: z.boolean().optional(),
      registration: aFunction.optional(),
    })
    .optional(),
  reactions: z.array(aFunction).optional(),
  instructions: z.strictObject({
    tools: z.string(),
    purpose: z.string().optional(),
    tips: z.array(z.string()).optional(),
  }),
  questions: z.strictObject({ search: aFunction }).optional(),
});

/** Throws for a definition with members that are unknown, missing or of another type; the message names all of them. */
export function checkDefinition(definition: unknown): void {
  const { key, operations }: Readonly<Record<string, unknown>> = Object(definition);
  const schema =
    typeof operations === 'function' ? definitionSchema.extend({ operations: aFunction }) : definitionSchema;
  const checked = checkInput(schema, definition);
  if (checked.ok) return;
  const title = typeof key === 'string' && key !== '' ? `The service "${key}"` : 'A service';
  throw new Error(`${title} does not fit. ${errorsText(checked.failure)}`);
}
