import { firstMigrations, numberedId } from '#adapters/persistence/first-migrations.ts';
import type { SchemaChange } from '#infrastructure/database/schema-change.ts';

/** All schema changes in the order in which they run. A released one is never edited: add another. */
export const migrations: readonly SchemaChange[] = [
  ...firstMigrations,
  // The trace context in which a delivery arrived, so that processing it continues the same trace.
  {
    name: '0140-inbox-traces',
    statements: () => ['alter table webhook_inbox add column traceparent text'],
  },
  // The sessions of persons who signed in; `id` is a digest.
  {
    name: '0200-sessions',
    statements: () => [
      `create table sessions (
        id text not null primary key, user_id bigint not null, begun_by text not null, begun_at bigint not null,
        expires_at bigint not null, user_agent text
      )`,
      'create index sessions_user on sessions (user_id, begun_at)',
      'create index sessions_expires on sessions (expires_at)',
    ],
  },
  // How authorization codes were exchanged; `code` and `exchange` are digests.
  {
    name: '0201-code-uses',
    statements: (kind) => [
      `create table code_uses (
        seq ${numberedId(kind)}, code text not null unique, user_id bigint not null, grant_id text not null, used_at bigint not null,
        exchange text not null
      )`,
      'create index code_uses_used_at on code_uses (used_at)',
    ],
  },
  // The reactions that are set aside since reading or filling them exceeded the limits.
  {
    name: '0210-reaction-asides',
    statements: () => [
      `create table reaction_asides (digest text primary key, reaction text not null, set_aside_at bigint not null)`,
    ],
  },
  // The changes of apps that can be taken back, those that wait for a person, and what people always allow.
  {
    name: '0220-changes',
    statements: () => [
      `create table kept_changes (
        id text not null primary key, user_id bigint not null, grant_id text, app text, service text not null,
        operation text not null, effect text not null, record_id text, at bigint not null, account text not null,
        state text not null, undone_at bigint, undo_of text, irreversible text, content text not null
      )`,
      'create index kept_changes_user on kept_changes (user_id, at, id)',
      'create index kept_changes_record on kept_changes (service, record_id, at)',
      'create index kept_changes_at on kept_changes (at)',
      `create table approvals (
        id text not null primary key, user_id bigint not null, grant_id text not null, app text, service text not null,
        operation text not null, effect text not null, at bigint not null, expires_at bigint not null, state text not null,
        decided_at bigint, digest text not null, input_digest text not null, content text not null, comment text,
        outcome text
      )`,
      'create index approvals_user on approvals (user_id, state, at)',
      'create index approvals_expires on approvals (expires_at)',
      `create table allowed_operations (
        user_id bigint not null, grant_id text not null, service text not null, operation text not null, at bigint not null,
        primary key (user_id, grant_id, service, operation)
      )`,
      'alter table activity add column kept_id text',
    ],
  },
  // What users are asked before an app does it, by app and, until its code is exchanged, by code.
  {
    name: '0221-asks',
    statements: () => [
      'alter table app_grants add column ask text',
      'alter table authorization_codes add column ask text',
    ],
  },
  // The texts of reactions that an administrator refused. Servers of before do not read it, and go on to wait.
  {
    name: '0250-reaction-refusals',
    statements: () => [
      `create table reaction_refusals (
        digest text not null primary key, reaction text not null, refused_by text not null, refused_at bigint not null,
        comment text
      )`,
    ],
  },
  // Who administered what.
  {
    name: '0260-audit',
    statements: (kind) => [
      `create table audit (
        id ${numberedId(kind)}, at bigint not null, actor_id bigint, action text not null, user_id bigint, subject text, detail text
      )`,
      'create index audit_at on audit (at)',
      'create index audit_actor on audit (actor_id, id)',
      'create index audit_user on audit (user_id, id)',
      'create index audit_action on audit (action, id)',
    ],
  },
  // Names of users, whether they accepted their invitation, and when they were last here.
  {
    name: '0261-people',
    statements: () => [
      'alter table users add column name text',
      'alter table users add column invited_at bigint',
      'alter table users add column seen_at bigint',
      'alter table users add column search_key text',
      'update users set search_key = email_key',
    ],
  },
  // What each delivery came to for each reaction, and the deliveries on which one failed.
  {
    name: '0280-reaction-results',
    statements: () => [
      'alter table webhook_inbox add column is_faulty integer not null default 0',
      'create index webhook_inbox_faulty on webhook_inbox (is_faulty, seq) where is_faulty = 1',
      `create table reaction_results (
        reaction text not null, seq bigint not null, at bigint not null, result text not null, outcome text not null,
        primary key (reaction, seq)
      )`,
      'create index reaction_results_seq on reaction_results (seq, reaction)',
      'create index reaction_results_at on reaction_results (at)',
    ],
  },
  // Which user each identity of an identity provider is and sign-ins in progress.
  {
    name: '0270-identities',
    statements: (kind) => [
      `create table identities (
        id text not null primary key, user_id bigint, issuer text not null, email text, linked_at bigint not null,
        last_used_at bigint
      )`,
      'create index identities_user on identities (user_id, linked_at)',
      `create table pending_sign_ins (
        seq ${numberedId(kind)}, state text not null unique, browser text not null, code_verifier text not null,
        nonce text not null, authorize text, user_id bigint, session_id text, started_at bigint not null
      )`,
      'create index pending_sign_ins_started on pending_sign_ins (started_at)',
    ],
  },
  // Hourly sums of calls and deliveries, filled with those of the last 31 days.
  {
    name: '0300-usage-counts',
    statements: () => [
      `create table usage_counts (
        user_id bigint not null, hour bigint not null, kind text not null, service text not null, count bigint not null,
        failed bigint not null, tokens bigint not null, primary key (user_id, hour, kind, service)
      )`,
      'create index usage_counts_hour on usage_counts (hour)',
      `insert into usage_counts select user_id, at - at % 3600000, 'calls', service, count(*),
         sum(case when outcome = 'ok' then 0 else 1 end), 0
       from activity where at > (select max(at) from activity) - 2678400000 group by 1, 2, 4`,
      `insert into usage_counts select -1, hour, kind, service, sum(count), sum(failed), 0
       from usage_counts group by hour, kind, service`,
      `insert into usage_counts select -1, received_at - received_at % 3600000, 'deliveries', service, count(*),
         sum(case when state = 'dead' then 1 else 0 end), 0
       from webhook_inbox where received_at > (select max(received_at) from webhook_inbox) - 2678400000 group by 2, 4`,
    ],
  },
  // Notifications until they are sent, and the e-mails that users do not want.
  {
    name: '0281-notifications',
    statements: () => [
      `create table notifications (
        id text not null primary key, channel text not null, kind text not null, occasion text not null, user_id bigint,
        at bigint not null, subject text not null, attempts bigint not null, due_at bigint, is_digest integer not null,
        ended_at bigint, result text
      )`,
      'create index notifications_due on notifications (channel, due_at, id)',
      'create index notifications_sent on notifications (kind, ended_at)',
      'create index notifications_ended on notifications (ended_at)',
      'create table notification_choices (user_id bigint not null primary key, off text not null)',
    ],
  },
  // When a person's session was last used, and when a personal token expires.
  {
    name: '0290-sessions-and-tokens',
    statements: () => [
      'alter table sessions add column last_seen_at bigint',
      'alter table app_grants add column expires_at bigint',
    ],
  },
  // The programs that changes and calls belong to.
  {
    name: '0310-programs',
    statements: () => [
      'alter table kept_changes add column part_of text',
      'create index kept_changes_part on kept_changes (part_of)',
      'alter table activity add column part_of text',
    ],
  },
  // The calls of reactions that wait, or whose outcome is unknown, among all.
  {
    name: '0282-open-reaction-calls',
    statements: () => ['create index reaction_calls_state on reaction_calls (state, begun_at)'],
  },
  // The apps that users' activity names, so that their names are not sought among all of it.
  {
    name: '0350-activity-apps',
    statements: () => [
      `create table activity_apps (
        user_id bigint not null, app text not null, last_at bigint not null, primary key (user_id, app)
      )`,
      'create index activity_apps_last on activity_apps (last_at)',
      `insert into activity_apps select user_id, app, max(at) from activity where app is not null group by user_id, app`,
      `insert into activity_apps select -1, app, max(last_at) from activity_apps group by app`,
    ],
  },
  // For each filter of a list, so that it reads what it shows, however long the table is.
  {
    name: '0351-lists',
    statements: () => [
      'create index activity_service on activity (service, id)',
      'create index activity_app on activity (app, id)',
      'create index webhook_inbox_service on webhook_inbox (service, seq)',
      'create index webhook_inbox_received on webhook_inbox (received_at)',
      'create index users_administrators on users (is_admin, id)',
      'create index outbound_tokens_renewal on outbound_tokens (service, updated_at)',
      'create index outbound_tokens_expiry on outbound_tokens (expires_at)',
      'create index reaction_calls_reaction on reaction_calls (reaction, begun_at)',
      'create index connection_standings_probe on connection_standings (probe_at)',
    ],
  },
  // The same change of an app is asked about once, whichever servers it is asked at; those from before have no key.
  {
    name: '0330-open-approvals',
    statements: () => [
      'alter table approvals add column open_key text',
      'create unique index approvals_open on approvals (open_key)',
    ],
  },
  // What an app was granted, by service, and what its user switched off for it.
  {
    name: '0320-access-by-service',
    statements: () => [
      'alter table app_grants add column scope text',
      'alter table app_grants add column switched_off text',
    ],
  },
  // For what is removed when it has expired.
  {
    name: '0352-expired-sign-ins',
    statements: () => [
      'create index authorization_codes_expires on authorization_codes (expires_at)',
      'create index pending_connects_started on pending_connects (started_at)',
    ],
  },
  // One app's calls for one user, and the last call of a user with each service, also where a user has made many calls.
  {
    name: '0380-calls-of-users',
    statements: () => [
      'create index activity_user_app on activity (user_id, app, id)',
      'create index activity_user_service on activity (user_id, service, id)',
    ],
  },
  // For claims from lanes on PostgreSQL: a condition no statistics are about, so that none make it prefer another index.
  {
    name: '0391-claims-from-lanes',
    statements: (kind) =>
      kind === 'sqlite'
        ? []
        : [
            `create index webhook_inbox_claims on webhook_inbox (service, coalesce(calls, ''), seq)
             where case when state in ('pending', 'leased') then 1 end is not null`,
          ],
  },
];
