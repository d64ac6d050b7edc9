import type { z } from 'zod';
import { inputTypeOf } from '#adapters/services/from-openapi/input-types.ts';
import { inputName } from '#adapters/services/from-openapi/names.ts';
import { simpleParts } from '#adapters/services/from-openapi/parameter-text.ts';
import type { Parameter, ParameterStyle } from '#adapters/services/from-openapi/parameters.ts';
import { anySchema, type PlainSchema } from '#adapters/services/from-openapi/plain-schema.ts';
import type { BodyMember, RequestBody } from '#adapters/services/from-openapi/request-body.ts';
import { fileInput } from '#adapters/services/requests/file-input.ts';

/** An input of an operation, and where and under which name it is sent. */
export type PlacedInput = Readonly<{
  /** Its name in tools and in the REST interface. */
  input: string;
  /** Its name on the wire. */
  name: string;
  place: 'path' | 'query' | 'header' | 'body';
  required: boolean;
  schema: PlainSchema | 'file';
  style: ParameterStyle;
}>;

const plain: ParameterStyle = { kind: 'form', explode: true };

/**
 * Gives each parameter and body member a unique input name. When names collide, the first keeps it, in the order path,
 * query, header, body; the others are prefixed with their place: `id` and `body_id`.
 */
export function placedInputs(parameters: readonly Parameter[], body: RequestBody | null): readonly PlacedInput[] {
  const given = [
    ...(['path', 'query', 'header'] as const).flatMap((place) => parameters.filter((one) => one.place === place)),
    ...bodyMembers(body).map((member) => ({ ...member, place: 'body' as const, style: plain })),
  ];
  const taken = new Set<string>();
  return given.map((one) => {
    const input = freeName(inputName(one.name, one.place), one.place, taken);
    taken.add(input);
    return { ...one, input };
  });
}

/** Returns the input of a query parameter that paging needs but the document lacks. */
export function queryInput(name: string): PlacedInput {
  return {
    input: name,
    name,
    place: 'query',
    required: false,
    schema: { ...anySchema, types: ['string'] },
    style: plain,
  };
}

function bodyMembers(body: RequestBody | null): readonly BodyMember[] {
  if (body === null) return [];
  return 'whole' in body ? [body.whole] : body.members;
}

function freeName(name: string, place: string, taken: ReadonlySet<string>): string {
  if (!taken.has(name)) return name;
  const prefixed = `${place}_${name}`;
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? prefixed : `${prefixed}_${number}`;
    if (!taken.has(candidate)) return candidate;
  }
}

/** Returns the types that validate the inputs, by name. */
export function inputShape(inputs: readonly PlacedInput[]): Readonly<Record<string, z.ZodType>> {
  return Object.fromEntries(
    inputs.map((one) => {
      const type = one.schema === 'file' ? fileInput : typeAt(one, one.schema);
      return [one.input, one.required ? type : type.optional()];
    }),
  );
}

function typeAt({ place, style }: PlacedInput, schema: PlainSchema): z.ZodType {
  const type = inputTypeOf(schema);
  const written = (value: unknown) => simpleParts(value, style).join(',');
  if (place === 'path')
    return type.refine((value) => !notSegments.has(written(value)), notSegment).meta({ ...type.meta() });
  if (place !== 'header') return type;
  return type.refine((value) => /^[\t\x20-\x7e]*$/.test(written(value)), notHeader).meta({ ...type.meta() });
}

/** Path segments that would change which operation is addressed. */
const notSegments = new Set(['', '.', '..']);
const notSegment = { error: 'must not be empty, nor dots alone' };
const notHeader = { error: 'must be printable ASCII: it travels in a header' };
