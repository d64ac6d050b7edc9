/** What a field may hold; null clears any of them. */
export type FieldType = 'integer' | 'number' | 'string' | 'boolean' | 'array' | 'object';

/** One kind of record that the emulated CRM keeps. */
export type Kind = Readonly<{
  /** As events name it. */
  name: string;
  /** As paths name it: `/api/v2/deals`, `/v1/leads`. */
  collection: string;
  version: 'v2' | 'v1';
  id: 'integer' | 'uuid' | 'hex';
  required: readonly string[];
  /** At least one of these has to be there. */
  oneOf?: readonly string[];
  types: Readonly<Record<string, FieldType>>;
  defaults: Readonly<Record<string, unknown>>;
  /** Query parameters that a list is narrowed by; each is a field of the same name. */
  filters: readonly string[];
  /** Where a search looks. */
  searched: readonly string[];
  methods: readonly ('list' | 'get' | 'create' | 'PATCH' | 'PUT' | 'delete' | 'search')[];
}>;

const links = { person_id: 'integer', org_id: 'integer', owner_id: 'integer' } as const;
const crud = ['list', 'get', 'create', 'PATCH', 'delete', 'search'] as const;

/** All kinds. Fields are those of the published interface that have a type worth checking. */
export const kinds: readonly Kind[] = [
  {
    name: 'deal',
    collection: 'deals',
    version: 'v2',
    id: 'integer',
    required: ['title'],
    types: {
      ...links,
      title: 'string',
      value: 'number',
      currency: 'string',
      status: 'string',
      pipeline_id: 'integer',
      stage_id: 'integer',
      label_ids: 'array',
      custom_fields: 'object',
    },
    defaults: {
      status: 'open',
      value: 0,
      currency: 'EUR',
      pipeline_id: 1,
      stage_id: 1,
      owner_id: 1,
      is_archived: false,
    },
    filters: ['owner_id', 'person_id', 'org_id', 'pipeline_id', 'stage_id', 'status'],
    searched: ['title'],
    methods: crud,
  },
  {
    name: 'person',
    collection: 'persons',
    version: 'v2',
    id: 'integer',
    required: ['name'],
    types: { ...links, name: 'string', emails: 'array', phones: 'array', custom_fields: 'object' },
    defaults: { owner_id: 1, emails: [], phones: [] },
    filters: ['owner_id', 'org_id'],
    searched: ['name', 'emails', 'phones'],
    methods: crud,
  },
  {
    name: 'organization',
    collection: 'organizations',
    version: 'v2',
    id: 'integer',
    required: ['name'],
    types: { owner_id: 'integer', name: 'string', address: 'object', custom_fields: 'object' },
    defaults: { owner_id: 1, address: null },
    filters: ['owner_id'],
    searched: ['name', 'address'],
    methods: crud,
  },
  {
    name: 'activity',
    collection: 'activities',
    version: 'v2',
    id: 'integer',
    required: [],
    types: { ...links, subject: 'string', type: 'string', deal_id: 'integer', lead_id: 'string', done: 'boolean' },
    defaults: { subject: 'Call', type: 'call', owner_id: 1, done: false },
    filters: ['owner_id', 'deal_id', 'lead_id', 'person_id', 'org_id', 'done'],
    searched: [],
    methods: ['list', 'get', 'create', 'PATCH', 'delete'],
  },
  {
    name: 'pipeline',
    collection: 'pipelines',
    version: 'v2',
    id: 'integer',
    required: ['name'],
    types: { name: 'string', is_deal_probability_enabled: 'boolean' },
    defaults: { is_deal_probability_enabled: false },
    filters: [],
    searched: [],
    methods: ['list', 'create'],
  },
  {
    name: 'stage',
    collection: 'stages',
    version: 'v2',
    id: 'integer',
    required: ['name', 'pipeline_id'],
    types: { name: 'string', pipeline_id: 'integer', deal_probability: 'integer' },
    defaults: { deal_probability: 100 },
    filters: ['pipeline_id'],
    searched: [],
    methods: ['list', 'create'],
  },
  {
    name: 'product',
    collection: 'products',
    version: 'v2',
    id: 'integer',
    required: ['name'],
    types: {
      name: 'string',
      code: 'string',
      tax: 'number',
      owner_id: 'integer',
      prices: 'array',
      custom_fields: 'object',
    },
    defaults: { owner_id: 1, tax: 0, prices: [], is_linkable: true },
    filters: ['owner_id'],
    searched: ['name', 'code'],
    methods: ['list', 'create', 'PATCH', 'delete'],
  },
  {
    name: 'lead',
    collection: 'leads',
    version: 'v1',
    id: 'uuid',
    required: ['title'],
    oneOf: ['person_id', 'organization_id'],
    types: { title: 'string', person_id: 'integer', organization_id: 'integer', owner_id: 'integer', value: 'object' },
    defaults: { owner_id: 1, is_archived: false, was_seen: false, label_ids: [], value: null },
    filters: ['owner_id', 'person_id', 'organization_id'],
    searched: ['title'],
    methods: ['list', 'get', 'create', 'PATCH', 'delete'],
  },
  {
    name: 'note',
    collection: 'notes',
    version: 'v1',
    id: 'integer',
    required: ['content'],
    oneOf: ['lead_id', 'deal_id', 'person_id', 'org_id', 'project_id', 'task_id'],
    types: { content: 'string', deal_id: 'integer', person_id: 'integer', org_id: 'integer', lead_id: 'string' },
    defaults: { user_id: 1 },
    filters: ['user_id', 'lead_id', 'deal_id', 'person_id', 'org_id'],
    searched: [],
    methods: ['list', 'get', 'create', 'PUT', 'delete'],
  },
  {
    name: 'goal',
    collection: 'goals',
    version: 'v1',
    id: 'hex',
    required: ['assignee', 'type', 'expected_outcome', 'duration', 'interval'],
    types: { title: 'string', assignee: 'object', type: 'object', expected_outcome: 'object', duration: 'object' },
    defaults: { is_active: true, owner_id: 1 },
    filters: ['title'],
    searched: [],
    methods: ['create', 'PUT', 'delete'],
  },
  {
    name: 'file',
    collection: 'files',
    version: 'v1',
    id: 'integer',
    required: [],
    types: {},
    defaults: { active_flag: true },
    filters: [],
    searched: ['name'],
    methods: ['list', 'delete'],
  },
];

/** The kind of a name, which has to exist. */
export function kindOf(name: string): Kind {
  const kind = kinds.find((candidate) => candidate.name === name);
  if (kind === undefined) throw new Error(`No kind "${name}".`);
  return kind;
}
