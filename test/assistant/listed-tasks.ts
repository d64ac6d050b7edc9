/** A call of a tool with its arguments, and the words of its list entry that lead to it or to its arguments. */
export type TaskCall = Readonly<{ tool: string; args: Readonly<Record<string, unknown>>; shown: readonly string[] }>;

/** What a person asks of an assistant, and a right series of calls for it, by hand. */
export type Task = Readonly<{ ask: string; calls: readonly TaskCall[] }>;

const call = (tool: string, args: TaskCall['args'], ...shown: readonly string[]): TaskCall => ({ tool, args, shown });

/** Twenty tasks of a working day: names for ids, stages, paging, filters, parts of notes, files, mistakes and their mending. */
export const tasks: readonly Task[] = [
  {
    ask: 'What is the Acme deal worth, and whose is it?',
    calls: [
      call('sales_crm_search', { term: 'Acme', item_types: ['deal'] }, 'deals'),
      call('sales_crm_deal_get', { id: 7 }),
    ],
  },
  {
    ask: 'Move the Acme deal to Proposal.',
    calls: [
      call('sales_crm_search', { term: 'Acme', item_types: ['deal'] }),
      call('sales_crm_deal_update', { id: 7, stage: 'Proposal' }, 'stage', 'Name or id'),
    ],
  },
  {
    ask: 'Acme bought: mark the deal as won on the 3rd.',
    calls: [
      call('sales_crm_search', { term: 'Acme', item_types: ['deal'] }),
      call('sales_crm_deal_update', { id: 7, status: 'won', won_time: '2026-11-03 10:00:00' }, 'won', 'UTC'),
    ],
  },
  {
    ask: "List all of Ann's open deals, however many there are.",
    calls: [
      call('sales_crm_deals_list', { owner: 'Ann Lee', status: 'open', limit: 100, fields: ['id', 'title'] }, 'owner'),
      call(
        'sales_crm_deals_list',
        { owner: 'Ann Lee', status: 'open', limit: 100, cursor: 'b2Zmc2V0OjEwMA' },
        '`next`',
      ),
    ],
  },
  {
    ask: 'Add Bob Burns of Acme with his telephone number, and plan a call with him tomorrow at nine.',
    calls: [
      call('sales_crm_search', { term: 'Bob Burns', item_types: ['person'] }),
      call(
        'sales_crm_person_create',
        { name: 'Bob Burns', org: 'Acme', phones: [{ value: '+44 20 7946 0000', primary: true, label: 'work' }] },
        'org',
        'Name or id',
        'like emails',
      ),
      call(
        'sales_crm_activity_create',
        { subject: 'Call Bob', type: 'call', person: 'Bob Burns', due_date: '2026-11-23', due_time: '09:00' },
        'HH:MM',
        'YYYY-MM-DD',
      ),
    ],
  },
  {
    ask: 'Put the licence number into the custom field of the deal.',
    calls: [
      call('sales_crm_deal_get', { id: 7 }),
      call('sales_crm_deal_update', { id: 7, custom_fields: { ['a1'.repeat(20)]: 'L-7' } }, 'By their keys'),
    ],
  },
  {
    ask: 'Which contracts were completed in November?',
    calls: [
      call(
        'signing_documents_list',
        { status: 'completed', completed_from: '2026-11-01T00:00:00Z', completed_to: '2026-12-01T00:00:00Z' },
        'status',
      ),
    ],
  },
  {
    ask: 'Make the NDA for Ann from its template and send it.',
    calls: [
      call('signing_templates_list', { q: 'NDA' }, 'template_uuid'),
      call('signing_template_get', { id: 'tpl' }, 'roles'),
      call(
        'signing_document_create',
        {
          template_uuid: 'tpl',
          name: 'NDA Acme',
          recipients: [{ email: 'ann@example.com', first_name: 'Ann', last_name: 'Lee', role: 'Client' }],
          wait: 30,
        },
        'role',
        'wait',
      ),
      call('signing_document_send', { id: 'doc', subject: 'NDA', message: 'Please sign' }, 'draft'),
    ],
  },
  {
    ask: 'Who has not signed the Acme contract yet? Get me the PDF, too.',
    calls: [
      call('signing_documents_list', { q: 'Acme', status: 'sent' }),
      call('signing_document_details', { id: 'doc' }, 'signatures'),
      call('signing_document_download', { id: 'doc' }, 'PDF'),
    ],
  },
  {
    ask: 'Is there a lead called Burns in the suite? If not, make one for Acme.',
    calls: [
      call(
        'suite_search',
        { module: 'Leads', criteria: { field: 'Last_Name', operator: 'equals', value: 'Burns' } },
        'criteria',
      ),
      call('suite_fields_list', { module: 'Leads' }, 'mandatory'),
      call('suite_record_create', { module: 'Leads', data: { Last_Name: 'Burns', Company: 'Acme' } }, 'API names'),
    ],
  },
  {
    ask: 'Sum the open amounts by stage.',
    calls: [
      call(
        'suite_coql_query',
        {
          query: {
            select: ['Stage', 'SUM(Amount)'],
            from: 'Deals',
            where: { field: 'Stage', operator: 'not_equal', value: 'Closed Lost' },
            group_by: ['Stage'],
          },
        },
        'group_by',
        'sums',
      ),
    ],
  },
  {
    ask: 'Convert the lead Burns and make a deal of it.',
    calls: [
      call('suite_search', { module: 'Leads', word: 'Burns' }),
      call(
        'suite_lead_convert',
        { id: '9', data: { Deals: { Deal_Name: 'Burns', Stage: 'Qualification', Closing_Date: '2026-12-31' } } },
        'Deal_Name',
        'cannot be undone',
      ),
    ],
  },
  {
    ask: "Tag all of Acme's contacts as customers, page after page.",
    calls: [
      call('suite_search', { module: 'Contacts', word: 'Acme', per_page: 50 }),
      call('suite_search', { module: 'Contacts', word: 'Acme', per_page: 50, page: '2' }, '`next`'),
      call('suite_tag_add', { module: 'Contacts', id: '4', tags: ['customer'] }, 'customer'),
    ],
  },
  {
    ask: 'What is urgent and unfinished for me in the tracker?',
    calls: [
      call(
        'tracker_issues_list',
        {
          assignee: 'me',
          priority: 'urgent',
          stateType: 'started',
          orderBy: 'updatedAt',
          fields: ['identifier', 'title'],
        },
        '"me"',
      ),
    ],
  },
  {
    ask: 'Bugs due within a week that nobody has taken.',
    calls: [
      call(
        'tracker_issues_list',
        { assignee: 'none', labels: ['Bug'], dueBefore: 'P1W', filter: { estimate: { lte: 3 } } },
        'P1W',
        'IssueFilter',
      ),
    ],
  },
  {
    ask: 'File a bug for ENG, into the current cycle, and say in ENG-123 that it is the same.',
    calls: [
      call('tracker_team_get', { id: 'ENG' }, 'workflow states'),
      call(
        'tracker_issue_create',
        { title: 'Crash', team: 'ENG', labels: ['Bug'], cycle: 'current', priority: 'high' },
        '"current"',
      ),
      call('tracker_comment_create', { issueId: 'ENG-123', body: 'Same as the crash of today' }, 'Markdown'),
    ],
  },
  {
    ask: 'Take ENG-123 off Ann and close it.',
    calls: [call('tracker_issue_update', { issue: 'ENG-123', assignee: null, state: 'Done' }, 'null clears', 'State')],
  },
  {
    ask: 'Put the outcome of the call under History in the note on Acme.',
    calls: [
      call('vault_search', { query: 'acme' }, 'filename'),
      call('vault_note_read', { path: 'Deals/Acme.md', format: 'document_map' }, 'headings'),
      call(
        'vault_note_patch',
        { path: 'Deals/Acme.md', target: 'Deal::History', content: '- called', operation: 'append' },
        'heading',
        '"Deal::History"',
      ),
    ],
  },
  {
    ask: 'Mark the note as won and tag it.',
    calls: [
      call('vault_frontmatter_set', { path: 'Deals/Acme.md', key: 'status', value: 'won' }, 'status'),
      call('vault_tags_add', { path: 'Deals/Acme.md', tags: ['customer'] }, 'the others stay'),
    ],
  },
  {
    ask: 'Which notes have an open status? Write them into my weekly note.',
    calls: [
      call(
        'vault_search_advanced',
        { query: { '==': [{ var: 'frontmatter.status' }, 'open'] }, type: 'jsonlogic' },
        'JsonLogic',
      ),
      call('vault_periodic_write', { period: 'weekly', content: '- Acme', mode: 'append' }, 'weekly'),
    ],
  },
];
