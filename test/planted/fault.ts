/** A fault in the sources against one clause of docs/specification.md: a text of one file, and what stands in its place. */
export type PlantedFault = Readonly<{ clause: string; file: string; find: string; replace: string }>;

/** Faults in one file: the clause that each is against, the text, which the file has exactly once, and what stands there then. */
export function inFile(
  file: string,
  rows: readonly (readonly [clause: string, find: string, replace: string])[],
): readonly PlantedFault[] {
  return rows.map(([clause, find, replace]) => ({ clause, file, find, replace }));
}

/** The fault as the setting PLANTED, which `plant.mjs` reads in every process that is tested. */
export function plantedBy({ file, find, replace }: Pick<PlantedFault, 'file' | 'find' | 'replace'>): string {
  return JSON.stringify({ file, find, replace });
}

/** The groups that handle credentials: after the clauses without †, theirs are first to have a fault. */
export const credentialGroups: readonly string[] =
  'REG AUTH CODE TOKEN PKCE META SESS USER OIDC ACCT GRANT ASK CONN RENEW HOOK PSET'.split(' ');
