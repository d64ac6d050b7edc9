import { z } from 'zod';
import { typeOf } from '#adapters/services/answers/output.ts';
import type { Shape } from '#adapters/services/requests/operation-table.ts';

/*
 * Members of operations' outputs. Any may be missing, and null counts as missing, since providers differ in what they
 * leave empty and how. `about` describes what the name does not say: a unit, a format, what an id refers to. No enums
 * or formats: a provider that adds a state, or writes a date differently, is still right.
 */

// Made once: the outputs of all operations have hundreds of these.
const oneText = z.string().optional();
const oneNumber = z.number().optional();
const oneFlag = z.boolean().optional();
const oneId = z.union([z.int(), z.string()]).optional();
const oneObject = z.record(z.string(), z.unknown()).optional();
const oneValue = z.unknown();
const manyTexts = z.array(z.string()).optional();

/** A string: a name, a state, a date as the provider writes it. */
export const text = (about?: string) => memberWith(oneText, about);

/** A number. */
export const number = (about?: string) => memberWith(oneNumber, about);

/** A boolean. */
export const flag = (about?: string) => memberWith(oneFlag, about);

/** The record's own id: a number at one provider, a string at another. */
export const ownId = (about?: string) => memberWith(oneId, about);

/** The id of another record. */
export const idOf = (about?: string) => memberWith(oneId, about);

/** A record inside this one. */
export const part = (shape: Shape, about?: string) =>
  memberWith(
    z
      .looseObject({ ...shape })
      .partial()
      .optional(),
    about,
  );

/** A list inside this record, of records of this shape or values of this type. */
export const many = (item: Shape | z.ZodType, about?: string) => memberWith(z.array(typeOf(item)).optional(), about);

/** A list of strings. */
export const texts = (about?: string) => memberWith(manyTexts, about);

/** An object with user-defined names, such as custom fields. */
export const byName = (about?: string) => memberWith(oneObject, about);

/** A value of any type. */
export const anything = (about?: string) => memberWith(oneValue, about);

/** Adds a description to a type. */
export function memberWith<Type extends z.ZodType>(type: Type, about: string | undefined): Type {
  return about === undefined ? type : type.describe(about);
}
