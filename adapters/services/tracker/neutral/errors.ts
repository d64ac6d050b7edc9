import { z } from 'zod';
import type { ProviderError } from '#adapters/services/definitions/dialect.ts';
import type { FailureReason } from '#domain/operations/outcome.ts';
import { own } from '#domain/shared/own.ts';

const graphqlError = z.object({
  message: z.string().default(''),
  path: z.array(z.union([z.string(), z.number()])).optional(),
  extensions: z
    .object({
      code: z.string().optional(),
      type: z.string().optional(),
      userPresentableMessage: z.string().optional(),
    })
    .optional(),
});

/** One error of a GraphQL answer. */
export type GraphqlError = z.output<typeof graphqlError>;

const answerBody = z.object({
  data: z.record(z.string(), z.unknown()).nullish(),
  errors: z.array(graphqlError).nullish(),
});

const payload = z.object({ success: z.boolean() });

/** A parsed GraphQL answer; `data` is null when it is missing, or all its fields are null. */
export type GraphqlAnswer = Readonly<{
  data: Readonly<Record<string, unknown>> | null;
  errors: readonly GraphqlError[];
}>;

/** Parses a body as a GraphQL answer; null when it is not one. */
export function answerOf(body: unknown): GraphqlAnswer | null {
  const parsed = answerBody.safeParse(body);
  if (!parsed.success) return null;
  const { data, errors } = parsed.data;
  const isThere = data != null && Object.values(data).some((value) => value !== null);
  return { data: isThere ? data : null, errors: errors ?? [] };
}

/** Whether a mutation answered `success: false`. */
export function isRefused({ data }: GraphqlAnswer): boolean {
  return Object.values(data ?? {}).some((value) => payload.safeParse(value).data?.success === false);
}

const reasonOfCode: Readonly<Record<string, FailureReason>> = {
  RATELIMITED: 'rate_limited',
  AUTHENTICATION_ERROR: 'unauthorized',
  UNAUTHENTICATED: 'unauthorized',
  FORBIDDEN: 'forbidden',
  FEATURE_NOT_ACCESSIBLE: 'forbidden',
  ENTITY_NOT_FOUND: 'not_found',
  NOT_FOUND: 'not_found',
  INVALID_INPUT: 'invalid_input',
  INPUT_ERROR: 'invalid_input',
  BAD_USER_INPUT: 'invalid_input',
  USER_ERROR: 'invalid_input',
  GRAPHQL_VALIDATION_FAILED: 'invalid_input',
  GRAPHQL_PARSE_FAILED: 'invalid_input',
  GRAPHQL_ERROR: 'invalid_input',
  USAGE_LIMIT_EXCEEDED: 'rejected',
  LOCK_TIMEOUT: 'unavailable',
  NETWORK_ERROR: 'unavailable',
  BOOTSTRAP_ERROR: 'unavailable',
  INTERNAL_ERROR: 'unavailable',
  INTERNAL_SERVER_ERROR: 'unavailable',
};

/** Matches the message for a missing record, which is reported as invalid input or without a code. */
const missing = /entity not found|could not find referenced|\bnot found\b/i;

/** Normalises codes (upper case with underscores) and types (lower case with spaces) to the same form. */
const asCode = (word: string | undefined) =>
  word
    ?.trim()
    .toUpperCase()
    .replaceAll(/[\s-]+/g, '_');

/** The reason of an error, by its code or type; null when both are unknown. */
export function reasonOf({ message, extensions }: GraphqlError): FailureReason | null {
  const words = [asCode(extensions?.code), asCode(extensions?.type)].flatMap((word) => word ?? []);
  const reason = words.map((word) => own(reasonOfCode, word)).find((found) => found !== undefined) ?? null;
  const isOpen = reason === null || reason === 'invalid_input';
  return isOpen && missing.test(`${message} ${extensions?.userPresentableMessage ?? ''}`) ? 'not_found' : reason;
}

/** The message of an error for people. */
export function textOf({ message, extensions }: GraphqlError): string {
  return (extensions?.userPresentableMessage ?? message).replaceAll(/\s+/g, ' ').trim() || 'no reason is given';
}

/**
 * Converts a failed answer to a reason and a message; null when it is not a GraphQL answer. `status` decides where no
 * code does.
 */
export function failureOf(body: unknown, status: number): ProviderError | null {
  const answer = answerOf(body);
  if (answer === null) return null;
  const [first] = answer.errors;
  if (first === undefined) {
    return isRefused(answer) ? { reason: 'rejected', message: 'The tracker refused this and gave no reason.' } : null;
  }
  const known = answer.errors.map(reasonOf).find((reason) => reason !== null);
  const reason = known ?? (status < 400 ? 'rejected' : undefined);
  const said = [...new Set(answer.errors.map(textOf))].join('; ');
  return {
    ...(reason === undefined ? {} : { reason }),
    message: `The tracker refused: ${said}${/[.!?]$/.test(said) ? '' : '.'}`,
    details: answer.errors.map(({ message, path, extensions }) => ({
      message,
      ...(path === undefined ? {} : { path }),
      ...(extensions?.code === undefined ? {} : { code: extensions.code }),
      ...(extensions?.type === undefined ? {} : { type: extensions.type }),
    })),
  };
}
