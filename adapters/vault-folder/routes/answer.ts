import { STATUS_CODES } from 'node:http';

/** The response of a route; header names are lower-cased. */
export type Answer = Readonly<{
  status: number;
  headers: Readonly<Record<string, string>>;
  body: string | Uint8Array | null;
}>;

const messages = {
  40005: 'The frontmatter of the note could not be parsed.',
  40010:
    'Incoming content must be text data and have an appropriate text/* Content-type header set (e.g. text/markdown).',
  40011:
    'Content-Type header required; this API accepts data in multiple content-types and you must indicate the content-type of your request body via the Content-Type header.',
  40012: 'Unknown or invalid Content-Type specified in Content-Type header.',
  40015: 'Your request body could not be processed as the content-type specified in your Content-Type header.',
  40021: 'Path traversal is not allowed. Paths must be relative and within the vault.',
  40024: 'The If-Match or If-None-Match header you provided could not be read.',
  40053: "No 'Target-Type' header was provided.",
  40054: "The 'Target-Type' header you provided was invalid.",
  40055: "No 'Target' header was provided.",
  40056: "No 'Operation' header was provided.",
  40057: "The 'Operation' header you provided was invalid.",
  40058: "The 'Target' header you provided was invalid.",
  40059: "The 'Target-Scope' header you provided was invalid.",
  40070: 'The query you provided could not be processed.',
  40080: 'The patch you provided could not be applied to the target content.',
  40084: 'Only version 1 of the patch format is spoken here.',
  40090: 'The search query you provided is not valid.',
  40101: 'Authorization required. Send the API key of the vault as a bearer token in the Authorization header.',
  40460: 'Specified period does not exist.',
  40461: 'Periodic note does not exist for the specified period.',
  40510: 'Request method is valid only for file paths, not directories.',
  41300: 'The content is too large: a part of a note may get 1 MiB of JSON or 4 MiB of text at once.',
  41200: 'The file is not as the request requires. Nothing was changed; read it again and retry.',
} as const;

/** An error code more specific than the status: its first three digits are the status. */
export type ErrorCode = keyof typeof messages;

/** Builds the error response of a code; `detail` is added on its own line. */
export function refuse(code: ErrorCode, detail?: string): Answer {
  return problem(Math.floor(code / 100), code, messages[code], detail);
}

/** Builds the error response of a status without a specific code: its code is the status times 100. */
export function refuseStatus(status: number, detail?: string): Answer {
  return problem(status, status * 100, STATUS_CODES[status] ?? 'Unknown Error', detail);
}

/** 404; `detail` says what was not found. */
export const notFound = (detail?: string): Answer => refuseStatus(404, detail);

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

function problem(status: number, errorCode: number, message: string, detail: string | undefined): Answer {
  const text = detail === undefined ? message : `${message}\n${detail}`;
  return json({ message: text, errorCode }, undefined, status);
}
