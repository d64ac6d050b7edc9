import type { SchemaChange } from '#infrastructure/database/schema-change.ts';

/** Single facts about the server itself, such as which folder of notes belongs to this database. */
export const serverFacts: SchemaChange = {
  name: '0006-server-facts',
  statements: () => ['create table server_facts (name text not null primary key, value text not null)'],
};
