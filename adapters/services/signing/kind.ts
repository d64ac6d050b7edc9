import { defineKind } from '#adapters/services/definitions/kind.ts';
import { changeRules } from '#adapters/services/signing/changes.ts';
import { explainMissing } from '#adapters/services/signing/missing.ts';
import { operations } from '#adapters/services/signing/operations.ts';
import { questions } from '#adapters/services/signing/questions.ts';

/** The signing service: documents, their recipients, and the templates that documents are created from. */
export const signingKind = defineKind({
  key: 'signing',
  title: 'Signing service',
  noun: 'signing service',
  icon: 'pen',
  example: 'Which documents are waiting for a signature, and whose?',
  operations,
  changes: changeRules,
  keyMethod: 'api_key',
  probe: 'members.list',
  versionPrefixes: ['/public/v1'],
  explainMissing,
  webhookSecret: 'SIGNING_WEBHOOK_KEY',
  instructions: {
    tools: 'signing_*',
    tips: [
      'Signing: a new document is not ready at once. Ask signing_document_status until it is a draft, then send it.',
    ],
  },
  questions,
});
