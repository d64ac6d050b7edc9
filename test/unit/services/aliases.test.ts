import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import { describe, expect, it } from 'vitest';
import { catalogOf } from '#adapters/services/catalog.ts';
import { checked } from '#adapters/services/gateway.ts';
import { operations } from '#adapters/services/tracker/operations.ts';
import { readSettings } from '#bootstrap/config/settings.ts';
import { providersFrom } from '#bootstrap/modules/providers.ts';

const catalog = catalogOf(providersFrom(readSettings({})));
const rows = Object.values(operations);
const day = { startsAt: '2026-11-23T09:00:00Z', endsAt: '2026-12-07T09:00:00Z' };

/** By hand, from the mutations: the tool, its input by the interface's names, and by our own. */
const calls: readonly (readonly [string, object, object])[] = [
  [
    'tracker_issue_create',
    { title: 'A', teamId: 't', assigneeId: 'a', stateId: 's', labelIds: ['l'], projectId: 'p', cycleId: 'c' },
    { title: 'A', team: 't', assignee: 'a', state: 's', labels: ['l'], project: 'p', cycle: 'c' },
  ],
  [
    'tracker_issue_update',
    { id: 'ENG-1', stateId: 's', addedLabelIds: ['l'], removedLabelIds: ['m'], assigneeId: null },
    { issue: 'ENG-1', state: 's', addedLabels: ['l'], removedLabels: ['m'], assignee: null },
  ],
  ['tracker_project_create', { name: 'A', teamIds: ['t'] }, { name: 'A', teams: ['t'] }],
  ['tracker_project_update', { id: 'p', teamIds: ['t'], leadId: 'u' }, { project: 'p', teams: ['t'], lead: 'u' }],
  ['tracker_cycle_create', { teamId: 't', ...day }, { team: 't', ...day }],
  ['tracker_label_create', { name: 'A', teamId: 't' }, { name: 'A', team: 't' }],
  ['tracker_document_create', { title: 'A', projectId: 'p' }, { title: 'A', project: 'p' }],
  ['tracker_document_update', { id: 'd', projectId: 'p' }, { id: 'd', project: 'p' }],
];

describe.each(calls)('%s', (tool, given, own) => {
  const row = rows.find(({ options }) => options.tool === tool);
  const schema = catalog.operations.find((operation) => operation.tool === tool)?.inputSchema ?? {};
  if (row === undefined) throw new Error(`No tool ${tool}`);

  it("accepts the interface’s own names as well as this server's (TRACK-006)", () => {
    expect(checked(row, given)).toEqual({ ok: true, data: own });
    expect(checked(row, own)).toEqual({ ok: true, data: own });
  });

  it.each([given, own])('has a schema that accepts them: %j', (input) => {
    expect(new AjvJsonSchemaValidator().getValidator({ ...schema })(input)).toMatchObject({ valid: true });
  });

  it('refuses both at once', () => {
    expect(checked(row, { ...given, ...own })).toMatchObject({ ok: false, reason: 'invalid_input' });
  });
});

it('a row requires one of the two names if the input is required', () => {
  const row = rows.find(({ options }) => options.tool === 'tracker_issue_create');
  if (row === undefined) throw new Error('no tool');
  expect(checked(row, { title: 'A' })).toMatchObject({
    ok: false,
    inputErrors: [{ path: ['team'], message: '`team` is missing: it has to be a text.' }],
  });
});
