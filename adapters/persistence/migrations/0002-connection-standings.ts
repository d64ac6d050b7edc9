import type { SchemaChange } from '#infrastructure/database/schema-change.ts';

/** The status of each connection, beside its credentials. */
export const connectionStandings: SchemaChange = {
  name: '0002-connection-standings',
  statements: () => [
    `create table connection_standings (
      user_id bigint not null, service text not null, state text not null, since bigint not null, reason text,
      primary key (user_id, service)
    )`,
  ],
};
