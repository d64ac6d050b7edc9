import { declarationsOf } from '#adapters/mcp/programs/declarations.ts';
import type { ToolChoice } from '#adapters/mcp/protocol/tool-choice.ts';
import type { ResourceSource } from '#adapters/mcp/resources/resource.ts';
import type { OperationInfo } from '#application/ports/operation-catalog.ts';
import type { User } from '#domain/users/user.ts';

/** The resource's address. */
export const programTypesUri = 'portolan://programs/types';

/** Offers the declarations of all operations that a program of the app may call as a resource. */
export function programTypes(
  offered: (user: User, choice: ToolChoice) => Promise<readonly OperationInfo[]>,
): ResourceSource {
  const entry = {
    uri: programTypesUri,
    name: 'program types',
    title: 'Types for programs',
    description: 'TypeScript declarations of what a program (workspace_run) can call',
    mimeType: 'application/typescript',
  };
  return {
    templates: [],
    list: async () => ({ entries: [entry], next: null }),
    read: async ({ user, choice }, uri) => {
      if (uri !== programTypesUri) return null;
      const { mimeType } = entry;
      return [{ uri, mimeType, text: declarationsOf(await offered(user, choice), true) }];
    },
    addressOf: (_, uri) => (uri === programTypesUri ? uri : null),
    complete: async () => null,
  };
}
