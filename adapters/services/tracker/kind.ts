import { defineKind } from '#adapters/services/definitions/kind.ts';
import { changeRules } from '#adapters/services/tracker/changes.ts';
import { TrackerNames } from '#adapters/services/tracker/names.ts';
import { operations } from '#adapters/services/tracker/operations.ts';
import { questions } from '#adapters/services/tracker/questions.ts';

/** The tracker: issues, projects, cycles and documents. */
export const trackerKind = defineKind({
  key: 'tracker',
  title: 'Tracker',
  noun: 'tracker',
  icon: 'ticket',
  example: 'Which issues are assigned to me, and which of them is the most urgent?',
  operations,
  changes: changeRules,
  keyMethod: 'personal_token',
  probe: 'viewer.get',
  names: () => new TrackerNames(),
  maxBytes: 16 * 1024 * 1024,
  webhookSecret: 'TRACKER_WEBHOOK_SECRET',
  instructions: {
    tools: 'tracker_*',
    purpose: 'for issues',
    tips: [
      'The tracker archives issues; nothing is deleted for good.',
      "`filter` in tracker lists is the tracker's own JSON: comparators eq, neq, in, nin, lt, lte, gt, gte, contains, containsIgnoreCase, null, joined by and, or. `orderBy` is createdAt by default.",
    ],
  },
  questions,
});
