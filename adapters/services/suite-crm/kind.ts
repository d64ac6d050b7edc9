import { defineKind } from '#adapters/services/definitions/kind.ts';
import { changeRules } from '#adapters/services/suite-crm/changes.ts';
import { explainMissing } from '#adapters/services/suite-crm/missing.ts';
import { operations } from '#adapters/services/suite-crm/operations.ts';
import { questions } from '#adapters/services/suite-crm/questions.ts';
import { addresses } from '#infrastructure/config/setting-types.ts';

/** The suite CRM: records of any module, with their notes, files, e-mails and tags. */
export const suiteCrmKind = defineKind({
  key: 'suite_crm',
  title: 'Suite CRM',
  noun: 'suite CRM',
  icon: 'people',
  example: 'Show me the five newest leads, with how each came to us.',
  settings: { SUITE_CRM_WEBHOOK_ADDRESSES: addresses.optional() },
  operations,
  changes: changeRules,
  keyMethod: null,
  probe: 'users.list',
  versionPrefixes: ['/crm/v8'],
  timeoutMs: 60_000,
  maxBytes: 64 * 1024 * 1024,
  explainMissing,
  webhookSecret: 'SUITE_CRM_WEBHOOK_TOKEN',
  // The provider accepts no longer token of a channel.
  maxSecretLength: 50,
  instructions: { tools: 'suite_*' },
  questions,
});
