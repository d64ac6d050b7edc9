import { z } from 'zod';
import type { Shape } from '#adapters/services/operation-table.ts';
import { typeOf } from '#adapters/services/output.ts';

/*
 * Members of what operations answer. All may be missing, and what a provider says is null counts as missing: providers differ in what
 * they leave empty, and in how. `about` is for what the name does not say: a unit, a form, what an id points to. No choices and formats: a provider
 * that adds a state, or writes a date in another way, tells the truth all the same.
 */

/** Text: a name, a state, a date as the provider writes it. */
export const text = (about?: string) => memberWith(z.string().optional(), about);

/** A number. */
export const number = (about?: string) => memberWith(z.number().optional(), about);

/** True or false. */
export const flag = (about?: string) => memberWith(z.boolean().optional(), about);

/** The record's own id: a number with one provider, text with another. */
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

/** A list inside this record: of records of this shape, or of what has this type. */
export const many = (item: Shape | z.ZodType, about?: string) => memberWith(z.array(typeOf(item)).optional(), about);

/** Texts. */
export const texts = (about?: string) => many(z.string(), about);

/** An object whose names are the user's own, such as custom fields. */
export const byName = (about?: string) => memberWith(z.record(z.string(), z.unknown()).optional(), about);

/** A value of any type. */
export const anything = (about?: string) => memberWith(z.unknown(), about);

/** A type with its description. */
export function memberWith<Type extends z.ZodType>(type: Type, about: string | undefined): Type {
  return about === undefined ? type : type.describe(about);
}
