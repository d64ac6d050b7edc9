import { z } from 'zod';
import { typeOf } from '#adapters/services/answers/output.ts';
import type { Shape } from '#adapters/services/requests/operation-table.ts';

/*
 * Members of operations' outputs. Any may be missing, and null counts as missing, since providers differ in what they
 * leave empty and how. `about` describes what the name does not say: a unit, a format, what an id refers to. No enums
 * or formats: a provider that adds a state, or writes a date differently, is still right.
 */

/** A string: a name, a state, a date as the provider writes it. */
export const text = (about?: string) => memberWith(z.string().optional(), about);

/** A number. */
export const number = (about?: string) => memberWith(z.number().optional(), about);

/** A boolean. */
export const flag = (about?: string) => memberWith(z.boolean().optional(), about);

/** The record's own id: a number at one provider, a string at another. */
export const ownId = (about?: string) => memberWith(z.union([z.int(), z.string()]).optional(), about);

/** The id of another record. */
export const idOf = (about?: string) => memberWith(z.union([z.int(), z.string()]).optional(), about);

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
export const texts = (about?: string) => many(z.string(), about);

/** An object with user-defined names, such as custom fields. */
export const byName = (about?: string) => memberWith(z.record(z.string(), z.unknown()).optional(), about);

/** A value of any type. */
export const anything = (about?: string) => memberWith(z.unknown(), about);

/** Adds a description to a type. */
export function memberWith<Type extends z.ZodType>(type: Type, about: string | undefined): Type {
  return about === undefined ? type : type.describe(about);
}
