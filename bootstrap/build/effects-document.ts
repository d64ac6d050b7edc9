import type { Service } from '#adapters/services/definitions/service.ts';
import type { Operation } from '#adapters/services/requests/operation-table.ts';
import type { EffectRule, InputCondition } from '#domain/operations/effect.ts';

/** The document on what each operation does to a service's data, and by which inputs it does something else. */
export function effectsText(services: readonly Service[]): string {
  const parts = services.map(({ title, kind }) => {
    const rows = Object.entries(kind.operations).map(
      ([name, operation]) => `| \`${name}\` | ${plainEffect(operation)} | ${othersOf(operation)} |`,
    );
    return `## ${title}\n\n| operation | effect | other effects |\n| --------- | ------ | ------------- |\n${rows.join('\n')}\n`;
  });
  return `# Effects of operations

What each operation does. The hints of a tool come from the worst of its effects; whether somebody is asked before a call comes from the effect that it
has with its inputs.

- \`read\` changes nothing.
- \`add\` makes a record, and leaves those that exist as they are.
- \`change\` sets values of a record, or adds to its text.
- \`lose\` deletes, archives or merges, or replaces a whole text or list, so that what was there is gone.
- \`reach\` sends or opens something to people who are not members of the workspace: a document, an invitation, an e-mail, deliveries to an address.
  The command of a notes app counts as this too, since it may do anything.

Switches, the activity and its JSON call \`add\` and \`change\` \`write\`, and \`lose\` and \`reach\` \`destroy\`. Of operations of an OpenAPI document only
the method is known, unless the definition states more: \`POST\` and \`PATCH\` change, \`PUT\` and \`DELETE\` lose.

${parts.join('\n')}
\`npm run guides\` writes this page from the tables of operations.
`;
}

const plainEffect = ({ effect, effects }: Operation): string => effects?.otherwise ?? effect;

function othersOf({ effects }: Operation): string {
  const groups = Map.groupBy(effects?.by ?? [], ({ effect }) => effect);
  return [...groups].map(([effect, rules]) => `${effect}: ${rules.map(conditionsOf).join(', or ')}`).join('; ');
}

function conditionsOf({ when }: EffectRule): string {
  return Object.entries(when)
    .map(([name, condition]) => `\`${name}\` ${wordsOf(condition)}`)
    .join(' and ');
}

function wordsOf(condition: InputCondition): string {
  if (condition === 'given') return 'given';
  return condition === 'absent' ? 'not given' : condition.map((value) => `\`${JSON.stringify(value)}\``).join(' or ');
}
