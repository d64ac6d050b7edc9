import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type ChangeStage, openStage, type StageName } from '#test/support/services/change-stages.ts';

// Values that services keep in a form of their own, that were not there before, or that are cleared: a change of them is
// taken back whole, and nobody is said to have changed what nobody changed.

type Input = Readonly<Record<string, unknown>>;
type Step = Readonly<{ operation: string; input: Input }>;
/** The steps on records of a stage, each taken back by itself. */
type Steps = (stage: ChangeStage) => Promise<readonly Step[]>;

const withId = z.looseObject({ id: z.union([z.string(), z.number()]) });
const results = z.array(z.looseObject({ details: withId }));
const hash = '3d0fa3429dfa2d3dec265b4fc5dc8258ab66cdf3';
const text = '  Ünïcode 🧭 cafe\u0301 “x” \u200b<b>&amp; ';
const lines = 'First\r\nSecond  \r\n\r\n- one\r\n- two\r\n';

const salesCrm =
  (custom: string): Steps =>
  async ({ changes }) => {
    const made = async (name: string, input: Input) => withId.parse(await changes.data(name, input)).id;
    const org_id = await made('organizations.create', { name: 'Acme' });
    const bare = await made('deals.create', { title: 'Bare' });
    const full = await made('deals.create', {
      title: 'Full',
      value: 900.55,
      org_id,
      expected_close_date: '2026-12-01',
      custom_fields: { [custom]: 'a' },
    });
    const nobody = await made('persons.create', { name: 'Nobody' });
    const ann = await made('persons.create', {
      name: 'Ann',
      emails: [{ value: 'ann@example.com', primary: true }],
      phones: [
        { value: '+44 20 7946 0000', primary: true, label: 'work' },
        { value: '0049 30 1', primary: false, label: 'home' },
      ],
      org_id,
    });
    const deal = (input: Input): Step => ({ operation: 'deals.update', input });
    const person = (input: Input): Step => ({ operation: 'persons.update', input });
    return [
      deal({ id: bare, value: 1_234.565 }),
      deal({ id: full, value: 0.1 + 0.2 }),
      deal({ id: full, value: 0 }),
      deal({ id: full, value: 12_345_678_901.99 }),
      deal({ id: bare, title: text }),
      deal({ id: bare, expected_close_date: '2027-02-28', org_id }),
      deal({ id: full, expected_close_date: null }),
      deal({ id: full, org_id: null }),
      deal({ id: bare, custom_fields: { [custom]: text } }),
      deal({ id: full, custom_fields: { [custom]: null } }),
      deal({ id: full, custom_fields: { [custom]: '  a  ' }, title: ' Full ' }),
      person({ id: nobody, emails: [{ value: ' Ann@Example.COM ', primary: true }] }),
      person({ id: nobody, phones: [{ value: ' (020) 7946-0000 ', primary: true }], org_id }),
      person({ id: ann, emails: [], phones: [] }),
      person({ id: ann, phones: [{ value: '1', primary: true }] }),
      person({ id: ann, org_id: null, name: text, custom_fields: { [custom]: text } }),
    ];
  };

const tracker: Steps = async ({ changes }) => {
  const all = z.array(withId);
  const teams = all.parse(await changes.data('teams.list', {}));
  const teamId = String(teams.find((team) => team['key'] === 'ENG')?.id);
  const isOfTeam = ({ team }: Readonly<Record<string, unknown>>) => team == null || withId.parse(team).id === teamId;
  const labels = all
    .parse(await changes.data('labels.list', {}))
    .filter((label) => isOfTeam(label))
    .map(({ id }) => id);
  const users = all.parse(await changes.data('users.list', {})).map(({ id }) => id);
  const made = async (input: Input) =>
    String(withId.parse(await changes.data('issues.create', { teamId, ...input })).id);
  const bare = await made({ title: 'Bare' });
  const full = await made({
    title: 'Full',
    description: 'It *fails*.\n\n- one\n- two',
    dueDate: '2030-01-01',
    priority: 2,
    labelIds: labels.slice(0, 2),
    assigneeId: users[0],
  });
  const issue = (input: Input): Step => ({ operation: 'issues.update', input });
  return [
    issue({ id: bare, title: text }),
    issue({ id: bare, description: lines }),
    issue({ id: full, description: text }),
    issue({ id: full, description: null }),
    issue({ id: full, dueDate: null, assigneeId: null }),
    issue({ id: bare, dueDate: '2030-02-28', assigneeId: users[0], priority: 1 }),
    issue({ id: full, labelIds: [] }),
    issue({ id: full, labelIds: labels.slice(1, 2) }),
    issue({ id: bare, labelIds: labels.slice(0, 1), parentId: full }),
    issue({ id: full, priority: 4, title: ' Full ' }),
    { operation: 'issues.archive', input: { id: full } },
  ];
};

const suiteCrm: Steps = async ({ changes }) => {
  const made = async (module: string, data: Input) =>
    String(results.parse(await changes.data('records.create', { module, data }))[0]?.details.id);
  const account = await made('Accounts', { Account_Name: 'Acme' });
  const bare = await made('Deals', { Deal_Name: 'Bare', Stage: 'Qualification' });
  const full = await made('Deals', {
    Deal_Name: 'Full',
    Stage: 'Qualification',
    Amount: 900.55,
    Closing_Date: '2026-12-01',
    Account_Name: { id: account },
    Description: 'One\nTwo',
  });
  const ann = await made('Contacts', { Last_Name: 'Ann', Email: 'ann@example.com', Phone: '+44 20 7946 0000' });
  const update = (module: string, id: string, data: Input): Step => ({
    operation: 'records.update',
    input: { module, id, data },
  });
  return [
    update('Deals', bare, { Amount: 1_234.565 }),
    update('Deals', full, { Amount: 0.1 + 0.2 }),
    update('Deals', full, { Amount: 0 }),
    update('Deals', full, { Amount: null, Closing_Date: null }),
    update('Deals', bare, { Deal_Name: text, Description: lines }),
    update('Deals', full, { Description: null, Account_Name: null }),
    update('Deals', bare, { Closing_Date: '2027-02-28', Account_Name: { id: account } }),
    update('Deals', full, { Stage: '  Closed Won ' }),
    update('Contacts', ann, { Email: 'Ann@Example.COM', Phone: null, Mobile: ' 1 ' }),
    update('Contacts', ann, { Last_Name: text, Description: '   ' }),
  ];
};

const vendors: readonly (readonly [StageName, Steps])[] = [
  ['sales_crm neutral', salesCrm(hash)],
  ['sales_crm pipedrive', salesCrm(hash)],
  ['sales_crm hubspot', salesCrm('segment')],
  ['tracker neutral', tracker],
  ['tracker linear', tracker],
  ['tracker jira', tracker],
  ['suite_crm neutral', suiteCrm],
  ['suite_crm zoho', suiteCrm],
];

/** What changes by itself. */
const times =
  /^(?:update_time|updatedAt|modifiedAt|Modified_Time|Last_Activity_Time|lastmodifieddate|hs_lastmodifieddate|startedAt|completedAt|canceledAt|updated|trashed)$/;
const isNothing = (value: unknown): boolean =>
  value === null || value === '' || (typeof value === 'object' && Object.values(value).every(isNothing));

/** The records as they are kept, save for their times; nothing is the same in every form. */
const lasting = (stage: ChangeStage): unknown =>
  JSON.parse(
    JSON.stringify(stage.state(), (name, value: unknown) =>
      times.test(name) || (!/^\d*$/.test(name) && isNothing(value)) ? undefined : value,
    ),
  );

describe.each(vendors)('a change in the %s', (name, stepsOf) => {
  describe.each([false, true])('awkward values (which it keeps in a form of its own: %s)', (isNormalising) => {
    let stage: ChangeStage;
    let steps: readonly Step[];

    beforeAll(async () => {
      stage = await openStage(name, { isNormalising });
      steps = await stepsOf(stage);
    });
    afterAll(() => stage.close());

    it('are taken back whole, and nobody is said to have changed them since (UNDO-022, UNDO-065)', async () => {
      const faults: string[] = [];
      for (const { operation, input } of steps) {
        const said = `${operation} ${JSON.stringify(input)}`;
        const before = lasting(stage);
        const change = await stage.changes.make(operation, input);
        const outcome = await stage.changes.takeBack(change);
        if (!outcome.ok) faults.push(`${said}: ${outcome.reason}: ${outcome.message}`);
        else if (outcome.warnings !== undefined) faults.push(`${said}: ${outcome.warnings.join(' ')}`);
        const after = lasting(stage);
        if (JSON.stringify(after) !== JSON.stringify(before)) {
          try {
            expect(after).toEqual(before);
          } catch (error) {
            faults.push(`${said} is left as ${error instanceof Error ? error.message : ''}`);
          }
          await stage.changes.takeBack(change, { isForced: true });
        }
      }
      expect(faults).toEqual([]);
    });
  });
});
