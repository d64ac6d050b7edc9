import { defineKind } from '#adapters/services/definitions/kind.ts';
import { changeRules } from '#adapters/services/sales-crm/changes.ts';
import { SalesCrmNames } from '#adapters/services/sales-crm/names.ts';
import { operations } from '#adapters/services/sales-crm/operations.ts';
import { questions } from '#adapters/services/sales-crm/questions.ts';

/** The sales CRM: deals, leads, people and organizations. */
export const salesCrmKind = defineKind({
  key: 'sales_crm',
  title: 'Sales CRM',
  noun: 'sales CRM',
  icon: 'funnel',
  example: 'Which of my deals are open, and what is the next step for each?',
  operations,
  keyMethod: 'personal_token',
  probe: 'users.me',
  changes: changeRules,
  names: () => new SalesCrmNames(),
  versionPrefixes: ['/api/v2', '/v1'],
  webhookSecret: 'SALES_CRM_WEBHOOK_SECRET',
  instructions: {
    tools: 'sales_crm_*',
    tips: ['include_labels and include_option_labels show {id, label} instead of ids.'],
  },
  questions,
});
