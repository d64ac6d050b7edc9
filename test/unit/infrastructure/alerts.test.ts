import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { PrometheusMetrics } from '#adapters/metrics/prometheus-metrics.ts';

const rule = z.object({
  alert: z.string(),
  expr: z.string(),
  for: z
    .string()
    .regex(/^\d+[mh]$/)
    .optional(),
  labels: z.object({ severity: z.enum(['warning', 'critical']) }),
  annotations: z.object({ summary: z.string().min(20) }),
});
const file = z.object({ groups: z.array(z.object({ name: z.string(), rules: z.array(rule).min(3) })).min(1) });
const { groups } = file.parse(parse(readFileSync('docs/alerts.yml', 'utf8')));
const rules = groups.flatMap((group) => group.rules);

const metrics = new PrometheusMetrics({
  counts: async () => ({ pending: 0, leased: 0, done: 0, dead: 0, ignored: 0, skipped: 0 }),
  faulty: async () => 0,
  oldestOpen: async () => null,
  expiries: async () => [{ service: 'tracker', name: 'issues', seconds: 1 }],
  unreadable: () => [{ table: 'users' }],
  notifications: async () => ({ webhook: 0, mail: 0, administrators: 0 }),
  now: () => 0,
});

/** The names of metrics in text of PromQL. */
const namesIn = (text: string): readonly string[] => text.match(/\b(?:portolan|nodejs|process)_\w+/g) ?? [];

describe('the rules for alerts and the dashboard', () => {
  it('read metrics that the server has', async () => {
    const { text } = await metrics.page();
    const dashboard = readFileSync('docs/grafana.json', 'utf8');
    const names = [...rules.flatMap(({ expr }) => namesIn(expr)), ...namesIn(dashboard)];
    expect(names.length).toBeGreaterThan(rules.length);
    const known = new Set([...text.matchAll(/^# TYPE (\w+)/gm)].map(([, name]) => name));
    expect(names.filter((name) => !known.has(name))).toEqual([]);
  });

  it('are about what waits, fails, lags and cannot be read, each under a name of its own', () => {
    const all = rules.map(({ alert }) => alert);
    expect(new Set(all).size).toBe(all.length);
    const read = new Set(rules.flatMap(({ expr }) => namesIn(expr)));
    for (const name of [
      'portolan_webhook_oldest_open_seconds',
      'portolan_webhook_inbox_entries',
      'portolan_outbound_calls_total',
      'portolan_unreadable_rows',
      'nodejs_eventloop_lag_p99_seconds',
    ]) {
      expect([...read]).toContain(name);
    }
  });
});
