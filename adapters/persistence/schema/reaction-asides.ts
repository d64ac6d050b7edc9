import { table, text, whole } from '#infrastructure/database/columns.ts';

/** The reactions that are set aside since reading or filling them exceeded the limits. */
export const ReactionAsideRow = table('reaction_asides', {
  digest: text().primary(),
  reaction: text(),
  at: whole().fieldName('set_aside_at'),
});
