import { z } from 'zod';
import { graphql } from '#adapters/services/requests/request-rows.ts';
import { schemasOf, variable } from '#adapters/services/tracker/details/variables.ts';
import { filterVariable } from '#adapters/services/tracker/inputs.ts';

/** As a row's `root`: the answer is the whole `data`, with several fields. */
export const wholeData = '*';

const kinds = [
  ['teams', 'TeamFilter', 20, 'id key name'],
  ['workflowStates', 'WorkflowStateFilter', 50, 'id name type team { id key }'],
  ['users', 'UserFilter', 20, 'id name displayName email active isMe'],
  ['issueLabels', 'IssueLabelFilter', 50, 'id name isGroup team { id key }'],
  ['projects', 'ProjectFilter', 20, 'id name slugId'],
  ['cycles', 'CycleFilter', 20, 'id number name isActive isNext isPrevious team { id key }'],
  ['initiatives', 'InitiativeFilter', 20, 'id name slugId'],
] as const;

/** How many records of a kind are found at once: of more, others may have been left out. */
export const foundAtOnce: Readonly<Record<string, number>> = Object.fromEntries(
  kinds.map(([root, , first]) => [root, first]),
);

/** Defaults to a filter that matches nothing for kinds that are not asked for: no record has an empty name. */
const filters = kinds.map(([root, type]) => `$${root}: ${type} = {name: {eq: ""}}`);
const declared = [...filters, '$includeArchived: Boolean = false', '$includeDisabled: Boolean = false'].join(', ');
const fields = kinds.map(([root, , first, selection]) => {
  const left = root === 'users' ? ', includeDisabled: $includeDisabled' : '';
  const args = `first: ${first}, filter: $${root}, includeArchived: $includeArchived${left}`;
  return `${root}(${args}) { nodes { ${selection} } pageInfo { hasNextPage } }`;
});

const inputs = schemasOf({
  teams: filterVariable('TeamFilter'),
  workflowStates: filterVariable('WorkflowStateFilter'),
  users: filterVariable('UserFilter'),
  issueLabels: filterVariable('IssueLabelFilter'),
  projects: filterVariable('ProjectFilter'),
  cycles: filterVariable('CycleFilter'),
  initiatives: filterVariable('InitiativeFilter'),
  includeArchived: variable('Boolean', z.boolean().optional().describe('Whether archived records are found')),
  includeDisabled: variable('Boolean', z.boolean().optional().describe('Whether users who left are found')),
});

const row = graphql(
  'read',
  `query names(${declared}) { ${fields.join(' ')} }`,
  'Finds records of several kinds by filters, in one request',
  inputs,
  { route: { method: 'GET', path: '/names' } },
);

/** Seven of the queries in one document, so that all names of a call are looked up in one request. */
export const namesFind: typeof row = {
  ...row,
  options: { ...row.options, route: null, graphql: { document: row.options.graphql?.document ?? '', root: wholeData } },
};
