/** The format of reactions, for models: an example, and what each part means. `folder` is the folder of reactions. */
export function formatGuide(folder: string): string {
  return `---
reaction: dry
when: sales_crm.updated.deal
if: deal.status == "won" && previous.status != "won"
note: 'Weekly/{{ occurredAt | date: "%G-W%V" }}.md'
under: Won
once: "{{ deal.id }}"
do:
  - tracker.issues.create: { team: Onboarding, title: "Onboard {{ deal.title }}" }
---
- **{{ deal.title }}**, {{ deal.value }} {{ deal.currency }} ({{ links.note }})

- \`reaction\` is on, off, or dry: dry only reports what it would do. Start with dry.
- \`when\` is an event, a list of events, or "schedule: 0 17 * * 5" (five fields of cron) with \`zone\`, such as Europe/Vienna.
- \`if\` is a condition in CEL. Missing values make it false.
- \`note\`, \`under\` (a heading), \`once\` (the key for which it runs only once), \`set\` (keys for the frontmatter), the texts in \`do\` and the text below are Liquid. Tags: if, unless, case, for, assign. The filter date takes a pattern of strftime and a time zone, the filter link an address.
- Available names: event, kind, id, occurredAt, record, previous (the record before), links.note, and the record under its kind. With a schedule: from, and events.<service>, a list of what arrived since the last run, each with event, kind, id, occurredAt and record.
- \`do\` calls operations, at most ten. They wait until an administrator has allowed exactly this text on /approvals.
- A reaction does not write into ${folder}.`;
}
