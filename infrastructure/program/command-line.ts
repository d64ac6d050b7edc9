import { isBuilt } from '#infrastructure/program/program-files.ts';

/** Returns how a command of this program is typed: `portolan user` with the package, `npm run user --` in a clone. */
export function commandLine(command: string): string {
  return isBuilt ? `portolan ${command}` : `npm run ${command} --`;
}
