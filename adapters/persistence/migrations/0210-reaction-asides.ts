import type { SchemaChange } from '#infrastructure/database/schema-change.ts';

/** The reactions that are set aside since reading or filling them exceeded the limits. */
export const reactionAsides: SchemaChange = {
  name: '0210-reaction-asides',
  statements: () => [
    `create table reaction_asides (digest text primary key, reaction text not null, set_aside_at bigint not null)`,
  ],
};
