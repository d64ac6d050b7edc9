/** A record that events carry by id alone although people know it by its name. */
export type NamedRef = Readonly<{ service: 'sales_crm'; kind: 'stage' | 'pipeline'; id: string }>;

/** Looks up the name of a record; null when it is not known. */
export type NameOf = (ref: NamedRef) => string | null;
