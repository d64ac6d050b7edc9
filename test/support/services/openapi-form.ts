import { z } from 'zod';

const reference = z.strictObject({ $ref: z.string().regex(/^#\/components\/schemas\/\w+$/) });
const schema = z.union([reference, z.looseObject({ $ref: z.never().optional() })]);
const encoding = z.record(z.string(), z.strictObject({ contentType: z.string() }));
const media = z.strictObject({ schema, encoding: encoding.optional() });
const content = z.record(z.string().regex(/^[\w*]+\/[\w*+.-]+$/), media).refine((of) => Object.keys(of).length > 0);

const parameter = z
  .strictObject({
    name: z.string().min(1),
    in: z.enum(['path', 'query']),
    required: z.boolean(),
    description: z.string().optional(),
    schema: schema.optional(),
    content: content.refine((of) => Object.keys(of).length === 1).optional(),
  })
  .refine((one) => (one.schema === undefined) !== (one.content === undefined), { error: 'either schema or content' })
  .refine((one) => one.in !== 'path' || one.required, { error: 'a path parameter is required' });

const shared = z.strictObject({ $ref: z.string().regex(/^#\/components\/responses\/\w+$/) });
const response = z.strictObject({
  description: z.string().min(1),
  headers: z.record(z.string(), z.strictObject({ description: z.string(), schema })).optional(),
  content,
});

const operation = z.strictObject({
  operationId: z.string().min(1),
  summary: z.string().min(1),
  description: z.string().min(1),
  tags: z.array(z.string()),
  parameters: z
    .array(parameter)
    .refine((all) => new Set(all.map((one) => `${one.in} ${one.name}`)).size === all.length),
  requestBody: z.strictObject({ required: z.boolean(), content }).optional(),
  responses: z.object({ '200': response }).catchall(shared),
});

const pathItem = z.partialRecord(z.enum(['get', 'post', 'put', 'patch', 'delete']), operation);

/** An OpenAPI 3.1 document with those members that ours has, and no others (OpenAPI 3.1.0, §4.8). */
export const openApiForm = z.strictObject({
  openapi: z.literal('3.1.0'),
  info: z.strictObject({
    title: z.string(),
    version: z.string(),
    description: z.string(),
    license: z.strictObject({ name: z.string(), identifier: z.string() }),
    contact: z.strictObject({ name: z.string(), url: z.url() }),
  }),
  servers: z.array(z.strictObject({ url: z.url() })),
  tags: z.array(z.strictObject({ name: z.string(), description: z.string() })),
  security: z.array(z.record(z.string(), z.array(z.string()))),
  paths: z.record(z.string().startsWith('/'), pathItem),
  components: z.strictObject({
    securitySchemes: z.strictObject({
      bearer: z.strictObject({ type: z.literal('http'), scheme: z.literal('bearer') }),
      cookie: z.strictObject({ type: z.literal('apiKey'), in: z.literal('cookie'), name: z.string() }),
    }),
    schemas: z.record(z.string(), schema),
    responses: z.record(z.string(), response),
  }),
});

/** A document of that form. */
export type OpenApiDocument = z.output<typeof openApiForm>;

/** Each operation with where it is. */
export function operationsIn({ paths }: OpenApiDocument) {
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, one]) => ({ method, path, operation: one })),
  );
}
