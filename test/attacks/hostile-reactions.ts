/** A note in the folder of reactions that costs its reader much. */
export type HostileReaction = Readonly<{ name: string; text: string }>;

const blanks = ' '.repeat(60_000);
const many = (count: number, text: (index: number) => string, between = '\n') =>
  Array.from({ length: count }, (_, index) => text(index)).join(between);
const reaction = (lines: string, body = 'Text') =>
  `---\nreaction: on\nwhen: tracker.issue.create\nnote: a.md\n${lines}\n---\n${body}\n`;
const calling = (calls: string) => `---\nreaction: on\nwhen: tracker.issue.create\ndo:\n${calls}\n---\n`;

/** Notes whose readers are known to be slow at what they have. */
export const hostileReactions: readonly HostileReaction[] = [
  { name: 'byte order marks', text: '\ufeff---\n'.repeat(48_000) },
  { name: 'fences without an end', text: `---\nreaction: on\n${'--- -\n'.repeat(10_000)}` },
  { name: 'a schedule of blanks', text: `---\nreaction: on\nwhen: "schedule: ${blanks}"\nnote: a.md\n---\nText\n` },
  { name: 'an unquoted schedule of blanks', text: `---\nreaction: on\nwhen: schedule: ${blanks}x\n---\nText\n` },
  { name: 'unknown keys', text: reaction(many(4_000, (index) => `unknown_${index}: 1`)) },
  { name: 'more keys', text: reaction(many(9_000, (index) => `${index.toString(36)}:`)) },
  {
    name: 'unknown names',
    text: reaction(
      '',
      many(6_000, (index) => `{{u${index}}}`, ''),
    ),
  },
  { name: 'unknown names in values', text: reaction(`set: [${many(5_000, (index) => `"{{u${index}}}"`, ',')}]`) },
  { name: 'deep YAML', text: reaction(`set: ${'['.repeat(30_000)}`) },
  { name: 'a long condition', text: reaction('', `{% if a${' and a'.repeat(10_000)} %}x{% endif %}`) },
  { name: 'open quotes', text: reaction('').replace('a.md', `{{ "${'\'"{{'.repeat(15_000)}`) },
  { name: 'open tags', text: reaction('', '{% '.repeat(20_000)) },
  { name: 'blanks in a value', text: reaction(`set:\n  a: "{{${blanks}id }}b"`) },
  {
    name: 'unknown operations',
    text: calling(many(10, (index) => `  - tracker.issues.creat${index}${'x'.repeat(500)}: {}`)),
  },
  {
    name: 'unknown inputs',
    text: calling(many(10, () => `  - tracker.issues.create: { ${many(500, (index) => `k${index}: 1`, ', ')} }`)),
  },
  { name: 'a status of quotes', text: `---\nreaction: on\nreaction_status: ${'"\\'.repeat(30_000)}\n---\n` },
  { name: 'too much text', text: reaction('', 'x'.repeat(4 * 1024 * 1024)) },
];
