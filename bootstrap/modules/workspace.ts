import { ContainerModule } from 'inversify';
import { workspaceBulk } from '#adapters/mcp/tools/workspace-bulk.ts';
import { workspaceSearch } from '#adapters/mcp/tools/workspace-search.ts';
import { RunOperation } from '#application/operations/run-operation.ts';
import { AskServices } from '#application/workspace/ask-services.ts';
import { RunBulk } from '#application/workspace/run-bulk.ts';
import { SearchWorkspace } from '#application/workspace/search-workspace.ts';
import { recordPages } from '#bootstrap/modules/record-links.ts';
import { tokens } from '#bootstrap/modules/tokens.ts';

/** How long one question to a service may take, and all calls of a bulk, in ms. */
const questionMs = 10_000;
const bulkMs = 45_000;

/** Binds the tools over all services. */
export const workspace = new ContainerModule(({ bind }) => {
  bind(tokens.workspaceTools).toDynamicValue((on) => {
    const catalog = on.get(tokens.catalog);
    const connections = on.get(tokens.connections);
    const { baseUrl, settings } = on.get(tokens.runtime);
    const runOperation = on.get(RunOperation);
    const run = runOperation.run.bind(runOperation);
    const { names } = catalog;
    const services = new Map(
      settings.services.flatMap(({ service: { key, kind } }) =>
        kind.questions === undefined ? [] : [[key, kind.questions] as const],
      ),
    );
    const pages = recordPages(settings.services, connections);
    const asking = new AskServices({ run, pages, names, timeoutMs: questionMs });
    const search = new SearchWorkspace({ services, asking, connections, names });
    const bulk = new RunBulk({ run, clock: on.get(tokens.clock), deadlineMs: bulkMs });
    return [
      workspaceSearch(search, { services: names.keys, connectUrl: `${baseUrl}/page` }),
      workspaceBulk(bulk, catalog),
    ];
  });
});
