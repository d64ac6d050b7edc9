import { problemOf, type VaultFailure, type VaultProblem } from '#application/vault/problems.ts';

/** The response of a route; header names are lower-cased. */
export type Answer = Readonly<{
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string | Uint8Array | null;
}>;

/** The errors of requests that only this interface knows; those of files and notes are the use cases' own. */
const messages = {
  40010:
    'Incoming content must be text data and have an appropriate text/* Content-type header set (e.g. text/markdown).',
  40011:
    'Content-Type header required; this API accepts data in multiple content-types and you must indicate the content-type of your request body via the Content-Type header.',
  40012: 'Unknown or invalid Content-Type specified in Content-Type header.',
  40053: "No 'Target-Type' header was provided.",
  40054: "The 'Target-Type' header you provided was invalid.",
  40055: "No 'Target' header was provided.",
  40056: "No 'Operation' header was provided.",
  40057: "The 'Operation' header you provided was invalid.",
  40058: "The 'Target' header you provided was invalid.",
  40059: "The 'Target-Scope' header you provided was invalid.",
  40084: 'Only version 1 of the patch format is spoken here.',
  40090: 'The search query you provided is not valid.',
  40101: 'Authorization required. Send the API key of the vault as a bearer token in the Authorization header.',
  40460: 'Specified period does not exist.',
} as const;

/** An error code more specific than the status: its first three digits are the status. */
export type ErrorCode = keyof typeof messages;

/** The error response of a code; `detail` is added on its own line. */
export const refuse = (code: ErrorCode, detail?: string): Answer =>
  problemAnswer({ errorCode: code, message: detail === undefined ? messages[code] : `${messages[code]}\n${detail}` });

/** The error response of a problem. */
export function problemAnswer({ errorCode, message, retryAfterS }: Omit<VaultProblem, 'reason'>): Answer {
  const answer = json({ message, errorCode }, undefined, Math.floor(errorCode / 100));
  return retryAfterS === undefined ? answer : withHeaders(answer, { 'retry-after': String(retryAfterS) });
}

/** The error response of a failure of the vault. */
export const failureAnswer = (failure: VaultFailure): Answer => problemAnswer(problemOf(failure));

/** 204 without a body. */
export const done: Answer = { status: 204, headers: {}, body: null };

/** 200 with a JSON body, indented by two spaces. */
export function json(value: unknown, type = 'application/json; charset=utf-8', status = 200): Answer {
  return { status, headers: { 'content-type': type }, body: JSON.stringify(value, null, 2) };
}

/** 200 with a body of that media type. */
export function content(body: string | Uint8Array, type: string): Answer {
  return { status: 200, headers: { 'content-type': type }, body };
}

/** Adds headers to a response. */
export function withHeaders(answer: Answer, headers: Readonly<Record<string, string>>): Answer {
  return { ...answer, headers: { ...answer.headers, ...headers } };
}
