import { problemReasons } from '#adapters/http/answers/problem.ts';
import type { OperationInfo, OperationOutput } from '#application/ports/operation-catalog.ts';
import { isObject } from '#domain/json/json-data.ts';

type Schema = Readonly<Record<string, unknown>>;

/**
 * The responses of an operation: its data in the envelope of `operation-routes.ts`, or a file's bytes, or a problem.
 */
export function responsesOf({ output, isFile }: Pick<OperationInfo, 'output' | 'isFile'>): object {
  const content = isFile
    ? { '*/*': { schema: { type: 'string', format: 'binary' } } }
    : { 'application/json': { schema: successOf(output) } };
  return {
    '200': { description: isFile ? 'The file, as a download' : 'It worked', content },
    ...errorRefs,
  };
}

const retryAfter = {
  'Retry-After': { description: 'The seconds to wait before a retry', schema: { type: 'integer' } },
};
const challenge = {
  'WWW-Authenticate': { description: 'How to authenticate, or the scope that is missing', schema: { type: 'string' } },
};

/** The errors that every operation has: the status, the response's name, its description and further headers. */
const errors = [
  ['400', 'InvalidInput', 'The input is invalid; `details` lists every error with its path', {}],
  ['401', 'Unauthorized', 'There is no session, and no valid access token', challenge],
  ['403', 'Forbidden', 'The user, or the access token, may not do this', challenge],
  ['404', 'NotFound', 'There is no such record', {}],
  ['409', 'Conflict', 'The service is not connected, or the record is in another state', retryAfter],
  ['410', 'Gone', 'The record was removed', {}],
  ['413', 'TooLarge', 'The request, or the answer of the service, is too large', {}],
  ['415', 'UnsupportedMediaType', 'The media type of the body is not supported', {}],
  ['422', 'Rejected', 'The service rejected the request', {}],
  ['429', 'RateLimited', 'Too many requests', retryAfter],
  ['502', 'BadGateway', 'The service gave no usable answer, or refused the credentials of the connection', retryAfter],
  ['503', 'Unavailable', 'This server cannot answer at the moment', retryAfter],
  ['default', 'Problem', 'The request failed', {}],
] as const;

const errorRefs = Object.fromEntries(
  errors.map(([status, name]) => [status, { $ref: `#/components/responses/${name}` }]),
);

/** The responses that operations refer to. */
export const errorResponses = Object.fromEntries(
  errors.map(([, name, description, headers]) => [
    name,
    {
      description,
      ...(Object.keys(headers).length === 0 ? {} : { headers }),
      content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
    },
  ]),
);

/**
 * REST returns whatever data the provider sent, even for operations documented as returning none, so that its type is
 * open there.
 */
function successOf(output: OperationOutput | null): Schema {
  if (output === null || output.kind === 'done') return { $ref: '#/components/schemas/Success' };
  const isPaged = hasPages(output.contentSchema['properties']);
  return {
    type: 'object',
    required: ['data'],
    properties: {
      data: output.dataSchema,
      ...(isPaged ? { pagination: { $ref: '#/components/schemas/Pagination' } } : {}),
      warnings: { $ref: '#/components/schemas/Warnings' },
    },
  };
}

function hasPages(properties: unknown): boolean {
  return isObject(properties) && 'pagination' in properties;
}

/** The schemas that operations refer to. */
export const answerSchemas = {
  Success: {
    type: 'object',
    required: ['data'],
    properties: {
      data: { description: 'The answer of the service; null if it was empty' },
      pagination: { $ref: '#/components/schemas/Pagination' },
      warnings: { $ref: '#/components/schemas/Warnings' },
      revision: { type: 'string', description: 'Of the note as it is now, for if_match' },
      path: { type: 'string', description: 'Of the note, where the request did not name it' },
    },
  },
  Pagination: {
    type: 'object',
    required: ['next', 'hasMore'],
    properties: {
      next: { type: ['string', 'null'], description: 'The cursor of the next page; null on the last' },
      hasMore: { type: 'boolean' },
      total: { type: 'integer', description: 'The number of all items, where it is known' },
    },
  },
  Warnings: { type: 'array', items: { type: 'string' } },
  Problem: {
    type: 'object',
    required: ['type', 'title', 'status', 'detail', 'reason'],
    properties: {
      type: { type: 'string' },
      title: { type: 'string' },
      status: { type: 'integer' },
      detail: { type: 'string' },
      reason: { type: 'string', enum: problemReasons },
      retryAfterMs: { type: 'integer', description: 'The milliseconds to wait before a retry; always with 429' },
      sent: { type: 'string', enum: ['no', 'yes', 'unknown'], description: 'Whether it was sent; with `unavailable`' },
      details: { description: 'The errors in the input with their paths, or the answer of the service' },
    },
  },
} as const;
