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

/** The argument that names the record of a kind by its id. */
export const idOf = (what: string) => ({ id: ofId(`The id of the ${what}`) });

/** The id of a record that has to be given. */
export const ofId = (about: string) => variable('String!', recordId(about));

/** Text that has to be given. */
export const needed = (about: string) => variable('String!', text(about));

/** Text that need not be given. */
export const optional = (about: string) => variable('String', optionalText(about));

/** Text that can be cleared with null. */
export const clearable = (about: string) => variable('String', clearableText(about));

/** Markdown that need not be given. */
export const asMarkdown = (about: string) => variable('String', markdown(about));

/** Several texts, such as ids. */
export const several = (about: string) => variable('[String!]', texts(about));

/** A calendar day. */
export const onDay = (about: string) => variable('TimelessDate', day(about));

/** A calendar day that can be cleared with null. */
export const clearableOnDay = (about: string) => variable('TimelessDate', clearableDay(about));

/** Whether something is so; what it is when not given, the tracker says. */
export const flag = (about: string) => variable('Boolean', z.boolean().optional().describe(about));

/** How urgent it is. */
export const urgency = variable('Int', priority);

/** Its colour. */
export const colour = variable('String', color);

/** An id that the caller makes, so that nothing is made twice. */
export const madeByCaller = variable('String', ownId);

/** By what people know it at a glance. */
export const look = { color: colour, icon: optional('The name of an icon') };

/** The same, in place of what it has. */
export const changedLook = { color: colour, icon: clearable('The name of an icon') };
