/**
 * What the files of a kind's folder are called, by what they are for. A role has this name in every kind; what is one kind's own stands
 * in a folder, by its subject, and what is a vendor's in the vendor's folder.
 */
export const roles: Readonly<Record<string, 'everywhere' | 'where needed'>> = {
  'kind.ts': 'everywhere',
  'service.ts': 'everywhere',
  'operations.ts': 'everywhere',
  'rows.ts': 'everywhere',
  'recipes.ts': 'where needed',
  'inputs.ts': 'everywhere',
  'outputs.ts': 'everywhere',
  'names.ts': 'where needed',
  'answers.ts': 'where needed',
  'errors.ts': 'where needed',
  'missing.ts': 'where needed',
  'changes.ts': 'where needed',
  'questions.ts': 'where needed',
  'extra.ts': 'where needed',
  'settings.ts': 'where needed',
};

/** The folders that a kind's folder may have, for files named by their subject. */
export const subjectFolders = ['operations', 'recipes', 'inputs', 'details', 'ports'];

/** The folders of what the services share, by subject. */
export const sharedFolders: readonly string[] = [
  'definitions',
  'requests',
  'answers',
  'changes',
  'credentials',
  'limits',
  'webhooks',
  'markdown',
];

/** The folders next to those of kinds: what makes a service of an outside description, and what is shared. */
export const otherFolders: readonly string[] = ['from-openapi', 'from-mcp', ...sharedFolders];

/** The files that stand beside the folders. */
export const besideFolders = ['catalog.ts', 'gateway.ts', 'live-services.ts'];

/** What is wrong with the names in a kind's folder, a sentence each; `paths` are from that folder. */
export function misnamed(paths: readonly string[]): readonly string[] {
  const missing = Object.keys(roles).filter((name) => roles[name] === 'everywhere' && !paths.includes(name));
  const vendors = paths.flatMap((path) => /^([a-z]+)\/vendor\.ts$/.exec(path)?.[1] ?? []);
  const strange = paths.filter((path) => {
    const [first = '', ...rest] = path.split('/');
    if (rest.length === 0) return roles[first] === undefined;
    return rest.length > 1 || ![...subjectFolders, ...vendors].includes(first);
  });
  return [
    ...[...missing, ...(vendors.includes('neutral') ? [] : ['neutral/vendor.ts'])].map((name) => `${name} is missing`),
    ...strange.map((path) => `${path} is no role; what is this kind's own stands in ${subjectFolders.join(', ')}`),
  ];
}

/** The files that name a vendor outside its folder; `files` are those of the source folders, with their texts. */
export function namesVendor(vendor: string, folder: string, files: ReadonlyMap<string, string>): readonly string[] {
  const word = new RegExp(vendor, 'i');
  return [...files].flatMap(([path, text]) =>
    !path.startsWith(`${folder}/${vendor}/`) && word.test(text) ? [path] : [],
  );
}
