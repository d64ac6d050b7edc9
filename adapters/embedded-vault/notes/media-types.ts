const families = ['application/vnd.vault.', 'application/vnd.olrapi.'];

/** The representations of a vault file; `file` is its bytes. */
export type Representation =
  | Readonly<{ kind: 'file' }>
  | Readonly<{ kind: 'note'; type: string }>
  | Readonly<{ kind: 'document-map'; type: string }>;

/**
 * What the Accept header asks for. It is compared exactly, as the real server does: with anything beside it, the file
 * itself is sent. Both families of names are understood, the neutral (`vnd.vault`) and the plugin's (`vnd.olrapi`).
 */
export function representationOf(accept: string | undefined): Representation {
  const type = accept ?? '';
  if (isOneOf(type, 'note+json')) return { kind: 'note', type };
  if (isOneOf(type, 'document-map+json')) return { kind: 'document-map', type };
  return { kind: 'file' };
}

/** Which query language the Content-Type names, compared exactly (a charset beside it does not match); null for others. */
export function queryLanguageOf(contentType: string): 'jsonlogic' | 'dql' | null {
  if (isOneOf(contentType, 'jsonlogic+json')) return 'jsonlogic';
  return isOneOf(contentType, 'dql+txt') || isOneOf(contentType, 'dataview.dql+txt') ? 'dql' : null;
}

function isOneOf(type: string, name: string): boolean {
  return families.some((family) => type === family + name);
}
