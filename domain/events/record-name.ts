/** What events tell by id alone although people know it by its name. */
export type NamedRef = Readonly<{ service: 'sales_crm'; kind: 'stage' | 'pipeline'; id: string }>;

/** What people call a record; null when that is not known. */
export type NameOf = (ref: NamedRef) => string | null;
