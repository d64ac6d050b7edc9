import { z } from 'zod';
import { errorsText, unknownName } from '#domain/operations/input-error.ts';
import { type Failure, failed } from '#domain/operations/outcome.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { authMethods } from '#domain/tokens/token-record.ts';

/** Builds the schemas of the bodies that name a service, for a server of these services. */
export function connectionInputs(services: readonly ServiceKey[]) {
  const serviceInput = z.unknown().transform((value, context) => {
    const key = services.find((each) => each === value);
    if (key !== undefined) return key;
    context.addIssue({ code: 'custom', message: `must be one of ${services.join(', ')}` });
    return z.NEVER;
  });
  return {
    /** A service by its key. */
    service: serviceInput,
    /**
     * The body of POST /save (CONN-002, CONN-014). Credentials become header values: those with blanks, line breaks or
     * characters that no header can carry are rejected here.
     */
    saved: z.object({
      service: serviceInput,
      auth_method: z.enum(authMethods, { error: `must be one of ${authMethods.join(', ')}` }),
      access_token: z
        .string({ error: 'must be a text' })
        .trim()
        .min(1, { error: 'must not be empty' })
        .max(8_192, { error: 'must not be longer than 8192 characters' })
        .regex(/^[\x21-\x7e]*$/, { error: 'must be printable ASCII characters without blanks' }),
      extra: z.record(z.string(), z.unknown(), { error: 'must be an object' }).default({}),
    }),
    /** The body of POST /disconnect. */
    disconnected: z.object({ service: serviceInput }),
  };
}

/** The members of a body; empty when it is not an object. */
export function fieldsOf(body: unknown): Readonly<Record<string, unknown>> {
  return z.record(z.string(), z.unknown()).catch({}).parse(body);
}

/** The maximum number of unknown members that are reported. */
const maxUnknown = 20;

/**
 * The failure for unknown members of a JSON body, with the nearest known name and the allowed ones; null when there are
 * none.
 */
export function unknownMember(body: unknown, { shape }: z.ZodObject): Failure | null {
  const given = fieldsOf(body);
  const known = Object.keys(shape);
  const missing = known.filter(
    (name) => !Object.hasOwn(given, name) && shape[name]?.safeParse(undefined).success === false,
  );
  const unknown = Object.keys(given).filter((name) => !known.includes(name));
  if (unknown.length === 0) return null;
  const inputErrors = unknown.slice(0, maxUnknown).map((name) => unknownName([name], { known, missing }));
  return { ...failed('invalid_input', errorsText(inputErrors)), inputErrors };
}

/** Converts the form of /page to the equivalent JSON: some of its fields are members of `extra`. */
export function savedFromForm(body: unknown): unknown {
  const { base_url, verify_ssl, plan, seats, users, extra: _, ...rest } = fieldsOf(body);
  const vault = base_url === undefined ? {} : { base_url, verify_ssl: verify_ssl === 'on' };
  return { ...rest, extra: { ...vault, ...filled({ plan, seats, users }) } };
}

/** The fields that were filled in: a form sends the others as empty strings. */
export function filled(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== ''));
}

/** Joins all errors of a body into one sentence. */
export function errorsOf(error: z.ZodError): string {
  return error.issues.map((issue) => `\`${issue.path.join('.')}\` ${issue.message}`).join('; ');
}
