import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { catalogOf } from '#adapters/services/catalog.ts';
import type { Provider } from '#adapters/services/definitions/provider.ts';
import { outcomeOf } from '#adapters/services/requests/outcome-of.ts';
import { tokenRecord } from '#test/support/connections/token-record.ts';
import {
  salesCrmProvider,
  signingProvider,
  suiteCrmProvider,
  trackerProvider,
  vaultProvider,
} from '#test/support/services/providers.ts';

const at = { url: 'https://provider.example' };
const providers: readonly Provider[] = [
  salesCrmProvider({ dialect: 'neutral', ...at }),
  salesCrmProvider({ dialect: 'pipedrive', ...at }),
  signingProvider({ dialect: 'neutral', ...at }),
  signingProvider({ dialect: 'pandadoc', ...at }),
  suiteCrmProvider({ dialect: 'neutral', ...at }),
  suiteCrmProvider({ dialect: 'zoho', ...at }),
  trackerProvider({ dialect: 'neutral', ...at }),
  trackerProvider({ dialect: 'linear', ...at }),
  vaultProvider('neutral'),
  vaultProvider('obsidian'),
];

/** What the vendors' published interfaces call the secret of a webhook in their answers, by service. */
const secretOf: Readonly<Record<string, string>> = {
  sales_crm: 'http_auth_password',
  signing: 'shared_key',
  suite_crm: 'token',
};
/** Whoever makes a webhook at the tracker needs the secret that the tracker makes for it, and sees it this once. */
const shownOnce = ['tracker webhooks.create.secret'];
/** Variables of a document, which the signing service calls tokens. */
const noSecrets = ['signing documents.details.tokens'];

const canary = 'what-proves-a-delivery';

describe('the secrets of webhooks', () => {
  const rows = providers.flatMap((provider) =>
    Object.entries(provider.operations).flatMap(([name, row]) =>
      row.kind === 'request' && /webhook|watch|subscription|channel/i.test(`${name} ${row.path}`)
        ? [{ title: `${provider.service} (${provider.dialect.name}) ${name}`, provider, row }]
        : [],
    ),
  );

  it.each(rows)('do not occur in the answer of $title (OP-017)', ({ provider, row }) => {
    const secret = secretOf[provider.service];
    const item = { id: '7', channel_id: '7', status: 'success', ...(secret === undefined ? {} : { [secret]: canary }) };
    const bodies = [
      { success: true, data: [item] },
      { success: true, data: item },
      { watch: [{ ...item, details: { events: [item] } }] },
      { items: [item] },
      [item],
      item,
    ];
    for (const [status, body] of [200, 201, 400].flatMap((code) => bodies.map((one) => [code, one] as const))) {
      const answer = { kind: 'answer', status, headers: {}, body: Buffer.from(JSON.stringify(body)) } as const;
      const outcome = outcomeOf(row, {}, answer, { provider, record: tokenRecord(provider.service) });
      expect(JSON.stringify(outcome)).not.toContain(canary);
    }
  });

  it('occur in no documented answer', () => {
    const named = providers.flatMap((provider) =>
      catalogOf([provider]).operations.flatMap(({ name, output }) =>
        secretiveNames(output?.dataSchema).map((member) => `${provider.service} ${name}.${member}`),
      ),
    );
    expect([...new Set(named)].sort()).toEqual([...noSecrets, ...shownOnce].sort());
  });
});

const schema = z.record(z.string(), z.unknown());

/** The members of a schema, at any depth, whose names are those of secrets. */
function secretiveNames(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(secretiveNames);
  const parsed = schema.safeParse(value);
  if (!parsed.success) return [];
  const names = Object.keys(schema.safeParse(parsed.data['properties']).data ?? {});
  return [
    ...names.filter((name) => /secret|passw|token|(?:api|shared|private)_?key|credential/i.test(name)),
    ...Object.values(parsed.data).flatMap(secretiveNames),
  ];
}
