import { z } from 'zod';
import { errorsText, forPeople } from '#domain/operations/input-error.ts';
import type { Failure } from '#domain/operations/outcome.ts';
import type { ServiceKey } from '#domain/services/service-key.ts';
import { authMethods } from '#domain/tokens/token-record.ts';

/** Builds the schemas of the bodies that name a service, for a server of these services. */
export function connectionInputs(services: readonly ServiceKey[]) {
  const service = z.enum(services);
  return {
    /** A service by its key. */
    service,
    /**
     * The body of POST /save (CONN-002, CONN-014). Credentials become header values: those with blanks, line breaks or
     * characters that no header can carry are rejected here.
     */
    saved: z.strictObject({
      service,
      auth_method: z.enum(authMethods),
      access_token: z
        .string()
        .trim()
        .min(1)
        .max(8_192)
        .regex(/^[\x21-\x7e]*$/, { error: 'must be printable ASCII characters without blanks' }),
      extra: z.record(z.string(), z.unknown()).default({}),
    }),
    /** The body of POST /disconnect. */
    disconnected: z.strictObject({ service }),
  };
}

/** The members of a body; empty when it is not an object. */
export function fieldsOf(body: unknown): Readonly<Record<string, unknown>> {
  return z.record(z.string(), z.unknown()).catch({}).parse(body);
}

/** Converts the form of /page to the equivalent JSON: some of its fields are members of `extra`. */
export function savedFromForm(body: unknown): unknown {
  const { service, auth_method, access_token, base_url, verify_ssl, vendor, plan, seats, users, site } = fieldsOf(body);
  const vault = base_url === undefined ? {} : { base_url, verify_ssl: verify_ssl === 'on' };
  return { service, auth_method, access_token, extra: { ...vault, ...filled({ vendor, plan, seats, users, site }) } };
}

/** The fields that were filled in: a form sends the others as empty strings. */
function filled(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== ''));
}

/** What the page calls the fields of its forms. */
const labels: Readonly<Record<string, string>> = {
  access_token: 'The key',
  base_url: 'The address',
  plan: 'The plan',
  seats: 'The number of seats',
  users: 'The number of users',
  site: 'The site',
};

/** A failure in the words of the page: with the names of its fields. */
export function failureForPeople({ message, inputErrors }: Failure): string {
  return textForPeople(inputErrors === undefined ? message : errorsText(inputErrors));
}

/** A text in the words of the page. */
export function textForPeople(text: string): string {
  return forPeople(text, labels);
}
