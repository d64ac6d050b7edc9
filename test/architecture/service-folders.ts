/**
 * What the files of a service's folder are called, by what they are for. A role has this name in every service; what is one service's
 * own stands in a folder, by its subject.
 */
export const roles: Readonly<Record<string, 'everywhere' | 'where needed'>> = {
  'service.ts': 'everywhere',
  'operations.ts': 'everywhere',
  'rows.ts': 'everywhere',
  'recipes.ts': 'where needed',
  'inputs.ts': 'everywhere',
  'outputs.ts': 'everywhere',
  'names.ts': 'where needed',
  'guide.ts': 'where needed',
  'dialects.ts': 'everywhere',
  'dialect-inputs.ts': 'where needed',
  'answers.ts': 'where needed',
  'errors.ts': 'everywhere',
  'missing.ts': 'where needed',
  'limits.ts': 'where needed',
  'oauth.ts': 'where needed',
  'extra.ts': 'where needed',
  'settings.ts': 'where needed',
  'webhook-source.ts': 'where needed',
  'webhook-payload.ts': 'where needed',
  'webhook-registration.ts': 'where needed',
};

/** The folders that a service's folder may have, for files named by their subject. */
export const subjectFolders = ['operations', 'recipes', 'inputs', 'details', 'ports'];

/** The folders next to those of services: what makes a service of an outside description. */
export const makers = ['from-openapi'];

/** What is wrong with the names in a service's folder, a sentence each; `paths` are from that folder. */
export function misnamed(paths: readonly string[]): readonly string[] {
  const missing = Object.keys(roles).filter((name) => roles[name] === 'everywhere' && !paths.includes(name));
  const strange = paths.filter((path) => {
    const [first = '', ...rest] = path.split('/');
    return rest.length === 0 ? roles[first] === undefined : rest.length > 1 || !subjectFolders.includes(first);
  });
  return [
    ...missing.map((name) => `${name} is missing`),
    ...strange.map((path) => `${path} is no role; what is this service's own stands in ${subjectFolders.join(', ')}`),
  ];
}
