import type { OperationInfo, OperationOutput } from '#application/ports/operation-catalog.ts';

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
    default: {
      description: 'It did not work',
      content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
    },
  };
}

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
  return typeof properties === 'object' && properties !== null && 'pagination' in properties;
}

/** The schemas that operations refer to. */
export const answerSchemas = {
  Success: {
    type: 'object',
    required: ['data'],
    properties: {
      data: { description: 'What the service answered; null where it said nothing' },
      pagination: { $ref: '#/components/schemas/Pagination' },
      warnings: { $ref: '#/components/schemas/Warnings' },
    },
  },
  Pagination: {
    type: 'object',
    required: ['next', 'hasMore'],
    properties: {
      next: { type: ['string', 'null'], description: 'The cursor of the next page; null on the last' },
      hasMore: { type: 'boolean' },
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
      reason: { type: 'string' },
      details: {},
    },
  },
} as const;
