/** A table that may be read whole, by all statements or by those with this text or plan, and why. */
export type AllowedScan = Readonly<{ table: string; statement?: RegExp; plan?: RegExp; why: string }>;

/** A page of the latest rows: the table is read from its end until the page is full. */
const latest = /^select [^(]* order by [`"]\w0[`"]\.[`"](?:id|seq)[`"] desc limit (?:\?|\$1|\d+)$/;

/** What may be read whole. Whatever is missing here has to read through an index, or in pages. */
export const allowedScans: readonly AllowedScan[] = [
  { table: 'webhook_inbox', plan: /INDEX webhook_inbox_due/, why: 'the index has nothing but what is open' },
  { table: 'webhook_inbox', statement: latest, why: 'a page' },
  {
    table: 'webhook_inbox',
    statement: / limit \d+ offset \d+$/,
    why: 'where the latest end that a search reads: a constant',
  },
  { table: 'webhook_inbox', statement: / where 1 = 0 and /, why: 'no service has what is sought: nothing is read' },
  { table: 'activity', statement: latest, why: 'a page' },
  { table: 'audit', statement: latest, why: 'a page' },
  {
    table: 'webhook_inbox',
    statement:
      /^select "w0"\."seq", "w0"\."received_at" from "webhook_inbox" as "w0" order by "w0"\."seq" desc limit \S+ offset \S+$/,
    why: 'finds where a search ends: as many rows as it reads',
  },
  {
    table: 'webhook_inbox',
    statement: / where 1 = 0 /,
    why: 'reads nothing',
  },
  { table: 'webhook_inbox', statement: /limit 10000\) as "counted"$/, why: 'counts up to 10,000, and ends there' },
  {
    table: 'activity',
    statement: /select min\(id \+ 0\)/,
    why: 'the rows of the days asked for, however many these are',
  },
  { table: 'activity_apps', statement: /^delete .* limit 500\)$/, why: 'until 500 old ones are found' },
  { table: 'audit', statement: /select min\(id \+ 0\)/, why: 'the rows of the days asked for, however many these are' },
  {
    table: 'notifications',
    statement: /"due_at" <= /,
    why: 'by its index, save on SQLite where somebody ran ANALYZE; kept for 7 days',
  },
  { table: 'usage_counts', statement: /^select case when hour/, why: 'sorts the sums of fifty parts' },
  {
    table: 'users',
    statement: /limit (?:\?|\$\d|\d+)$/,
    why: 'a page; with a filter at most all users, who are not read but compared',
  },
  { table: 'users', statement: /order by "u0"\."id" asc$/, why: 'the command line lists them all' },
  {
    table: 'outbound_tokens',
    statement: /^select "o0"\."user_id", "o0"\."service" from/,
    why: 'two short columns: for new keys, another app of the administrator’s, and a provider that reports a removal',
  },
  {
    table: 'users',
    statement: /^select "o0"\."user_id", "o0"\."service" from .* not exists \(select 1 from users/,
    why: 'who is deactivated, once for all connections that are due on PostgreSQL',
  },
  { table: 'webhook_inbox', statement: /like lower\(/, why: 'a text is sought, in a thread on SQLite' },
  { table: 'webhook_inbox', statement: /"is_faulty" = /, why: 'a page; callers name a state besides' },
  { table: 'kept_changes', statement: /limit \d+$/, why: 'kept for days; callers name a user, a record or a program' },
  { table: 'approvals', statement: /limit \d+$/, why: 'kept for a day; callers name a user, but for new keys' },
  { table: 'reaction_calls', statement: /limit \d+$/, why: 'a page; callers name a state or a reaction' },
  { table: 'webhook_stale', why: 'at most 500 are kept' },
  { table: 'authorization_codes', statement: /^delete/, why: 'at most 10,000 are kept' },
  { table: 'code_uses', statement: /^delete/, why: 'at most 10,000 are kept' },
  { table: 'pending_connects', statement: /^delete/, why: 'at most 10,000 are kept' },
  { table: 'pending_sign_ins', statement: /^delete/, why: 'at most 10,000 are kept' },
  { table: 'webhook_secret_uses', why: 'one row for each secret that was ever set' },
  { table: 'subscriptions', why: 'a few for each service' },
  { table: 'clients', statement: /^delete|count\(\*\)/, why: 'at most 10,000 are kept' },
  { table: 'mcp_sessions', statement: /^\s*delete/, why: 'at most 10,000 are kept' },
  { table: 'reaction_approvals', why: 'as many as there are reactions' },
  { table: 'reaction_refusals', why: 'at most 2,000 are kept' },
  { table: 'reaction_asides', why: 'at most 2,000 are kept' },
  { table: 'reaction_runs', why: 'as many as there are reactions' },
  { table: 'reaction_switches', why: 'as many as there are built-in reactions' },
];
