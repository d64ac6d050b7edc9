import type { VaultFile } from '#adapters/vault-folder/notes/vault-folder.ts';
import { type Answer, withHeaders } from '#adapters/vault-folder/routes/answer.ts';
import type { CommandContext } from '#adapters/vault-folder/routes/commands.ts';
import { FileRoutes } from '#adapters/vault-folder/routes/file-routes.ts';
import type { VaultRequest } from '#adapters/vault-folder/routes/vault-request.ts';
import { encodeVaultPath } from '#domain/notes/vault-path.ts';
import { type Awaitable, andThen } from '#domain/shared/result.ts';

/** Handles a request's method for one file. */
export type RunOnFile = (path: string, request: VaultRequest, isLocated?: boolean) => Awaitable<Answer>;

/**
 * Handles the methods of files and tracks the active note. `isLocated` adds a Content-Location header that names the
 * file, and lets PATCH create it.
 */
export function fileRunner({ folder, keeper, active, work }: CommandContext): RunOnFile {
  const catchUp = (path: string, { stat }: VaultFile): void => {
    const known = keeper.index.statOf(path);
    if (known !== null && known.mtime !== stat.mtime) void keeper.refresh(path).catch(() => undefined);
  };
  const routes = new FileRoutes({ folder, work, index: () => keeper.current(), onSeen: catchUp });
  return (path, request, isLocated = false) =>
    andThen(methodOf(routes, path, request, isLocated), (answer) => {
      if (answer.status < 300 && request.method === 'DELETE') active.forget(path);
      else if (answer.status < 300 && request.method !== 'GET') active.touch(path);
      return isLocated ? withHeaders(answer, { 'content-location': encodeVaultPath(path) }) : answer;
    });
}

function methodOf(routes: FileRoutes, path: string, request: VaultRequest, isMade: boolean): Awaitable<Answer> {
  switch (request.method) {
    case 'POST':
      return routes.post(path, request);
    case 'PUT':
      return routes.put(path, request);
    case 'PATCH':
      return routes.patch(path, request, isMade);
    case 'DELETE':
      return routes.remove(path, request);
    default:
      return routes.get(path, request);
  }
}
