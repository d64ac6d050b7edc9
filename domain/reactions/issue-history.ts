import type { IssueChange, IssueEvent, Named } from '#domain/events/tracker-event.ts';
import { inlineText } from '#domain/notes/markdown-text.ts';
import { listed } from '#domain/text/listed.ts';

/** A description of one change: `active` follows the actor's name, `passive` stands alone. */
type Deed = Readonly<{ active: string; passive: string }>;

/**
 * Describes what happened to an issue for a history line: 'created by Bea', 'Bea moved it to Done and assigned it to
 * Ann', or without an actor 'moved to Done and assigned to Ann'; empty when no described field changed. `identity` does
 * not depend on the actor or the wording.
 */
export function issueHistory(event: IssueEvent): Readonly<{ text: string; identity: string }> {
  const { name, changed, actor } = event;
  if (name === 'issue.create') return { text: `created${byWhom(actor)}`, identity: 'created' };
  if (name === 'issue.remove') return { text: `removed${byWhom(actor)}`, identity: 'removed' };
  const deeds = changed.map((change) => deedOf(change, event));
  const passive = listed(deeds.map((deed) => deed.passive));
  if (actor === null || passive === '') return { text: passive, identity: passive };
  return { text: `${called(actor)} ${listed(deeds.map(({ active }) => active))}`, identity: passive };
}

function byWhom(actor: Named | null): string {
  return actor === null ? '' : ` by ${called(actor)}`;
}

const called = ({ id, name }: Named) => inlineText(name ?? id);

function deedOf(change: IssueChange, { issue, actor }: IssueEvent): Deed {
  const { title, project, assignee, priority, priorityName, state, labels } = issue;
  switch (change) {
    case 'title':
      return title === null ? done('changed', 'the title') : toIt('renamed', `to “${inlineText(title)}”`);
    case 'description':
      return done('changed', 'the description');
    case 'project':
      return project === null
        ? { active: 'took it out of its project', passive: 'taken out of its project' }
        : toIt('moved', `to the project ${called(project)}`);
    case 'assignee':
      if (assignee === null) return toIt('unassigned', '');
      return assignee.id === actor?.id
        ? { active: 'took it on', passive: `assigned to ${called(assignee)}` }
        : toIt('assigned', `to ${called(assignee)}`);
    case 'priority':
      return priority === null || priority === 0
        ? done('removed', 'the priority')
        : done('set', 'the priority', ` to ${inlineText(priorityName ?? String(priority))}`);
    case 'state':
      return state === null ? done('changed', 'the status') : toIt('moved', `to ${inlineText(state)}`);
    case 'labels':
      return labels.length === 0
        ? done('removed', 'all labels')
        : done('set', 'the labels', ` to ${listed(labels.map(inlineText))}`);
  }
}

/** Describes a change of the whole issue: 'moved it to Done', 'moved to Done'. */
function toIt(verb: string, rest: string): Deed {
  return { active: `${verb} it ${rest}`.trim(), passive: `${verb} ${rest}`.trim() };
}

/** Describes a change of one of its parts: 'changed the description', 'description changed'. */
function done(verb: string, what: string, rest = ''): Deed {
  return { active: `${verb} ${what}${rest}`, passive: `${what.replace(/^the /, '')} ${verb}${rest}` };
}
