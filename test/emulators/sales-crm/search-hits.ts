import type { CrmRecord, Records } from '#test/emulators/sales-crm/records.ts';

/** A hit of a search, in the published shape: the names of what the record belongs to, and addresses as plain texts. */
export type Hit = Readonly<{ result_score: number; item: CrmRecord }>;

/** A record as a search shows it. */
export function hitOf(records: Records, kind: string, record: CrmRecord, score = 1): Hit {
  const { id, title, name, status, value, currency, code } = record;
  const place = kind === 'organization' ? { address: valueIn(record['address']) } : {};
  const channels = kind === 'person' ? { emails: valuesIn(record['emails']), phones: valuesIn(record['phones']) } : {};
  const links = {
    owner: { id: record['owner_id'] },
    stage: namedIn(records, 'stage', record['stage_id']),
    person: namedIn(records, 'person', record['person_id']),
    organization: namedIn(records, 'organization', record['org_id'] ?? record['organization_id']),
  };
  const shown = { id, type: kind, title, name, status, value, currency, code, ...place, ...channels, ...links };
  const sent = Object.entries(shown).filter(([, member]) => member !== undefined);
  return { result_score: score, item: { ...Object.fromEntries(sent), custom_fields: [], notes: [] } };
}

/** Deals of the persons and organizations that were found, and persons of the organizations. */
export function relatedTo(records: Records, hits: readonly Hit[]): readonly Hit[] {
  const idsOf = (kind: string) => hits.flatMap(({ item }) => (item['type'] === kind ? [item['id']] : []));
  const [persons, organizations] = [idsOf('person'), idsOf('organization')];
  const deals = records
    .all('deal')
    .filter((deal) => persons.includes(deal['person_id']) || organizations.includes(deal['org_id']));
  const members = records.all('person').filter((person) => organizations.includes(person['org_id']));
  return [
    ...deals.map((deal) => hitOf(records, 'deal', deal, 0)),
    ...members.map((person) => hitOf(records, 'person', person, 0)),
  ];
}

function namedIn(records: Records, kind: string, id: unknown): CrmRecord | undefined {
  const record = records.find(kind, String(id));
  return record === null ? undefined : { id: record['id'], name: record['name'] };
}

function valueIn(value: unknown): unknown {
  return typeof value === 'object' && value !== null && 'value' in value ? value.value : null;
}

function valuesIn(values: unknown): unknown {
  return Array.isArray(values) ? values.map(valueIn) : [];
}
