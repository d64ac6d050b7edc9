import { isBuilt } from '#infrastructure/program/program-files.ts';

/** What a person types for a command of this program: `portolan user` with the package, `npm run user --` in a clone. */
export function commandLine(command: string): string {
  return isBuilt ? `portolan ${command}` : `npm run ${command} --`;
}
