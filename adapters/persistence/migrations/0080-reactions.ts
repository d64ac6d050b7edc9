import type { SchemaChange } from '#infrastructure/database/schema-change.ts';

/** The permissions, calls and counts of users' reactions, and which built-in ones are off. */
export const reactionTables: SchemaChange = {
  name: '0080-reactions',
  statements: () => [
    'create table reaction_approvals (digest text not null primary key, reaction text not null, allowed_by text not null, allowed_at bigint not null)',
    `create table reaction_calls (call_key text not null primary key, reaction text not null, operation text not null,
       seq bigint not null, depth integer not null, begun_at bigint not null, state text not null, outcome text,
       record_service text, record_id text, ended_at bigint)`,
    'create index reaction_calls_records on reaction_calls (record_service, record_id, ended_at)',
    'create index reaction_calls_times on reaction_calls (begun_at)',
    `create table reaction_runs (reaction text not null primary key, runs bigint not null, faults bigint not null,
       last_at bigint not null, last_outcome text not null, last_is_fault integer not null)`,
    'create table reaction_schedules (reaction text not null primary key, run_to bigint not null)',
    'create table reaction_switches (name text not null primary key)',
  ],
};
