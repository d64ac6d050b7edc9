import type { GrownSize } from '#test/bench/growth/size.ts';

const dayMs = 86_400_000;
/** How long ago the first row is from, in ms. */
const ageMs = 365 * dayMs;
/** How many calls an app makes one after the other, for one user. */
const callsAtOnce = 40;
const session = `(i / ${callsAtOnce})`;
const services = ['tracker', 'sales_crm', 'vault', 'signing', 'suite_crm'] as const;

/**
 * The statements that fill a database, the same for SQLite and PostgreSQL. Few users and apps do most of what is done, as
 * everywhere; `now` is the time of the last row, Unix ms, and `passwordHash` that of every user.
 */
export function fillingStatements(size: GrownSize, now: number, passwordHash: string): readonly string[] {
  const { deliveries, activities, users, connections, grants, keptChanges, reactions, notes } = size;
  const from = now - ageMs;
  const at = (count: number, of = 'i'): string => `${from} + ${of} * ${Math.floor(ageMs / count)}`;
  const person = `(2 + ${power(users - 1)})`;
  const perUser = Math.max(1, users - 1);
  return [
    `insert into users (id, email, email_key, password_hash, permissions, is_admin, name, search_key, seen_at, invited_at, deactivated_at)
     ${numbers(users)} select i, 'user' || i || '@example.com', 'user' || i || '@example.com', '${passwordHash}',
       case when i = 1 or i % 3 = 0 then '["sales_crm","signing","suite_crm","tracker","vault"]' when i % 3 = 1 then '["tracker","vault"]' else '["vault"]' end,
       i = 1 or i % 4001 = 0, 'Person ' || i, 'user' || i || '@example.com' || 'person ' || i, ${at(users)},
       case when i % 50 = 7 then ${at(users)} else null end, case when i % 10 = 9 then ${at(users)} else null end from n`,
    `insert into outbound_tokens (updated_at, user_id, service, auth_method, access_token, refresh_token, scope, expires_at, extra)
     ${numbers(connections)} select case when (2 + (i - 1) % ${perUser}) % 10 = 9 then ${now - 20 * dayMs} else ${now + dayMs} end + i % 3600, 2 + (i - 1) % ${perUser}, case (i - 1) / ${perUser} when 0 then 'tracker' when 1 then 'sales_crm' else 'signing' end,
       'oauth', 'v1.${'a'.repeat(120)}', case when i % 4 = 0 then null else 'v1.${'b'.repeat(120)}' end, 'read write', ${now + 30 * dayMs} + i, '{}' from n`,
    `insert into connection_standings (user_id, service, state, since, reason, probe_at)
     select user_id, service, case when id % 20 = 3 then 'reconnect' when id % 50 = 4 then 'degraded' else 'connected' end, updated_at,
       case when id % 20 = 3 then 'The provider refuses to renew the tokens.' else null end, case when id % 50 = 4 then ${now + 30 * dayMs} else null end from outbound_tokens`,
    `insert into app_grants (id, user_id, client_id, client_name, services, is_readonly, ask, since, last_used_at)
     ${numbers(grants)} select 'grant-' || i, 1 + i % ${users}, 'client-' || i, ${app('i')}, null, i % 3 = 0, null, ${now - 20 * dayMs} + i, ${now - dayMs} + i from n`,
    `insert into sessions (id, user_id, begun_by, begun_at, expires_at, user_agent)
     ${numbers(users)} select 'session-' || i, i, 'login', ${now - 10 * dayMs} + i, ${now + 10 * dayMs} + i, 'Mozilla/5.0' from n`,
    ...ofDeliveries(size, now, at(deliveries)),
    `insert into activity (at, user_id, grant_id, app, service, operation, effect, record_id, outcome, ms, part_of)
     ${numbers(activities)} select ${at(activities)}, case when i / ${callsAtOnce} % 50 = 0 then 1 else 2 + ${power(users - 1, session)} end, 'grant-' || (1 + i % ${grants}), ${app(`${hash(3, session)} % 1000`)}, ${service(hash(5, `(${session} * 3 + i % 3)`))},
       case ${hash(7)} % 3 when 0 then 'issues.list' when 1 then 'deals.get' else 'notes.patch' end, case when ${hash(7)} % 3 = 2 then 'write' else 'read' end,
       'record-' || ${hash(11)}, case when ${hash(13)} % 100 < 97 then 'ok' else 'not_found' end, ${hash(17)} % 400, null from n`,
    `insert into activity_apps select user_id, app, max(at) from activity where app is not null group by user_id, app`,
    `insert into activity_apps select -1, app, max(last_at) from activity_apps group by app`,
    `insert into usage_counts select user_id, at - at % 3600000, 'calls', service, count(*), sum(case when outcome = 'ok' then 0 else 1 end), 120
     from activity group by 1, 2, 4`,
    `insert into usage_counts select -1, hour, kind, service, sum(count), sum(failed), sum(tokens) from usage_counts group by hour, kind, service`,
    `insert into usage_counts select -1, received_at - received_at % 3600000, 'deliveries', service, count(*), sum(case when state = 'dead' then 1 else 0 end), 0
     from webhook_inbox group by 2, 4`,
    `insert into audit (at, actor_id, action, user_id, subject, detail)
     ${numbers(users * 10)} select ${at(users * 10)}, case when i % 7 = 0 then 1 else ${person} end, case when i % 5 = 0 then 'connection.disconnected' else 'app.revoked' end, ${person}, 'subject', null from n`,
    `insert into kept_changes (id, user_id, grant_id, app, service, operation, effect, record_id, at, account, state, irreversible, content)
     ${numbers(keptChanges)} select 'kept-' || i, case when i % 4 = 0 then 1 else ${person} end, 'grant-' || i, ${app('i')}, 'tracker', 'issues.update', 'change', 'record-' || i % 997,
       ${now - 6 * dayMs} + i, 'account', 'kept', null, '${'c'.repeat(1_000)}' from n`,
    `insert into note_links (service, kind, record_id, path, applied_at)
     ${numbers(notes)} select 'tracker', 'issue', 'linked-' || i, 'Issues/OLD-' || i || ' Issue.md', ${at(notes)} from n`,
    `insert into party_links (service, kind, record_id, remote_id, digest, applied_at)
     ${numbers(notes)} select 'sales_crm', 'person', 'party-' || i, 'remote-' || i, 'digest', ${at(notes)} from n`,
    `insert into identities (id, user_id, issuer, email, linked_at, last_used_at)
     ${numbers(users)} select 'identity-' || i, i, 'https://login.example.com', null, ${at(users)}, null from n`,
    `insert into notifications (id, channel, kind, occasion, user_id, at, subject, attempts, due_at, is_digest, ended_at, result)
     ${numbers(keptChanges)} select 'note-' || i, 'mail', 'connection_broken', 'occasion-' || i, null, ${now - 6 * dayMs} + i, '{}', 1, null, 0, ${now - 6 * dayMs} + i, 'sent' from n`,
    `insert into approvals (id, user_id, grant_id, app, service, operation, effect, at, expires_at, state, digest, input_digest, content)
     ${numbers(keptChanges)} select 'approval-' || i, ${person}, 'grant-' || i, ${app('i')}, 'tracker', 'issues.delete', 'lose', ${now - 3_600_000} + i, ${now + dayMs} + i, 'declined', 'd-' || i, 'i', 'x' from n`,
    `insert into reaction_runs (reaction, runs, faults, last_at, last_outcome, last_is_fault)
     ${numbers(reactions)} select 'Reactions/Rule ' || i || '.md', 1000, 3, ${now - 1_000}, 'wrote', 0 from n`,
    `insert into reaction_results (reaction, seq, at, result, outcome)
     select 'Reactions/Rule ' || (1 + seq % ${reactions}) || '.md', seq, received_at, case when is_faulty = 1 then 'failed' else 'ran' end, 'wrote a line'
     from webhook_inbox where received_at > ${now - 30 * dayMs}`,
    `insert into reaction_calls (call_key, reaction, operation, seq, depth, begun_at, state, outcome, record_service, record_id, ended_at)
     select 'call-' || seq, 'Reactions/Rule ' || (1 + seq % ${reactions}) || '.md', 'tracker.issues.update', seq, 0, received_at, 'done', 'done', 'tracker', order_key, received_at + 500
     from webhook_inbox where seq % 5 = 0`,
  ];
}

function ofDeliveries({ deliveries, dead, waiting }: GrownSize, now: number, at: string): readonly string[] {
  const deadEach = Math.max(1, Math.floor(deliveries / dead));
  const body = `'v1.${'d'.repeat(700)}'`;
  const isOpen = `i > ${deliveries - waiting}`;
  const isDead = `i % ${deadEach} = 0`;
  return [
    `insert into webhook_inbox (service, delivery_id, order_key, event, body, state, received_at, available_at, attempts, failing_since, error, outcome, finished_at, calls, traceparent, is_faulty)
     ${numbers(deliveries)} select ${service(hash(3))}, 'delivery-' || i, 'order-' || ${hash(5)} % ${Math.max(1, Math.floor(deliveries / 10))} || '-' || (i % 3 + case when ${isOpen} or ${isDead} then i else 0 end), 'issue.update',
       case when ${isOpen} or ${isDead} or ${at} > ${now - 31 * dayMs} then ${body} else null end,
       case when ${isOpen} then 'pending' when ${isDead} then 'dead' when ${hash(7)} % 5 = 0 then 'ignored' when ${hash(7)} % 199 = 1 then 'skipped' else 'done' end,
       ${at}, case when ${isOpen} then ${now + 30 * dayMs} else ${at} end, case when ${isOpen} then 3 else 1 end, case when ${isOpen} then ${at} else null end,
       case when ${isOpen} then 'unavailable: the tracker does not answer' when ${isDead} then 'rejected: the record is gone' else null end,
       case when ${isOpen} or ${isDead} then null else 'wrote Issues/OLD-' || i || ' Issue.md' end,
       case when ${isOpen} then null else ${at} + 900 end, 'tracker', null, case when ${isOpen} or ${isDead} or ${hash(11)} % 1000 <> 1 then 0 else 1 end from n`,
    `insert into webhook_stale (service, delivery_id, received_at, age_ms, times)
     ${numbers(dead)} select 'tracker', 'stale-' || i, ${now} - i * 1000, 400000, 1 from n`,
  ];
}

/** The numbers from 1 to `count` as `n (i)`. */
function numbers(count: number): string {
  return `with recursive n (i) as (select cast(1 as bigint) union all select i + 1 from n where i < ${count})`;
}

/** A number from 0 to 1,000,002 that looks as if it were drawn; `salt` gives another for the same row. */
function hash(salt: number, of = 'i'): string {
  return `((${of} * 7919 + ${salt * 104_729}) % 1000003)`;
}

/** A number from 0 to `count` - 1, low ones far more often. */
function power(count: number, of = 'i'): string {
  const drawn = hash(29, of);
  return `(${drawn} * ${drawn} / 1000003 * ${drawn} / 1000003 * ${count} / 1000003)`;
}

function service(of: string): string {
  const [first, second, third, fourth, fifth] = services;
  return `case when ${of} % 100 < 60 then '${first}' when ${of} % 100 < 85 then '${second}' when ${of} % 100 < 95 then '${third}' when ${of} % 100 < 99 then '${fourth}' else '${fifth}' end`;
}

function app(of: string): string {
  return `case when ${of} % 1000 < 700 then 'Claude' when ${of} % 1000 < 900 then 'Codex' when ${of} % 1000 < 999 then 'Editor ' || ${of} % 7 else 'Rare app' end`;
}
