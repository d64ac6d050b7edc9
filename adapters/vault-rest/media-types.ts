const families = ['application/vnd.vault.', 'application/vnd.olrapi.'];

/** The representations of a vault file; `file` is its raw bytes. */
export type Representation =
  | Readonly<{ kind: 'file' }>
  | Readonly<{ kind: 'note'; type: string }>
  | Readonly<{ kind: 'document-map'; type: string }>;

/**
 * The representation that the Accept header asks for. Compared exactly, as the real server does: any other value gets
 * the file itself. Both media type families are accepted, the neutral one (`vnd.vault`) and the plugin's
 * (`vnd.olrapi`).
 */
export function representationOf(accept: string | undefined): Representation {
  const type = accept ?? '';
  if (isOneOf(type, 'note+json')) return { kind: 'note', type };
  if (isOneOf(type, 'document-map+json')) return { kind: 'document-map', type };
  return { kind: 'file' };
}

/**
 * The query language that the Content-Type names, compared exactly (a charset parameter does not match); null for
 * others.
 */
export function queryLanguageOf(contentType: string): 'jsonlogic' | 'dql' | null {
  if (isOneOf(contentType, 'jsonlogic+json')) return 'jsonlogic';
  return isOneOf(contentType, 'dql+txt') || isOneOf(contentType, 'dataview.dql+txt') ? 'dql' : null;
}

function isOneOf(type: string, name: string): boolean {
  return families.some((family) => type === family + name);
}
