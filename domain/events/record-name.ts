/** A record that events reference only by id and that is shown by name. */
export type NamedRef = Readonly<{ service: 'sales_crm'; kind: 'stage' | 'pipeline'; id: string; vendor?: string }>;

/** Looks up the name of a record; null when it is not known. */
export type NameOf = (ref: NamedRef) => string | null;
