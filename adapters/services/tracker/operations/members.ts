import { z } from 'zod';
import { variable } from '#adapters/services/tracker/details/variables.ts';
import {
  clearableDay,
  clearableText,
  color,
  day,
  markdown,
  optionalText,
  ownId,
  priority,
  recordId,
  text,
  texts,
} from '#adapters/services/tracker/inputs.ts';

/** The argument for a record's id. */
export const idOf = (what: string) => ({ id: ofId(`The id of the ${what}`) });

/** The id of a record, required. */
export const ofId = (about: string) => variable('String!', recordId(about));

/** Required text. */
export const needed = (about: string) => variable('String!', text(about));

/** Optional text. */
export const optional = (about: string) => variable('String', optionalText(about));

/** Text that can be cleared with null. */
export const clearable = (about: string) => variable('String', clearableText(about));

/** Optional Markdown. */
export const asMarkdown = (about: string) => variable('String', markdown(about));

/** A list of texts, such as ids. */
export const several = (about: string) => variable('[String!]', texts(about));

/** A calendar day. */
export const onDay = (about: string) => variable('TimelessDate', day(about));

/** A calendar day that can be cleared with null. */
export const clearableOnDay = (about: string) => variable('TimelessDate', clearableDay(about));

/** An optional boolean; the tracker determines its default. */
export const flag = (about: string) => variable('Boolean', z.boolean().optional().describe(about));

/** The priority. */
export const urgency = variable('Int', priority);

/** A colour. */
export const colour = variable('String', color);

/** An id created by the caller, which makes creation idempotent. */
export const madeByCaller = variable('String', ownId);

/** The visual appearance: colour and icon. */
export const look = { color: colour, icon: optional('The name of an icon') };

/** A replacement for the visual appearance. */
export const changedLook = { color: colour, icon: clearable('The name of an icon') };
